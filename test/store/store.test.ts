/** The store of a folder: whatever happens to its file, what it said is kept is there, and what cannot be kept is told. */

import { type ChildProcess, spawn } from 'node:child_process';
import {
  chown,
  mkdir,
  mkdtemp,
  open as openFile,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ConfigError } from '../../src/base/errors.ts';
import { type StoreStep, select, sql } from '../../src/store/statement.ts';
import { openStore, type Store, type StoreOptions } from '../../src/store/store.ts';

const TABLES = ['CREATE TABLE notes (n INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT'];
const noteSchema = z.object({ text: z.string() });

let root: string;
let folder: string;
const stores: Store[] = [];
const children: ChildProcess[] = [];
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'seller-store-'));
  folder = join(root, 'state');
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const store of stores.splice(0)) await store.close();
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
});

function open(options: Partial<StoreOptions> = {}): Store {
  const store = openStore(folder, { tables: TABLES, ...options });
  stores.push(store);
  return store;
}

function* add(...texts: readonly string[]): StoreStep<void> {
  for (const text of texts) yield sql`INSERT INTO notes (text) VALUES (${text})`;
}

const notesOf = async (store: Store) =>
  (await store.read(() => select(sql`SELECT text FROM notes ORDER BY n`, noteSchema))).map(
    ({ text }) => text,
  );

const FILE = () => join(folder, 'store.db');

describe('a step', () => {
  it('is there whole for every other store of the folder, or not at all', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ texts: fc.array(fc.string(), { maxLength: 5 }), fails: fc.boolean() }), {
          maxLength: 8,
        }),
        async (steps) => {
          await rm(folder, { recursive: true, force: true });
          const [one, other] = [open(), open()];
          const kept: string[] = [];
          for (const [at, { texts, fails }] of steps.entries()) {
            const failing = function* () {
              yield* add(...texts);
              if (fails) throw new Error('in the middle');
            };
            const done = await (at % 2 === 0 ? one : other).run(failing).then(
              () => true,
              () => false,
            );
            expect(done).toBe(!fails);
            if (done) kept.push(...texts);
            expect(await notesOf(at % 2 === 0 ? other : one)).toEqual(kept);
          }
        },
      ),
      { numRuns: 20 },
    );
  });

  it('makes nothing where it only reads', async () => {
    expect(await notesOf(open())).toEqual([]);
    expect(await readdir(root)).toEqual([]);
  });

  it('waits for another process that writes, and names those that may hold it for too long', async () => {
    const store = open();
    await store.run(() => add('before'));
    // It has the store open, and stops within a transaction.
    const program = `
      const { DatabaseSync } = require('node:sqlite');
      const database = new DatabaseSync(process.argv[1]);
      const { place } = database.prepare('SELECT place FROM openers').get();
      database.prepare('INSERT INTO openers (pid, place) VALUES (?, ?)').run(process.pid, place);
      database.exec('BEGIN IMMEDIATE');
      process.stdout.write('held');
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['-e', program, FILE()], { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    await new Promise((resolve) => child.stdout.once('data', resolve));
    let turns = 0;
    const turning = setInterval(() => (turns += 1), 10);
    const refused = await store.run(() => add('never')).catch((error: unknown) => error);
    clearInterval(turning);
    expect(refused).toBeInstanceOf(ConfigError);
    expect(String(refused)).toContain(String(child.pid));
    // The event loop turns meanwhile.
    expect(turns).toBeGreaterThan(20);
    const waiting = store.run(() => add('after'));
    child.kill('SIGKILL');
    await waiting;
    expect(await notesOf(store)).toEqual(['before', 'after']);
  }, 20_000);
});

describe('the file', () => {
  it('is for its user alone, with those beside it', async () => {
    await open().run(() => add('one'));
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    const names = await readdir(folder);
    expect(names.toSorted()).toEqual(['store.db', 'store.db-shm', 'store.db-wal']);
    for (const name of names) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  });

  // Skipped on Windows, where files have no owner by number.
  it.skipIf(process.getuid === undefined)(
    'of another user is not used (a system with user IDs)',
    async () => {
      await open().run(() => add('one'));
      const userId = process.getuid?.() || 4242;
      if (process.getuid?.() === 0) await chown(FILE(), userId, -1);
      expect(await notesOf(open({ userId }))).toEqual(['one']);
      await expect(open({ userId: userId + 1 }).run(() => add('two'))).rejects.toThrow('another user');
    },
  );

  // Skipped where the user cannot give files away.
  it.skipIf(process.getuid?.() !== 0)(
    'beside which another user has put one is not used (the superuser)',
    async () => {
      await mkdir(folder);
      await writeFile(`${FILE()}-wal`, '', { mode: 0o666 });
      await chown(`${FILE()}-wal`, 1234, -1);
      await expect(open({ userId: 4242 }).run(() => add('one'))).rejects.toThrow(
        'store.db-wal belongs to another user',
      );
    },
  );

  it('keeps nothing of what was removed, once it is wiped', async () => {
    const store = open();
    const planted = 'a value that goes';
    await store.run(() => add(planted));
    await store.run(function* () {
      yield sql`DELETE FROM notes`;
    });
    await store.wipe();
    const files = await Promise.all(
      (await readdir(folder)).map((name) => readFile(join(folder, name), 'latin1')),
    );
    expect(files.join('')).not.toContain(planted);
  });

  it.each(['removed', 'replaced'])(
    'that is %s while it is open is noticed before anything is written',
    async (how) => {
      const [one, other] = [open(), open()];
      await one.run(() => add('lost'));
      await other.run(() => add('lost too'));
      for (const name of await readdir(folder)) {
        if (how === 'removed') await rm(join(folder, name));
        else await rename(join(folder, name), join(root, name));
      }
      await one.run(() => add('kept'));
      expect(await notesOf(other)).toEqual(['kept']);
    },
  );

  it('of a newer version is refused, and left as it is', async () => {
    await open({ tables: [...TABLES, 'CREATE TABLE more (n INTEGER)'] }).run(() => add('one'));
    await expect(open().run(() => add('two'))).rejects.toThrow('newer version');
    expect(await notesOf(open({ tables: [...TABLES, 'CREATE TABLE more (n INTEGER)'] }))).toEqual(['one']);
  });

  it('of an older version gets what it lacks', async () => {
    await open().run(() => add('one'));
    const newer = open({
      tables: [...TABLES, "ALTER TABLE notes ADD COLUMN more TEXT NOT NULL DEFAULT 'x'"],
    });
    expect(
      await newer.read(() => select(sql`SELECT more FROM notes`, z.object({ more: z.string() }))),
    ).toEqual([{ more: 'x' }]);
  });

  it.each(['cut', 'of something else', 'with a damaged page'])(
    'that is %s is set aside and told once, and nothing of it is taken for true',
    async (how) => {
      const store = open();
      await store.run(() => add(...Array.from({ length: 2_000 }, (_, at) => `note ${at}`)));
      await store.close();
      if (how === 'cut') await truncate(FILE(), 4_096 * 2);
      else if (how === 'of something else') await writeFile(FILE(), 'x'.repeat(20_000));
      else {
        const { size } = await stat(FILE());
        const handle = await openFile(FILE(), 'r+');
        await handle.write(Buffer.alloc(8_192, 0xff), 0, 8_192, size - 3 * 4_096);
        await handle.close();
      }
      // A process was ended without closing it.
      await writeFile(`${FILE()}-wal`, '');
      const next = open();
      const failure = await next.run(() => add('next')).catch((error: unknown) => error);
      expect(String(failure)).toMatch(/was damaged and set aside/);
      await next.run(() => add('new'));
      expect(await notesOf(open())).toEqual(['new']);
      expect((await readdir(folder)).filter((name) => name.includes('damaged'))).not.toEqual([]);
    },
  );

  it('that cannot be made is told with the reason', async () => {
    await writeFile(folder, 'no folder');
    await expect(open().run(() => add('one'))).rejects.toThrow(/ENOTDIR|EEXIST/);
    await rm(folder);
    await mkdir(FILE(), { recursive: true });
    await expect(open().run(() => add('one'))).rejects.toThrow('a folder');
  });

  it.each(['OneDrive - Shop', 'Dropbox'])(
    'is not kept where a program synchronizes it (%s)',
    async (name) => {
      folder = join(root, name, 'state');
      await expect(open().run(() => add('one'))).rejects.toThrow('two computers');
    },
  );
});

/** Adds two notes in each step, and says so, until it is killed. */
const ADDING = `
    const { openStore } = await import(process.argv[1]);
    const store = openStore(process.argv[2], { tables: ${JSON.stringify(TABLES)} });
    for (let at = 0; ; at++) {
      await store.run(function* () {
        for (const part of ['a', 'b']) yield { text: 'INSERT INTO notes (text) VALUES (?)', values: [process.argv[3] + at + part] };
      });
      process.stdout.write(process.argv[3] + at + '\\n');
      await new Promise((resolve) => setTimeout(resolve, 3));
    }`;

/** Bundles it for a process that starts in the time of a bare Node. */
async function bundleStore(): Promise<string> {
  const bundle = join(root, 'store.mjs');
  await build({
    entryPoints: [new URL('../../src/store/store.ts', import.meta.url).pathname],
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
    outfile: bundle,
  });
  return bundle;
}

it('several stores of one process, opened and closed beside another process, lose and damage nothing', async () => {
  const bundle = await bundleStore();
  const child = spawn(process.execPath, ['--input-type=module', '-e', ADDING, bundle, folder, 'child-'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const output: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(String(chunk)));
  const kept: string[] = [];
  const work = async (name: string) => {
    for (let turn = 0; turn < 40; turn += 1) {
      const store = openStore(folder, { tables: TABLES });
      for (let at = 0; at < 5; at += 1) {
        const text = `${name}${turn}-${at}`;
        await store.run(() => add(text));
        kept.push(text);
        await notesOf(store);
      }
      await store.close();
    }
  };
  await Promise.all(['a', 'b', 'c', 'd'].map(work));
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('close', resolve));
  const own = open();
  const found = new Set(await notesOf(own));
  expect(kept.filter((text) => !found.has(text))).toEqual([]);
  const whole = output.join('').split('\n').slice(0, -1);
  expect(whole.length).toBeGreaterThan(20);
  expect(whole.filter((text) => !found.has(`${text}a`))).toEqual([]);
  const checked = await own.read(() => select(sql`PRAGMA integrity_check`, z.unknown()));
  expect(JSON.stringify(checked)).toBe('[{"integrity_check":"ok"}]');
  expect((await readdir(folder)).filter((name) => name.includes('damaged'))).toEqual([]);
}, 60_000);

it('a process that is killed at any moment leaves every step whole, and what it was told is kept', async () => {
  const bundle = await bundleStore();
  const output: string[] = [];
  const runOne = async (name: string) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', ADDING, bundle, folder, name], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    let text = '';
    await new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk: Buffer) => {
        text += String(chunk);
        if (text.length > 40) setTimeout(() => child.kill('SIGKILL'), Math.random() * 40);
      });
      child.once('close', () => resolve());
    });
    output.push(...text.split('\n').slice(0, -1));
  };
  for (let time = 0; time < 4; time += 1) await Promise.all([runOne(`x${time}-`), runOne(`y${time}-`)]);
  const notes = await notesOf(open());
  expect(output.length).toBeGreaterThan(20);
  for (const one of output) expect(notes).toContain(`${one}a`);
  for (const one of notes) expect(notes).toContain(one.replace(/[ab]$/, (end) => (end === 'a' ? 'b' : 'a')));
}, 60_000);

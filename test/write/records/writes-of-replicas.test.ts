/** Journals of replicas on a real store: whatever is lost on the way, each has all lines in the end, once, in the order in which each was written. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { sql } from '../../../src/store/statement.ts';
import { readJournal } from '../../../src/write/records/journal/journal.ts';
import { addLine } from '../../../src/write/records/journal/journal-table.ts';
import { writesOfReplicas } from '../../../src/write/records/writes-of-replicas.ts';
import { openStateStore } from '../../../src/write/state-store.ts';
import { type Cut, cutStore } from '../../helpers/cut-store.ts';
import { mayUseStore, STORE_NAME } from '../../helpers/postgres.ts';
import { connectTo, createStateSealer, useStore } from '../../helpers/shared-store.ts';

const sealer = createStateSealer();
/** Entries of one time are listed in the order in which they came. */
const TIME = '2026-11-20T12:00:00.000Z';
const shared = useStore();
const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

interface Options {
  folder?: string;
  sealer?: Pick<typeof sealer, 'seal' | 'open'>;
  keepDays?: number;
}

async function openReplica({ folder: given, sealer: key = sealer, keepDays = 30 }: Options = {}) {
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'seller-replica-')));
  folders.push(folder);
  const { store, cut } = cutStore(shared.store);
  const own = openStateStore(folder);
  const messages: string[] = [];
  const writes = writesOfReplicas({
    replicas: { store, sealer: async () => key },
    store: own,
    keepDays,
    warn: (message) => messages.push(message),
  });
  return {
    ...writes,
    folder,
    cut,
    messages,
    /** Records a write as the journal does. */
    async write(id: string) {
      const line = {
        v: 1,
        kind: 'begun',
        as: 'other',
        id,
        time: TIME,
        account: 'a',
        operation: 'o',
      } as const;
      await own.run(() => addLine(line));
      await writes.wrote([JSON.stringify(line)]);
    },
    read: async () => (await readJournal(own)).map(({ id }) => id),
    waiting: () =>
      own.read(function* () {
        return JSON.stringify(yield sql`SELECT line FROM to_replicas`);
      }),
  };
}

const anyCut = fc.constantFrom<Cut>('none', 'none', 'before', 'after');
const anyStep = fc.record({
  at: fc.nat({ max: 1 }),
  does: fc.constantFrom('write', 'write', 'write', 'catch up', 'restart', 'lose the log'),
  cuts: fc.array(anyCut, { maxLength: 4 }),
});

const of = (who: string, lines: readonly string[]) => lines.filter((line) => line.startsWith(who));
const readLog = () => shared.server.query('SELECT * FROM log');
const loseLog = () => shared.server.query('DELETE FROM log');

// Skipped for a newcomer without a store, never in CI (see mayUseStore).
describe.skipIf(!mayUseStore)(STORE_NAME, () => {
  it('each has all lines in the end, once, in their order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 20 }), async (steps) => {
        await loseLog();
        const replicas = [await openReplica(), await openReplica()];
        const written: string[][] = [[], []];
        let isLost = false;
        for (const [n, { at, does, cuts }] of steps.entries()) {
          const one = replicas[at];
          if (one === undefined) continue;
          const lost = [...cuts];
          one.cut(() => lost.shift() ?? 'none');
          const line = `${'ab'[at]}-${n}`;
          if (does === 'write') {
            await one.write(line);
            written[at]?.push(line);
          } else if (does === 'catch up') await one.catchUp();
          else if (does === 'restart') {
            await one.close();
            replicas[at] = await openReplica({ folder: one.folder });
          } else {
            isLost = true;
            await loseLog();
          }
          one.cut(() => 'none');
        }
        for (const [at, one] of replicas.entries()) {
          await one.write(`${'ab'[at]}-last`);
          written[at]?.push(`${'ab'[at]}-last`);
        }
        // A store that was late once is away for a moment, and what waits is handed over once it is back.
        const readLast = () =>
          Promise.all(
            replicas.map(async (one) => {
              await one.catchUp();
              return (await one.read()).filter((line) => line.endsWith('last')).sort();
            }),
          );
        await expect.poll(readLast).toEqual(replicas.map(() => ['a-last', 'b-last']));
        for (const [at, one] of replicas.entries()) {
          const lines = await one.read();
          expect(of('ab'[at] ?? '', lines)).toEqual(written[at]);
          const others = of('ba'[at] ?? '', lines);
          // The lines that the store lost before they were read are missing; those it lost later can come
          // once more.
          if (isLost)
            expect(written[1 - at]?.filter((line) => others.includes(line))).toEqual([...new Set(others)]);
          else expect(others).toEqual(written[1 - at]);
          await one.close();
        }
      }),
      { numRuns: 60 },
    );
  }, 120_000);

  it('processes of one folder do not tell each other what they read there anyhow', async () => {
    const one = await openReplica();
    const other = await openReplica({ folder: one.folder });
    const far = await openReplica();
    for (const [at, each] of [one, other, far].entries()) await each.write(`line ${at}`);
    await Promise.all([one.catchUp(), other.catchUp(), far.catchUp()]);
    expect((await one.read()).sort()).toEqual(['line 0', 'line 1', 'line 2']);
    expect((await far.read()).sort()).toEqual(['line 0', 'line 1', 'line 2']);
  });

  it('what an ended process has left is handed over by the next', async () => {
    const one = await openReplica();
    one.cut(() => 'before');
    await one.write('first');
    await one.write('second');
    await one.close();
    const far = await openReplica();
    await far.catchUp();
    expect(await far.read()).toEqual([]);
    await (await openReplica({ folder: one.folder })).write('third');
    await far.catchUp();
    expect(await far.read()).toEqual(['first', 'second', 'third']);
  });

  it('and by itself, once the store is back', async () => {
    const [one, far] = [await openReplica(), await openReplica()];
    one.cut(() => 'before');
    await one.write('first');
    one.cut(() => 'none');
    await expect
      .poll(
        async () => {
          await far.catchUp();
          return far.read();
        },
        { timeout: 10_000 },
      )
      .toEqual(['first']);
    expect(await one.waiting()).toBe('[]');
  });

  it('nothing can be read in the store, nor on the disk while it waits; without a key nothing is put there', async () => {
    const one = await openReplica();
    await one.write('a line with a value');
    one.cut(() => 'before');
    await one.write('another value');
    expect(await one.waiting()).toMatch(/^\[.+\]$/);
    expect(await one.waiting()).not.toContain('value');
    const before = await readLog();
    expect(before).toHaveLength(1);
    expect(JSON.stringify(before)).not.toContain('value');
    const seal = () => Promise.reject(new Error('no keychain'));
    const none = await openReplica({ sealer: { ...sealer, seal } });
    await none.write('in clear');
    await none.catchUp();
    expect(await none.read()).toEqual(['in clear']);
    expect(await readLog()).toEqual(before);
    await one.close();
  });

  it('what was sealed for something else, or under another key, is passed over; so is a log that is held', async () => {
    const [one, far] = [await openReplica(), await openReplica()];
    await (await openReplica({ sealer: createStateSealer(8) })).write('of a stranger');
    await one.write('ours');
    const forged = await sealer.seal('{"from":"x","line":"forged"}');
    await shared.server.query(
      'INSERT INTO log SELECT 9007199254740000, max(expires), $1::text, $1::text FROM log',
      [forged],
    );
    await far.catchUp();
    expect(await far.read()).toEqual(['ours']);
    const release = await shared.hold('log');
    await one.write('kept here');
    await far.catchUp();
    expect(await far.read()).toEqual(['ours']);
    await release();
    await loseLog();
    await one.write('after');
    await far.catchUp();
    expect(await far.read()).toEqual(['ours', 'kept here', 'after']);
    expect([...one.messages, ...far.messages]).toEqual([]);
    await one.close();
  });

  it('is kept in the store as long as here, and no longer', async () => {
    const one = await openReplica({ keepDays: 1 });
    await one.write('first');
    const [line] = await readLog();
    expect(Math.abs(Number(line?.expires) / 1000 - Date.now() - 86_400_000)).toBeLessThan(60_000);
    await shared.server.query("INSERT INTO log VALUES (1000, 1000, 'old', 'v1.old')");
    await one.write('second');
    // A replica removes what has expired when it begins, and once an hour.
    const store = await connectTo(shared.server.address);
    await expect.poll(readLog, { timeout: 10_000 }).toHaveLength(2);
    await store.close();
  });
});

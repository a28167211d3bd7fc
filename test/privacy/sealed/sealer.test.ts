import { mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CredentialStore } from '../../../src/accounts/account.ts';
import { KeychainError } from '../../../src/accounts/keychain/keychain-failure.ts';
import { createMemoryStore } from '../../../src/accounts/memory-store.ts';
import { createKeychainKeys, createSingleKey } from '../../../src/privacy/sealed/keychain-keys.ts';
import { createSealer } from '../../../src/privacy/sealed/sealer.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seller-sealed-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

let time = 1_000_000;
const open = (store: CredentialStore = createMemoryStore()) =>
  createSealer(createKeychainKeys({ folder, store, now: () => time }));

describe('what is sealed', () => {
  it('opens to what it was, whatever it is, and shows nothing of it', async () => {
    const sealer = open();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 8 }), async (text) => {
        const sealed = await sealer.seal(text);
        expect(sealed).toMatch(/^v1\.[0-9a-f]{16}\.[\w-]+$/);
        expect(await sealer.open(sealed)).toBe(text);
      }),
      { numRuns: 50 },
    );
  });

  it('is another text each time', async () => {
    const sealer = open();
    expect(await sealer.seal('the same')).not.toBe(await sealer.seal('the same'));
  });

  it('does not open where one character of it is another, or it is another key', async () => {
    const sealer = open();
    const sealed = await sealer.seal('a title');
    for (const at of [20, 30, sealed.length - 3]) {
      const other = sealed[at] === 'A' ? 'B' : 'A';
      expect(await sealer.open(sealed.slice(0, at) + other + sealed.slice(at + 1))).toBeUndefined();
    }
    for (const odd of [
      '',
      'v1',
      'v1.0000000000000000.AAAA',
      sealed.slice(0, 30),
      `${sealed}\n`,
      `x${sealed}`,
    ]) {
      expect(await sealer.open(odd)).toBeUndefined();
    }
    expect(await createSealer(createSingleKey()).open(sealed)).toBeUndefined();
  });

  it('does not open under the name of another key, were its bytes the same', async () => {
    const keys = createSingleKey();
    const bytes = (await keys.current()).bytes;
    const sealer = createSealer({ ...keys, find: async (id) => ({ id, bytes }) });
    const sealed = await sealer.seal('a title');
    const [version, id, text] = sealed.split('.');
    expect(await sealer.open(sealed)).toBe('a title');
    expect(await sealer.open([version, `${id}0`, text].join('.'))).toBeUndefined();
  });
});

describe('the key', () => {
  it('is made once, stands in the keychain alone, and opens in the next process', async () => {
    const store = createMemoryStore();
    const sealed = await open(store).seal('kept');
    expect(await open(store).open(sealed)).toBe('kept');
    expect((await open(store).seal('more')).split('.')[1]).toBe(sealed.split('.')[1]);
    const file = await readFile(join(folder, 'sealing-key'), 'utf8');
    const id = file.trim();
    expect(file).not.toContain(await store.readKey(id));
    expect((await stat(join(folder, 'sealing-key'))).mode & 0o777).toBe(0o600);
  });

  it('stands in the keychain before anybody can read its id', async () => {
    const store = createMemoryStore();
    let files: string[] | undefined;
    const writeKey: CredentialStore['writeKey'] = async (id, key) => {
      files = await readdir(folder);
      await store.writeKey(id, key);
    };
    await open({ ...store, writeKey }).seal('kept');
    expect(files).toEqual([]);
    expect(await readdir(folder)).toEqual(['sealing-key']);
  });

  it('is one where several processes make it at once', async () => {
    const store = createMemoryStore();
    const sealed = await Promise.all(Array.from({ length: 8 }, () => open(store).seal('x')));
    const last = open(store);
    for (const one of sealed) expect(await last.open(one)).toBe('x');
    const now = (await open(store).seal('y')).split('.')[1];
    expect((await readFile(join(folder, 'sealing-key'), 'utf8')).trim()).toBe(now);
  });

  it('is that of the file for whoever comes late, and nothing else is left beside it', async () => {
    const store = createMemoryStore();
    let first = '';
    const writeKey: CredentialStore['writeKey'] = async (id, key) => {
      first = await open(store).seal('first');
      await store.writeKey(id, key);
    };
    const late = open({ ...store, writeKey });
    expect((await late.seal('late')).split('.')[1]).toBe(first.split('.')[1]);
    expect(await late.open(first)).toBe('first');
    expect(await readdir(folder)).toEqual(['sealing-key']);
  });

  it.runIf(process.platform === 'linux')('leaves no file open', async () => {
    const store = createMemoryStore();
    await open(store).seal('made');
    await open(store).seal('read');
    const opened = await readdir('/proc/self/fd');
    const paths = await Promise.all(opened.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
    expect(paths.filter((path) => path.startsWith(folder))).toEqual([]);
  });

  it('is asked of the keychain once in a process, and is not one where it has another length', async () => {
    const store = createMemoryStore();
    const sealed = await open(store).seal('x');
    let asked = 0;
    let cut = 0;
    const readKey: CredentialStore['readKey'] = async (id) => {
      asked += 1;
      return Buffer.from((await store.readKey(id)) ?? '', 'base64')
        .subarray(cut)
        .toString('base64');
    };
    const sealer = open({ ...store, readKey });
    expect([await sealer.open(sealed), await sealer.open(sealed)]).toEqual(['x', 'x']);
    expect((await sealer.seal('y')).split('.')[1]).toBe(sealed.split('.')[1]);
    expect(asked).toBe(1);
    cut = 1;
    expect(await open({ ...store, readKey }).open(sealed)).toBeUndefined();
  });

  it('is made anew where the keychain has lost it; what was sealed with it stays shut', async () => {
    const sealed = await open().seal('old');
    const other = createMemoryStore();
    const sealer = open(other);
    expect(await sealer.open(sealed)).toBeUndefined();
    const again = await sealer.seal('new');
    expect(await open(other).open(again)).toBe('new');
    // The file names it from then on: the next process makes none.
    const key = again.split('.')[1];
    expect((await readFile(join(folder, 'sealing-key'), 'utf8')).trim()).toBe(key);
    expect((await open(other).seal('more')).split('.')[1]).toBe(key);
    expect(await readdir(folder)).toEqual(['sealing-key']);
  });

  it('is made anew where its file is damaged', async () => {
    await writeFile(join(folder, 'sealing-key'), 'half');
    const store = createMemoryStore();
    const sealed = await open(store).seal('x');
    expect(await open(store).open(sealed)).toBe('x');
    expect((await readFile(join(folder, 'sealing-key'), 'utf8')).trim()).toBe(sealed.split('.')[1]);
  });
});

it('without a keychain nothing is sealed, and it is asked again after a minute', async () => {
  const inner = createMemoryStore();
  let asked = 0;
  let isLocked = true;
  const store: CredentialStore = {
    ...inner,
    writeKey: async (id, key) => {
      asked += 1;
      if (isLocked) throw new KeychainError('locked');
      await inner.writeKey(id, key);
    },
  };
  const sealer = open(store);
  expect(await sealer.canSeal()).toBe(false);
  await expect(sealer.seal('x')).rejects.toThrow('keychain cannot be used');
  expect(asked).toBe(1);
  isLocked = false;
  time += 59_999;
  expect(await sealer.canSeal()).toBe(false);
  time += 1;
  expect(await sealer.canSeal()).toBe(true);
});

it('what the keychain says is told as it is; any other failure as one of the key', async () => {
  const failing = (cause: unknown) => {
    const writeKey = () => Promise.reject(cause);
    return createKeychainKeys({ folder, store: { ...createMemoryStore(), writeKey }, now: () => time });
  };
  const locked = new KeychainError('locked');
  await expect(failing(locked).current()).rejects.toBe(locked);
  for (const cause of [new Error('no bus'), 'no bus'])
    await expect(failing(cause).current()).rejects.toMatchObject({
      message: 'The key of what is kept here cannot be used: no bus.',
      cause,
    });
});

it('a key for this process alone is one key, found by its id', async () => {
  const keys = createSingleKey();
  const key = await keys.current();
  expect(await keys.current()).toBe(key);
  expect(await keys.find(key.id)).toBe(key);
  expect(await keys.find('0000000000000000')).toBeUndefined();
});

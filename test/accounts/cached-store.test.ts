/** The memory in front of the keychain: what is asked once, what is forgotten, and what a late answer may not undo. */

import { expect, it } from 'vitest';
import type { CredentialStore, StoredAccount } from '../../src/accounts/account.ts';
import { createCachedStore } from '../../src/accounts/cached-store.ts';
import { KeychainError } from '../../src/accounts/keychain/keychain-failure.ts';
import { createMemoryStore } from '../../src/accounts/memory-store.ts';

const account = (refreshToken: string): StoredAccount => ({ clientId: 'i', clientSecret: 's', refreshToken });

/** A store whose reads answer when the test says so, with what was there when they were asked. */
function setUp() {
  const inner = createMemoryStore({ a: account('T0') });
  const reads: (() => void)[] = [];
  const state = { held: false, off: false, defect: false };
  const store: CredentialStore = {
    ...inner,
    read: async (name) => {
      const value = await inner.read(name);
      if (state.defect) throw new Error('defect');
      if (state.off) throw new KeychainError('locked');
      reads.push(() => {});
      if (state.held) await new Promise<void>((resolve) => reads.push(resolve));
      return value;
    },
  };
  const clock = { ms: 0 };
  const cached = createCachedStore(store, () => clock.ms);
  const release = () => {
    for (const go of reads.splice(0)) go();
  };
  return { cached, inner, reads, release, state, clock };
}

const tokenOf = async (reading: Promise<StoredAccount | undefined>) => (await reading)?.refreshToken;

it('asks once for many readers and remembers the answer for a minute, to the millisecond', async () => {
  const { cached, reads, inner, clock } = setUp();
  await Promise.all([cached.read('a'), cached.read('a'), cached.readFresh('a')]);
  expect(reads).toHaveLength(1);
  await inner.write('a', account('T1'));
  clock.ms = 59_999;
  expect(await tokenOf(cached.read('a'))).toBe('T0');
  clock.ms = 60_000;
  expect(await tokenOf(cached.read('a'))).toBe('T1');
  expect(reads).toHaveLength(2);
});

it('asks the store itself for a fresh answer, and remembers that one', async () => {
  const { cached, inner, reads } = setUp();
  await cached.read('a');
  await inner.write('a', account('T1'));
  expect(await tokenOf(cached.readFresh('a'))).toBe('T1');
  expect(await tokenOf(cached.read('a'))).toBe('T1');
  expect(reads).toHaveLength(2);
});

it('remembers no absence', async () => {
  const { cached, inner } = setUp();
  expect(await cached.read('b')).toBeUndefined();
  await inner.write('b', account('B'));
  expect(await tokenOf(cached.read('b'))).toBe('B');
  await inner.delete('b');
  expect(await cached.readFresh('b')).toBeUndefined();
  expect(await cached.read('b')).toBeUndefined();
});

it.each([
  ['a write', async ({ cached }: ReturnType<typeof setUp>) => cached.write('a', account('W'))],
  [
    'a forgetting',
    async ({ cached, inner }: ReturnType<typeof setUp>) => {
      await inner.write('a', account('W'));
      cached.forget('a');
    },
  ],
])('a read that answers after %s in the meantime undoes nothing', async (_name, change) => {
  const parts = setUp();
  const { cached, state, release, reads } = parts;
  state.held = true;
  const late = cached.read('a');
  await expect.poll(() => reads.length).toBe(2);
  await change(parts);
  state.held = false;
  release();
  expect(await tokenOf(late)).toBe('T0');
  expect(await tokenOf(cached.read('a'))).toBe('W');
});

it('a read that was begun before a forgetting is not shared with those who ask after it', async () => {
  const { cached, state, inner, release, reads } = setUp();
  state.held = true;
  const before = cached.read('a');
  await expect.poll(() => reads.length).toBe(2);
  await inner.write('a', account('T1'));
  cached.forget('a');
  const after = cached.read('a');
  await expect.poll(() => reads.length).toBe(4);
  release();
  expect([await tokenOf(before), await tokenOf(after)]).toEqual(['T0', 'T1']);
  expect(await tokenOf(cached.read('a'))).toBe('T1');
});

it('a deletion is known at once, also to reads under way', async () => {
  const { cached, state, release, reads } = setUp();
  state.held = true;
  const late = cached.read('a');
  await expect.poll(() => reads.length).toBe(2);
  expect(await cached.delete('a')).toBe(true);
  state.held = false;
  release();
  await late;
  expect(await cached.read('a')).toBeUndefined();
  expect(await cached.delete('a')).toBe(false);
});

it('a keychain that fails takes away nothing that was read, for another minute; a defect is told', async () => {
  const { cached, state, clock } = setUp();
  state.off = true;
  await expect(cached.read('a')).rejects.toThrow('locked');
  state.off = false;
  await cached.read('a');
  state.off = true;
  clock.ms = 60_000;
  expect(await tokenOf(cached.read('a'))).toBe('T0');
  await expect(cached.readFresh('a')).rejects.toThrow('locked');
  state.off = false;
  state.defect = true;
  clock.ms = 119_999;
  expect(await tokenOf(cached.read('a'))).toBe('T0');
  clock.ms = 120_000;
  await expect(cached.read('a')).rejects.toThrow('defect');
});

it('a value that could not be written is used as if it were', async () => {
  const { cached, clock } = setUp();
  cached.assume('a', account('M'));
  clock.ms = 59_999;
  expect(await tokenOf(cached.read('a'))).toBe('M');
  expect(await tokenOf(cached.readFresh('a'))).toBe('T0');
});

it('a failed write is not remembered', async () => {
  const inner = createMemoryStore({ a: account('T0') });
  const cached = createCachedStore(
    { ...inner, write: () => Promise.reject(new KeychainError('denied')) },
    () => 0,
  );
  await cached.read('a');
  await expect(cached.write('a', account('W'))).rejects.toThrow('denied');
  expect(await tokenOf(cached.read('a'))).toBe('T0');
});

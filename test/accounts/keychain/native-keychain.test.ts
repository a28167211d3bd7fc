/** The native keychain module behind its three steps, played by the test: bytes, the pinned store, vanished entries. */

import { afterEach, describe, expect, it, vi } from 'vitest';
import { type NativeModule, openKeychain } from '../../../src/accounts/keychain/native-keychain.ts';

interface Played {
  held: Map<string, Uint8Array>;
  opened: unknown[][];
  /** Thrown by the next steps, one each. */
  failures: Error[];
  load: () => Promise<NativeModule>;
}

function play(): Played {
  const held = new Map<string, Uint8Array>();
  const opened: unknown[][] = [];
  const failures: Error[] = [];
  class AsyncEntry {
    readonly #entry: string;
    constructor(...args: [string, string, unknown]) {
      opened.push(args);
      this.#entry = args[1];
    }
    #step<T>(act: () => T): Promise<T> {
      const failure = failures.shift();
      return failure === undefined ? Promise.resolve(act()) : Promise.reject(failure);
    }
    getSecret() {
      return this.#step(() => [...(held.get(this.#entry) ?? [])]).then((bytes) =>
        held.has(this.#entry) ? bytes : null,
      );
    }
    setSecret(secret: Uint8Array) {
      return this.#step(() => void held.set(this.#entry, secret));
    }
    deleteCredential() {
      return this.#step(() => held.delete(this.#entry));
    }
  }
  return { held, opened, failures, load: async () => ({ AsyncEntry }) };
}

afterEach(() => {
  vi.useRealTimers();
});

it('keeps text as UTF-8 bytes, under one service, in the Secret Service only', async () => {
  const { load, held, opened } = play();
  const keychain = await openKeychain(load);
  expect(await keychain.get('account:a')).toBeUndefined();
  await keychain.set('account:a', 'Schlüssel');
  expect(held.get('account:a')).toEqual(Buffer.from('Schlüssel', 'utf8'));
  expect(await keychain.get('account:a')).toBe('Schlüssel');
  expect(await keychain.remove('account:a')).toBe(true);
  expect(await keychain.remove('account:a')).toBe(false);
  for (const args of opened)
    expect(args).toEqual(['seller-commerce-mcp', 'account:a', { linux: { store: 'secret-service' } }]);
});

it('throws what loading throws', async () => {
  await expect(openKeychain(() => Promise.reject(new Error('no binding')))).rejects.toThrow('no binding');
});

describe('an entry that vanishes between finding and opening it', () => {
  it.each(['No such interface', 'no such object', 'No such item', 'no such secret', 'Object does not exist'])(
    'is looked for again: %s',
    async (words) => {
      const { load, failures, held } = play();
      const keychain = await openKeychain(load);
      failures.push(new Error(`DBus error: ${words} at path /x`));
      await keychain.set('account:a', 'A');
      expect(held.has('account:a')).toBe(true);
    },
  );

  it.each([
    'Message recipient disconnected from message bus without replying',
    'The session wrapping the secret does not exist',
    'The session does not exist',
  ])('so does a service that ended, after 100 ms and more: %s', async (words) => {
    vi.useFakeTimers();
    const { load, failures, held, opened } = play();
    const keychain = await openKeychain(load);
    failures.push(new Error(`DBus error: ${words}`), new Error(`DBus error: ${words}`));
    const written = keychain.set('account:a', 'A');
    await vi.advanceTimersByTimeAsync(99);
    expect(opened).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(201);
    await written;
    expect([opened.length, held.has('account:a')]).toEqual([3, true]);
    // It may have removed it before it ended.
    failures.push(new Error(`DBus error: ${words}`));
    const removed = keychain.remove('account:b');
    await vi.advanceTimersByTimeAsync(100);
    expect(await removed).toBe(true);
  });

  it('is given up after five looks, which come at growing distances', async () => {
    vi.useFakeTimers();
    const { load, failures, opened } = play();
    const keychain = await openKeychain(load);
    failures.push(...Array.from({ length: 9 }, () => new Error('No such object')));
    const failed = expect(keychain.get('account:a')).rejects.toThrow('No such object');
    await vi.advanceTimersByTimeAsync(200);
    await failed;
    expect(opened).toHaveLength(5);
  });

  it('is not what any other failure is', async () => {
    const { load, failures, opened } = play();
    const keychain = await openKeychain(load);
    failures.push(new Error('denied'));
    await expect(keychain.remove('account:a')).rejects.toThrow('denied');
    expect(opened).toHaveLength(1);
  });
});

/** The keychain child in this process, over streams and a keychain in memory: requests, answers, and the index of names. */

import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { type ChildParts, runKeychainChild } from '../../../src/accounts/keychain/keychain-child.ts';
import type { NativeKeychain } from '../../../src/accounts/keychain/native-keychain.ts';

function inMemory(entries: Record<string, string> = {}) {
  const held = new Map(Object.entries(entries));
  const keychain: NativeKeychain = {
    get: async (entry) => held.get(entry),
    set: async (entry, value) => void held.set(entry, value),
    remove: async (entry) => held.delete(entry),
  };
  return { held, keychain };
}

const noSleep = async () => undefined;

async function runWith(input: string, parts: ChildParts) {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  stdin.end(input);
  const code = await runKeychainChild(stdin, stdout, parts);
  const output = String(stdout.read());
  return { code, output, answer: JSON.parse(output) };
}

async function ask(request: unknown, keychain: NativeKeychain, sleep: ChildParts['sleep'] = noSleep) {
  const { answer } = await runWith(`${JSON.stringify(request)}\n`, { open: async () => keychain, sleep });
  return answer;
}

const damaged = { ok: false, cause: 'failed', detail: 'the request was not understood' };

describe('a request', () => {
  it('is answered by one line after the sign that the child has started, and by the exit code', async () => {
    const { keychain } = inMemory({ 'account:a': 'A' });
    const parts = { open: async () => keychain, sleep: noSleep };
    expect(await runWith('{"op":"read","entry":"account:a"}\n', parts)).toMatchObject({
      code: 0,
      output: '\n{"ok":true,"value":"A"}\n',
    });
    const failing = {
      ...parts,
      open: async () => {
        throw new Error('The collection is locked\nmore');
      },
    };
    expect(await runWith('{"op":"list"}\n', failing)).toMatchObject({
      code: 1,
      answer: { ok: false, cause: 'locked', detail: 'The collection is locked' },
    });
  });

  it('gives the sign of its start before it turns to the keychain', async () => {
    const stdout = new PassThrough();
    const stdin = new PassThrough();
    stdin.end('{"op":"list"}\n');
    let before: unknown;
    await runKeychainChild(stdin, stdout, {
      open: async () => {
        before = String(stdout.read());
        return inMemory().keychain;
      },
      sleep: noSleep,
    });
    expect(before).toBe('\n');
  });

  it('that is not whole changes nothing: its parent has died', async () => {
    const { held, keychain } = inMemory();
    const parts = { open: async () => keychain, sleep: noSleep };
    const half = '{"op":"write","entry":"account:a","value":"A"}';
    expect(await runWith(half, parts)).toMatchObject({ code: 1, answer: damaged });
    expect(await runWith('', parts)).toMatchObject({ answer: damaged });
    expect(held.size).toBe(0);
  });

  it('ends at its line end, may come in pieces, and has a limit', async () => {
    const { held, keychain } = inMemory();
    const parts = { open: async () => keychain, sleep: noSleep };
    const stdin = new PassThrough();
    const done = runKeychainChild(stdin, new PassThrough(), parts);
    stdin.write('{"op":"write","entry":"account:a",');
    await new Promise((resolve) => setImmediate(resolve));
    // The pipe stays open: nobody waits for its end.
    stdin.write('"value":"A"}\nrest');
    expect(await done).toBe(0);
    expect(held.get('account:a')).toBe('A');
    const endless = new PassThrough();
    const stopped = runKeychainChild(endless, new PassThrough(), parts);
    endless.write('x'.repeat(1_000_000));
    await new Promise((resolve) => setImmediate(resolve));
    endless.write('x');
    expect(await stopped).toBe(1);
  });

  it.each([
    'x',
    'null',
    '[]',
    '{}',
    '{"op":"other"}',
    '{"op":"read"}',
    '{"op":"read","entry":1}',
    '{"op":"read","entry":"e","listed":1}',
    '{"op":"write","entry":"e"}',
    '{"op":"write","value":"v"}',
    '{"op":"write","entry":"e","value":1}',
    '{"op":"write","entry":"e","value":"v","listed":1}',
    '{"op":"delete","entries":"e"}',
    '{"op":"delete","entries":["e",1]}',
    '{"op":"delete","entries":[],"unlisted":1}',
  ])('that is none of ours is refused: %s', async (line) => {
    const parts = { open: async () => inMemory().keychain, sleep: noSleep };
    expect((await runWith(`${line}\n`, parts)).answer).toEqual(damaged);
  });

  it('is done although nobody listens any more', async () => {
    const { held, keychain } = inMemory();
    const stdin = new PassThrough();
    stdin.end('{"op":"write","entry":"token:a","value":"T"}\n');
    const stdout = new PassThrough();
    const done = runKeychainChild(stdin, stdout, { open: async () => keychain, sleep: noSleep });
    stdout.destroy(new Error('EPIPE'));
    expect(await done).toBe(0);
    expect(held.get('token:a')).toBe('T');
  });
});

describe('entries', () => {
  it('are read, replaced and deleted; a deletion tells whether the first was there', async () => {
    const { held, keychain } = inMemory();
    expect(await ask({ op: 'read', entry: 'account:a' }, keychain)).toEqual({ ok: true });
    expect(await ask({ op: 'write', entry: 'account:a', value: 'A' }, keychain)).toEqual({ ok: true });
    expect(await ask({ op: 'read', entry: 'account:a' }, keychain)).toEqual({ ok: true, value: 'A' });
    // The index is not written while no account has to be listed.
    expect([...held.keys()]).toEqual(['account:a']);
    held.set('token:a', 'T');
    const both = { op: 'delete', entries: ['account:a', 'token:a'] };
    expect(await ask(both, keychain)).toEqual({ ok: true, deleted: true });
    held.set('token:a', 'T');
    expect(await ask(both, keychain)).toEqual({ ok: true, deleted: false });
    expect(held.size).toBe(0);
  });
});

describe('the index', () => {
  const index = (held: Map<string, string>) => JSON.parse(held.get('accounts') ?? '[]');

  it('lists, sorted, what it names and what exists', async () => {
    const { keychain } = inMemory({ accounts: '["b","gone","a",7]', 'account:a': 'A', 'account:b': 'B' });
    expect(await ask({ op: 'list' }, keychain)).toEqual({ ok: true, names: ['a', 'b'] });
    const odd = inMemory({ accounts: '[7,null,"a"]', 'account:a': 'A', 'account:7': 'odd' });
    expect(await ask({ op: 'list' }, odd.keychain)).toEqual({ ok: true, names: ['a'] });
    expect(await ask({ op: 'list' }, inMemory().keychain)).toEqual({ ok: true, names: [] });
    expect(await ask({ op: 'list' }, inMemory({ accounts: 'damaged' }).keychain)).toMatchObject({
      names: [],
    });
    expect(await ask({ op: 'list' }, inMemory({ accounts: '{"a":1}' }).keychain)).toMatchObject({
      names: [],
    });
  });

  it('gets each name once, with one look at what it holds and no wait where it is there', async () => {
    const { held, keychain } = inMemory({ accounts: '["b"]' });
    const waits: number[] = [];
    const sleep = async (ms: number) => void waits.push(ms);
    await ask({ op: 'write', entry: 'account:a', value: 'A', listed: 'a' }, keychain, sleep);
    expect(index(held)).toEqual(['b', 'a']);
    expect(waits).toEqual([100]);
    await ask({ op: 'write', entry: 'account:a', value: 'A2', listed: 'a' }, keychain, sleep);
    expect(index(held)).toEqual(['b', 'a']);
    expect(waits).toEqual([100]);
  });

  it('is looked at again, because another process may have undone the name', async () => {
    const { held, keychain } = inMemory();
    let undone = 0;
    const sleep = async () => {
      undone += 1;
      if (undone <= 3) held.set('accounts', '["other"]');
    };
    await ask({ op: 'write', entry: 'account:a', value: 'A', listed: 'a' }, keychain, sleep);
    expect(index(held)).toEqual(['other', 'a']);
    expect(undone).toBe(4);
  });

  it('is given up on after ten attempts: the account is stored all the same', async () => {
    const { held, keychain } = inMemory();
    let waits = 0;
    const sleep = async () => {
      waits += 1;
      held.delete('accounts');
    };
    expect(await ask({ op: 'write', entry: 'account:a', value: 'A', listed: 'a' }, keychain, sleep)).toEqual({
      ok: true,
    });
    expect(waits).toBe(10);
    expect(held.get('account:a')).toBe('A');
  });

  it('gets back a name that was undone, as soon as its account is read', async () => {
    const { held, keychain } = inMemory({ accounts: '["b"]', 'account:a': 'A' });
    expect(await ask({ op: 'read', entry: 'account:a', listed: 'a' }, keychain)).toEqual({
      ok: true,
      value: 'A',
    });
    expect(index(held)).toEqual(['b', 'a']);
    await ask({ op: 'read', entry: 'account:c', listed: 'c' }, keychain);
    expect(index(held)).toEqual(['b', 'a']);
    const readOnly = { ...keychain, set: () => Promise.reject(new Error('denied')) };
    held.delete('accounts');
    expect(await ask({ op: 'read', entry: 'account:a', listed: 'a' }, readOnly)).toMatchObject({
      value: 'A',
    });
  });

  it('goes with the last account, and not before', async () => {
    const { held, keychain } = inMemory({ accounts: '["a","b"]', 'account:a': 'A', 'account:b': 'B' });
    await ask({ op: 'delete', entries: ['account:a'], unlisted: 'a' }, keychain);
    expect(index(held)).toEqual(['a', 'b']);
    // An access token is no account: its deletion leaves the index alone.
    await ask({ op: 'delete', entries: ['account:b'] }, keychain);
    expect(held.has('accounts')).toBe(true);
    await ask({ op: 'delete', entries: ['account:b'], unlisted: 'b' }, keychain);
    expect(held.size).toBe(0);
  });

  it('keeps both names when two processes add at the same moment', async () => {
    const { held, keychain } = inMemory();
    // Both read the index before either writes it.
    let readers = 0;
    const { promise: bothRead, resolve: release } = Promise.withResolvers<void>();
    const slow: NativeKeychain = {
      ...keychain,
      get: async (entry) => {
        const value = await keychain.get(entry);
        if (entry === 'accounts' && ++readers <= 2) {
          if (readers === 2) release();
          await bothRead;
        }
        return value;
      },
    };
    const sleep = () => new Promise((resolve) => setImmediate(resolve));
    const add = (name: string) =>
      ask({ op: 'write', entry: `account:${name}`, value: name, listed: name }, slow, sleep);
    await Promise.all([add('a'), add('b')]);
    expect(index(held).sort()).toEqual(['a', 'b']);
  });
});

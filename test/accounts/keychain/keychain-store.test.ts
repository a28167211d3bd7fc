import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { StoredAccount } from '../../../src/accounts/account.ts';
import { KeychainError } from '../../../src/accounts/keychain/keychain-failure.ts';
import type { KeychainRequest } from '../../../src/accounts/keychain/keychain-protocol.ts';
import { buildKeychainChild, describeWithKeychain, runsWithKeychain } from '../../helpers/keychain.ts';
import { realStore } from '../../helpers/keychain-stores.ts';

// Processes start here by the dozen: how long one takes to start is the machine's business, and no test's.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const account: StoredAccount = {
  clientId: 'amzn1.application-oa2-client.1',
  clientSecret: 'amzn1.oa2-cs.v1.Schlüssel"\\',
  refreshToken: `Atzr|${'x'.repeat(400)}`,
  region: 'eu',
  sellerId: 'A1',
};

const withKeychain = fileURLToPath(new URL('../../../scripts/with-keychain.sh', import.meta.url));

let entryFile: string;
beforeAll(() => {
  entryFile = buildKeychainChild();
});

async function failureOf(promise: Promise<unknown>): Promise<KeychainError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof KeychainError)) throw new Error(`expected a KeychainError, got ${String(error)}`);
  expect(error.reason).toBe('unreachable');
  expect(error.hint).toContain('SELLER_REFRESH_TOKEN');
  expect(error.hint).toContain('desktop bundle');
  return error;
}

describeWithKeychain('the real keychain', () => {
  const names = ['test-a', 'test-b', 'test-c'];
  const clean = async () => {
    const store = realStore(entryFile);
    await Promise.all(names.map((name) => store.delete(name)));
  };
  beforeEach(clean);
  afterEach(clean);

  it('keeps, replaces, lists and deletes accounts, each whole', async () => {
    const store = realStore(entryFile);
    expect(await store.read('test-a')).toBeUndefined();
    await store.write('test-b', account);
    await store.write('test-a', { ...account, region: 'na' });
    expect(await store.read('test-b')).toEqual(account);
    const { region: _, ...withoutRegion } = account;
    await store.write('test-b', withoutRegion);
    expect(await store.read('test-b')).toEqual(withoutRegion);
    expect((await store.list()).filter((name) => names.includes(name))).toEqual(['test-a', 'test-b']);
    expect(await store.delete('test-a')).toBe(true);
    expect(await store.delete('test-a')).toBe(false);
    expect(await store.list()).not.toContain('test-a');
    expect(await store.read('test-b')).toEqual(withoutRegion);
  });

  it('bears other processes that write and delete at the same time', async () => {
    const store = realStore(entryFile);
    const busy = async (name: string) => {
      for (let round = 0; round < 3; round += 1) {
        await store.write(name, account);
        expect(await store.read(name)).toEqual(account);
        await store.list();
        expect(await store.delete(name)).toBe(true);
      }
    };
    await Promise.all(['test-a', 'test-b', 'test-c'].map(busy));
  });

  it('keeps access tokens apart, and deletes them with their account', async () => {
    const store = realStore(entryFile);
    const token = { accessToken: 'Atza|abc', expiresAt: 123, boughtWith: 'hash' };
    await store.write('test-a', account);
    await store.writeToken('test-a', token);
    expect(await store.readToken('test-a')).toEqual(token);
    expect(await store.readToken('test-b')).toBeUndefined();
    await store.deleteToken('test-a');
    expect(await store.readToken('test-a')).toBeUndefined();
    await store.writeToken('test-a', token);
    await store.delete('test-a');
    expect(await store.readToken('test-a')).toBeUndefined();
  });

  it('lists only accounts whose entry exists, though the index still names one', async () => {
    const store = realStore(entryFile);
    await store.write('test-a', account);
    await store.write('test-b', account);
    execFileSync(process.execPath, ['--input-type=module', '-e', removeEntry('account:test-a')], {
      cwd: path.dirname(entryFile),
      timeout: 20_000,
    });
    expect((await store.list()).filter((name) => names.includes(name))).toEqual(['test-b']);
  });

  it('tells a damaged entry from a missing one, and how to replace it', async () => {
    const store = realStore(entryFile);
    await store.write('test-a', { ...account, refreshToken: '' });
    await expect(store.read('test-a')).rejects.toThrow(/entry of account "test-a" cannot be read/);
  });

  it('loses no name when accounts are added one after another by several processes', async () => {
    for (const name of names) await realStore(entryFile).write(name, account);
    expect((await realStore(entryFile).list()).filter((name) => names.includes(name))).toEqual(names);
  });
});

const removeEntry = (entry: string) => `
  import { AsyncEntry } from '@napi-rs/keyring';
  await new AsyncEntry('seller-commerce-mcp', ${JSON.stringify(entry)}, { linux: { store: 'secret-service' } }).deleteCredential();
`;

describe.runIf(process.platform === 'linux')('a keychain that cannot be used (Linux)', () => {
  let folder: string;
  let server: Server | undefined;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'keychain-'));
  });
  afterEach(async () => {
    await new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())));
    server = undefined;
    rmSync(folder, { recursive: true, force: true });
  });
  const withBus = (address: string) => ({
    environment: { ...process.env, DBUS_SESSION_BUS_ADDRESS: address },
  });

  it('absent: no bus', async () => {
    const store = realStore(entryFile, withBus(`unix:path=${folder}/none`));
    const error = await failureOf(store.read('default'));
    expect(error.keychainCause).toBe('absent');
    expect(error.message).toContain('no keychain on this machine');
  });

  it('timed out: a bus that never answers is cut off, and its process is gone', async () => {
    const connected: unknown[] = [];
    server = createServer((socket) => {
      connected.push(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => connected.pop());
      socket.resume();
    });
    await new Promise<void>((resolve) => server?.listen(`${folder}/bus`, resolve));
    const store = realStore(entryFile, { ...withBus(`unix:path=${folder}/bus`), timeoutMs: 800 });
    const error = await failureOf(store.read('default'));
    expect(error.keychainCause).toBe('timed-out');
    expect(error.message).toContain('0.8 s');
    await expect.poll(() => connected.length, { timeout: 30_000 }).toBe(0);
  });

  it('not installed: the program stands where the module is not', async () => {
    const entry = buildKeychainChild(folder);
    const error = await failureOf(realStore(entry).list());
    expect(error.keychainCause).toBe('not-installed');
    expect(error.message).toContain('not installed');
  });

  it('no child: the program that should be started does not exist', async () => {
    const error = await failureOf(realStore(entryFile, { execPath: `${folder}/none` }).list());
    expect(error.keychainCause).toBe('no-child');
  });

  it('no child: inside Electron that does not run as Node nothing is started', async () => {
    const options = { insideElectron: true, execPath: `${folder}/never-started` };
    const error = await failureOf(realStore(entryFile, options).list());
    expect(error.message).toContain('built-in Node');
  });

  it('failed: a child that ends without an answer', async () => {
    const error = await failureOf(realStore(`${folder}/none.mjs`).list());
    expect(error.keychainCause).toBe('failed');
    expect(error.message).toContain('ended with code 1');
  });

  it('too large: Windows takes 2,560 bytes; the older refresh token gives way first', async () => {
    const store = realStore(entryFile, { platform: 'win32', execPath: `${folder}/none` });
    const error = await failureOf(store.write('default', { ...account, refreshToken: 'x'.repeat(2600) }));
    expect(error.keychainCause).toBe('too-large');
    expect(error.message).not.toContain('xxx');
    const both = { ...account, refreshToken: 'x'.repeat(1500), previousRefreshToken: 'y'.repeat(1500) };
    expect((await failureOf(store.write('default', both))).keychainCause).toBe('no-child');
  });
});

/** A bus and a Secret Service of its own: what is done to it must not be in the way of tests that run at the same time. */
describe.runIf(process.platform === 'linux' && runsWithKeychain())('a Secret Service', () => {
  const ask = (request: KeychainRequest) =>
    `echo '${JSON.stringify(request)}' | "$NODE" "$CHILD" keychain-child || true`;
  const answersTo = (...lines: string[]) => {
    const output = execFileSync(withKeychain, ['bash', '-c', lines.join('\n')], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 120_000,
      env: {
        ...process.env,
        NODE: process.execPath,
        CHILD: entryFile,
        // This process has no display, so it cannot ask anybody to unlock the keychain.
        DISPLAY: '',
        WAYLAND_DISPLAY: '',
      },
    });
    return output
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  };

  it('that is locked is told as locked', () => {
    const lock =
      'dbus-send --session --print-reply --dest=org.freedesktop.secrets /org/freedesktop/secrets ' +
      'org.freedesktop.Secret.Service.Lock array:objpath:/org/freedesktop/secrets/collection/login';
    const answers = answersTo(
      ask({ op: 'write', entry: 'account:x', value: '{}' }),
      `${lock} >/dev/null`,
      ask({ op: 'read', entry: 'account:x' }),
      ask({ op: 'write', entry: 'account:x', value: '{"new":true}' }),
    );
    expect(answers).toMatchObject([
      { ok: true },
      { ok: false, cause: 'locked' },
      { ok: false, cause: 'locked' },
    ]);
  });

  it('that ends again and again is asked again, and loses nothing', () => {
    const bus = 'dbus-send --session --print-reply=literal --dest=org.freedesktop.DBus /org/freedesktop/DBus';
    const pid = `${bus} org.freedesktop.DBus.GetConnectionUnixProcessID string:org.freedesktop.secrets`;
    const round = [
      ask({ op: 'write', entry: 'account:x', value: '{}' }),
      ask({ op: 'read', entry: 'account:kept' }),
      ask({ op: 'delete', entries: ['account:x'] }),
    ];
    const answers = answersTo(
      ask({ op: 'write', entry: 'account:kept', value: '"kept"' }),
      // The bus starts it anew with the next message; in between there is none to end.
      'ended=$(mktemp)',
      `while sleep 0.3; do kill -9 $(${pid} 2>/dev/null | grep -o '[0-9]*$') 2>/dev/null && echo >>$ended; done &`,
      ...Array.from({ length: 6 }, () => round).flat(),
      'kill $!',
      'wc -l <$ended',
      'rm $ended',
    );
    const ended = answers.pop();
    expect(ended).toBeGreaterThan(0);
    expect(answers.slice(1)).toEqual(
      Array.from({ length: 6 }, () => [
        { ok: true },
        { ok: true, value: '"kept"' },
        { ok: true, deleted: true },
      ]).flat(),
    );
  });
});

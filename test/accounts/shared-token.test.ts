import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { startSandbox } from '../../sandbox/start-sandbox.ts';
import type { CredentialStore } from '../../src/accounts/account.ts';
import { createFileStore } from '../helpers/file-store.ts';
import { buildKeychainChild, buildProgram, runsWithKeychain } from '../helpers/keychain.ts';
import { directStore } from '../helpers/keychain-stores.ts';
import { RUNS_ALL } from '../helpers/launch.ts';

// Processes start here by the dozen: how long one takes to start is the machine's business, and no test's.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const run = promisify(execFile);
/** Four under `npm run test:all`. */
const PROCESSES = RUNS_ALL ? 4 : 2;

const real = runsWithKeychain();
const where = real
  ? 'the real keychain'
  : 'a store of files (no keychain here: scripts/with-keychain.sh gives one)';

let program: string;
let location: string;
let folder: string;
let store: CredentialStore;

beforeAll(() => {
  program = buildProgram('test/helpers/calling-process.ts');
  folder = mkdtempSync(path.join(tmpdir(), 'shared-token-'));
  location = real ? buildKeychainChild() : folder;
  store = real ? directStore() : createFileStore(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function withSandbox(account: string, use: (sandbox: Sandbox) => Promise<void>): Promise<void> {
  // The rate limit is another test's; that many processes at once are more than it lets through.
  const sandbox = await startSandbox({ rateLimits: false });
  try {
    const { baseUrl, authUrl, credentials } = sandbox;
    await store.write(account, { ...credentials, baseUrl, authUrl });
    await use(sandbox);
  } finally {
    await store.delete(account);
    await sandbox.close();
  }
}

async function callAs(account: string): Promise<string> {
  const { stdout } = await run(process.execPath, [program, account, real ? 'child' : 'file', location]);
  return stdout.trim();
}

describe(`processes that share an account in ${where}`, () => {
  it('make one exchange when they start one after another', async () => {
    await withSandbox('test-shared-row', async (sandbox) => {
      for (let count = 0; count < PROCESSES; count += 1) expect(await callAs('test-shared-row')).toBe('200');
      expect(sandbox.stats()).toMatchObject({ exchanges: 1, failedExchanges: 0, calls: PROCESSES });
    });
  });

  it('all work when they start at once, with no more exchanges than processes, and so does the next', async () => {
    await withSandbox('test-shared-once', async (sandbox) => {
      const statuses = await Promise.all(Array.from({ length: PROCESSES }, () => callAs('test-shared-once')));
      expect(statuses).toEqual(Array.from({ length: PROCESSES }, () => '200'));
      const { exchanges, failedExchanges } = sandbox.stats();
      expect(exchanges).toBeGreaterThan(0);
      expect(exchanges + failedExchanges).toBeLessThanOrEqual(PROCESSES);
      // Any process may have written last: the stored token still works, also after its access token has
      // expired.
      sandbox.expireTokens();
      await store.deleteToken('test-shared-once');
      expect(await callAs('test-shared-once')).toBe('200');
    });
  });
});

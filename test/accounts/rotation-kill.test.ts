import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, it, vi } from 'vitest';
import { createAccountSource } from '../../src/accounts/account-source.ts';
import { buildConfig } from '../../src/base/config.ts';
import { createFileStore } from '../helpers/file-store.ts';
import { exchangeOnce, type IdentityProvider, startIdentityProvider } from '../helpers/identity-provider.ts';
import { buildKeychainChild, buildProgram, runsWithKeychain } from '../helpers/keychain.ts';
import { directStore } from '../helpers/keychain-stores.ts';
import { RUNS_ALL } from '../helpers/launch.ts';

// Processes start here by the dozen: how long one takes to start is the machine's business, and no test's.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const STEPS = ['exchanging', 'exchanged', 'reading', 'before-writing', 'writing', 'written'];

const real = runsWithKeychain();
const where = real
  ? 'the real keychain'
  : 'a store of files (no keychain here: scripts/with-keychain.sh gives one)';

/**
 * 200 in all under `npm run test:all` and with a keychain, else 8. gnome-keyring 42 ends itself when a client is gone between asking for a session and getting one, and every
 * other test loses its keyring: in the real keychain only the program is killed, and its keychain process finishes. What
 * is killed in the middle of a write is killed over files, where a kill takes nothing else along.
 */
const lanes = real
  ? [{ kind: 'child', kills: 14 }, ...Array.from({ length: 3 }, () => ({ kind: 'file', kills: 62 }))]
  : Array.from({ length: RUNS_ALL ? 4 : 2 }, () => ({ kind: 'file', kills: RUNS_ALL ? 50 : 4 }));

let program: string;
let folder: string;
let keychainChild: string;
let provider: IdentityProvider;

beforeAll(async () => {
  program = buildProgram('test/helpers/rotating-process.ts');
  keychainChild = buildKeychainChild();
  folder = mkdtempSync(path.join(tmpdir(), 'rotation-'));
  // The stricter of the two kinds of provider.
  provider = await startIdentityProvider({ onlyNewest: true });
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await provider.close();
});

async function withAccount(account: string, kind: string, run: () => Promise<void>): Promise<void> {
  const { url } = provider;
  const store = kind === 'file' ? createFileStore(folder) : directStore();
  await store.write(account, {
    clientId: 'i',
    clientSecret: 's',
    refreshToken: provider.authorize(),
    baseUrl: url,
    authUrl: url,
  });
  await run();
  // Two exchanges from what the store holds: the second uses the first one's new token.
  const config = buildConfig({}, {});
  const source = createAccountSource({ config, store });
  await exchangeOnce(source, account);
  await exchangeOnce(source, account);
  await store.delete(account);
}

/** Leads a process group, by which the keychain's process is found when its program is gone. */
function start(account: string, kind: string, step = 'none'): ChildProcess {
  const location = kind === 'file' ? folder : keychainChild;
  return spawn(process.execPath, [program, account, `${kind}=${location}`, step], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
}

/** Resolves when the process is gone, and the keychain's process after it. @throws Error when it ended by itself: its refresh token no longer worked */
async function expectKilled(child: ChildProcess): Promise<void> {
  const complaint: string[] = [];
  child.stderr?.on('data', (chunk) => complaint.push(String(chunk)));
  const [code, signal] = await once(child, 'exit');
  if (signal !== 'SIGKILL') throw new Error(`ended by itself with ${code}: ${complaint.join('')}`);
  while (isGroupThere(child.pid)) await new Promise((resolve) => setTimeout(resolve, 10));
}

function isGroupThere(leader: number | undefined): boolean {
  try {
    return leader !== undefined && process.kill(-leader, 0);
  } catch {
    return false;
  }
}

/**
 * Kills `kills` processes one after another at random moments between the beginning of a rotation and the end of the
 * next. A process whose account is dead ends by itself, and a dead account never recovers: none may.
 */
async function killAtRandom(
  account: string,
  { kind, kills }: { kind: string; kills: number },
): Promise<void> {
  let rotationMs = 50;
  for (let count = 0; count < kills; count += 1) {
    const child = start(account, kind);
    const killed = expectKilled(child);
    const lines = child.stdout === null ? undefined : child.stdout.setEncoding('utf8');
    await Promise.race([once(lines ?? child, 'data'), killed]);
    const started = performance.now();
    // The first kills measure: they wait for a whole rotation.
    if (count < 2) {
      await Promise.race([once(lines ?? child, 'data'), killed]);
      rotationMs = performance.now() - started;
    } else {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 2 * rotationMs));
    }
    if (child.pid === undefined) throw new Error('no process was started');
    if (child.exitCode === null) process.kill(child.pid, 'SIGKILL');
    await killed;
  }
}

describe.concurrent(`rotation, killed, in ${where}`, () => {
  it.each(STEPS)('leaves a working refresh token when killed at this step: %s', async (step) => {
    const account = `test-step-${step}`;
    const kind = real ? 'child' : 'file';
    await withAccount(account, kind, () => expectKilled(start(account, kind, step)));
  });
});

describe(`rotation, killed at random, in ${where}`, () => {
  it('leaves a working refresh token each time', async () => {
    await Promise.all(
      lanes.map((lane, index) =>
        withAccount(`test-lane-${index}`, lane.kind, () => killAtRandom(`test-lane-${index}`, lane)),
      ),
    );
  });
});

/** A sandbox outside the program, and the environment and flags that point a spawned program at it. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentOf } from '../../sandbox/environment.ts';
import type { RecordedRequest, Sandbox, SandboxOptions } from '../../sandbox/sandbox.ts';
import { startSandbox } from '../../sandbox/start-sandbox.ts';
import type { JournalEntry } from '../../src/write/records/journal/entry.ts';
import { readEntries } from '../write/records/journal/helpers.ts';

/** The shop of the sandbox's seller. */
export const SHOP = '3f0c9e52-7a41-4d0b-9c86-5b1e2a7d4f10';

/** "Close on Sundays", as a change. */
export const CLOSE_ON_SUNDAYS = {
  configuration: { operationalConfiguration: { operatingHoursByDay: { sunday: [] } } },
};

export interface Outside {
  sandbox: Sandbox;
  /** A folder of this test alone: home, state and data of the spawned program. */
  folder: string;
  /** Settings and credentials; nothing of this machine. */
  env: Record<string, string>;
  /** `--state-dir`, `--data-dir` and `--files-dir` inside `folder`: `state`, `data`, `files`. */
  args: string[];
  /** Requests of one operation so far. */
  received(operation: string): RecordedRequest[];
  /** The journal, oldest first. */
  journal(): Promise<JournalEntry[]>;
  close(): Promise<void>;
}

/** Above what any test sends; its answers say so, so that the client does not wait by what is documented either. */
export const NO_LIMITS = { '*': { requestsPerSecond: 10_000, burst: 10_000 } };

/** Starts a service without limits unless they are asked for. */
export async function startOutside(options: SandboxOptions = {}): Promise<Outside> {
  const sandbox = await startSandbox({ rateLimits: NO_LIMITS, record: true, ...options });
  const folder = await mkdtemp(join(tmpdir(), 'seller-e2e-'));
  const state = join(folder, 'state');
  return {
    sandbox,
    folder,
    env: { ...homeEnvironment(folder), ...environmentOf(sandbox) },
    args: ['--state-dir', state, '--data-dir', join(folder, 'data'), '--files-dir', join(folder, 'files')],
    received: (operation) => sandbox.recorded().filter((request) => request.operation === operation),
    journal: async () => await readEntries(state),
    async close() {
      await sandbox.close();
      // The last work of a session may outlast its time on a busy machine.
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** False in the homes below, and wherever nothing is said of it. */
export function hasBus({
  DBUS_SESSION_BUS_ADDRESS: address = '',
}: Readonly<Record<string, string>>): boolean {
  return address !== '' && !address.endsWith(NO_BUS);
}

const NO_BUS = 'no-bus';

/** A home of its own, and no way to this machine's keychain. */
export function homeEnvironment(folder: string): Record<string, string> {
  return {
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_DATA_HOME: join(folder, 'share'),
    XDG_STATE_HOME: join(folder, 'xdg-state'),
    XDG_CACHE_HOME: join(folder, 'cache'),
    XDG_RUNTIME_DIR: join(folder, 'run'),
    DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(folder, NO_BUS)}`,
  };
}

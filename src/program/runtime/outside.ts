/** The world outside the program: its streams, environment, settings and signals. */

import type { Readable, Writable } from 'node:stream';
import type { CredentialStore } from '../../accounts/account.ts';
import type { Config } from '../../base/config.ts';
import type { WorkerPool } from '../../data/tables/worker-thread.ts';

/** As main.ts hands it over; nothing else of the operating system's process is touched anywhere. */
export interface Outside {
  /** What is hidden in a text, or would move a terminal's cursor, is spelled out; secrets are taken out. */
  stdout(text: string): void;
  stderr(text: string): void;
  /** A question at the terminal, whose line editor moves the cursor: nothing in it is escaped, so it holds our own words only. */
  prompt(text: string): void;
  /**
   * From now on this secret is never printed, in whatever spelling.
   * @param use what it is in use as: not forgotten until another one takes its place
   */
  learn(secret: string, use?: string): void;
  /** A result that holds secrets which this process made up, and which open nothing but its own sandbox. */
  stdoutMadeUp(text: string): void;
  stdin: Readable & { isTTY?: boolean };
  /** Where `serve` writes JSON-RPC; every other command uses `stdout`. */
  protocolOut: Writable;
  /** True when stdout is a terminal that a person looks at. */
  interactive: boolean;
  /** How wide a table may be: the terminal's own width, a fixed one where stdout is none; in characters. */
  columns: number;
  /** Reading it throws ConfigError when a setting is wrong. */
  readonly config: Config;
  /** File to start again with `execPath` for a child of ours (the bundle's main.mjs). */
  entryFile: string;
  execPath: string;
  /** `process.platform`. */
  platform: NodeJS.Platform;
  /** The user that the process runs as; undefined on Windows, and where a test does not care. */
  userId?: number | undefined;
  /** True in a desktop host's built-in Node. */
  insideElectron: boolean;
  /** In the place of the operating system's keychain, for tests. */
  keychain?: CredentialStore | undefined;
  /** Opens an address in the person's browser. @throws ConfigError where there is none */
  openInBrowser(url: string): Promise<void>;
  /** Threads of the tables that outlive a session; each session has its own where they are left out. */
  tableWorkers?: WorkerPool | undefined;
  version: string;
  /** The environment, for child processes and host folders only; settings come from `config`. */
  env: Readonly<Record<string, string | undefined>>;
  /**
   * Aborts on SIGINT and SIGTERM; soon after, the process is gone. Until a command first reads it both end the process at
   * once: a command reads it where something has to be brought to an end, and no sooner.
   */
  readonly signal: AbortSignal;
}

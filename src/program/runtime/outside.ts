/** The interface to the world outside the program: streams, environment, settings and signals. */

import type { Readable, Writable } from 'node:stream';
import type { CredentialStore } from '../../accounts/account.ts';
import type { Config } from '../../base/config.ts';
import type { WorkerPool } from '../../data/tables/worker-thread.ts';

/** The parts that main.ts provides; no other module accesses the process. */
export interface Outside {
  /** Writes text with hidden characters and terminal controls escaped, and secrets removed. */
  stdout(text: string): void;
  stderr(text: string): void;
  /**
   * Writes a question at the terminal. Nothing is escaped, because its line editor moves the cursor, so it
   * must contain our own text only.
   */
  prompt(text: string): void;
  /**
   * Registers a secret, which is then never printed in any spelling.
   * @param use the role of the secret; it is not forgotten until another one replaces it
   */
  learn(secret: string, use?: string): void;
  /** Writes a result with secrets that this process invented, which open only its own sandbox. */
  stdoutMadeUp(text: string): void;
  stdin: Readable & { isTTY?: boolean };
  /** The stream for JSON-RPC of `serve`; every other command uses `stdout`. */
  protocolOut: Writable;
  /** True when stdout is a terminal. */
  interactive: boolean;
  /** The maximum width of tables in characters: the terminal's width, or a fixed one without a terminal. */
  columns: number;
  /** The settings; reading them throws ConfigError when one is wrong. */
  readonly config: Config;
  /** The file to run with `execPath` for a child process (the bundle's main.mjs). */
  entryFile: string;
  execPath: string;
  /** `process.platform`. */
  platform: NodeJS.Platform;
  /** The user that the process runs as; undefined on Windows, and in tests that do not need it. */
  userId?: number | undefined;
  /** True in a desktop host's built-in Node. */
  insideElectron: boolean;
  /** Replaces the operating system's keychain in tests. */
  keychain?: CredentialStore | undefined;
  /**
   * Opens an address in the user's browser.
   * @throws ConfigError when there is none
   */
  openInBrowser(url: string): Promise<void>;
  /** Table threads that outlive a session; by default each session has its own. */
  tableWorkers?: WorkerPool | undefined;
  version: string;
  /** The environment, for child processes and host folders only; settings come from `config`. */
  env: Readonly<Record<string, string | undefined>>;
  /**
   * Aborts on SIGINT and SIGTERM; soon after, the process ends. Until a command first reads it, both end the
   * process at once, so a command reads it only when it has work to complete.
   */
  readonly signal: AbortSignal;
}

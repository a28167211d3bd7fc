/** What a command a person runs looks like, and what it may touch. */

import type { Readable, Writable } from 'node:stream';
import type { Config } from '../config.ts';

/** The outside world as main.ts hands it over; commands touch nothing else of the process. */
export interface CommandIo {
  stdout(text: string): void;
  stderr(text: string): void;
  /** From now on this secret is never printed, in whatever spelling. */
  learn(secret: string): void;
  stdin: Readable & { isTTY?: boolean };
  /** Where `serve` writes JSON-RPC; every other command uses `stdout`. */
  protocolOut: Writable;
  /** True when stdout is a terminal that a person looks at. */
  interactive: boolean;
  /** Reading it throws ConfigError when a setting is wrong. */
  readonly config: Config;
  /** File to start again with `execPath` for a child of ours (the bundle's main.mjs). */
  entryFile: string;
  execPath: string;
  /** `process.platform`. */
  platform: NodeJS.Platform;
  /** True in a desktop host's built-in Node. */
  insideElectron: boolean;
  version: string;
  /** The environment, for child processes and host folders only; settings come from `config`. */
  env: Readonly<Record<string, string | undefined>>;
  /** Aborts on SIGINT and SIGTERM. */
  signal: AbortSignal;
}

export interface CommandArguments {
  /** Values of the command's own options, by option name. */
  values: Readonly<Record<string, string | boolean | undefined>>;
  positionals: readonly string[];
  /** Settings given as flags, by flag name; their checked values are in `config`. */
  flags?: Readonly<Record<string, string | boolean>>;
}

/** One option of a command, beside the settings that every command takes. */
export interface CommandOption {
  type: 'string' | 'boolean';
  /** One line for --help. */
  help: string;
  /** What stands for the value in --help: `NAME`. */
  placeholder?: string;
}

export interface Command {
  /** As typed: `login`. */
  name: string;
  /** One line for the list of commands. */
  summary: string;
  /** Positional arguments for --help: `<host>`; empty when there are none. */
  positionals?: string;
  options: Readonly<Record<string, CommandOption>>;
  /** More for `<command> --help`: a few lines, examples. */
  details?: string;
  /** Resolves to the exit code; throws AppError for main.ts to print. */
  run(args: CommandArguments, io: CommandIo): Promise<number>;
}

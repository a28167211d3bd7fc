/** What a command that a person runs looks like. */

import type { Outside } from '../../runtime/outside.ts';

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
  /** How many positional arguments it takes at most; none when left out. Any further word is refused. */
  takes?: number;
  /** Name of the setting that its only positional argument stands for: `login NAME` is `login --account NAME`. */
  positionalFlag?: string;
  options: Readonly<Record<string, CommandOption>>;
  /** More for `<command> --help`: a few lines, examples. */
  details?: string;
  /** How long after SIGINT or SIGTERM it may still run, in milliseconds; just under a second when left out. */
  graceMs?: number;
  /** Resolves to the exit code; throws AppError for main.ts to print. */
  run(args: CommandArguments, io: Outside): Promise<number>;
}

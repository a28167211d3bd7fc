/** The interface of a command that a user runs. */

import type { Outside } from '../../runtime/outside.ts';

export interface CommandArguments {
  /** The values of the command's own options, by option name. */
  values: Readonly<Record<string, string | boolean | undefined>>;
  positionals: readonly string[];
  /** Settings given as flags, by flag name; `config` has their validated values. */
  flags?: Readonly<Record<string, string | boolean>>;
}

/** One option of a command, in addition to the settings that every command takes. */
export interface CommandOption {
  type: 'string' | 'boolean';
  /** One line for --help. */
  help: string;
  /** The placeholder of the value in --help: `NAME`. */
  placeholder?: string;
}

export interface Command {
  /** The name as typed: `login`. */
  name: string;
  /** One line for the list of commands. */
  summary: string;
  /** Positional arguments for --help: `<host>`; empty when there are none. */
  positionals?: string;
  /** The maximum number of positional arguments; none by default. Any further word is refused. */
  takes?: number;
  /** The setting that its only positional argument sets: `login NAME` is `login --account NAME`. */
  positionalFlag?: string;
  options: Readonly<Record<string, CommandOption>>;
  /** Further text for `<command> --help`: a few lines, examples. */
  details?: string;
  /** The time that it may run after SIGINT or SIGTERM, in milliseconds; just under a second by default. */
  graceMs?: number;
  /** Resolves to the exit code; throws AppError for main.ts to print. */
  run(args: CommandArguments, io: Outside): Promise<number>;
}

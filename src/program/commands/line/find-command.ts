/** Finds a command by its name, or says which one was meant. */

import { ConfigError } from '../../../base/errors.ts';
import { commandLine } from '../../../base/invocation.ts';
import { suggest } from '../../../base/text/nearest-name.ts';
import type { Command } from './command.ts';

/** Commands by their names, each loaded when it is asked for. */
export type CommandTable = Readonly<Record<string, () => Promise<Command>>>;

/** @throws ConfigError that names the nearest command and lists all. */
export async function findCommand(name: string, table: CommandTable): Promise<Command> {
  const load = Object.hasOwn(table, name) ? table[name] : undefined;
  if (load !== undefined) return load();
  const names = Object.keys(table);
  const near = suggest(name, names);
  throw new ConfigError(
    `There is no command ${showWord(name)}.${near === undefined ? '' : ` Did you mean ${near}?`}`,
    `Commands: ${names.join(', ')}. More: ${commandLine('help')}`,
  );
}

/** A longer word is no mistyped command, and may be a secret. */
const LONGEST_SHOWN = 32;

export function showWord(word: string): string {
  return word.length <= LONGEST_SHOWN ? JSON.stringify(word) : `of ${word.length} characters`;
}

/** Finds a command by its name, or suggests the nearest one. */

import { ConfigError } from '../../../base/errors.ts';
import { commandLine } from '../../../base/invocation.ts';
import { suggest } from '../../../base/text/nearest-name.ts';
import type { Command } from './command.ts';

/** Commands by name, each loaded on demand. */
export type CommandTable = Readonly<Record<string, () => Promise<Command>>>;

/**
 * Finds a command.
 * @throws ConfigError that names the nearest command and lists all.
 */
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

/** The maximum length of a word that is shown; a longer one is no mistyped command and may be a secret. */
const MAX_SHOWN_LENGTH = 32;

export function showWord(word: string): string {
  return word.length <= MAX_SHOWN_LENGTH ? JSON.stringify(word) : `of ${word.length} characters`;
}

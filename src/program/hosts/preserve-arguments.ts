/** Preserves the arguments of an earlier entry that neither start the program nor are set again. */

import { listSettings } from '../../base/setting-descriptions.ts';
import type { LaunchedProgram, Launcher, ServerEntry } from './entry.ts';
import { findStart } from './find-start.ts';

/** An existing entry of a configuration. */
type ExistingEntry = Pick<ServerEntry, 'command' | 'args'>;

/** Returns how the entry starts the program; undefined for a way that is not written here. */
export function launcherOf({ command, args }: ExistingEntry): Launcher | undefined {
  const words = [command, ...args].map((word) => word.replace(/^.*[\\/]/, '').replace(/\.(?:cmd|exe)$/i, ''));
  if (words[0] === 'npx' || (words[0] === 'cmd' && words.includes('npx'))) return 'npx';
  return words[0] === 'node' ? 'node' : undefined;
}

/**
 * Merges the earlier arguments into the new entry.
 * @param entry the new one, which only starts the program
 * @param named flags that are set again, and that an older flag would override
 */
export function preserveArguments(
  entry: ServerEntry,
  found: ExistingEntry,
  named: ReadonlySet<string>,
  program: LaunchedProgram,
): ServerEntry {
  const start = findStart(found.command, found.args, program) ?? -1;
  const behind = withoutFlags(found.args.slice(start + 1), named);
  const [own, launch] = [entry.args.slice(0, -1), entry.args.slice(-1)];
  const isSame = start >= 0 && launcherOf(found) === launcherOf(entry);
  const before = isSame ? found.args.slice(0, start).filter((word) => !isStart(word, own)) : [];
  return { ...entry, args: [...own, ...before, ...launch, ...behind] };
}

function isStart(word: string, own: readonly string[]): boolean {
  return own.includes(word) || ['/c', '/C', 'npx', '-y', '--yes'].includes(word);
}

/** Removes flags with their values: `--region eu`, `--region=eu`, `--no-read-only`. */
function withoutFlags(words: readonly string[], named: ReadonlySet<string>): string[] {
  const switches = new Set(listSettings().flatMap(({ flag, isSwitch }) => (isSwitch && flag ? [flag] : [])));
  const remaining: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const [, name = '', value] = /^--([^=]+)(=.*)?$/s.exec(word) ?? [];
    const base = switches.has(name.replace(/^no-/, '')) ? name.replace(/^no-/, '') : name;
    if (!named.has(base)) remaining.push(word);
    else if (value === undefined && !switches.has(base)) at++;
  }
  return remaining;
}

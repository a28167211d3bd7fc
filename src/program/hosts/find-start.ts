/** Where in an entry of a host's configuration this program is started, if it is: an entry of another program is left alone. */

import { listSettings } from '../../base/settings-words.ts';
import { PACKAGE_NAME } from '../find-invocation.ts';
import { isBuilt, type Program } from './entry.ts';

/** True when an entry of a configuration starts this program, from whichever place. */
export function isOurs(command: string, args: readonly string[], program: Program): boolean {
  return findStart(command, args, program) !== undefined;
}

/**
 * Where in an entry this program is named: -1 for the command, else the position among the arguments; undefined where it
 * is not started. A folder or an option of its name does not count: they stand in the entries of other programs too.
 */
export function findStart(
  command: string,
  args: readonly string[],
  { entryFile }: Pick<Program, 'entryFile'>,
): number | undefined {
  const exact = args.indexOf(entryFile);
  if (exact >= 0) return exact;
  if (command === entryFile || isOurCommand(command) || isOurFile(command)) return -1;
  const hasRunner = (at: number) => [command, ...args.slice(0, at)].some((word) => RUNNER.test(word));
  const last = args.findLastIndex(
    (word, at) =>
      !isSettingWithValue(args[at - 1]) && (isOurFile(word) || (isOurPackage(word) && hasRunner(at))),
  );
  return last < 0 ? undefined : last;
}

/** What follows is its value, whatever it looks like. */
function isSettingWithValue(word: string | undefined): boolean {
  return word !== undefined && listSettings().some(({ flag, isSwitch }) => !isSwitch && word === `--${flag}`);
}

const segmentsOf = (path: string) => path.split(/[\\/]/);

/** The package's own command, wherever it was put. */
function isOurCommand(word: string): boolean {
  return (
    segmentsOf(word)
      .at(-1)
      ?.replace(/\.(cmd|exe)$/i, '') === PACKAGE_NAME
  );
}

/** The program in an installed package, in a clone under the package's name, or linked by a package manager. */
function isOurFile(word: string): boolean {
  if (word.startsWith('-')) return false;
  const segments = segmentsOf(word);
  const [top, folder, file] = segments.slice(-3);
  if (top === PACKAGE_NAME && folder === 'dist' && file === 'main.mjs') return true;
  if ((segments.at(-2) === 'bin' || segments.at(-2) === '.bin') && isOurCommand(word)) return true;
  const inPackage = segments.some((name, at) => name === 'node_modules' && segments[at + 1] === PACKAGE_NAME);
  return inPackage && isBuilt(word);
}

/** The package by name, with or without a version: only what starts packages knows it by that. */
const isOurPackage = (word: string) => word.split('@')[0] === PACKAGE_NAME && !/[\\/]/.test(word);
const RUNNER = /(^|[\\/])(npx|npm|pnpx|pnpm|yarn|bunx|bun|cmd)(\.cmd|\.exe)?$/i;

/**
 * Finds where an entry of a host's configuration starts this program, so that entries of other programs stay
 * unchanged.
 */

import { listSettings } from '../../base/setting-descriptions.ts';
import { PACKAGE_NAME } from '../find-invocation.ts';
import { isBuilt, type LaunchedProgram } from './entry.ts';

/** Returns true when an entry starts this program, from any location. */
export function isOurs(command: string, args: readonly string[], program: LaunchedProgram): boolean {
  return findStart(command, args, program) !== undefined;
}

/**
 * Returns where an entry names this program: -1 for the command, otherwise the argument's index; undefined
 * when it does not start it. A folder or an option of that name does not count, because entries of other
 * programs have them too.
 */
export function findStart(
  command: string,
  args: readonly string[],
  { entryFile }: Pick<LaunchedProgram, 'entryFile'>,
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

/** Returns true for a flag whose value follows, whatever that looks like. */
function isSettingWithValue(word: string | undefined): boolean {
  return word !== undefined && listSettings().some(({ flag, isSwitch }) => !isSwitch && word === `--${flag}`);
}

const segmentsOf = (path: string) => path.split(/[\\/]/);

/** Recognizes the package's own command in any folder. */
function isOurCommand(word: string): boolean {
  return (
    segmentsOf(word)
      .at(-1)
      ?.replace(/\.(cmd|exe)$/i, '') === PACKAGE_NAME
  );
}

/**
 * Recognizes the program in an installed package, in a clone with the package's name, or linked by a package
 * manager.
 */
function isOurFile(word: string): boolean {
  if (word.startsWith('-')) return false;
  const segments = segmentsOf(word);
  const [top, folder, file] = segments.slice(-3);
  if (top === PACKAGE_NAME && folder === 'dist' && file === 'main.mjs') return true;
  if ((segments.at(-2) === 'bin' || segments.at(-2) === '.bin') && isOurCommand(word)) return true;
  const inPackage = segments.some((name, at) => name === 'node_modules' && segments[at + 1] === PACKAGE_NAME);
  return inPackage && isBuilt(word);
}

/** Recognizes the package by name, with or without a version, as only package runners use it. */
const isOurPackage = (word: string) => word.split('@')[0] === PACKAGE_NAME && !/[\\/]/.test(word);
const RUNNER = /(^|[\\/])(npx|npm|pnpx|pnpm|yarn|bunx|bun|cmd)(\.cmd|\.exe)?$/i;

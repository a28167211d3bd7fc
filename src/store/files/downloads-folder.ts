/** Finds the system's downloads folder, which is not always the one called Downloads in the home folder. */

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { promisify } from 'node:util';

export interface SystemOfFolders {
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
}

/** Runs a program of the system and returns its output. */
type RunProgram = (file: string, args: string[]) => Promise<string>;

/** Windows answers within milliseconds, or not at all. */
const TIMEOUT_MS = 3_000;

/** The maximum length that is read of a file with a few lines. */
const MAX_CHARACTERS = 100_000;

/**
 * The registry key in which Windows stores the folders that a user may move, and the name of the downloads
 * folder.
 */
const KEY = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Explorer\\User Shell Folders';
const DOWNLOADS = '{374DE290-123F-4565-9164-39C4925E467B}';

/** Returns undefined when the system names none; the existence of the folder is not checked. */
export async function downloadsFolder(
  { platform, env }: SystemOfFolders,
  home: string,
  run: RunProgram = runProgram,
): Promise<string | undefined> {
  if (platform === 'win32') return fromRegistry(env, run);
  if (platform === 'darwin') return undefined;
  const config =
    env.XDG_CONFIG_HOME === undefined || env.XDG_CONFIG_HOME === ''
      ? join(home, '.config')
      : env.XDG_CONFIG_HOME;
  const text = await readFile(join(config, 'user-dirs.dirs'), 'utf8').catch(() => '');
  return fromUserDirs(text.slice(0, MAX_CHARACTERS), home);
}

/**
 * Returns the folder in the last matching line, because a shell that reads the file uses the last too. The
 * home folder itself means that there is none.
 */
function fromUserDirs(text: string, home: string): string | undefined {
  const values = text.split('\n').map((line) => /^\s*XDG_DOWNLOAD_DIR="(.+)"\s*$/.exec(line)?.[1]);
  const value = values.findLast((one) => one !== undefined)?.replace(/\\(.)/g, '$1');
  if (value === undefined) return undefined;
  const folder = value.startsWith('$HOME/') ? join(home, value.slice('$HOME/'.length)) : value;
  return isAbsolute(folder) && resolve(folder) !== resolve(home) ? resolve(folder) : undefined;
}

/**
 * Reads the folder from the registry. A path with characters that the console cannot show is garbled, so it
 * is not found and the default is used.
 */
async function fromRegistry(env: SystemOfFolders['env'], run: RunProgram): Promise<string | undefined> {
  const file = `${variable(env, 'SystemRoot') ?? 'C:\\Windows'}\\System32\\reg.exe`;
  const printed = await run(file, ['query', KEY, '/v', DOWNLOADS]).catch(() => '');
  const value = /\bREG_(?:EXPAND_)?SZ[ \t]+(\S.*)/.exec(printed)?.[1]?.trim();
  return value?.replace(/%([^%]+)%/g, (whole, name: string) => variable(env, name) ?? whole);
}

/** Windows ignores the case of variable names. */
function variable(env: SystemOfFolders['env'], name: string): string | undefined {
  const wanted = name.toLowerCase();
  return Object.entries(env).find(([known]) => known.toLowerCase() === wanted)?.[1];
}

async function runProgram(file: string, args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(file, args, { timeout: TIMEOUT_MS, windowsHide: true });
  return stdout;
}

/** Opens an address of this program in the user's browser. */

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { unlinkSync } from 'node:fs';
import { mkdir, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigError } from '../base/errors.ts';
import { findFilesFolder } from '../store/files/find-folder.ts';
import type { Outside } from './runtime/outside.ts';

/** The time in which a launcher reports that there is no browser. */
const FAILS_WITHIN_MS = 2_000;

/** The lifetime of the file, after which a browser has read it; its address works only once. */
const FILE_LASTS_MS = 60_000;

type BrowserHost = Pick<Outside, 'env' | 'platform' | 'config'>;

/**
 * Opens `url`, which grants access to anyone who has it. On systems where users see each other's process
 * arguments, the browser gets a private file that redirects to it.
 * @throws ConfigError when there is no browser, or it cannot be started
 */
export async function open(url: string, host: BrowserHost): Promise<void> {
  const { default: start } = await import('open');
  try {
    const opening = await start(showsArguments(host) ? await leadTo(url, host) : url);
    if (opening.exitCode === null)
      await once(opening, 'exit', { signal: AbortSignal.timeout(FAILS_WITHIN_MS) }).catch(() => undefined);
    const { exitCode } = opening;
    if (exitCode !== null && exitCode !== 0)
      throw new Error(`the command of this system that opens one failed (${exitCode})`);
  } catch (error) {
    // The system's error of a failed command contains the address.
    const why =
      error instanceof Error && !error.message.includes(url) ? error.message : 'it cannot be started';
    throw new ConfigError(`No browser was opened: ${why}.`);
  }
}

/** Returns false on Windows, which shows arguments only to their own user; WSL uses a Windows browser. */
function showsArguments({ platform, env }: BrowserHost): boolean {
  return platform !== 'win32' && env.WSL_DISTRO_NAME === undefined;
}

/**
 * Writes the file into the user's folder of files, because sandboxed browsers can read neither the temporary
 * folder nor hidden ones.
 * @returns its address
 */
async function leadTo(url: string, { config, env, platform }: BrowserHost): Promise<string> {
  const folder = await findFilesFolder(config, { env, platform });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `open-${randomUUID()}.html`);
  const page = `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${url}"><title>Opening</title><p><a href="${url}">Go on</a></p>\n`;
  await writeFile(file, page, { mode: 0o600, flag: 'wx' });
  removeLater(file);
  return pathToFileURL(file).href;
}

/** Removes the file later, or when the program ends before. */
function removeLater(file: string): void {
  const removeNow = () => {
    try {
      unlinkSync(file);
    } catch {
      // The file is removed already.
    }
  };
  process.once('exit', removeNow);
  setTimeout(() => {
    process.off('exit', removeNow);
    void unlink(file).catch(() => undefined);
  }, FILE_LASTS_MS).unref();
}

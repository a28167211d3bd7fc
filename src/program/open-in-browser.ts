/** Opens an address of ours in the person's browser. */

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { unlinkSync } from 'node:fs';
import { mkdir, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigError } from '../base/errors.ts';
import { findFilesFolder } from '../disk/files/find-folder.ts';
import type { Outside } from './runtime/outside.ts';

/** What starts a browser says within this time that there is none. */
const FAILS_WITHIN_MS = 2_000;

/** A browser has read the file by then; its address opens once. */
const FILE_LASTS_MS = 60_000;

type BrowserHost = Pick<Outside, 'env' | 'platform' | 'config'>;

/**
 * Opens `url`, which lets in who has it. On systems where every user sees the arguments of every process, a browser is
 * given a file that only this user can read, and which leads there.
 * @throws ConfigError where there is no browser, or it cannot be started
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
    // The address stands in what a system says of a command that failed.
    const why =
      error instanceof Error && !error.message.includes(url) ? error.message : 'it cannot be started';
    throw new ConfigError(`No browser was opened: ${why}.`);
  }
}

/** Windows shows the arguments to their own user alone; the browser of WSL is one of Windows. */
function showsArguments({ platform, env }: BrowserHost): boolean {
  return platform !== 'win32' && env.WSL_DISTRO_NAME === undefined;
}

/**
 * Writes the file into the person's own folder of files: browsers from a store of apps can read neither the temporary folder
 * nor hidden ones.
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

/** The file is removed too where the program ends before. */
function removeLater(file: string): void {
  const removeNow = () => {
    try {
      unlinkSync(file);
    } catch {
      // It is gone.
    }
  };
  process.once('exit', removeNow);
  setTimeout(() => {
    process.off('exit', removeNow);
    void unlink(file).catch(() => undefined);
  }, FILE_LASTS_MS).unref();
}

/**
 * Reads files with secrets that an operator provides, and refuses those that more than their owner and group
 * can read.
 */

import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { ConfigError } from '../base/errors.ts';

/** A larger file contains something else. */
const MAX_BYTES = 65_536;

/**
 * The forbidden permissions: any for everybody, and write for the group, which may read the secrets that an
 * orchestrator mounts.
 */
const OTHERS = 0o007;
const GROUP_WRITES = 0o020;

/**
 * Reads the file through links, because mounted secrets are links.
 * @throws ConfigError; the system's error (ENOENT, EACCES ...)
 */
export async function readPrivateFile(path: string, platform: NodeJS.Platform): Promise<string> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new ConfigError(`${path} is no file.`, 'Put the secret into a plain file.');
    if (found.size > MAX_BYTES)
      throw new ConfigError(`${path} is larger than 64 KB.`, 'It is to hold one secret, and nothing else.');
    // The folder's access list decides on Windows who may read it.
    if (platform !== 'win32' && (found.mode & (OTHERS | GROUP_WRITES)) !== 0) {
      const mode = (found.mode & 0o777).toString(8).padStart(3, '0');
      throw new ConfigError(
        `Others can read or change ${path} (mode ${mode}): it is not used.`,
        'Make it readable to the user of the server alone (chmod 400; of a mounted secret, its defaultMode 0400).',
      );
    }
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

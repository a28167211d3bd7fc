/** Files with secrets that somebody else put there: read whole, and refused where others than their owner and group could read them too. */

import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { ConfigError } from '../base/errors.ts';

/** Larger ones hold something else. */
const MOST_BYTES = 65_536;

/** Of everybody; and of the group, which may read what an orchestrator mounts, and never write it. */
const OTHERS = 0o007;
const GROUP_WRITES = 0o020;

/** Through links, since mounted secrets are such. @throws ConfigError; the system's error (ENOENT, EACCES ...) */
export async function readPrivateFile(path: string, platform: NodeJS.Platform): Promise<string> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new ConfigError(`${path} is no file.`, 'Put the secret into a plain file.');
    if (found.size > MOST_BYTES)
      throw new ConfigError(`${path} is larger than 64 KB.`, 'It is to hold one secret, and nothing else.');
    // There, the folder's own list says who may read it.
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

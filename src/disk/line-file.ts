/** Lines put at the end of a file that several processes write to and any kill may cut: each is on the disk before the next step. */

import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Whose files may hold everything anyhow. */
const ROOT = 0;
/** A write of one line takes far less, unless its process was stopped in it. */
const LOOK_AGAIN_MS = 5;

/**
 * Resolves once they are on the disk.
 * @param handle opened with O_APPEND and for reading
 * @param lines each with its newline
 * @param afterTorn what is put before them where a process that was stopped has left half a line
 * @throws the system's error (ENOSPC ...); some of it may stand there then
 */
export async function putAtEnd(handle: FileHandle, lines: string, afterTorn: string): Promise<void> {
  const bytes = Buffer.from(`${(await endsTorn(handle)) ? afterTorn : ''}${lines}`);
  const { bytesWritten } = await handle.write(bytes);
  // The rest must not follow in a second write: another process's line may stand in between.
  if (bytesWritten !== bytes.length)
    throw new Error(`only ${bytesWritten} of ${bytes.length} bytes were written`);
  await handle.datasync();
}

/** True for what belongs to another user: made in a folder that several can write to, and read along. */
export function isStranger(owner: number, userId: number | undefined): boolean {
  return userId !== undefined && userId !== ROOT && owner !== userId && owner !== ROOT;
}

/** A half line that stands still is torn; one that grows is another process's write, seen under way. */
async function endsTorn(handle: FileHandle): Promise<boolean> {
  for (let seen = -1; ; ) {
    const { size } = await handle.stat();
    if (size === 0 || (await endsWithNewline(handle, size))) return false;
    if (size === seen) return true;
    seen = size;
    await sleep(LOOK_AGAIN_MS);
  }
}

async function endsWithNewline(handle: FileHandle, size: number): Promise<boolean> {
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  return bytesRead === 1 && buffer[0] === 0x0a;
}

/** Makes the new file's name durable too; systems that cannot open folders do it themselves. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

/** Where batches lie: one file each, made whole, then only added to; and who works on one. */

import { constants } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withFolderLock } from '../../../disk/folder-lock.ts';
import { readHolder, takeLease } from '../../../disk/lease.ts';
import { isStranger, putAtEnd, syncFolder } from '../../../disk/line-file.ts';
import { makeFolder } from '../../../disk/make-folder.ts';
import { openFile } from '../../../disk/open-file.ts';
import { TORN_LINE } from './lines.ts';

/** A process that says nothing for this long has lost its batch. That alone never sends an item twice: see send-batch.ts. */
const SILENT_MS = 60_000;

const LOCK_NAME = 'batches.lock';
const NAME = /^([0-9a-f]{8})\.jsonl$/;
const ID_LENGTH = 8;
/** Its list, that it was told, who works on it, and what was left of writing these. */
const OURS = /^[0-9a-f]{8}\.(?:jsonl|told|draft|run(?:\.[0-9a-f]{16})?)$/;
const CHUNK_BYTES = 262_144;

/** The files of batches; a test has one that is cut off between any two steps. */
export type BatchDisk = ReturnType<typeof openDisk>;

/** @param userId the user that this process runs as; undefined where the system has no such numbers */
export function openDisk(folder: string, userId: number | undefined) {
  const path = (id: string, ending = 'jsonl') => join(folder, `${id}.${ending}`);
  const leaseOf = (id: string) => ({ file: path(id, 'run'), lockName: LOCK_NAME, staleMs: SILENT_MS });
  const openOwn = async (id: string, flags: number) => {
    const handle = await openFile(path(id), flags);
    const { uid } = await handle.stat();
    if (!isStranger(uid, userId)) return handle;
    await handle.close();
    throw new Error(`${path(id)} belongs to another user`);
  };
  return {
    /** All of it, synced, or nothing. @throws the system's error (ENOSPC, EACCES ...) */
    async create(id: string, lines: string): Promise<void> {
      const draft = path(id, 'draft');
      try {
        await makeFolder(folder, 0o700);
        await writeSynced(draft, lines);
        await rename(draft, path(id));
      } catch (error) {
        await rm(draft).catch(() => undefined);
        throw error;
      }
      await syncFolder(folder);
    },
    /** On the disk when it resolves. @throws the system's error; some of it may stand there then */
    async append(id: string, lines: string): Promise<void> {
      const handle = await openOwn(id, constants.O_APPEND | constants.O_RDWR);
      try {
        await putAtEnd(handle, lines, `\n${TORN_LINE}\n`);
      } finally {
        await handle.close();
      }
    },
    /** Whole lines from that byte on, each with the place behind it; none for a file that is not there, or not ours. */
    async *read(id: string, from: number): AsyncIterable<{ line: string; next: number }> {
      const handle = await openOwn(id, constants.O_RDONLY).catch(() => undefined);
      if (handle === undefined) return;
      try {
        yield* readLines(handle, from);
      } finally {
        await handle.close();
      }
    },
    async list() {
      const names = new Set(await readdir(folder).catch(() => []));
      const ids = [...names].flatMap((name) => NAME.exec(name)?.[1] ?? []).sort();
      const found = await Promise.all(ids.map((id) => stat(path(id)).catch(() => undefined)));
      return ids.flatMap((id, i) => {
        const changedAt = found[i]?.mtimeMs;
        return changedAt === undefined ? [] : [{ id, changedAt, isTold: names.has(`${id}.told`) }];
      });
    },
    markTold: (id: string) => writeFile(path(id, 'told'), '', { mode: 0o600 }),
    /** Removes all of those that nobody has written to since, in milliseconds since the epoch. */
    async sweep(before: number): Promise<void> {
      const files = (await readdir(folder).catch(() => [])).filter((name) => OURS.test(name));
      const stats = await Promise.all(files.map((name) => stat(join(folder, name)).catch(() => undefined)));
      const used = new Set(
        files
          .filter((_, i) => (stats[i]?.mtimeMs ?? before) >= before)
          .map((name) => name.slice(0, ID_LENGTH)),
      );
      for (const name of files)
        if (!used.has(name.slice(0, ID_LENGTH))) await rm(join(folder, name)).catch(() => undefined);
    },
    /** One process at a time; takes milliseconds. */
    async inTurn<T>(work: () => Promise<T>): Promise<T> {
      await makeFolder(folder, 0o700);
      return withFolderLock(join(folder, LOCK_NAME), work);
    },
    /** Undefined while another process works on it. */
    hold: (id: string) => takeLease(leaseOf(id)),
    isHeld: async (id: string) => (await readHolder(leaseOf(id))) !== undefined,
  };
}

async function writeSynced(path: string, text: string): Promise<void> {
  // Nothing of another file that stands there is written to: not through a link, and not with its permissions.
  await rm(path, { force: true });
  const handle = await open(path, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function* readLines(handle: FileHandle, from: number): AsyncGenerator<{ line: string; next: number }> {
  let parts: Buffer[] = [];
  for (let place = from; ; ) {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, place);
    if (bytesRead === 0) return;
    const chunk = buffer.subarray(0, bytesRead);
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
      const line = Buffer.concat([...parts, chunk.subarray(start, end)]).toString('utf8');
      parts = [];
      start = end + 1;
      yield { line, next: place + start };
    }
    parts.push(chunk.subarray(start));
    place += bytesRead;
  }
}

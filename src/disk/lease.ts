/** Lets one process of this computer hold a thing for as long as it works on it: a file with its number, touched all the while. */

import { randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { parseJson } from '../base/json.ts';
import { withFolderLock } from './folder-lock.ts';
import { isRunning, processPlace } from './process-place.ts';

/** How often the holder says that it is there. */
const BEAT_MS = 1_000;

const noteSchema = z.object({
  /** Where the number is that of a process. */
  place: z.string(),
  pid: z.int().positive(),
  mark: z.string(),
  progress: z.unknown().optional(),
});

export interface LeaseOptions {
  /** Path of the file; the folder it is in is there. */
  file: string;
  /** Name of the folder beside it that is made while it is taken. */
  lockName: string;
  /** One that nobody has touched for this long was left by a process that was stopped. */
  staleMs: number;
  /** Told to those who look, as JSON. */
  progress(): unknown;
}

export interface Lease {
  /** Of this holder alone. */
  mark: string;
  /**
   * The mark of the previous holder, where it was silent for too long but may still run: it may only be
   * suspended.
   */
  silent?: string | undefined;
  /** False once another process has taken it: this one was silent for too long. */
  isOurs(): Promise<boolean>;
  release(): Promise<void>;
}

/** Undefined while another process holds it. @throws the system's error (ENOSPC, EACCES ...) */
export async function takeLease(options: LeaseOptions): Promise<Lease | undefined> {
  const mark = randomBytes(8).toString('hex');
  const taken = await withFolderLock(join(dirname(options.file), options.lockName), async () => {
    if ((await readHolder(options)) !== undefined) return undefined;
    const before = await readNote(options.file);
    await removeDrafts(options);
    await writeNote(options, mark);
    return { silent: before !== undefined && mayRun(before) ? before.mark : undefined };
  });
  return taken && { ...beat(options, mark), ...taken };
}

type Note = z.output<typeof noteSchema>;

/** Returns false for a process on this host, since its last start, that has ended. */
const mayRun = ({ place, pid }: Note) => place !== processPlace() || isRunning(pid);

function beat(options: LeaseOptions, mark: string): Lease {
  const isOurs = async () => {
    const note = await readNote(options.file);
    // Where somebody has removed it, nobody else holds it.
    return note === undefined || note.mark === mark;
  };
  let last: Promise<unknown> = Promise.resolve();
  const touch = async () => {
    if (await isOurs()) await writeNote(options, mark);
  };
  const timer = setInterval(() => {
    last = last.then(touch).catch(() => undefined);
  }, BEAT_MS);
  return {
    mark,
    isOurs,
    async release() {
      clearInterval(timer);
      await last;
      if (await isOurs()) await rm(options.file, { force: true });
    },
  };
}

/** Undefined where nobody holds it; what a process left that is gone counts for nobody. */
export async function readHolder({
  file,
  staleMs,
}: Pick<LeaseOptions, 'file' | 'staleMs'>): Promise<{ progress: unknown } | undefined> {
  const [note, found] = await Promise.all([readNote(file), stat(file).catch(() => undefined)]);
  if (note === undefined || found === undefined) return undefined;
  // Also one from the future: the clock was set back since. Its holder, if there is one, touches it within a second.
  const isFresh = Math.abs(Date.now() - found.mtimeMs) < staleMs;
  return isFresh && mayRun(note) ? { progress: note.progress } : undefined;
}

async function readNote(file: string): Promise<Note | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return noteSchema.safeParse(parseJson(text)).data;
}

/** Under another name first: a reader never sees half of it. */
async function writeNote({ file, progress }: LeaseOptions, mark: string): Promise<void> {
  const draft = `${file}.${mark}`;
  const note = { place: processPlace(), pid: process.pid, mark, progress: progress() };
  await writeFile(draft, JSON.stringify(note), { mode: 0o600 });
  await rename(draft, file);
}

/** A mark, behind the name of the note. */
const DRAFT = /^\.[0-9a-f]{16}$/;

/** Of holders that were killed while they wrote; one that is only slow is not the holder any more. */
async function removeDrafts({ file }: LeaseOptions): Promise<void> {
  const [folder, note] = [dirname(file), basename(file)];
  const names = await readdir(folder);
  const drafts = names.filter((name) => name.startsWith(note) && DRAFT.test(name.slice(note.length)));
  await Promise.all(drafts.map((name) => rm(join(folder, name), { force: true })));
}

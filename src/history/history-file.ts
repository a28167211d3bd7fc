/** The history's files: one for each day, lines put at the end, whole days removed when their time is over. */

import { randomUUID } from 'node:crypto';
import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { OUTCOMES } from '../journal/entry.ts';
import { appendLineTo, openIfThere, readFileLines } from '../journal/journal-file.ts';
import { parseJson } from '../json.ts';
import { makeFolder } from '../make-folder.ts';

const DAY_MS = 86_400_000;

/** Values as they are kept: sealed, or in clear where nothing of them is personal and there is no keychain. */
const keptSchema = z.union([z.object({ sealed: z.string() }), z.object({ clear: z.unknown() })]);
export type KeptValues = z.infer<typeof keptSchema>;

const common = { v: z.literal(1), id: z.string(), time: z.iso.datetime() };
const lineSchema = z.discriminatedUnion('kind', [
  z.object({
    ...{ ...common, kind: z.literal('kept'), account: z.string(), owner: z.string(), operation: z.string() },
    /** What changes, in short and without personal values. */
    what: z.string().optional(),
    batch: z.string().optional(),
    undoes: z.string().optional(),
    /** Why it cannot be taken back; nothing of its values is kept then. */
    cannot: z.string().optional(),
    values: keptSchema.optional(),
  }),
  z.object({
    ...{ ...common, kind: z.literal('ended'), outcome: z.enum(OUTCOMES) },
    /** What was read back of the same members. */
    found: keptSchema.optional(),
  }),
]);
export type HistoryLine = z.infer<typeof lineSchema>;

export interface HistoryFiles {
  /** Resolves once it is on the disk. @throws the system's error (ENOSPC, EACCES ...) */
  add(line: HistoryLine): Promise<void>;
  /** Whether so many bytes could be kept now. @throws the system's error */
  tryRoom(bytes: number): Promise<void>;
  /** Every line that is not too old, oldest day first; what is damaged is left out. */
  read(): AsyncGenerator<HistoryLine>;
}

export interface HistoryFilesOptions {
  folder: string;
  keepDays: number;
  /** Milliseconds since the epoch. */
  now: () => number;
  userId?: number | undefined;
}

export function openHistoryFiles({ folder, keepDays, now, userId }: HistoryFilesOptions): HistoryFiles {
  let tidied = '';
  const oldest = () => dayOf(now() - keepDays * DAY_MS);
  return {
    async add(line) {
      const today = dayOf(now());
      if (tidied !== today) {
        tidied = today;
        await removeBefore(folder, oldest());
      }
      await appendLineTo(`${today}.jsonl`, JSON.stringify(line), { folder, userId });
    },
    async tryRoom(bytes) {
      await makeFolder(folder, 0o700);
      const path = join(folder, `room-${randomUUID()}`);
      const handle = await open(path, 'wx', 0o600);
      try {
        await handle.writeFile(Buffer.alloc(bytes));
        await handle.datasync();
      } finally {
        await handle.close();
        await rm(path, { force: true });
      }
    },
    async *read() {
      for (const name of (await listDays(folder)).filter((each) => each >= oldest())) {
        const handle = await openIfThere(join(folder, name));
        if (handle === undefined) continue;
        for await (const text of readFileLines(handle)) {
          const line = lineSchema.safeParse(parseJson(text)).data;
          if (line !== undefined && Date.parse(line.time) >= now() - keepDays * DAY_MS) yield line;
        }
      }
    },
  };
}

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/** File names, oldest first; by name, so that a clock that was set wrong for a while harms nothing. */
async function listDays(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  });
  return names.filter((name) => /^\d{4}-\d{2}-\d{2}\.jsonl$/.test(name)).sort();
}

/** What cannot be removed now is removed another day. */
async function removeBefore(folder: string, day: string): Promise<void> {
  const old = (await listDays(folder).catch(() => [])).filter((name) => name < day);
  await Promise.allSettled(old.map((name) => rm(join(folder, name), { force: true })));
}

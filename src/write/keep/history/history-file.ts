/** The history's files: one for each day, lines put at the end, whole days removed when their time is over. */

import { randomUUID } from 'node:crypto';
import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { codeOf } from '../../../base/errors.ts';
import { parseJson } from '../../../base/json.ts';
import { isStranger, syncFolder } from '../../../disk/line-file.ts';
import { makeFolder } from '../../../disk/make-folder.ts';
import { RECORDED, type Recorded } from '../../model/outcome.ts';
import { authorSchema } from '../author.ts';
import { appendLineTo, openIfThere, readFileLines } from '../journal/journal-file.ts';
import type { WriteValues } from './values.ts';

const DAY_MS = 86_400_000;

/** Values as they are kept: sealed, or in clear where nothing of them is personal and there is no keychain. */
export const keptSchema = z.union([z.object({ sealed: z.string() }), z.object({ clear: z.unknown() })]);
export type KeptValues = z.infer<typeof keptSchema>;

const common = {
  v: z.literal(1),
  /** Of the journal's entry; of an item of a list that went out as a whole, `entryIdOf`. */
  id: z.string(),
  /** ISO 8601 in UTC. */
  time: z.iso.datetime(),
};
const named = {
  account: z.string(),
  /** Mark of the account's owner. */
  owner: z.string(),
  /** Of a server that several people use. */
  by: authorSchema.optional(),
  /** Operation id. */
  operation: z.string(),
  /** What changes, in short and without personal values; of a list, what the first does. */
  what: z.string().optional(),
};
const lineSchema = z.discriminatedUnion('kind', [
  z.object({
    ...common,
    kind: z.literal('kept'),
    ...named,
    batch: z.string().optional(),
    undoes: z.string().optional(),
    /** The undo restores only what nobody else has changed; the rest can still be undone. */
    isPart: z.boolean().optional(),
    /** `thingDigest`, where that is known without opening it. */
    thing: z.string().optional(),
    /** Why it could not be taken back when it was made; nothing of its values is kept then. */
    cannot: z.string().optional(),
    values: keptSchema.optional(),
  }),
  z.object({
    ...common,
    kind: z.literal('ended'),
    outcome: z.enum(RECORDED),
    /** What was read back of the same members. */
    found: keptSchema.optional(),
  }),
  z.object({
    // The line lists writes that were read as sent after they had ended; `id` is the first of them.
    ...common,
    kind: z.literal('seen'),
    ids: z.array(z.string()),
  }),
  z.object({
    // Of a list that goes out as a whole, a part: each is an entry of its own, `<batch>-<number>`; `id` is the batch.
    ...common,
    kind: z.literal('kept_list'),
    ...named,
    items: z.array(
      z.object({
        n: z.int(),
        /** Digest of what it is about. */
        thing: z.string(),
        undoes: z.string().optional(),
        isPart: z.boolean().optional(),
        cannot: z.string().optional(),
      }),
    ),
    /** Where the values lie, one for each item: a file of this folder, and the bytes of it. */
    values: z.object({ file: z.string(), at: z.int(), bytes: z.int() }),
  }),
  z.object({
    ...common,
    kind: z.literal('ended_list'),
    /** Of those that are named, by their numbers. */
    outcomes: z.array(z.tuple([z.int(), z.enum(RECORDED)])),
  }),
]);
export type HistoryLine = z.infer<typeof lineSchema>;
export type ListLine = Extract<HistoryLine, { kind: 'kept_list' }>;

type KeptLine = Extract<HistoryLine, { kind: 'kept' }>;

/** One write that was kept, with what is known of it now. */
export interface HistoryEntry extends Omit<KeptLine, 'v' | 'kind' | 'values'> {
  /** `unknown` where none was recorded. */
  outcome: Recorded;
  /** Is absent where no outcome was recorded; ISO 8601 in UTC. */
  endedAt?: string | undefined;
  /** @returns undefined where they cannot be read any more @throws CredentialError when the keychain does not answer */
  open(): Promise<(WriteValues & { found?: readonly unknown[] }) | undefined>;
}

export type HistoryFiles = ReturnType<typeof openHistoryFiles>;

export interface HistoryFilesOptions {
  /** Of its own. */
  folder: string;
  keepDays: number;
  /** Milliseconds since the epoch. */
  now: () => number;
  userId?: number | undefined;
  /** Is told lines that are on the disk, before anything is sent. */
  wrote?: (lines: readonly string[]) => Promise<void>;
}

/** @throws from each of these the system's error (ENOSPC, EACCES ...) */
export function openHistoryFiles({ folder, keepDays, now, userId, wrote }: HistoryFilesOptions) {
  let tidied = '';
  const oldest = () => dayOf(now() - keepDays * DAY_MS);
  const tidy = async () => {
    const today = dayOf(now());
    if (tidied === today) return;
    tidied = today;
    await removeBefore(folder, oldest());
  };
  return {
    /** Resolves once all are on the disk, together. */
    async add(...lines: readonly HistoryLine[]): Promise<void> {
      const today = dayOf(now());
      await tidy();
      const texts = lines.map((line) => JSON.stringify(line));
      await appendLineTo(`${today}.jsonl`, texts.join('\n'), { folder, userId });
      await wrote?.(texts);
    },
    /** A file for the values of a list, beside the lines of today. */
    async openValues() {
      await makeFolder(folder, 0o700);
      return openValuesFile(folder, `${dayOf(now())}-${randomUUID()}${VALUES}`);
    },
    /** Undefined where they are not there any more. */
    async readValues({ file, at, bytes }: ListLine['values']): Promise<string | undefined> {
      // Whatever a line says: nothing outside of this folder.
      const handle = isValues(file) ? await openIfThere(join(folder, file)) : undefined;
      if (handle === undefined) return undefined;
      try {
        if ((await handle.stat()).size < at + bytes) return undefined;
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, at);
        return bytesRead === bytes ? buffer.toString('utf8') : undefined;
      } finally {
        await handle.close();
      }
    },
    /** Whether so many bytes could be kept now. */
    async tryRoom(bytes: number): Promise<void> {
      await makeFolder(folder, 0o700);
      const path = join(folder, `room-${randomUUID()}`);
      const handle = await open(path, 'wx', 0o600);
      try {
        const piece = Buffer.alloc(Math.min(bytes, PIECE_BYTES));
        for (let left = bytes; left > 0; left -= piece.length) {
          await handle.writeFile(left < piece.length ? piece.subarray(0, left) : piece);
        }
        await handle.datasync();
      } finally {
        await handle.close();
        await rm(path, { force: true });
      }
    },
    /** Every line that is not too old, oldest day first; what is damaged or another user's is left out. @param since milliseconds since the epoch: only from then on */
    async *read(since = 0): AsyncGenerator<HistoryLine> {
      const from = Math.max(since, now() - keepDays * DAY_MS);
      // Also where nothing is written any more.
      await tidy();
      for (const name of (await listDays(folder)).filter((each) => each >= dayOf(from))) {
        const handle = await openIfThere(join(folder, name));
        if (handle === undefined) continue;
        // Nobody else says what was changed from here, and to what it goes back.
        if (isStranger((await handle.stat()).uid, userId)) {
          await handle.close();
          continue;
        }
        for await (const text of readFileLines(handle)) {
          const line = lineSchema.safeParse(parseJson(text)).data;
          if (line !== undefined && Date.parse(line.time) >= from) yield line;
        }
      }
    },
  };
}

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

const VALUES = '.values';
const isValues = (name: string) => /^\d{4}-\d{2}-\d{2}-[\w-]+\.values$/.test(name);

/** Written in one go. */
const PIECE_BYTES = 4_000_000;

/** Written once, from its beginning; many values take few writes, and one wait for the disk. */
async function openValuesFile(folder: string, name: string) {
  const path = join(folder, name);
  const handle = await open(path, 'wx', 0o600);
  let waiting: Buffer[] = [];
  let [size, unwritten] = [0, 0];
  const write = async () => {
    const pieces = waiting;
    [waiting, unwritten] = [[], 0];
    await handle.writeFile(Buffer.concat(pieces));
  };
  return {
    name,
    /** @returns the bytes where it stands */
    async put(text: string) {
      const piece = Buffer.from(`${text}\n`);
      const place = { at: size, bytes: piece.length - 1 };
      waiting.push(piece);
      size += piece.length;
      unwritten += piece.length;
      if (unwritten >= PIECE_BYTES) await write();
      return place;
    },
    /** Resolves once all of it is on the disk. */
    async finish(): Promise<void> {
      await write();
      await handle.datasync();
      await handle.close();
      await syncFolder(folder);
    },
    /** As if it had never been. */
    async discard(): Promise<void> {
      await handle.close().catch(() => undefined);
      await rm(path, { force: true }).catch(() => undefined);
    },
  };
}

/** File names, oldest first; by name, so that a clock that was set wrong for a while harms nothing. */
async function listDays(folder: string): Promise<string[]> {
  return (await listNames(folder)).filter((name) => /^\d{4}-\d{2}-\d{2}\.jsonl$/.test(name)).sort();
}

async function listNames(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  });
}

/** What cannot be removed now is removed another day. */
async function removeBefore(folder: string, day: string): Promise<void> {
  const names = await listNames(folder).catch(() => []);
  const old = names.filter(
    (name) => (/^\d{4}-\d{2}-\d{2}\.jsonl$/.test(name) || isValues(name)) && name < day,
  );
  await Promise.allSettled(old.map((name) => rm(join(folder, name), { force: true })));
}

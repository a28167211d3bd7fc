/**
 * Takes over the lines of the journal, the history and of lists under way that versions before the store left in the
 * state folder. It leaves out the values of lists that went out as feeds: their changes cannot be undone any more.
 */

import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { codeOf } from '../base/errors.ts';
import { isDeeperThan, parseJson } from '../base/json.ts';
import { makeFolder } from '../disk/make-folder.ts';
import { isStranger, openFile } from '../disk/open-file.ts';
import type { OldState } from '../disk/store.ts';
import {
  factsSchema,
  type JournalLine,
  keptSchema,
  outcomeSchema,
  requestSchema,
} from './keep/journal/entry.ts';
import { addLine } from './keep/journal/journal-table.ts';
import { RECORDED } from './model/outcome.ts';
import { insertBatch } from './run/batches/batch-table.ts';
import { readOldLines } from './run/batches/old-batch-lines.ts';

const JOURNAL = /^writes(?:-[\w.-]+)?\.jsonl$/;
const HISTORY = 'history';
const BATCHES = 'batches';
const DAY = /^\d{4}-\d{2}-\d{2}\.jsonl$/;
/** A folder with what is being taken over; one that is left was not. */
const TAKEN = 'taken-over-';
/** A folder with files of the journal that were. */
const DONE = 'before-store-';
/** Every line of the journal began like this, so that one behind a torn one was found. */
const LINE_START = '{ "v":1,';

const FOLDERS = [HISTORY, BATCHES];
const isOld = (name: string) => JOURNAL.test(name) || FOLDERS.includes(name) || name.startsWith(TAKEN);

export async function hasOldLines(folder: string): Promise<boolean> {
  return (await namesIn(folder)).some(isOld);
}

/**
 * Moved away first, so that what a process of the earlier version still writes comes with the next start.
 * @throws NotAFileError for a link, a pipe or a device in the place of a file; the system's error
 */
export async function takeOldLines(
  folder: string,
  userId: number | undefined,
): Promise<OldState | undefined> {
  const names = (await namesIn(folder)).filter(isOld);
  const files = names.filter((name) => JOURNAL.test(name));
  const own: string[] = [];
  for (const name of files) {
    const handle = await openOwn(join(folder, name), userId);
    if (handle !== undefined) own.push(name);
    await handle?.close();
  }
  const fresh = [...own, ...names.filter((name) => FOLDERS.includes(name))];
  const taken = `${TAKEN}${randomUUID()}`;
  if (fresh.length > 0) await makeFolder(join(folder, taken), 0o700);
  for (const name of fresh) await rename(join(folder, name), join(folder, taken, name)).catch(notOurs);
  const all = [...names.filter((name) => name.startsWith(TAKEN)), ...(fresh.length > 0 ? [taken] : [])].map(
    (name) => join(folder, name),
  );
  if (all.length === 0) return undefined;
  const journal = await linesIn(all, JOURNAL, userId);
  const history = await linesIn(
    all.map((one) => join(one, HISTORY)),
    DAY,
    userId,
  );
  const batches = await batchesIn(
    all.map((one) => join(one, BATCHES)),
    userId,
  );
  return {
    *step() {
      const records = journal.flatMap(fromJournal);
      // The file of an outcome can come before that of its intent, and it says more than the line of the history.
      for (const one of records) if (one.kind !== 'ended') yield* addLine(one);
      for (const one of history.flatMap(fromHistory)) yield* addLine(one);
      for (const one of records) if (one.kind === 'ended') yield* addLine(one);
      for (const [id, lines] of batches)
        yield* insertBatch(id, readOldLines(lines), { now: Date.now(), server: null, generation: null });
    },
    async done() {
      for (const one of all) {
        // Values are kept for some days, and the journal for good.
        for (const folder of FOLDERS) await rm(join(one, folder), { recursive: true, force: true });
        await unlessGone(rename(one, one.replace(TAKEN, DONE)));
      }
    },
  };
}

/** Reads the files of all these folders, older ones first; the one without a time in its name is the newest. */
async function linesIn(
  folders: readonly string[],
  wanted: RegExp,
  userId: number | undefined,
): Promise<string[]> {
  const lines: string[] = [];
  for (const folder of folders) {
    for (const name of (await namesIn(folder)).filter((one) => wanted.test(one)).sort()) {
      const handle = await openOwn(join(folder, name), userId);
      const text = await handle?.readFile('utf8').finally(() => handle.close());
      for (const line of text?.split('\n') ?? []) lines.push(line);
    }
  }
  return lines;
}

const BATCH = /^([0-9a-f]{8})\.jsonl$/;
/** A process that works on a list leaves such a note. */
const holderSchema = z.object({ mark: z.string() });
/** This line followed one that a stopped process had left in half. */
const TORN = '{"t":"torn"}';

/** Reads the lists that somebody has still to be told about, each with its id. */
async function batchesIn(folders: readonly string[], userId: number | undefined) {
  const batches: [string, string[]][] = [];
  for (const folder of folders) {
    const names = await namesIn(folder);
    for (const name of names) {
      const id = BATCH.exec(name)?.[1];
      if (id === undefined || names.includes(`${id}.told`)) continue;
      const handle = await openOwn(join(folder, name), userId);
      const text = (await handle?.readFile('utf8').finally(() => handle.close())) ?? '';
      // Behind the last end of a line nothing was written whole.
      const lines = text.split('\n').slice(0, -1);
      const note = parseJson(await readFile(join(folder, `${id}.run`), 'utf8').catch(() => ''));
      const mark = holderSchema.safeParse(note).data?.mark;
      // The process that has worked on it may still send what it was about to.
      if (mark !== undefined) lines.push(JSON.stringify({ t: 'silent', mark }));
      batches.push([id, lines.filter((line, at) => line !== TORN && !isTorn(line, lines[at + 1]))]);
    }
  }
  return batches;
}

const isTorn = (line: string, after: string | undefined) => after === TORN && parseJson(line) === undefined;

/** Undefined for one that another user has put there, or that is gone. */
async function openOwn(path: string, userId: number | undefined): Promise<FileHandle | undefined> {
  const handle = await unlessGone(openFile(path, constants.O_RDONLY));
  if (handle === undefined || !isStranger((await handle.stat()).uid, userId)) return handle;
  await handle.close();
  return undefined;
}

/** Another process may be taking it over. */
async function unlessGone<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
}

/** Passes over a file that is gone, or that another user has to move. @throws any other error */
function notOurs(error: unknown): void {
  if (!['ENOENT', 'EPERM', 'EACCES'].includes(codeOf(error))) throw error;
}

const known = { v: z.literal(1), id: z.string(), time: z.iso.datetime() };
const intent = { account: z.string(), operation: z.string(), ...factsSchema.shape };
const journalSchema = z.discriminatedUnion('kind', [
  z.object({ ...known, kind: z.literal('intent'), ...intent, ...requestSchema.shape }),
  z.object({ ...known, kind: z.literal('outcome'), ...outcomeSchema.shape }),
  z.object({
    ...known,
    kind: z.literal('refusal'),
    ...intent,
    ...requestSchema.shape,
    ...outcomeSchema.shape,
  }),
]);
const historySchema = z.discriminatedUnion('kind', [
  z.object({ ...known, kind: z.literal('kept'), ...intent, values: keptSchema.optional() }),
  z.object({ ...known, kind: z.literal('ended'), outcome: z.enum(RECORDED), found: keptSchema.optional() }),
  // Earlier versions named several at once.
  z.object({ ...known, kind: z.literal('seen'), ids: z.array(z.string()).optional() }),
]);

function fromJournal(text: string): JournalLine[] {
  const value = parseJson(text.slice(Math.max(0, text.lastIndexOf(LINE_START))));
  const line = isDeeperThan(value) ? undefined : journalSchema.safeParse(value).data;
  if (line === undefined) return [];
  if (line.kind === 'outcome') return [{ ...line, kind: 'ended' }];
  const begun = { ...line, kind: 'begun', as: 'other' } as const;
  return line.kind === 'intent' ? [begun] : [begun, { ...line, kind: 'ended' }];
}

function fromHistory(text: string): JournalLine[] {
  const line = historySchema.safeParse(parseJson(text)).data;
  if (line === undefined) return [];
  if (line.kind === 'seen')
    return (line.ids ?? [line.id]).map((id) => ({ v: 1, kind: 'seen', id, time: line.time }));
  if (line.kind === 'ended') return [line];
  const { id, batch } = line;
  const as = batch !== undefined && id.startsWith(`${batch}-`) ? 'listing' : 'write';
  return [{ ...line, kind: 'begun', as }];
}

const namesIn = (folder: string) => readdir(folder).catch((): string[] => []);

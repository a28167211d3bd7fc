/**
 * Imports the lines of the journal, the history and of running batches that versions before the store left in
 * the state folder. Values of batches that were sent as feeds are left out, so those changes can no longer be
 * undone.
 */

import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { codeOf } from '../base/errors.ts';
import { isDeeperThan, parseJson } from '../base/json.ts';
import { makeFolder } from '../store/make-folder.ts';
import { isOtherUser, openFile } from '../store/open-file.ts';
import type { ImportedState } from '../store/store.ts';
import { RECORDED } from './model/outcome.ts';
import {
  factsSchema,
  type JournalLine,
  outcomeSchema,
  requestSchema,
  storedValuesSchema,
} from './records/journal/entry.ts';
import { addLine } from './records/journal/journal-table.ts';
import { insertBatch } from './run/batches/batch-table.ts';
import { readOldLines } from './run/batches/old-batch-lines.ts';

const JOURNAL = /^writes(?:-[\w.-]+)?\.jsonl$/;
const HISTORY = 'history';
const BATCHES = 'batches';
const DAY = /^\d{4}-\d{2}-\d{2}\.jsonl$/;
/** The prefix of a folder that is being imported; one that remains was not imported whole. */
const IMPORT = 'taken-over-';
/** The prefix of a folder with imported journal files. */
const DONE = 'before-store-';
/** Every journal line began like this, so that a line after a torn one could be found. */
const LINE_START = '{ "v":1,';

const FOLDERS = [HISTORY, BATCHES];
const isOld = (name: string) => JOURNAL.test(name) || FOLDERS.includes(name) || name.startsWith(IMPORT);

export async function hasOldLines(folder: string): Promise<boolean> {
  return (await namesIn(folder)).some(isOld);
}

/**
 * Imports the old files. It moves them away first, so that lines still written by a process of the earlier
 * version are imported at the next start.
 * @throws NotAFileError for a link, a pipe or a device in place of a file; the system's error
 */
export async function importOldLines(
  folder: string,
  userId: number | undefined,
): Promise<ImportedState | undefined> {
  const names = (await namesIn(folder)).filter(isOld);
  const files = names.filter((name) => JOURNAL.test(name));
  const own: string[] = [];
  for (const name of files) {
    const handle = await openOwn(join(folder, name), userId);
    if (handle !== undefined) own.push(name);
    await handle?.close();
  }
  const fresh = [...own, ...names.filter((name) => FOLDERS.includes(name))];
  const taken = `${IMPORT}${randomUUID()}`;
  if (fresh.length > 0) await makeFolder(join(folder, taken), 0o700);
  for (const name of fresh) await rename(join(folder, name), join(folder, taken, name)).catch(ignoreForeign);
  const all = [...names.filter((name) => name.startsWith(IMPORT)), ...(fresh.length > 0 ? [taken] : [])].map(
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
      // An outcome's file can come before its intent's, and it has more detail than the history line.
      for (const one of records) if (one.kind !== 'ended') yield* addLine(one);
      for (const one of history.flatMap(fromHistory)) yield* addLine(one);
      for (const one of records) if (one.kind === 'ended') yield* addLine(one);
      for (const [id, lines] of batches)
        yield* insertBatch(id, readOldLines(lines), { now: Date.now(), server: null, generation: null });
    },
    async done() {
      for (const one of all) {
        // Values are stored for some days, and the journal is stored for good.
        for (const folder of FOLDERS) await rm(join(one, folder), { recursive: true, force: true });
        await unlessGone(rename(one, one.replace(IMPORT, DONE)));
      }
    },
  };
}

/**
 * Reads the files of all these folders, older ones first; the one without a time in its name is the newest.
 */
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
/** A process that works on a batch leaves such a note. */
const holderSchema = z.object({ mark: z.string() });
/** This line followed one that a stopped process had half written. */
const TORN = '{"t":"torn"}';

/** Reads the batches whose outcome is still to be shown, each with its id. */
async function batchesIn(folders: readonly string[], userId: number | undefined) {
  const batches: [string, string[]][] = [];
  for (const folder of folders) {
    const names = await namesIn(folder);
    for (const name of names) {
      const id = BATCH.exec(name)?.[1];
      if (id === undefined || names.includes(`${id}.told`)) continue;
      const handle = await openOwn(join(folder, name), userId);
      const text = (await handle?.readFile('utf8').finally(() => handle.close())) ?? '';
      // Text after the last line break is an incomplete line.
      const lines = text.split('\n').slice(0, -1);
      const note = parseJson(await readFile(join(folder, `${id}.run`), 'utf8').catch(() => ''));
      const mark = holderSchema.safeParse(note).data?.mark;
      // The process that worked on the batch may still send the item that it was about to send.
      if (mark !== undefined) lines.push(JSON.stringify({ t: 'silent', mark }));
      batches.push([id, lines.filter((line, at) => line !== TORN && !isTorn(line, lines[at + 1]))]);
    }
  }
  return batches;
}

const isTorn = (line: string, after: string | undefined) => after === TORN && parseJson(line) === undefined;

/** Opens a file of this user. @returns undefined if another user put it there, or it is gone */
async function openOwn(path: string, userId: number | undefined): Promise<FileHandle | undefined> {
  const handle = await unlessGone(openFile(path, constants.O_RDONLY));
  if (handle === undefined || !isOtherUser((await handle.stat()).uid, userId)) return handle;
  await handle.close();
  return undefined;
}

/** Ignores a missing file, because another process may be importing it. @throws any other error */
async function unlessGone<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
}

/** Ignores a file that is gone, or that another user has to move. @throws any other error */
function ignoreForeign(error: unknown): void {
  if (!['ENOENT', 'EPERM', 'EACCES'].includes(codeOf(error))) throw error;
}

const base = { v: z.literal(1), id: z.string(), time: z.iso.datetime() };
const intent = { account: z.string(), operation: z.string(), ...factsSchema.shape };
const journalSchema = z.discriminatedUnion('kind', [
  z.object({ ...base, kind: z.literal('intent'), ...intent, ...requestSchema.shape }),
  z.object({ ...base, kind: z.literal('outcome'), ...outcomeSchema.shape }),
  z.object({
    ...base,
    kind: z.literal('refusal'),
    ...intent,
    ...requestSchema.shape,
    ...outcomeSchema.shape,
  }),
]);
const historySchema = z.discriminatedUnion('kind', [
  z.object({ ...base, kind: z.literal('kept'), ...intent, values: storedValuesSchema.optional() }),
  z.object({
    ...base,
    kind: z.literal('ended'),
    outcome: z.enum(RECORDED),
    found: storedValuesSchema.optional(),
  }),
  // Earlier versions named several ids in one line.
  z.object({ ...base, kind: z.literal('seen'), ids: z.array(z.string()).optional() }),
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

/** The record of one batch: its lines as far as they were read, and what is added to them. */

import * as z from 'zod';
import { localTimeWithZone } from '../../../base/text/local-time.ts';
import type { Sealer } from '../../../privacy/sealed/sealer.ts';
import { type BatchItem, type ItemOutcome, type KeptInMemory, READ_BACK_KINDS } from './batch.ts';
import type { BatchDisk } from './batch-table.ts';
import { createFold } from './fold.ts';
import { jsonLine, type Line, makeDetail, openDetail, openItems, parseLine } from './lines.ts';

export type BatchRecord = NonNullable<Awaited<ReturnType<typeof openRecord>>>;

interface RecordParts {
  disk: BatchDisk;
  sealer: Sealer;
  /** The list of a batch whose items are in memory alone. */
  inMemory?: KeptInMemory | undefined;
}

/** Of an item that an undo has taken out of its list. */
export const TAKEN_BACK = 'It was taken back before it was sent.';

/** Describes the pause of a batch while it waits for the answer to the question for its undo. */
export function pausedWords(until: number): string {
  return `It is paused, because its undo was asked for. It goes on once the person says no to that, or nobody has answered by ${localTimeWithZone(until)}.`;
}

const detailSchema = z.object({
  why: z.string().optional(),
  readBack: z.enum(READ_BACK_KINDS).optional(),
  facts: z.unknown().optional(),
});

/** Undefined where there is none of that name. */
export async function openRecord(id: string, { disk, sealer, inMemory }: RecordParts) {
  const fold = createFold();
  let place = 0;
  let reading: Promise<void> = Promise.resolve();
  let writing: Promise<void> = Promise.resolve();
  let waiting: string[] = [];
  let unwritten: string[] = [];

  const readOn = async () => {
    for await (const { line, next } of disk.read(id, place)) {
      place = next;
      fold.add(parseLine(line));
    }
  };
  const refresh = () => {
    reading = reading.catch(() => undefined).then(readOn);
    return reading;
  };
  const flush = async () => {
    const lines = [...unwritten, ...waiting];
    waiting = [];
    await disk.append(id, lines);
    unwritten = [];
    await refresh();
  };

  await refresh();
  const head = fold.head();
  if (head?.id !== id) return undefined;
  const { kept } = head;
  /** Of this process: what may not be written is known to it alone. */
  const ends = new Map<number, ItemOutcome & { run: string }>();
  const steps = new Map<number, unknown>();
  let opened = inMemory?.items;
  const write = (line: Line) => {
    // All that come while another one is written go to the disk together.
    waiting.push(jsonLine(line));
    if (waiting.length === 1) writing = writing.catch(() => undefined).then(flush);
    return writing;
  };
  return {
    head,
    fold,
    /** Reads what was added since, by whomever. */
    refresh,
    /** Resolves when it is on the disk and folded in, together with all that stands before it. @throws the system's error */
    write,
    /** What could not be written when it was to be. @throws as `write` */
    writeRest: async () => {
      if (unwritten.length === 0) return;
      writing = writing.catch(() => undefined).then(flush);
      await writing;
    },
    /** How an item ended. Where it cannot be written, this process knows it all the same, and writes it with its next line. @throws as `write` */
    async end(
      i: number,
      run: string,
      { kind, why, journalId, readBack, facts }: ItemOutcome,
      at: number,
    ): Promise<void> {
      ends.set(i, { kind, why, journalId, readBack, facts, run });
      // An outcome without its details is better than none.
      const d = await makeDetail({ why, readBack, facts }, kept, sealer).catch(() => undefined);
      const line = { t: 'end', i, by: run, at, kind, journalId, d } as const;
      try {
        await write(line);
      } catch (error) {
        unwritten.push(jsonLine(line));
        fold.add(line);
        throw error;
      }
    },
    /** How far an item is. @throws as `write`; what the sealer throws */
    async step(i: number, run: string, value: unknown): Promise<void> {
      steps.set(i, value);
      await write({ t: 'step', i, by: run, d: await makeDetail(value, kept, sealer) });
    },
    /** Why it has no outcome yet. @throws as `write` */
    async leave(i: number, run: string, why: string): Promise<void> {
      await write({ t: 'left', i, by: run, d: await makeDetail(why, kept, sealer).catch(() => undefined) });
    },
    async whyLeft(i: number): Promise<string | undefined> {
      const why = await openDetail(fold.leftOf(i), sealer);
      return typeof why === 'string' ? why : undefined;
    },
    async stepsOf(i: number): Promise<unknown> {
      return steps.has(i) && kept === 'memory' ? steps.get(i) : openDetail(fold.stepsOf(i), sealer);
    },
    /** As confirmed; undefined where they cannot be read any more, or are not what was confirmed. */
    async items(): Promise<readonly BatchItem[] | undefined> {
      opened ??= await openItems(head, fold.items(), sealer);
      if (opened !== undefined) fold.forgetItems();
      return opened;
    },
    /** Keys of what was taken out before. @throws what the sealer throws */
    async takenOut(): Promise<readonly string[] | undefined> {
      if (inMemory !== undefined) return inMemory.takenOut;
      return z.array(z.string()).safeParse(await openDetail(head.takenOut, sealer)).data;
    },
    async outcomeOf(i: number): Promise<ItemOutcome | undefined> {
      const found = fold.outcomeOf(i);
      if (found === undefined) return undefined;
      const { run, ...own } = ends.get(i) ?? { run: undefined };
      if (run === found.by && 'kind' in own) return own;
      if (found.by === '') return { kind: found.kind, why: TAKEN_BACK };
      const { why, readBack, facts } = detailSchema.safeParse(await openDetail(found.d, sealer)).data ?? {};
      return { kind: found.kind, why, journalId: found.journalId, readBack, facts };
    },
  };
}

/** The record of one batch: where it stands as far as that was read, and what is changed of it. */

import * as z from 'zod';
import { localTimeWithZone } from '../../../base/text/local-time.ts';
import type { Sealer } from '../../../privacy/sealed/sealer.ts';
import type { End } from '../../model/outcome.ts';
import { type BatchItem, type ItemOutcome, type KeptInMemory, READ_BACK_KINDS } from './batch.ts';
import { makeDetail, openDetail, openItems } from './batch-content.ts';
import {
  type Change,
  changeItem,
  type ItemChange,
  type ItemState,
  NO_FLAGS,
  NOT_BEGUN,
  pausedUntil,
  phaseOf,
} from './batch-state.ts';
import type { BatchTable, Standing } from './batch-table.ts';

export type BatchRecord = NonNullable<Awaited<ReturnType<typeof openRecord>>>;

interface RecordParts {
  table: BatchTable;
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

/** A store that was restored may say less of an item than it did, and another run may have ended it anew since. */
function knowsBetter({ outcome, sender }: ItemState, { outcome: told }: ItemState): boolean {
  if (outcome === undefined) return false;
  return told === undefined || (told.by !== outcome.by && told.by !== sender);
}

/** This process knows so much of the state of a batch. */
function createKnown() {
  const items = new Map<number, ItemState>();
  const counts = new Map<End, number>();
  let flags = NO_FLAGS;
  const itemOf = (item: number) => items.get(item) ?? NOT_BEGUN;
  const count = (kind: End) => counts.get(kind) ?? 0;
  /** True where it is not known which run was about to send it, and how far that was. */
  const isUnsure = (item: number) => {
    const { owner, sender } = itemOf(item);
    return flags.isInDoubt || (owner !== '' && sender === '');
  };
  const set = (item: number, state: ItemState) => {
    const before = itemOf(item).outcome?.kind;
    if (before !== undefined) counts.set(before, count(before) - 1);
    items.set(item, state);
    if (state.outcome !== undefined) counts.set(state.outcome.kind, count(state.outcome.kind) + 1);
  };
  return {
    flags: () => flags,
    itemOf,
    /** Items that ended so. */
    count,
    phaseOf: (item: number) => phaseOf(itemOf(item), flags),
    /** True for the run that may send it, or that looks. */
    isOf: (item: number, run: string) =>
      phaseOf(itemOf(item), flags) === 'sending' && itemOf(item).owner === run,
    /** It was taken back, and is never sent from here on. */
    isItemWithdrawn: (item: number) => flags.isWithdrawn || itemOf(item).isWithdrawn,
    isUnsure,
    /** Returns true where the run that was about to send the item may only be suspended, or is not known. */
    mayStillLeave: (item: number) => isUnsure(item) || flags.silent.includes(itemOf(item).sender),
    pausedUntil: (now: number) => pausedUntil(flags, now),
    take(standing: Standing): void {
      flags = standing.flags;
      for (const [item, state] of standing.items) if (!knowsBetter(itemOf(item), state)) set(item, state);
    },
    /** Takes a change that could not be written: this process knows it all the same. */
    apply(change: ItemChange): void {
      const changed = changeItem(itemOf(change.i), change, { flags, holder: change.by });
      if (changed !== undefined) set(change.i, changed);
    },
  };
}

/** Undefined where there is none of that name. */
export async function openRecord(id: string, { table, sealer, inMemory }: RecordParts) {
  const head = await table.head(id);
  if (head?.id !== id) return undefined;
  const { kept } = head;
  const { take, apply, ...known } = createKnown();
  let place = 0;
  let reading: Promise<void> = Promise.resolve();
  let writing: Promise<readonly boolean[]> = Promise.resolve([]);
  /** Takes all that waits by then. */
  let next: typeof writing | undefined;
  let waiting: Change[] = [];
  let unwritten: Change[] = [];

  const readOn = async () => {
    for await (const standing of table.read(id, place)) {
      place = standing.place;
      take(standing);
    }
  };
  const refresh = () => {
    reading = reading.catch(() => undefined).then(readOn);
    return reading;
  };
  /** Returns for each of those that waited whether it was taken. */
  const flush = async () => {
    next = undefined;
    const late = unwritten.length;
    const changes = [...unwritten, ...waiting];
    waiting = [];
    const taken = await table.change(id, changes);
    unwritten = unwritten.slice(late);
    await refresh();
    return taken.slice(late);
  };
  const flushNext = () => {
    if (next === undefined) {
      writing = writing.catch(() => []).then(flush);
      next = writing;
    }
    return next;
  };

  await refresh();
  /** Of this process: what may not be written is known to it alone. */
  const ends = new Map<number, ItemOutcome & { run: string }>();
  const steps = new Map<number, unknown>();
  let opened = inMemory?.items;
  const write = async (change: Change): Promise<boolean> => {
    // All that come while others are written go to the disk together.
    const at = waiting.push(change) - 1;
    const taken = await flushNext();
    return taken[at] === true;
  };
  return {
    head,
    ...known,
    /** Reads what was changed since, by whomever. */
    refresh,
    /** Resolves when it is on the disk and known here, together with all that came before it. @returns whether it was taken. @throws the system's error */
    write,
    /** What could not be written when it was to be. @throws as `write` */
    writeRest: async () => {
      if (unwritten.length > 0) await flushNext();
    },
    /** How an item ended. Where it cannot be written, this process knows it all the same, and writes it with its next change. @throws as `write` */
    async end(i: number, run: string, { kind, why, journalId, readBack, facts }: ItemOutcome): Promise<void> {
      ends.set(i, { kind, why, journalId, readBack, facts, run });
      // An outcome without its details is better than none.
      const d = await makeDetail({ why, readBack, facts }, kept, sealer).catch(() => undefined);
      const change = { t: 'end', i, by: run, kind, journalId, d } as const;
      try {
        await write(change);
      } catch (error) {
        unwritten.push(change);
        apply(change);
        throw error;
      }
    },
    /** How far an item is. @returns false where another run has it. @throws as `write`; what the sealer throws */
    async step(i: number, run: string, value: unknown): Promise<boolean> {
      steps.set(i, value);
      return write({ t: 'step', i, by: run, d: await makeDetail(value, kept, sealer) });
    },
    /** Why it has no outcome yet. @throws as `write` */
    async leave(i: number, run: string, why: string): Promise<void> {
      await write({ t: 'left', i, by: run, d: await makeDetail(why, kept, sealer).catch(() => undefined) });
    },
    async whyLeft(i: number): Promise<string | undefined> {
      const why = await openDetail(known.itemOf(i).reason, sealer);
      return typeof why === 'string' ? why : undefined;
    },
    async stepsOf(i: number): Promise<unknown> {
      return steps.has(i) && kept === 'memory' ? steps.get(i) : openDetail(known.itemOf(i).step, sealer);
    },
    /** As confirmed; undefined where they cannot be read any more, or are not what was confirmed. */
    async items(): Promise<readonly BatchItem[] | undefined> {
      opened ??= await openItems(head, table.values(id), sealer);
      return opened;
    },
    /** Keys of what was taken out before. @throws what the sealer throws */
    async takenOut(): Promise<readonly string[] | undefined> {
      if (inMemory !== undefined) return inMemory.takenOut;
      return z.array(z.string()).safeParse(await openDetail(head.takenOut, sealer)).data;
    },
    async outcomeOf(i: number): Promise<ItemOutcome | undefined> {
      const found = known.itemOf(i).outcome;
      if (found === undefined) return undefined;
      const { run, ...own } = ends.get(i) ?? { run: undefined };
      if (run === found.by && 'kind' in own) return own;
      if (found.by === '') return { kind: found.kind, why: TAKEN_BACK };
      const { why, readBack, facts } = detailSchema.safeParse(await openDetail(found.d, sealer)).data ?? {};
      return { kind: found.kind, why, journalId: found.journalId, readBack, facts };
    },
  };
}

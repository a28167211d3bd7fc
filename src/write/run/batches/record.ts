/** Gives access to the record of one batch: its state as far as it was read, and the changes to it. */

import * as z from 'zod';
import { localTimeWithZone } from '../../../base/text/local-time.ts';
import type { Sealer } from '../../../privacy/sealed/sealer.ts';
import type { ItemEnd } from '../../model/outcome.ts';
import { type BatchItem, type InMemoryItems, type ItemOutcome, READ_BACK_KINDS } from './batch.ts';
import { makeDetail, openDetail, openItems } from './batch-content.ts';
import {
  type BatchChange,
  changeItem,
  type ItemChange,
  type ItemState,
  NEW_ITEM_STATE,
  NO_FLAGS,
  pausedUntil,
  phaseOf,
} from './batch-state.ts';
import type { BatchStatePart, BatchTable } from './batch-table.ts';

export type BatchRecord = NonNullable<Awaited<ReturnType<typeof openRecord>>>;

interface RecordParts {
  table: BatchTable;
  sealer: Sealer;
  /** The items of a batch that are only in memory. */
  inMemory?: InMemoryItems | undefined;
}

/** The outcome of an item that an undo withdrew. */
export const WITHDRAWN_REASON = 'It was taken back before it was sent.';

/** Describes the pause of a batch while it waits for the answer to the question for its undo. */
export function formatPause(until: number): string {
  return `It is paused, because its undo was asked for. It goes on once the person says no to that, or nobody has answered by ${localTimeWithZone(until)}.`;
}

const detailSchema = z.object({
  why: z.string().optional(),
  readBack: z.enum(READ_BACK_KINDS).optional(),
  facts: z.unknown().optional(),
});

/**
 * Returns true if this process knows more than the store. A restored store may have lost an outcome, though
 * another run may have ended the item again since.
 */
function isNewer({ outcome, sender }: ItemState, { outcome: told }: ItemState): boolean {
  if (outcome === undefined) return false;
  return told === undefined || (told.by !== outcome.by && told.by !== sender);
}

function createLocalState() {
  const items = new Map<number, ItemState>();
  const counts = new Map<ItemEnd, number>();
  let flags = NO_FLAGS;
  const itemOf = (item: number) => items.get(item) ?? NEW_ITEM_STATE;
  const count = (kind: ItemEnd) => counts.get(kind) ?? 0;
  /** Returns true if it is unknown which run was about to send the item, and how far it came. */
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
    /** Counts the items with that outcome. */
    count,
    phaseOf: (item: number) => phaseOf(itemOf(item), flags),
    /** Returns true for the run that may send or check the item. */
    isOf: (item: number, run: string) =>
      phaseOf(itemOf(item), flags) === 'sending' && itemOf(item).owner === run,
    /** Returns true if the item was withdrawn and is never sent from now on. */
    isItemWithdrawn: (item: number) => flags.isWithdrawn || itemOf(item).isWithdrawn,
    isUnsure,
    /** Returns true where the run that was about to send the item may only be suspended, or is not known. */
    mayStillLeave: (item: number) => isUnsure(item) || flags.silent.includes(itemOf(item).sender),
    pausedUntil: (now: number) => pausedUntil(flags, now),
    take(standing: BatchStatePart): void {
      flags = standing.flags;
      for (const [item, state] of standing.items) if (!isNewer(itemOf(item), state)) set(item, state);
    },
    /** Applies a change that could not be written, because this process knows it all the same. */
    apply(change: ItemChange): void {
      const changed = changeItem(itemOf(change.i), change, { flags, holder: change.by });
      if (changed !== undefined) set(change.i, changed);
    },
  };
}

/** Opens the record. @returns undefined if there is no such batch */
export async function openRecord(id: string, { table, sealer, inMemory }: RecordParts) {
  const head = await table.head(id);
  if (head?.id !== id) return undefined;
  const { kept } = head;
  const { take, apply, ...known } = createLocalState();
  let index = 0;
  let reading: Promise<void> = Promise.resolve();
  let writing: Promise<readonly boolean[]> = Promise.resolve([]);
  /** The next write, which takes all waiting changes. */
  let next: typeof writing | undefined;
  let waiting: BatchChange[] = [];
  let unwritten: BatchChange[] = [];

  const readChanges = async () => {
    for await (const standing of table.read(id, index)) {
      index = standing.place;
      take(standing);
    }
  };
  const refresh = () => {
    reading = reading.catch(() => undefined).then(readChanges);
    return reading;
  };
  /** Writes the waiting changes, and returns whether each was accepted. */
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
  /** The outcomes of this process, because it alone has the data that may not be stored. */
  const ends = new Map<number, ItemOutcome & { run: string }>();
  const steps = new Map<number, unknown>();
  let opened = inMemory?.items;
  const write = async (change: BatchChange): Promise<boolean> => {
    // Changes that arrive during a write go to the disk together.
    const at = waiting.push(change) - 1;
    const taken = await flushNext();
    return taken[at] === true;
  };
  return {
    head,
    ...known,
    /** Reads the changes of all processes since the last read. */
    refresh,
    /**
     * Resolves when the change is on the disk and known here, together with all earlier ones.
     * @returns whether it was accepted
     * @throws the system's error
     */
    write,
    /** Writes the changes that could not be written before. @throws as `write` */
    writeRest: async () => {
      if (unwritten.length > 0) await flushNext();
    },
    /**
     * Records the outcome of an item. If that fails, this process knows it all the same, and writes it with
     * its next change.
     * @throws as `write`
     */
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
    /**
     * Records a step of an item.
     * @returns false if another run has it
     * @throws as `write`; what the sealer throws
     */
    async step(i: number, run: string, value: unknown): Promise<boolean> {
      steps.set(i, value);
      return write({ t: 'step', i, by: run, d: await makeDetail(value, kept, sealer) });
    },
    /** Records why the item has no outcome yet. @throws as `write` */
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
    /**
     * Returns the confirmed items; undefined if they can no longer be read, or differ from the confirmed
     * ones.
     */
    async items(): Promise<readonly BatchItem[] | undefined> {
      opened ??= await openItems(head, table.values(id), sealer);
      return opened;
    },
    /** Returns the keys of the items that were excluded before approval. @throws what the sealer throws */
    async takenOut(): Promise<readonly string[] | undefined> {
      if (inMemory !== undefined) return inMemory.takenOut;
      return z.array(z.string()).safeParse(await openDetail(head.takenOut, sealer)).data;
    },
    async outcomeOf(i: number): Promise<ItemOutcome | undefined> {
      const found = known.itemOf(i).outcome;
      if (found === undefined) return undefined;
      const { run, ...own } = ends.get(i) ?? { run: undefined };
      if (run === found.by && 'kind' in own) return own;
      if (found.by === '') return { kind: found.kind, why: WITHDRAWN_REASON };
      const { why, readBack, facts } = detailSchema.safeParse(await openDetail(found.d, sealer)).data ?? {};
      return { kind: found.kind, why, journalId: found.journalId, readBack, facts };
    },
  };
}

/** What was shown, for as long as a yes to it is good; the oldest are let go where they are too many, or too large together. */

import type { YesRow } from '../../../views/data.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ResourceLink } from '../../tell/tool-answer.ts';
import type { sellerOf } from '../model/words/whose.ts';
import type { PreparedBatch } from '../plan/prepared-batch.ts';
import type { BatchItem } from '../run/batches/batch.ts';
import type { BatchQuestion } from './batch/batch-question.ts';
import { CODE_LIFETIME_MS, normalizeCode } from './confirmation.ts';

interface Limits<Shown> {
  most: number;
  /** Of all of them; a single one can be larger. */
  mostSize: number;
  sizeOf(shown: Shown): number;
  /** Milliseconds that only grow. */
  now(): number;
}

/** By key. @typeParam Shown what is kept @typeParam Stored what of it lies where others can read it */
export interface KeptShown<Shown, Stored = Shown> {
  /** Undefined where it is too old, or was let go. @param restore what is made of one that was shown elsewhere */
  find(key: string, restore: (stored: Stored) => Promise<Shown | undefined>): Promise<Shown | undefined>;
  keep(key: string, shown: Shown): Promise<void>;
  /** Once it is sent it is no longer what would be sent. */
  forget(key: string): Promise<void>;
}

/** In the memory of this process. */
function createKeptShown<Shown>({ most, mostSize, sizeOf, now }: Limits<Shown>): KeptShown<Shown, never> {
  const kept = new Map<string, { shown: Shown; size: number; until: number }>();
  const makeRoom = () => {
    let all = [...kept.values()].reduce((sum, { size }) => sum + size, 0);
    for (const [key, { size, until }] of kept) {
      const isTooMuch = kept.size > 1 && (kept.size > most || all > mostSize);
      if (until > now() && !isTooMuch) continue;
      kept.delete(key);
      all -= size;
    }
  };
  return {
    async find(key) {
      makeRoom();
      return kept.get(key)?.shown;
    },
    async keep(key, shown) {
      kept.delete(key);
      kept.set(key, { shown, size: sizeOf(shown), until: now() + CODE_LIFETIME_MS });
      makeRoom();
    },
    async forget(key) {
      kept.delete(key);
    },
  };
}

// Calls whose answer held a confirmation code: the code alone is then enough.

export interface ShownCall {
  tool: string;
  args: JsonObject;
}

/** Calls kept at once, and characters of them all. @param now milliseconds that only grow */
export const keepCalls = (now: () => number) =>
  createKeptShown<ShownCall>({
    most: 50,
    mostSize: 20_000_000,
    sizeOf: ({ args }) => JSON.stringify(args).length,
    now,
  });

export type ShownCalls = ReturnType<typeof createShownCalls>;

export function createShownCalls(kept: KeptShown<ShownCall>) {
  return {
    keep: (tool: string, code: string, args: JsonObject) => kept.keep(normalizeCode(code), { tool, args }),
    /** The arguments that the code was given for; undefined where that is not known, or was another tool's. */
    async find(tool: string, code: string): Promise<JsonObject | undefined> {
      const known = await kept.find(normalizeCode(code), async (stored) => stored);
      return known?.tool === tool ? known.args : undefined;
    },
  };
}

// Lists that were prepared and shown: a yes or a code needs no reading again.

/** For the structured form, what the text was made of. */
export interface BatchPreview
  extends Pick<BatchQuestion, 'shown' | 'rest' | 'places' | 'warnings' | 'cannotUndo'> {
  /** For the person alone. */
  question: string;
  /** The same for a page that shows each of them; what is told of all stands in `around`. */
  page: { head: string; around: readonly string[]; rows(): Promise<readonly YesRow[]> };
  /** As the assistant may see it. */
  text: string;
  /** What was left out, how it is sent. */
  remarks: readonly string[];
  seller: ReturnType<typeof sellerOf>;
  links: ResourceLink[];
  /** Where all of it can be read. */
  whole: string | undefined;
  /** Path of the file. */
  saved: string | undefined;
}

export interface ShownBatch {
  list: PreparedBatch;
  /** Of what is sent. */
  digest: string;
  /** Absent where the list would change nothing. */
  preview: BatchPreview | undefined;
  /** When what was shown was read, in milliseconds since the epoch. */
  shownAt: number;
}

/** One that was shown by another replica: what it was made of, and no preview of it. */
export interface SharedBatch extends Pick<ShownBatch, 'digest' | 'shownAt'> {
  /** As `toStoredItem` makes them. */
  writes: readonly BatchItem[];
  items?: readonly BatchItem[] | undefined;
  mustAsk?: boolean | undefined;
  /** Of the preview. */
  remarks: readonly string[];
  /** Values that stand in it, behind the marks that the assistant saw for them. */
  marks: readonly (readonly [mark: string, value: string])[];
}

export type ShownBatches = KeptShown<ShownBatch, SharedBatch>;

/** Lists kept at once, and writes in all of them. @param now milliseconds that only grow */
export const keepShownBatches = (now: () => number) =>
  createKeptShown<ShownBatch>({ most: 5, mostSize: 50_000, sizeOf: ({ list }) => list.writes.length, now });

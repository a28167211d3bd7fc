/**
 * Remembers previews while their approval is valid; the oldest are dropped if there are too many, or they are
 * too large together.
 */

import type { ApprovalRow } from '../../../views/data.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ResourceLink } from '../../render/tool-answer.ts';
import type { sellerOf } from '../model/format/seller-lines.ts';
import type { PreparedBatch } from '../plan/prepared-batch.ts';
import type { BatchItem } from '../run/batches/batch.ts';
import type { BatchQuestion } from './batch/batch-question.ts';
import { CODE_LIFETIME_MS, normalizeCode } from './confirmation.ts';

interface ShownLimits<Shown> {
  max: number;
  /** The max size of all of them; a single one can be larger. */
  maxSize: number;
  sizeOf(shown: Shown): number;
  /** Returns monotonic milliseconds. */
  now(): number;
}

/**
 * Stores values by key. @typeParam Shown the value @typeParam Stored its form in a store that other replicas
 * read
 */
export interface ShownStore<Shown, Stored = Shown> {
  /**
   * Returns the value, or undefined if it has expired or was dropped.
   * @param restore rebuilds one that another replica has shown
   */
  find(key: string, restore: (stored: Stored) => Promise<Shown | undefined>): Promise<Shown | undefined>;
  keep(key: string, shown: Shown): Promise<void>;
  /** Forgets a value that was sent, because it is no longer what would be sent. */
  forget(key: string): Promise<void>;
}

/** Stores values in the memory of this process. */
function createShownStore<Shown>({
  max,
  maxSize,
  sizeOf,
  now,
}: ShownLimits<Shown>): ShownStore<Shown, never> {
  const entries = new Map<string, { shown: Shown; size: number; until: number }>();
  const makeRoom = () => {
    let all = [...entries.values()].reduce((sum, { size }) => sum + size, 0);
    for (const [key, { size, until }] of entries) {
      const isTooMuch = entries.size > 1 && (entries.size > max || all > maxSize);
      if (until > now() && !isTooMuch) continue;
      entries.delete(key);
      all -= size;
    }
  };
  return {
    async find(key) {
      makeRoom();
      return entries.get(key)?.shown;
    },
    async keep(key, shown) {
      entries.delete(key);
      entries.set(key, { shown, size: sizeOf(shown), until: now() + CODE_LIFETIME_MS });
      makeRoom();
    },
    async forget(key) {
      entries.delete(key);
    },
  };
}

// Calls that were answered with a confirmation code are remembered, so that the code alone is enough.

export interface ShownCall {
  tool: string;
  args: JsonObject;
}

/** Stores up to 50 calls and 20 million characters of arguments. @param now monotonic milliseconds */
export const createCallStore = (now: () => number) =>
  createShownStore<ShownCall>({
    max: 50,
    maxSize: 20_000_000,
    sizeOf: ({ args }) => JSON.stringify(args).length,
    now,
  });

export type ShownCalls = ReturnType<typeof createShownCalls>;

export function createShownCalls(kept: ShownStore<ShownCall>) {
  return {
    keep: (tool: string, code: string, args: JsonObject) => kept.keep(normalizeCode(code), { tool, args }),
    /**
     * Returns the arguments that the code was issued for; undefined if they are unknown, or another tool's.
     */
    async find(tool: string, code: string): Promise<JsonObject | undefined> {
      const known = await kept.find(normalizeCode(code), async (stored) => stored);
      return known?.tool === tool ? known.args : undefined;
    },
  };
}

// Previewed batches are remembered, so that an approval or a code needs no new reading.

/** The parts of the text, for the structured form. */
export interface BatchPreview
  extends Pick<BatchQuestion, 'shown' | 'rest' | 'places' | 'warnings' | 'cannotUndo'> {
  /** The text for the user alone. */
  question: string;
  /** The same for a page that shows each row; `around` has the lines about all of them. */
  page: { head: string; around: readonly string[]; rows(): Promise<readonly ApprovalRow[]> };
  /** The text as the assistant may see it. */
  text: string;
  /** The sentences about items that were left out, and about how the batch is sent. */
  remarks: readonly string[];
  seller: ReturnType<typeof sellerOf>;
  links: ResourceLink[];
  /** The address of the resource with all of it. */
  whole: string | undefined;
  /** The path of the file. */
  saved: string | undefined;
}

export interface ShownBatch {
  list: PreparedBatch;
  /** The digest of the content to send. */
  digest: string;
  /** The preview, absent if the batch would change nothing. */
  preview: BatchPreview | undefined;
  /** The time when the shown state was read, in milliseconds since the epoch. */
  shownAt: number;
}

/** A batch that another replica has shown: its parts, without a preview. */
export interface SharedBatch extends Pick<ShownBatch, 'digest' | 'shownAt'> {
  /** The items as `toStoredItem` makes them. */
  writes: readonly BatchItem[];
  items?: readonly BatchItem[] | undefined;
  mustAsk?: boolean | undefined;
  /** The remarks of the preview. */
  remarks: readonly string[];
  /** The values behind the placeholders that the assistant saw. */
  marks: readonly (readonly [mark: string, value: string])[];
}

export type ShownBatches = ShownStore<ShownBatch, SharedBatch>;

/** Stores up to 5 batches and 50,000 writes in all of them. @param now monotonic milliseconds */
export const createBatchStore = (now: () => number) =>
  createShownStore<ShownBatch>({ max: 5, maxSize: 50_000, sizeOf: ({ list }) => list.writes.length, now });

/**
 * Reads batches that earlier versions stored as lines: the head, then each change. The lines were in the
 * store, and before that in files.
 */

import * as z from 'zod';
import { parseJson } from '../../../base/json.ts';
import { type BatchHead, detailSchema, parseHead, type StoredDetail } from './batch-content.ts';
import {
  type BatchFlags,
  changeBatch,
  changeItem,
  changeSchema,
  type ItemState,
  NEW_ITEM_STATE,
  NO_FLAGS,
  withdrawItem,
} from './batch-state.ts';

/** A batch as rows. */
export interface BatchRows {
  /** The head, undefined for another user's batch or an incomplete one. */
  head?: BatchHead | undefined;
  values: readonly StoredDetail[];
  flags: BatchFlags;
  items: ReadonlyMap<number, ItemState>;
}

const kindSchema = z.object({ t: z.string() });
const itemsLine = z.object({ t: z.literal('items'), d: detailSchema });

/** A batch that grows with the lines that are added. */
export interface OldBatch extends BatchRows {
  values: StoredDetail[];
  items: Map<number, ItemState>;
}

export const newOldBatch = (): OldBatch => ({ values: [], flags: NO_FLAGS, items: new Map() });

export function readOldLines(lines: Iterable<string>): BatchRows {
  const batch = newOldBatch();
  for (const line of lines) addOldLine(batch, line);
  return batch;
}

export function addOldLine(batch: OldBatch, line: string): void {
  const value = parseJson(line);
  if (kindSchema.safeParse(value).data?.t === 'list') batch.head ??= parseHead(line);
  const values = itemsLine.safeParse(value).data;
  const change = changeSchema.safeParse(value).data;
  const itemOf = (i: number) => batch.items.get(i) ?? NEW_ITEM_STATE;
  if (values !== undefined) batch.values.push(values.d);
  else if (change === undefined) {
    // A damaged line may belong to an item that was sent.
    if (batch.head === undefined || kindSchema.safeParse(value).data?.t !== 'list')
      batch.flags = { ...batch.flags, isInDoubt: true };
  } else if ('i' in change) {
    // Each line was written by the process that had the batch then.
    const changed = changeItem(itemOf(change.i), change, { flags: batch.flags, holder: change.by });
    if (changed !== undefined) batch.items.set(change.i, changed);
    if (change.t === 'sending') batch.flags = { ...batch.flags, whyHalted: undefined };
  } else {
    batch.flags = changeBatch(batch.flags, change);
    if (change.t === 'withdrawn')
      for (const i of change.items ?? [])
        if (i < (batch.head?.total ?? 0)) batch.items.set(i, withdrawItem(itemOf(i), batch.flags));
  }
}

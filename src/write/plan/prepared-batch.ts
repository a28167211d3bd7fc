/**
 * Declares one write of a batch as it is shown, with what is unusual about it, and the batch before it is
 * shown.
 */

import { isDeepStrictEqual } from 'node:util';
import type { ReplacedPlaceholder } from '../../privacy/personal/personal-data.ts';
import type { Change } from '../model/change.ts';
import { adapterOf } from '../model/find-adapter.ts';
import type { RowAmounts } from '../model/listing/changed-amounts.ts';
import type { Write } from '../model/write.ts';
import type { PreparedWrite } from '../model/write-view.ts';

export interface BatchWrite extends Write {
  replaced?: readonly ReplacedPlaceholder[];
  /** The unusual parts, in our own words: `down by 45 %`, `to 0`. Unusual items come first. */
  unusual?: readonly string[];
  /** The amounts of a listing, for the order and for the range that summarizes the rest. */
  amounts?: RowAmounts;
}

/** A prepared batch that has not been shown yet. */
export interface PreparedBatch {
  writes: readonly BatchWrite[];
  /** The items to send instead of each write by itself, with the same content. */
  items?: readonly { key: string; value: unknown }[];
  /** The content that their digest covers, if the items hold it packed. */
  content?: Iterable<unknown>;
  /** Rebuilds both for a part of the writes; absent if there are none. */
  itemsOf?: (writes: readonly BatchWrite[]) => Promise<Pick<PreparedBatch, 'items' | 'content'>>;
  /** Our sentences for the preview: what needs no change, and how it is sent. */
  remarks?: readonly string[];
  /**
   * The requested items that are not in the batch, with the reason, for the preview and for the answer after
   * sending.
   */
  leftOut?: readonly string[];
  /** Approval is needed even where the settings allow every write. */
  mustAsk?: boolean;
}

/** Returns true if values were compared with none that were read, so that their effect is unknown. */
const sendsUnread = ({ sent = [] }: Change) =>
  sent.some(({ segments: [name] }) => name !== 'productType' && name !== 'requirements');

export function toBatchWrite(
  key: string,
  { input, request, planned, change, shown, replaced, marked }: PreparedWrite,
): BatchWrite {
  const { parameters, body } = shown.request;
  return {
    key,
    input,
    // A long batch stays in memory until it is sent, so parts that are rebuilt then are dropped.
    request: { filledIn: request.filledIn, owner: request.owner },
    change,
    replaced,
    shown: { parameters, change: isDeepStrictEqual(shown.change, change) ? change : shown.change, body },
    stateDigest: planned.stateDigest,
    marked,
    ...findStandout(change),
  };
}

/** Returns the unusual parts of the change, and its amounts. */
export function findStandout(change: Change): Pick<BatchWrite, 'unusual' | 'amounts'> {
  if (change.differences === undefined) return {};
  const found = adapterOf(change.subject).unusual?.(change, sendsUnread(change));
  return found === undefined ? {} : { unusual: found.words, amounts: found.amounts };
}

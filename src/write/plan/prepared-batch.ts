/** One write of a list as it is shown: what stands out about it. And the list, worked out and not yet shown. */

import { isDeepStrictEqual } from 'node:util';
import type { Replaced } from '../../privacy/personal/personal-data.ts';
import type { Change } from '../model/change.ts';
import { adapterOf } from '../model/find-adapter.ts';
import type { RowAmounts } from '../model/listing/changed-amounts.ts';
import type { Write } from '../model/write.ts';
import type { PreparedWrite } from '../model/write-view.ts';

export interface BatchWrite extends Write {
  replaced?: readonly Replaced[];
  /** What is out of the ordinary, in words of ours: `down by 45 %`, `to 0`. Such items are told first. */
  unusual?: readonly string[];
  /** Of a listing: for the order, and for the range that sums up the rest. */
  amounts?: RowAmounts;
}

/** A list of them, worked out and not yet shown. */
export interface PreparedBatch {
  writes: readonly BatchWrite[];
  /** Where not each write is sent by itself: the items to send instead, of the same content. */
  items?: readonly { key: string; value: unknown }[];
  /** Their digest is made of this, where they hold it packed. */
  content?: Iterable<unknown>;
  /** Both of them anew, of a part of the writes; absent where there are none. */
  itemsOf?: (writes: readonly BatchWrite[]) => Promise<Pick<PreparedBatch, 'items' | 'content'>>;
  /** Sentences of ours for the preview: what needs no change, how it is sent. */
  remarks?: readonly string[];
  /** Items that were asked for and are not in the list, with the reason: for the preview, and for the answer after it was sent. */
  leftOut?: readonly string[];
  /** A yes is needed even where the settings allow every write. */
  mustAsk?: boolean;
}

/** Values that are held against none that were read: what such an amount does is not known. */
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
    // A long list is held until it is sent: without what is made anew then.
    request: { filledIn: request.filledIn, owner: request.owner },
    change,
    replaced,
    shown: { parameters, change: isDeepStrictEqual(shown.change, change) ? change : shown.change, body },
    stateDigest: planned.stateDigest,
    marked,
    ...standingOut(change),
  };
}

/** What of it is out of the ordinary, and its amounts. */
export function standingOut(change: Change): Pick<BatchWrite, 'unusual' | 'amounts'> {
  if (change.differences === undefined) return {};
  const found = adapterOf(change.subject).unusual?.(change, sendsUnread(change));
  return found === undefined ? {} : { unusual: found.words, amounts: found.amounts };
}

/** One write of a list: what is sent, what it changes, and what stands out about it. */

import { isDeepStrictEqual } from 'node:util';
import type { LongList } from '../../base/packed.ts';
import type { CallInput, PreparedRequest } from '../../call/client.ts';
import type { Replaced } from '../../privacy/personal/personal-data.ts';
import type { Change } from '../model/change.ts';
import { kindOf } from '../model/kinds.ts';
import type { RowAmounts } from '../model/listing/changed-amounts.ts';
import type { Marked, PreparedWrite } from '../model/write-view.ts';

export interface ListedWrite {
  /** SKU, id of a store, number of the call: unique in the list. */
  key: string;
  /** What is confirmed, recorded and sent; of the same operation and account in the whole list. */
  input: CallInput;
  request: Pick<PreparedRequest, 'method' | 'filledIn' | 'owner'>;
  /** For the person alone. */
  change: Change;
  /** As the assistant sees it and the journal keeps it; the same object where nothing in it is personal. */
  shown: { parameters: Readonly<Record<string, unknown>>; body?: unknown; change: Change };
  /** Digest of the values before: the item is not sent where they are others by then. */
  basis?: string;
  /** Absent where no mark was given. */
  marked?: Marked;
  replaced?: readonly Replaced[];
  /** Id of the entry of the history that it takes back. */
  undoes?: string;
  /** The undo restores only what nobody else has changed; the rest can still be undone. */
  isPart?: boolean;
  /** What is out of the ordinary, in words of ours: `down by 45 %`, `to 0`. Such items are told first. */
  unusual?: readonly string[];
  /** Of a listing: for the order, and for the range that sums up the rest. */
  amounts?: RowAmounts;
}

/** A list of them, worked out and not yet shown. */
export interface PreparedList {
  writes: LongList<ListedWrite>;
  /** Where not each write is sent by itself: the items to send instead, of the same content. */
  items?: readonly { key: string; value: unknown }[];
  /** What their digest is made of, where they hold it packed: lists in it may be gone through only once. */
  content?: Iterable<unknown>;
  /** Both of them anew, of a part of the writes; absent where there are none. */
  itemsOf?: (writes: LongList<ListedWrite>) => Promise<Pick<PreparedList, 'items' | 'content'>>;
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

export function listedWrite(
  key: string,
  { input, request, planned, change, shown, replaced, marked }: PreparedWrite,
): ListedWrite {
  const { parameters, body } = shown.request;
  return {
    key,
    input,
    request,
    change,
    replaced,
    shown: { parameters, change: isDeepStrictEqual(shown.change, change) ? change : shown.change, body },
    basis: planned.basis,
    marked,
    ...standingOut(change),
  };
}

/** What of it is out of the ordinary, and its amounts. */
export function standingOut(change: Change): Pick<ListedWrite, 'unusual' | 'amounts'> {
  if (change.differences === undefined) return {};
  const found = kindOf(change.subject).unusual?.(change, sendsUnread(change));
  return found === undefined ? {} : { unusual: found.words, amounts: found.amounts };
}

/**
 * Reads listings for as long as the call lasts. A longer read continues in the background: the answer says
 * how far it is, and the same call joins it.
 */

import { sha256 } from '../../../base/canonical-json.ts';
import { AppError } from '../../../base/errors.ts';
import { count } from '../../../base/text/format-value.ts';
import { PATIENCE_MS } from '../../../call/client-types.ts';
import type { ToolAnswer } from '../../../render/tool-answer.ts';
import type { ToolContext } from '../../session.ts';
import { createReader, type ListingsScope } from './listings-scope.ts';
import { type ReadListing, type ReadListings, readListings } from './read-listings.ts';

/**
 * Joins the background read, which continues when the call ends, so that the next call with the same listings
 * joins it.
 * @throws StillReading where the read takes longer than the call
 */
export async function startOrJoinListingsRead(
  { skus, attributes }: { skus: readonly string[]; attributes: ReadonlySet<string> },
  scope: ListingsScope,
  { session, call, tell }: ToolContext,
): Promise<ReadListings> {
  const key = sha256([scope.account, scope.ownerDigest, scope.id, skus, [...attributes].sort()]);
  const readings = await session.readings();
  const found = await readings.join(
    key,
    async ({ signal, tell: note }) => {
      const reader = await createReader(scope, { signal, timeoutMs: PATIENCE_MS }, session);
      return readListings(skus, { ...reader, attributes, tell: note });
    },
    {
      until: call.deadline - marginOf(skus.length, call.deadline - performance.now()),
      signal: call.signal,
      onProgress: ({ read, of }) =>
        tell({ message: `${count(read)} of ${count(of)} listings read`, done: read, total: of }),
    },
  );
  if ('read' in found) throw new StillReading(found.read, skus.length);
  return found;
}

/**
 * Returns the time to reserve for computing the changes and the answer: at most half of what the call has
 * left.
 */
const marginOf = (listings: number, ms: number) => Math.min(4_000 + listings * MS_A_LISTING, ms / 2);
const MS_A_LISTING = 0.6;

/** Returns the state as if getListingsItem had just returned it. */
export const toKnownState = ({ item }: ReadListing) => ({
  operation: 'listings-items/getListingsItem',
  answer: { body: item, bytes: 0 },
  state: { state: item, numbersAsText: [] },
});

/** A read is still in progress; no approval was requested and nothing was sent. */
export class StillReading extends AppError {
  override readonly name = 'StillReading';
  readonly read: number;
  readonly of: number;

  constructor(read: number, of: number) {
    super(
      `Under way: ${count(read)} of ${count(of)} listings read, to compare them with what is wanted. Nothing has been asked or sent.`,
      'It goes on by itself. Call again with the same arguments: the list is shown when all are read.',
    );
    this.read = read;
    this.of = of;
  }
}

interface ReadingFacts extends Record<string, unknown> {
  outcome: 'under_way';
}

/** Returns the answer of the work, or the progress of a read that takes longer than the call. */
export async function answerIfStillReading<Facts>(
  account: string,
  work: Promise<ToolAnswer<Facts>>,
): Promise<ToolAnswer<Facts | ReadingFacts>> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof StillReading)) throw error;
    const { message, hint, read, of } = error;
    return {
      text: `${message}\n${hint}`,
      structured: { outcome: 'under_way', account, note: message, next_step: hint, read, items: of },
    };
  }
}

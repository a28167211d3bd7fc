/** Many listings changed after one yes: which place, what is asked, how it is worked out, sent in parts and told. */

import * as z from 'zod';
import { checkedLater } from '../../../tell/arguments/arguments.ts';
import type { ToolAnswer } from '../../../tell/tool-answer.ts';
import { PATCH } from '../../model/listing/apply-patches.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { HowToWrite, ToolContext } from '../../session.ts';
import { type BatchRequest, writeBatch } from '../../write-batch.ts';
import { listingItemSchema, MOST_LISTINGS } from './asked-items.ts';
import { answerIfStillReading } from './background-read.ts';
import { createListingsBatch } from './listings-batch.ts';
import { findListingsPlace } from './listings-place.ts';
import { prepareListings } from './prepare-listings.ts';

/** In one list. */
export const MOST_CHANGED = MOST_LISTINGS;

/** The listings by name; `readItems` checks each. */
export const itemsArgument = z.array(checkedLater(listingItemSchema)).optional();

interface AskedListings extends Pick<BatchRequest, 'account' | keyof HowToWrite> {
  /** As given: a SKU and what to set, or patches; or the rows of a query instead. */
  items?: readonly unknown[] | undefined;
  query?: string | undefined;
  /** A country or an id; the account's own where it has one. */
  marketplace?: string | undefined;
}

/** @throws AppError; AskPerson while the person is asked */
export async function changeListings(
  { items, query, marketplace, ...options }: AskedListings,
  ctx: ToolContext,
): Promise<ToolAnswer<{ outcome: Outcome }>> {
  const { session } = ctx;
  const { account } = options;
  const [registry, place] = await Promise.all([
    session.program.registry(),
    findListingsPlace(account, marketplace, session),
  ]);
  const request: BatchRequest = {
    tool: 'change_listings',
    things: { one: 'listing', many: 'listings' },
    canSave: true,
    operation: registry.find(PATCH),
    asked: { items, query, marketplace: place.id },
    ...options,
    prepare: () => prepareListings({ items, query }, place, ctx),
    ...createListingsBatch(place, ctx),
  };
  return answerIfStillReading(account, writeBatch(request, ctx));
}

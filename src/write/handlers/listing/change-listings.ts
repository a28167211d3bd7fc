/**
 * Changes many listings after one approval: finds the marketplace, and defines how the batch is prepared,
 * sent and shown.
 */

import * as z from 'zod';
import { checkedLater } from '../../../render/arguments/arguments.ts';
import type { ToolAnswer } from '../../../render/tool-answer.ts';
import { PATCH } from '../../model/listing/apply-patches.ts';
import type { WriteCallOutcome } from '../../model/outcome.ts';
import type { ToolContext, WriteFlags } from '../../session.ts';
import { type BatchRequest, writeBatch } from '../../write-batch.ts';
import { answerIfStillReading } from './background-read.ts';
import { buildListingsBatchHandlers } from './listings-batch-handlers.ts';
import { findListingsScope } from './listings-scope.ts';
import { prepareListings } from './prepare-listings.ts';
import { listingItemSchema, MAX_LISTINGS } from './requested-items.ts';

/** The maximum number of listings in one batch. */
export const MAX_CHANGED_LISTINGS = MAX_LISTINGS;

/** The argument with one item for each listing; `readItems` checks each. */
export const itemsArgument = z.array(checkedLater(listingItemSchema)).optional();

interface RequestedListings extends Pick<BatchRequest, 'account' | keyof WriteFlags> {
  /** The items as given: a SKU with what to set, or with patches. A query can give them instead. */
  items?: readonly unknown[] | undefined;
  query?: string | undefined;
  /** A country or an id; by default the account's own, where it has one. */
  marketplace?: string | undefined;
}

/** @throws AppError; AskPerson while the user's approval is requested */
export async function changeListings(
  { items, query, marketplace, ...options }: RequestedListings,
  ctx: ToolContext,
): Promise<ToolAnswer<{ outcome: WriteCallOutcome }>> {
  const { session } = ctx;
  const { account } = options;
  const [registry, scope] = await Promise.all([
    session.program.registry(),
    findListingsScope(account, marketplace, session),
  ]);
  const request: BatchRequest = {
    tool: 'change_listings',
    things: { one: 'listing', many: 'listings' },
    canSave: true,
    operation: registry.find(PATCH),
    asked: { items, query, marketplace: scope.id },
    ...options,
    prepare: () => prepareListings({ items, query }, scope, ctx),
    ...buildListingsBatchHandlers(scope, ctx),
  };
  return answerIfStillReading(account, writeBatch(request, ctx));
}

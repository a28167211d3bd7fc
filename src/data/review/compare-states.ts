/** Compares two states of the same listings, member by member. */

import type { IssueRow, ListingRow } from './listing-rows.ts';

/** The members of a listing that are compared; null if the service did not state one. */
export interface ReviewedListingState {
  /** The kind of suppression: `altogether`, `search` or null. */
  suppressed: string | null;
  /** The causes of its suppression: code and attributes of each enforced issue, in order. */
  causes: readonly string[];
  price: number | null;
  currency: string | null;
  stock: number | null;
  /** 1 or 0, or null if unknown. */
  buyable: number | null;
  /** 1 if the featured offer is the seller's, else 0, or null until it was requested. */
  featured: number | null;
}

/** A value as a table contains it. */
type StateValue = string | number | null;

/** The states by SKU. */
export type ListingStates = ReadonlyMap<string, ReviewedListingState>;

const MEMBERS = ['suppressed', 'causes', 'price', 'stock', 'buyable', 'featured'] as const;

/** `listing` means that it is new (old is null) or gone (new is null). */
type ChangedMember = 'listing' | (typeof MEMBERS)[number];

export interface ListingChange {
  sku: string;
  member: ChangedMember;
  old: StateValue;
  new: StateValue;
  /** The currency of a price. */
  currency: string | null;
}

/** Returns the state of a listing as a review has read it. */
export function stateOfListing(row: ListingRow, issues: readonly IssueRow[]): ReviewedListingState {
  const enforced = issues.filter(({ suppresses }) => suppresses === 1);
  const causes = enforced.map(({ code, attribute_names: attributes }) =>
    [code, ...(attributes === null ? [] : [attributes])].join(' ').slice(0, MAX_CAUSE_CHARACTERS),
  );
  return {
    suppressed: row.suppressed,
    causes: [...new Set(causes)].sort(),
    price: row.price,
    currency: row.currency,
    stock: row.quantity,
    buyable: row.buyable,
    featured: null,
  };
}

/** Fills in members that one review did not request from the review before. */
export function withUnrequested(states: ListingStates, before: ListingStates): ListingStates {
  return new Map(
    [...states].map(([sku, state]) => {
      const featured = state.featured ?? before.get(sku)?.featured ?? null;
      return [sku, { ...state, featured }];
    }),
  );
}

const MAX_CAUSE_CHARACTERS = 100;

/**
 * Returns every differing member once; for a new or gone listing only that. The order is that of the first,
 * then the second.
 */
export function compareStates(before: ListingStates, after: ListingStates): ListingChange[] {
  const changes: ListingChange[] = [];
  for (const [sku, old] of before) {
    const now = after.get(sku);
    if (now === undefined) changes.push({ sku, member: 'listing', old: 'there', new: null, currency: null });
    else changes.push(...compareListing(sku, old, now));
  }
  for (const sku of after.keys()) {
    if (!before.has(sku)) changes.push({ sku, member: 'listing', old: null, new: 'there', currency: null });
  }
  return changes;
}

function compareListing(sku: string, old: ReviewedListingState, now: ReviewedListingState): ListingChange[] {
  return MEMBERS.flatMap((member) => {
    const [from, to] = [memberOf(old, member), memberOf(now, member)];
    // The same number in another currency is another price.
    const isSame = from === to && (member !== 'price' || old.currency === now.currency);
    const currency = member === 'price' ? (now.currency ?? old.currency) : null;
    return isSame ? [] : [{ sku, member, old: from, new: to, currency }];
  });
}

function memberOf(state: ReviewedListingState, member: (typeof MEMBERS)[number]): StateValue {
  if (member !== 'causes') return state[member];
  return state.causes.length === 0 ? null : state.causes.join('; ');
}

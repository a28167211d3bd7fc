/** What has changed between two looks at the same listings, member by member. */

import type { IssueRow, ListingRow } from './listing-rows.ts';

/** What a comparison needs of a listing; null is what the service did not tell. */
export interface ListingState {
  /** `altogether`, `search` or null. */
  suppressed: string | null;
  /** What suppresses it: code and attributes of each issue that is enforced, in order. */
  causes: readonly string[];
  price: number | null;
  currency: string | null;
  stock: number | null;
  /** 1, 0 or not told. */
  buyable: number | null;
  /** Whether the featured offer is the seller's: 1, 0, or null as long as nobody has asked. */
  featured: number | null;
}

/** As a table has it. */
type StateValue = string | number | null;

/** By SKU. */
export type States = ReadonlyMap<string, ListingState>;

const MEMBERS = ['suppressed', 'causes', 'price', 'stock', 'buyable', 'featured'] as const;

/** `listing`: it is new (old is null) or gone (new is null). */
type ChangedMember = 'listing' | (typeof MEMBERS)[number];

export interface ListingChange {
  sku: string;
  member: ChangedMember;
  old: StateValue;
  new: StateValue;
  /** Of a price. */
  currency: string | null;
}

/** The state of a listing as a review has read it. */
export function stateOfListing(row: ListingRow, issues: readonly IssueRow[]): ListingState {
  const enforced = issues.filter(({ suppresses }) => suppresses === 1);
  const causes = enforced.map(({ code, attribute_names: attributes }) =>
    [code, ...(attributes === null ? [] : [attributes])].join(' ').slice(0, LONGEST_CAUSE),
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

/** What one look did not ask for is as the look before has seen it. */
export function withUnasked(states: States, before: States): States {
  return new Map(
    [...states].map(([sku, state]) => {
      const featured = state.featured ?? before.get(sku)?.featured ?? null;
      return [sku, { ...state, featured }];
    }),
  );
}

const LONGEST_CAUSE = 100;

/** Every member that differs, once; of a new or gone listing that alone. In the order of the first, then of the second. */
export function compareStates(before: States, after: States): ListingChange[] {
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

function compareListing(sku: string, old: ListingState, now: ListingState): ListingChange[] {
  return MEMBERS.flatMap((member) => {
    const [from, to] = [memberOf(old, member), memberOf(now, member)];
    // The same number in another currency is another price.
    const isSame = from === to && (member !== 'price' || old.currency === now.currency);
    const currency = member === 'price' ? (now.currency ?? old.currency) : null;
    return isSame ? [] : [{ sku, member, old: from, new: to, currency }];
  });
}

function memberOf(state: ListingState, member: (typeof MEMBERS)[number]): StateValue {
  if (member !== 'causes') return state[member];
  return state.causes.length === 0 ? null : state.causes.join('; ');
}

/** A write settles issues that are about its attributes, and gives back the status that they took from the listing. */

import * as z from 'zod';
import type { ListingFixture } from '../fixtures/listing.ts';
import { itemSchema } from '../world/listing-row.ts';
import { fulfillableOf } from '../world/warehouse-stock.ts';
import { type Attributes, findEntry } from './listing-store.ts';

const issueSchema = z.looseObject({
  code: z.string(),
  attributeNames: z.array(z.string()).default([]),
  marketplaceIds: z.array(z.string()).optional(),
  enforcements: z
    .looseObject({
      actions: z.array(z.looseObject({ action: z.string() })),
      exemption: z.looseObject({ status: z.string() }),
    })
    .optional(),
});

/** Maps each action to the statuses that it takes from a listing. */
const TAKEN: Readonly<Record<string, readonly string[]>> = {
  CATALOG_ITEM_REMOVED: ['BUYABLE', 'DISCOVERABLE'],
  LISTING_SUPPRESSED: ['BUYABLE'],
  SEARCH_SUPPRESSED: ['DISCOVERABLE'],
};

/**
 * The demo account judges at once what the service judges in minutes or hours.
 * @param attributes of the listing by now
 * @param touched names of those that were written
 */
export function settleIssues(
  listing: ListingFixture,
  attributes: Attributes,
  { touched, marketplaceIds }: { touched: readonly string[]; marketplaceIds: readonly string[] },
): ListingFixture {
  const issues = z.array(issueSchema).default([]).parse(listing.item.issues);
  const marketplaceIdsOf = (issue: (typeof issues)[number]) => issue.marketplaceIds ?? listing.marketplaceIds;
  const left = issues.flatMap((issue) => {
    const { code, attributeNames: names } = issue;
    const isSettledIn = (id: string) =>
      names.every((name) => touched.includes(name) && isRight(code, findEntry(attributes[name], id)));
    const issueMarketplaceIds = marketplaceIdsOf(issue).filter(
      (id) => names.length === 0 || !marketplaceIds.includes(id) || !isSettledIn(id),
    );
    return issueMarketplaceIds.length === 0
      ? []
      : [{ ...issue, ...(issue.marketplaceIds && { marketplaceIds: issueMarketplaceIds }) }];
  });
  if (JSON.stringify(left) === JSON.stringify(issues)) return listing;
  const takenIn = (some: typeof issues, id: string) =>
    some
      .filter(
        (one) => marketplaceIdsOf(one).includes(id) && one.enforcements?.exemption.status === 'NOT_EXEMPT',
      )
      .flatMap(
        ({ enforcements }) => enforcements?.actions.flatMap(({ action }) => TAKEN[action] ?? []) ?? [],
      );
  const { summaries, fulfillmentAvailability, sku } = itemSchema.parse(listing.item);
  const isSoldOut = (fulfillmentAvailability[0]?.quantity ?? fulfillableOf(sku)) === 0;
  const statusIn = (id: string, before: readonly string[]) => {
    const still = takenIn(left, id);
    const given = takenIn(issues, id).filter(
      (one) => !still.includes(one) && !(isSoldOut && one === 'BUYABLE'),
    );
    return [...new Set([...before, ...given])];
  };
  const shownSummaries = summaries.map((one) => ({
    ...one,
    status: statusIn(one.marketplaceId, one.status),
  }));
  return { ...listing, item: { ...listing.item, issues: left, summaries: shownSummaries } };
}

/** Returns true for a title in which no word stands more than twice, and for anything else that is there. */
function isRight(code: string, entry: Record<string, unknown> | undefined): boolean {
  if (code !== '99300' || typeof entry?.value !== 'string') return entry !== undefined;
  const words = entry.value.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.every((word) => words.filter((other) => other === word).length <= 2);
}

/** Listings by the thousand for what only large catalogs show: all alike but for their number, sold by the seller. */

import { type ListingFixture, offer, stock, summary } from '../fixtures/listing.ts';
import type { Market } from './markets.ts';

export function makeMoreListings(markets: readonly Market[], count: number): ListingFixture[] {
  const [market] = markets;
  if (market === undefined) return [];
  const { id, currency } = market;
  return Array.from({ length: count }, (_, at) => {
    const number = String(at + 1).padStart(5, '0');
    const asin = `B0MRE${number}`;
    const itemName = `Hook, Brushed Steel, No. ${at + 1}`;
    return {
      asin,
      purpose: 'one of very many',
      marketplaceIds: [id],
      item: {
        sku: `MORE-${number}`,
        summaries: [summary({ asin, itemName, productType: 'HOOK', marketplaceId: id })],
        attributes: { item_name: [{ value: itemName, language_tag: 'en_US', marketplace_id: id }] },
        issues: [],
        offers: [offer(`${10 + (at % 50)}.00`, currency, id)],
        fulfillmentAvailability: stock(25),
      },
    };
  });
}

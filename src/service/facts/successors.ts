/** What to use instead of a deprecated operation; reviewed by hand against the service's migration guides. */

/** Id of a deprecated operation -> id of its successor, and what the successor does of it. */
export const successors: Readonly<Record<string, readonly [successor: string, reason: string]>> = {
  'orders/getOrders': ['orders/searchOrders', 'searches by the same criteria'],
  'orders/getOrder': ['orders/getOrder@2026-01-01', 'returns the same order'],
  'orders/getOrderItems': ['orders/getOrder@2026-01-01', 'always includes the items'],
  'orders/getOrderBuyerInfo': ['orders/getOrder@2026-01-01', 'includes the buyer on request (includedData)'],
  'orders/getOrderAddress': [
    'orders/getOrder@2026-01-01',
    'includes the recipient on request (includedData)',
  ],
  'orders/getOrderItemsBuyerInfo': [
    'orders/getOrder@2026-01-01',
    'includes the buyer of the items on request',
  ],
  'product-pricing/getPricing': ['product-pricing/getCompetitiveSummary', 'the current pricing operation'],
  'product-pricing/getCompetitivePricing': [
    'product-pricing/getCompetitiveSummary',
    'holds competitive prices',
  ],
  'product-pricing/getListingOffers': ['product-pricing/getCompetitiveSummary', 'holds the lowest offers'],
  'product-pricing/getItemOffers': ['product-pricing/getCompetitiveSummary', 'holds the lowest offers'],
  'product-pricing/getItemOffersBatch': ['product-pricing/getCompetitiveSummary', 'a batch as well'],
  'product-pricing/getListingOffersBatch': ['product-pricing/getCompetitiveSummary', 'a batch as well'],
  'catalog-v0/getCatalogItem': ['catalog-items/getCatalogItem', 'named by the document (section 4.2)'],
};

export function successorOf(id: string): { successor?: string } {
  const found = successors[id];
  return found === undefined ? {} : { successor: found[0] };
}

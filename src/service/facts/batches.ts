/** Operations of which one call asks for many: by a list of requests, of estimates or of identifiers, as the public definitions document them. */

/** What asks for one, and what asks for many of the same. */
export interface BatchForm {
  /** Id of the operation that takes many. */
  operation: string;
  /** That one call takes. */
  most: number;
  /** Parameter, or member of the body, that tells one from another. */
  key: string;
  by:
    | {
        /** A list of requests, each with an address of its own. */
        kind: 'requests';
        /** Of a request; its placeholder is the key. */
        uri: string;
        /** Where an answer repeats the key and the marketplace, dotted. */
        answered: { key: string; marketplace: string };
        /** Where an answer holds what one call would have answered. */
        value: readonly string[];
        /** Members of a request that are filled in where they are left out. */
        defaults?: Readonly<Record<string, unknown>>;
      }
    | {
        /** A list of estimates, which is the body. */
        kind: 'estimates';
        idType: string;
      }
    | {
        /** A search for identifiers. */
        kind: 'identifiers';
        identifiersType: string;
      };
}

const offersOf = (key: string, path: string, operation: string): BatchForm => ({
  operation,
  most: 20,
  key,
  by: {
    kind: 'requests',
    uri: `/products/pricing/v0/${path}/{${key}}/offers`,
    answered: { key: `request.${key}`, marketplace: 'request.MarketplaceId' },
    value: ['body', 'payload'],
  },
});

/** By the id of the operation that asks for one; those that have no such operation stand for themselves. */
const BATCHES: Readonly<Record<string, BatchForm>> = {
  'product-pricing/getListingOffers': offersOf(
    'SellerSKU',
    'listings',
    'product-pricing/getListingOffersBatch',
  ),
  'product-pricing/getItemOffers': offersOf('Asin', 'items', 'product-pricing/getItemOffersBatch'),
  'product-pricing/getCompetitiveSummary': {
    operation: 'product-pricing/getCompetitiveSummary',
    most: 20,
    key: 'asin',
    by: {
      kind: 'requests',
      uri: '/products/pricing/2022-05-01/items/competitiveSummary',
      answered: { key: 'body.asin', marketplace: 'body.marketplaceId' },
      value: ['body'],
      defaults: { includedData: ['featuredBuyingOptions', 'referencePrices'] },
    },
  },
  'product-pricing/getFeaturedOfferExpectedPriceBatch': {
    operation: 'product-pricing/getFeaturedOfferExpectedPriceBatch',
    most: 40,
    key: 'sku',
    by: {
      kind: 'requests',
      uri: '/products/pricing/2022-05-01/offer/featuredOfferExpectedPrice',
      answered: { key: 'request.sku', marketplace: 'request.marketplaceId' },
      value: ['body'],
    },
  },
  'fees/getMyFeesEstimateForSKU': {
    operation: 'fees/getMyFeesEstimates',
    most: 20,
    key: 'SellerSKU',
    by: { kind: 'estimates', idType: 'SellerSKU' },
  },
  'fees/getMyFeesEstimateForASIN': {
    operation: 'fees/getMyFeesEstimates',
    most: 20,
    key: 'Asin',
    by: { kind: 'estimates', idType: 'ASIN' },
  },
  'listings-items/getListingsItem': {
    operation: 'listings-items/searchListingsItems',
    most: 20,
    key: 'sku',
    by: { kind: 'identifiers', identifiersType: 'SKU' },
  },
  'catalog-items/getCatalogItem': {
    operation: 'catalog-items/searchCatalogItems',
    most: 20,
    key: 'asin',
    by: { kind: 'identifiers', identifiersType: 'ASIN' },
  },
};

export const batchForm = (id: string): BatchForm | undefined =>
  Object.hasOwn(BATCHES, id) ? BATCHES[id] : undefined;

/** Operations that take a list: of each row they are asked as the one that takes one. */
const ONE_OF: Readonly<Record<string, string>> = {
  'product-pricing/getListingOffersBatch': 'product-pricing/getListingOffers',
  'product-pricing/getItemOffersBatch': 'product-pricing/getItemOffers',
  'fees/getMyFeesEstimates': 'fees/getMyFeesEstimateForSKU',
};

/** Id of the operation that asks for one of what this one asks for many; its own where there is none. */
export const singleOf = (id: string): string => (Object.hasOwn(ONE_OF, id) ? (ONE_OF[id] ?? id) : id);

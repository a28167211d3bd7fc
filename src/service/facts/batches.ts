/**
 * Operations that return many results in one call, by a list of requests, of estimates or of identifiers, as
 * the public definitions document them.
 */

/** The operation for many of what another operation returns once. */
export interface BatchForm {
  /** The ID of the operation that takes many. */
  operation: string;
  /** The maximum number in one call. */
  most: number;
  /** The parameter or body member that distinguishes the requests. */
  key: string;
  by:
    | {
        /** A list of requests, each with an address of its own. */
        kind: 'requests';
        /** The address of a request; its placeholder is the key. */
        uri: string;
        /** The dotted paths at which an answer repeats the key and the marketplace. */
        answered: { key: string; marketplace: string };
        /** The path at which an answer contains the response of a single call. */
        value: readonly string[];
        /** Default members of a request. */
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

/** The forms by the ID of the single operation, or by their own ID when there is none. */
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

/** Operations that take a list, with the single operation that is called for each row instead. */
const ONE_OF: Readonly<Record<string, string>> = {
  'product-pricing/getListingOffersBatch': 'product-pricing/getListingOffers',
  'product-pricing/getItemOffersBatch': 'product-pricing/getItemOffers',
  'fees/getMyFeesEstimates': 'fees/getMyFeesEstimateForSKU',
};

/** Returns the ID of the single operation for one that takes many; its own when there is none. */
export const singleOf = (id: string): string => (Object.hasOwn(ONE_OF, id) ? (ONE_OF[id] ?? id) : id);

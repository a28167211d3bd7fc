/** What matters in an example call beyond what is required: reviewed by hand, since no definition says it. */

export interface ExampleSeed {
  /** Beside the required ones, or in their place. */
  parameters?: Readonly<Record<string, unknown>>;
  /** The whole body. */
  body?: unknown;
}

const marketplace = 'ATVPDKIKX0DER';
const asin = 'B0EXAMPLE1';
const since = '2026-01-01T00:00:00Z';
const price = { ListingPrice: { CurrencyCode: 'USD', Amount: 19.99 } };
const feeRequest = {
  MarketplaceId: marketplace,
  IsAmazonFulfilled: true,
  PriceToEstimateFees: price,
  Identifier: 'request-1',
};
const forMarketplace = { marketplace_id: marketplace };

/** Operation id -> what its example says. */
export const exampleSeeds: Readonly<Record<string, ExampleSeed>> = {
  'orders/searchOrders': { parameters: { createdAfter: since, fulfillmentStatuses: ['UNSHIPPED'] } },
  'orders/getOrders': { parameters: { CreatedAfter: since, OrderStatuses: ['Unshipped'] } },
  'listings-items/patchListingsItem': {
    body: {
      productType: 'PRODUCT',
      patches: [
        {
          op: 'replace',
          path: '/attributes/item_name',
          value: [{ value: 'Desk lamp', language_tag: 'en_US', ...forMarketplace }],
        },
      ],
    },
  },
  'listings-items/putListingsItem': {
    body: {
      productType: 'PRODUCT',
      requirements: 'LISTING_OFFER_ONLY',
      attributes: {
        merchant_suggested_asin: [{ value: asin, ...forMarketplace }],
        condition_type: [{ value: 'new_new', ...forMarketplace }],
      },
    },
  },
  'catalog-items/searchCatalogItems': { parameters: { keywords: ['desk lamp'] } },
  'definitions/searchDefinitionsProductTypes': { parameters: { keywords: ['lamp'] } },
  'catalog-v0/listCatalogCategories': { parameters: { ASIN: asin } },
  'fees/getMyFeesEstimateForSKU': { body: { FeesEstimateRequest: feeRequest } },
  'fees/getMyFeesEstimateForASIN': { body: { FeesEstimateRequest: feeRequest } },
  'fees/getMyFeesEstimates': {
    body: [{ IdType: 'ASIN', IdValue: asin, FeesEstimateRequest: feeRequest }],
  },
  'product-pricing/getPricing': { parameters: { ItemType: 'Asin', Asins: [asin] } },
  'product-pricing/getCompetitivePricing': { parameters: { ItemType: 'Asin', Asins: [asin] } },
  'reports/createReport': {
    body: { reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaceIds: [marketplace] },
  },
  'reports/createReportSchedule': {
    body: {
      reportType: 'GET_FLAT_FILE_RETURNS_DATA_BY_RETURN_DATE',
      marketplaceIds: [marketplace],
      period: 'P1D',
    },
  },
  'reports/getReports': { parameters: { reportTypes: ['GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2'] } },
  'reports/getReportSchedules': {
    parameters: { reportTypes: ['GET_FLAT_FILE_RETURNS_DATA_BY_RETURN_DATE'] },
  },
  'feeds/getFeeds': { parameters: { feedTypes: ['JSON_LISTINGS_FEED'] } },
  'feeds/createFeedDocument': { body: { contentType: 'application/json; charset=UTF-8' } },
  'feeds/createFeed': {
    body: {
      feedType: 'JSON_LISTINGS_FEED',
      marketplaceIds: [marketplace],
      inputFeedDocumentId: '<feedDocumentId>',
    },
  },
  'sales/getOrderMetrics': {
    parameters: {
      interval: '2026-01-01T00:00:00-08:00--2026-02-01T00:00:00-08:00',
      granularity: 'Day',
      granularityTimeZone: 'US/Pacific',
    },
  },
  'fulfilment-inventory/getInventorySummaries': {
    parameters: { granularityType: 'Marketplace', granularityId: marketplace, details: true },
  },
  'finance/listTransactions': { parameters: { postedAfter: since } },
  'finance/listFinancialEvents': { parameters: { PostedAfter: since } },
  'finance/listFinancialEventGroups': { parameters: { FinancialEventGroupStartedAfter: since } },
  'service/getServiceJobs': { parameters: { createdAfter: since } },
  'tokens/createRestrictedDataToken': {
    body: {
      restrictedResources: [{ method: 'GET', path: '/orders/v0/orders/902-1234567-1234567/address' }],
    },
  },
  'data-kiosk/createQuery': {
    body: {
      query: `{analytics_salesAndTraffic_2024_04_24{salesAndTrafficByDate(startDate:"2026-01-01",endDate:"2026-01-31",aggregateBy:DAY,marketplaceIds:["${marketplace}"]){startDate sales{unitsOrdered}}}}`,
    },
  },
};

/** Generated from src/service/describe/example-seeds.yaml by scripts/generate.ts. Do not edit. */

import type { ExampleSeed } from '../example.ts';

export const exampleSeeds: Readonly<Record<string, ExampleSeed>> = {
  "orders/searchOrders": {"parameters":{"createdAfter":"2026-01-01T00:00:00Z","fulfillmentStatuses":["UNSHIPPED"]}},
  "orders/getOrders": {"parameters":{"CreatedAfter":"2026-01-01T00:00:00Z","OrderStatuses":["Unshipped"]}},
  "listings-items/patchListingsItem": {"body":{"productType":"PRODUCT","patches":[{"op":"replace","path":"/attributes/item_name","value":[{"value":"Desk lamp","language_tag":"en_US","marketplace_id":"ATVPDKIKX0DER"}]}]}},
  "listings-items/putListingsItem": {"body":{"productType":"PRODUCT","requirements":"LISTING_OFFER_ONLY","attributes":{"merchant_suggested_asin":[{"value":"B0EXAMPLE1","marketplace_id":"ATVPDKIKX0DER"}],"condition_type":[{"value":"new_new","marketplace_id":"ATVPDKIKX0DER"}]}}},
  "catalog-items/searchCatalogItems": {"parameters":{"keywords":["desk lamp"]}},
  "definitions/searchDefinitionsProductTypes": {"parameters":{"keywords":["lamp"]}},
  "fees/getMyFeesEstimateForSKU": {"body":{"FeesEstimateRequest":{"MarketplaceId":"ATVPDKIKX0DER","IsAmazonFulfilled":true,"PriceToEstimateFees":{"ListingPrice":{"CurrencyCode":"USD","Amount":19.99}},"Identifier":"request-1"}}},
  "fees/getMyFeesEstimateForASIN": {"body":{"FeesEstimateRequest":{"MarketplaceId":"ATVPDKIKX0DER","IsAmazonFulfilled":true,"PriceToEstimateFees":{"ListingPrice":{"CurrencyCode":"USD","Amount":19.99}},"Identifier":"request-1"}}},
  "fees/getMyFeesEstimates": {"body":[{"IdType":"ASIN","IdValue":"B0EXAMPLE1","FeesEstimateRequest":{"MarketplaceId":"ATVPDKIKX0DER","IsAmazonFulfilled":true,"PriceToEstimateFees":{"ListingPrice":{"CurrencyCode":"USD","Amount":19.99}},"Identifier":"request-1"}}]},
  "product-pricing/getPricing": {"parameters":{"ItemType":"Asin","Asins":["B0EXAMPLE1"]}},
  "product-pricing/getCompetitivePricing": {"parameters":{"ItemType":"Asin","Asins":["B0EXAMPLE1"]}},
  "reports/createReport": {"body":{"reportType":"GET_MERCHANT_LISTINGS_ALL_DATA","marketplaceIds":["ATVPDKIKX0DER"]}},
  "reports/createReportSchedule": {"body":{"reportType":"GET_FLAT_FILE_RETURNS_DATA_BY_RETURN_DATE","marketplaceIds":["ATVPDKIKX0DER"],"period":"P1D"}},
  "reports/getReports": {"parameters":{"reportTypes":["GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2"]}},
  "reports/getReportSchedules": {"parameters":{"reportTypes":["GET_FLAT_FILE_RETURNS_DATA_BY_RETURN_DATE"]}},
  "feeds/getFeeds": {"parameters":{"feedTypes":["JSON_LISTINGS_FEED"]}},
  "feeds/createFeedDocument": {"body":{"contentType":"application/json; charset=UTF-8"}},
  "feeds/createFeed": {"body":{"feedType":"JSON_LISTINGS_FEED","marketplaceIds":["ATVPDKIKX0DER"],"inputFeedDocumentId":"<feedDocumentId>"}},
  "sales/getOrderMetrics": {"parameters":{"interval":"2026-01-01T00:00:00-08:00--2026-02-01T00:00:00-08:00","granularity":"Day","granularityTimeZone":"US/Pacific"}},
  "fulfilment-inventory/getInventorySummaries": {"parameters":{"granularityType":"Marketplace","granularityId":"ATVPDKIKX0DER","details":true}},
  "finance/listTransactions": {"parameters":{"postedAfter":"2026-01-01T00:00:00Z"}},
  "finance/listFinancialEvents": {"parameters":{"PostedAfter":"2026-01-01T00:00:00Z"}},
  "finance/listFinancialEventGroups": {"parameters":{"FinancialEventGroupStartedAfter":"2026-01-01T00:00:00Z"}},
  "service/getServiceJobs": {"parameters":{"createdAfter":"2026-01-01T00:00:00Z"}},
  "tokens/createRestrictedDataToken": {"body":{"restrictedResources":[{"method":"GET","path":"/orders/v0/orders/902-1234567-1234567/address"}]}},
  "data-kiosk/createQuery": {"body":{"query":"{analytics_salesAndTraffic_2024_04_24{salesAndTrafficByDate(startDate:\"2026-01-01\",endDate:\"2026-01-31\",aggregateBy:DAY,marketplaceIds:[\"ATVPDKIKX0DER\"]){startDate sales{unitsOrdered}}}}"}},
};

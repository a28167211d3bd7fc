/** How operations page where their definition does not tell, reviewed by hand, each with its reason. */

import type { Paging } from '../../src/service/facts/operation.ts';

export interface ReviewedPaging {
  reason: string;
  /** Laid over what was found, where a key of undefined says that items have none; null: it does not page. */
  paging: Partial<Paging> | null;
}

const key = (name: string | undefined, reason: string): ReviewedPaging => ({ reason, paging: { key: name } });

const events: ReviewedPaging = {
  reason: 'the page is one object, each member of which is a list of events of one kind without ids',
  paging: {
    by: 'token',
    input: { in: 'query', name: 'NextToken' },
    output: 'payload.NextToken',
    list: 'payload.FinancialEvents.*',
    key: undefined,
  },
};

const offers: ReviewedPaging = {
  reason: 'passes over a number of items instead of taking a token; an ASIN has several offers',
  paging: {
    by: 'offset',
    input: { in: 'body', name: 'pagination.offset' },
    output: 'pagination.totalResults',
    list: 'offers',
    key: undefined,
  },
};

const alone: ReviewedPaging = {
  reason: 'refuses its token beside other parameters',
  paging: { alone: true },
};
const noId = 'its items have no id of their own';

export const reviewedPaging: Readonly<Record<string, ReviewedPaging>> = {
  'a-plus-content/searchContentDocuments': key('contentReferenceKey', 'the only name of a document'),
  'a-plus-content/searchContentPublishRecords': key(
    undefined,
    'a document is published once for each ASIN, locale and type',
  ),
  'data-kiosk/getQuery': { reason: 'its token is for another createQuery, not for itself', paging: null },
  'feeds/getFeeds': alone,
  'reports/getReports': alone,
  'finance/getInvoiceHeaders': key('invoiceIdentifier', 'what getInvoice asks for'),
  'finance/listBalances': key('balanceType', 'one balance of each type'),
  'finance/listFinancialEvents': events,
  'finance/listFinancialEventsByGroupId': events,
  'finance/listFinancialEventsByOrderId': events,
  'finance/listSummary': key('periodStart', 'one summary for each period'),
  'fulfilment-inventory/getInventorySummaries': {
    reason: 'the token stands outside of the payload that holds the list; one SKU is listed once',
    paging: {
      by: 'token',
      input: { in: 'query', name: 'nextToken' },
      output: 'pagination.nextToken',
      list: 'payload.inventorySummaries',
      key: 'sellerSku',
    },
  },
  'inbound-fulfilment/getSelfShipAppointmentSlots': {
    reason: 'the list stands in an object of its own',
    paging: {
      by: 'token',
      input: { in: 'query', name: 'paginationToken' },
      output: 'pagination.nextToken',
      list: 'selfShipAppointmentSlotsAvailability.slots',
      key: 'slotId',
    },
  },
  'inbound-fulfilment/getShipmentItems': key(undefined, 'one SKU may be in several shipments'),
  'inbound-fulfilment/getShipmentItemsByShipmentId': {
    reason: 'gives a token out and takes none in: getShipmentItems takes it',
    paging: null,
  },
  'inbound-fulfilment/getShipments': key('ShipmentId', 'spelt otherwise than its list'),
  'inbound-fulfilment/listInboundPlanItems': key(
    undefined,
    'one SKU stands once for each expiration and lot',
  ),
  'inbound-fulfilment/listPackingGroupItems': key(
    undefined,
    'one SKU stands once for each expiration and lot',
  ),
  'inbound-fulfilment/listShipmentItems': key(undefined, 'one SKU stands once for each expiration and lot'),
  'outbound-fulfilment/getFeatureInventory': key('sellerSku', 'one line for each SKU'),
  'outbound-fulfilment/listAllFulfillmentOrders': key(
    'sellerFulfillmentOrderId',
    'what the other operations ask for',
  ),
  'replenishment/listOfferMetrics': offers,
  'replenishment/listOffers': offers,
  'service/getFixedSlotCapacity': key(undefined, noId),
  'service/getRangeSlotCapacity': key(undefined, noId),
  'service/getServiceJobs': key('serviceJobId', 'what the other operations ask for'),
  'transfers/listExpectedPayouts': key(undefined, noId),
  'vehicles/getVehicles': key(undefined, noId),
  'vendor-shipments/GetShipmentDetails': key('vendorShipmentIdentifier', 'the only name of a shipment'),
  'vendor-shipments/GetShipmentLabels': key(undefined, noId),
};

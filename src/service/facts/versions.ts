/**
 * Translates calls of one version of a read operation into calls of another version, if the definitions make
 * that certain.
 */

import type { Operation } from './operation.ts';

/** The arguments of a call of another version. */
export interface VersionCall {
  /** The ID of the operation. */
  operation: string;
  parameters: Readonly<Record<string, unknown>>;
  body?: unknown;
}

interface Translation {
  from: string;
  to: string;
  /** The parameter names of the other version, by those of the called version. */
  parameters: Readonly<Record<string, string>>;
  /** Values with another spelling in the other version, by the parameter of the called version. */
  values?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Parameters that can be dropped without changing the question. */
  left?: readonly string[];
  /** Parameters that the other version always needs. */
  always?: Readonly<Record<string, unknown>>;
  /** Parameters that a call must have for the translation to apply. */
  needs?: readonly string[];
  /** The values that a call must have for the translation to apply. */
  when?: Readonly<Record<string, string>>;
  /** A body whose `requests` have one member for each value of the first parameter. */
  requests?: { of: string; as: string; uri: string; always: Readonly<Record<string, unknown>> };
}

const ORDER_STATUSES = {
  PENDING_AVAILABILITY: 'PendingAvailability',
  PENDING: 'Pending',
  UNSHIPPED: 'Unshipped',
  PARTIALLY_SHIPPED: 'PartiallyShipped',
  SHIPPED: 'Shipped',
  CANCELLED: 'Canceled',
  UNFULFILLABLE: 'Unfulfillable',
};

const FULFILLED_BY = { AMAZON: 'AFN', MERCHANT: 'MFN' };

const flip = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(values).map(([one, other]) => [other, one]));

const SEARCH_ORDERS = {
  createdAfter: 'CreatedAfter',
  createdBefore: 'CreatedBefore',
  lastUpdatedAfter: 'LastUpdatedAfter',
  lastUpdatedBefore: 'LastUpdatedBefore',
  fulfillmentStatuses: 'OrderStatuses',
  marketplaceIds: 'MarketplaceIds',
  fulfilledBy: 'FulfillmentChannels',
  maxResultsPerPage: 'MaxResultsPerPage',
};

/** Translates older versions of a price to the summary, which has the same data of an ASIN. */
const summaryOf = (from: string, of: string): Translation => ({
  from,
  to: 'product-pricing/getCompetitiveSummary',
  parameters: { MarketplaceId: 'marketplaceId' },
  left: ['ItemCondition', 'ItemType', 'CustomerType', 'OfferType'],
  requests: {
    of,
    as: 'asin',
    uri: '/products/pricing/2022-05-01/items/competitiveSummary',
    always: { includedData: ['featuredBuyingOptions', 'referencePrices'] },
  },
});

const TRANSLATIONS: readonly Translation[] = [
  {
    from: 'orders/getOrder@2026-01-01',
    to: 'orders/getOrder',
    parameters: { orderId: 'orderId' },
    left: ['includedData'],
  },
  { from: 'orders/getOrder', to: 'orders/getOrder@2026-01-01', parameters: { orderId: 'orderId' } },
  {
    from: 'orders/searchOrders',
    to: 'orders/getOrders',
    parameters: SEARCH_ORDERS,
    values: { fulfillmentStatuses: ORDER_STATUSES, fulfilledBy: FULFILLED_BY },
    left: ['includedData'],
  },
  {
    from: 'orders/getOrders',
    to: 'orders/searchOrders',
    parameters: flip(SEARCH_ORDERS),
    values: { OrderStatuses: flip(ORDER_STATUSES), FulfillmentChannels: flip(FULFILLED_BY) },
  },
  { from: 'orders/getOrderItems', to: 'orders/getOrder@2026-01-01', parameters: { orderId: 'orderId' } },
  {
    from: 'orders/getOrderItemsBuyerInfo',
    to: 'orders/getOrder@2026-01-01',
    parameters: { orderId: 'orderId' },
    always: { includedData: ['BUYER'] },
  },
  {
    from: 'orders/getOrderBuyerInfo',
    to: 'orders/getOrder@2026-01-01',
    parameters: { orderId: 'orderId' },
    always: { includedData: ['BUYER'] },
  },
  {
    from: 'orders/getOrderAddress',
    to: 'orders/getOrder@2026-01-01',
    parameters: { orderId: 'orderId' },
    always: { includedData: ['RECIPIENT'] },
  },
  {
    from: 'catalog-v0/getCatalogItem',
    to: 'catalog-items/getCatalogItem',
    parameters: { asin: 'asin', MarketplaceId: 'marketplaceIds' },
  },
  {
    from: 'catalog-v0/listCatalogCategories',
    to: 'catalog-items/getCatalogItem',
    parameters: { ASIN: 'asin', MarketplaceId: 'marketplaceIds' },
    needs: ['ASIN'],
    always: { includedData: ['classifications'] },
  },
  {
    from: 'finance/listTransactions',
    to: 'finance/listFinancialEventsByOrderId',
    parameters: { relatedIdentifierValue: 'orderId' },
    when: { relatedIdentifierName: 'ORDER_ID' },
    left: ['postedAfter', 'postedBefore', 'marketplaceId'],
  },
  {
    from: 'finance/listTransactions',
    to: 'finance/listFinancialEventsByGroupId',
    parameters: {
      relatedIdentifierValue: 'eventGroupId',
      postedAfter: 'PostedAfter',
      postedBefore: 'PostedBefore',
    },
    when: { relatedIdentifierName: 'FINANCIAL_EVENT_GROUP_ID' },
    left: ['marketplaceId'],
  },
  {
    from: 'finance/listTransactions',
    to: 'finance/listFinancialEvents',
    parameters: { postedAfter: 'PostedAfter', postedBefore: 'PostedBefore' },
    left: ['marketplaceId'],
  },
  {
    from: 'finance/listFinancialEvents',
    to: 'finance/listTransactions',
    parameters: { PostedAfter: 'postedAfter', PostedBefore: 'postedBefore' },
    left: ['MaxResultsPerPage'],
  },
  {
    from: 'finance/listFinancialEventsByOrderId',
    to: 'finance/listTransactions',
    parameters: { orderId: 'relatedIdentifierValue' },
    always: { relatedIdentifierName: 'ORDER_ID' },
    left: ['MaxResultsPerPage'],
  },
  {
    from: 'finance/listFinancialEventsByGroupId',
    to: 'finance/listTransactions',
    parameters: {
      eventGroupId: 'relatedIdentifierValue',
      PostedAfter: 'postedAfter',
      PostedBefore: 'postedBefore',
    },
    always: { relatedIdentifierName: 'FINANCIAL_EVENT_GROUP_ID' },
    left: ['MaxResultsPerPage'],
  },
  {
    from: 'outbound-fulfilment/listOrders',
    to: 'outbound-fulfilment/listAllFulfillmentOrders',
    parameters: { updatedAfter: 'queryStartDate' },
    left: ['x-amzn-fulfillment-service-id', 'shipments'],
  },
  {
    from: 'outbound-fulfilment/listAllFulfillmentOrders',
    to: 'outbound-fulfilment/listOrders',
    parameters: { queryStartDate: 'updatedAfter' },
  },
  {
    from: 'shipping/getTracking',
    to: 'shipping/getTrackingInformation',
    parameters: { trackingId: 'trackingId' },
    left: ['carrierId', 'x-amzn-shipping-business-id'],
  },
  summaryOf('product-pricing/getItemOffers', 'Asin'),
  summaryOf('product-pricing/getPricing', 'Asins'),
  summaryOf('product-pricing/getCompetitivePricing', 'Asins'),
];

/**
 * Returns the same call in other versions, the current ones first.
 * @param given parameters as the caller wrote them
 */
export function otherVersions(id: string, given: Readonly<Record<string, unknown>>): VersionCall[] {
  return TRANSLATIONS.filter(({ from }) => from === id).flatMap(
    (translation) => translate(translation, given) ?? [],
  );
}

/** Returns the IDs of the versions that some calls of the operation translate to. */
export const versionsOf = (id: string): string[] =>
  TRANSLATIONS.filter(({ from }) => from === id).map(({ to }) => to);

/** Formats `orders/getOrder@v0`, which is exact for readers even if the ID of one version lacks it. */
export const versionedName = ({ id, version }: Pick<Operation, 'id' | 'version'>): string =>
  id.includes('@') || version === undefined ? id : `${id}@${version}`;

/** Translates a call; undefined when a part of the question would get lost. */
function translate(
  {
    to,
    parameters: names,
    values = {},
    left = [],
    always = {},
    needs = [],
    when = {},
    requests,
  }: Translation,
  given: Readonly<Record<string, unknown>>,
): VersionCall | undefined {
  const relevant = Object.entries(given).filter(
    ([name, value]) => value !== undefined && value !== null && !left.includes(name),
  );
  if (needs.some((name) => given[name] === undefined)) return undefined;
  if (Object.entries(when).some(([name, value]) => given[name] !== value)) return undefined;
  const parameters: Record<string, unknown> = { ...always };
  for (const [name, value] of relevant) {
    if (Object.hasOwn(when, name) || name === requests?.of) continue;
    const other = names[name];
    if (other === undefined) return undefined;
    parameters[other] = respell(value, values[name]);
  }
  if (requests === undefined) return { operation: to, parameters };
  const keys = [given[requests.of] ?? []].flat();
  if (keys.length === 0) return undefined;
  const { uri, as: member, always: rest } = requests;
  const body = {
    requests: keys.map((key) => ({ uri, method: 'GET', [member]: key, ...parameters, ...rest })),
  };
  return { operation: to, parameters: {}, body };
}

function respell(value: unknown, spellings: Readonly<Record<string, string>> | undefined): unknown {
  if (spellings === undefined) return value;
  if (Array.isArray(value)) return value.map((each) => respell(each, spellings));
  return typeof value === 'string' ? (spellings[value] ?? value) : value;
}

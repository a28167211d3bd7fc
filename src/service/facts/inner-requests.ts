/** Operations whose body contains requests of its own with method and address, and the allowed ones. */

import { isJsonObject } from '../../base/json.ts';
import { own } from './schema-parts.ts';

export interface InnerRequests {
  /** The body member that lists them. */
  list: string;
  /** The member of each request with its address. */
  address: 'uri' | 'path';
  /** The body members besides the list. */
  beside: readonly string[];
  methods: readonly string[];
  /** The path template of allowed requests; undefined allows any path of a known operation. */
  path?: string;
}

const batchOf = (path: string): InnerRequests => ({
  list: 'requests',
  address: 'uri',
  beside: [],
  methods: ['GET'],
  path,
});

/** The inner requests by operation ID, as the public definitions document them. */
export const innerRequests: Readonly<Record<string, InnerRequests>> = {
  'product-pricing/getItemOffersBatch': batchOf('/products/pricing/v0/items/{Asin}/offers'),
  'product-pricing/getListingOffersBatch': batchOf('/products/pricing/v0/listings/{SellerSKU}/offers'),
  'product-pricing/getFeaturedOfferExpectedPriceBatch': batchOf(
    '/products/pricing/2022-05-01/offer/featuredOfferExpectedPrice',
  ),
  'product-pricing/getCompetitiveSummary': batchOf('/products/pricing/2022-05-01/items/competitiveSummary'),
  'tokens/createRestrictedDataToken': {
    list: 'restrictedResources',
    address: 'path',
    beside: ['targetApplication'],
    methods: ['GET', 'PUT', 'POST', 'DELETE'],
  },
};

/**
 * Completes an example body with inner requests that the operation documents; other bodies stay unchanged.
 */
export function withInnerAddresses(id: string, body: unknown): unknown {
  const rules = own(innerRequests, id);
  const path = rules?.path;
  if (rules === undefined || path === undefined || !isJsonObject(body)) return body;
  const list = own(body, rules.list);
  if (!Array.isArray(list)) return body;
  const filled = list.map((request: unknown) =>
    isJsonObject(request) ? { ...request, [rules.address]: filledIn(path), method: 'GET' } : request,
  );
  return { ...body, [rules.list]: filled };
}

/** Replaces placeholders by values, because an address must not contain any. */
function filledIn(template: string): string {
  return template.replace('{Asin}', 'B0EXAMPLE1').replace('{SellerSKU}', 'SKU-1');
}

/** Operations whose body holds requests of its own, each with a method and an address: what those may be. */

import { isJsonObject } from '../../base/json.ts';
import { own } from './schema-parts.ts';

export interface InnerRequests {
  /** Member of the body that lists them. */
  list: string;
  /** Member of each that holds its address. */
  address: 'uri' | 'path';
  /** Members of the body beside the list. */
  beside: readonly string[];
  methods: readonly string[];
  /** Path template of what may be asked; undefined: any path of a known operation. */
  path?: string;
}

const batchOf = (path: string): InnerRequests => ({
  list: 'requests',
  address: 'uri',
  beside: [],
  methods: ['GET'],
  path,
});

/** Operation id -> its inner requests, as the public definitions document them. */
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

/** An example of a body whose inner requests ask for what the operation documents; other bodies stay as they are. */
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

/** An address holds values, never placeholders. */
function filledIn(template: string): string {
  return template.replace('{Asin}', 'B0EXAMPLE1').replace('{SellerSKU}', 'SKU-1');
}

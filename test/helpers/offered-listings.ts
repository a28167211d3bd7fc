/**
 * Listings on loopback whose submitted values and offered values are two things, as at the real service: a patch changes
 * `attributes` at once, and what buyers see only when the test says so.
 */

import * as z from 'zod';
import type { Handler, ReceivedRequest } from './http-service.ts';

export const US = 'ATVPDKIKX0DER';

type Entry = Readonly<Record<string, unknown>>;

export interface OfferedListing {
  attributes: Record<string, readonly Entry[]>;
  offers?: readonly object[];
  fulfillmentAvailability?: readonly object[];
  summaries?: readonly object[];
}

const bodySchema = z.object({
  patches: z.array(
    z.object({
      op: z.string(),
      path: z.string(),
      value: z.array(z.record(z.string(), z.unknown())).optional(),
    }),
  ),
});

const NAME = /^\/(?:attributes\/)?([^/]+)$/;
const channelOf = (entry: Entry) => entry.fulfillment_channel_code ?? 'DEFAULT';

/** Applies a patch as the service does: a channel that is not named stays (docs#1714). */
function patched(entries: readonly Entry[], op: string, value: readonly Entry[], name: string) {
  const isNamed = (entry: Entry) =>
    value.some((one) => Object.entries(one).every(([member, wanted]) => entry[member] === wanted));
  if (op === 'delete') return value.length === 0 ? [] : entries.filter((entry) => !isNamed(entry));
  if (name !== 'fulfillment_availability') return value;
  const channels = value.map(channelOf);
  return [...value, ...entries.filter((entry) => !channels.includes(channelOf(entry)))];
}

/** @param listings by SKU; patches change them */
export function offeredListings(listings: Record<string, OfferedListing>): Handler {
  const show = (sku: string) => ({
    sku,
    summaries: [{ marketplaceId: US, productType: 'LAMP' }],
    ...listings[sku],
  });
  const headers = { 'x-amzn-RateLimit-Limit': '1000' };
  return ({ method, path, json }: ReceivedRequest) => {
    const { pathname, searchParams } = new URL(path, 'http://service');
    const sku = decodeURIComponent(pathname.split('/')[5] ?? '');
    const listing = listings[sku];
    if (sku === '') {
      const wanted = searchParams.get('identifiers')?.split(',') ?? Object.keys(listings);
      const items = wanted.filter((one) => listings[one] !== undefined).map(show);
      return { headers, body: { numberOfResults: items.length, items } };
    }
    if (listing === undefined) return { status: 404, headers, body: { errors: [{ code: 'NOT_FOUND' }] } };
    if (method === 'GET') return { headers, body: show(sku) };
    const isPreview = searchParams.get('mode') === 'VALIDATION_PREVIEW';
    for (const { op, path: pointer, value = [] } of isPreview ? [] : bodySchema.parse(json).patches) {
      const name = NAME.exec(pointer)?.[1]?.replaceAll('~1', '/').replaceAll('~0', '~');
      if (name === undefined) {
        return { status: 400, headers, body: { errors: [{ code: 'InvalidInput', message: pointer }] } };
      }
      listing.attributes[name] = patched(listing.attributes[name] ?? [], op, value, name);
    }
    const status = isPreview ? 'VALID' : 'ACCEPTED';
    return { headers, body: { sku, status, submissionId: 's-1', issues: [] } };
  };
}

export const price = (value: number) => [{ schedule: [{ value_with_tax: value }] }];

export const stock = (quantity: number, more: object = {}): Entry => ({
  fulfillment_channel_code: 'DEFAULT',
  quantity,
  marketplace_id: US,
  ...more,
});

export const offer = (value: number, more: object = {}): Entry => ({
  currency: 'USD',
  audience: 'ALL',
  marketplace_id: US,
  our_price: price(value),
  ...more,
});

export const offered = (value: number, more: object = {}) => ({
  marketplaceId: US,
  offerType: 'B2C',
  price: { currencyCode: 'USD', amount: value.toFixed(2) },
  ...more,
});

export const held = (quantity: number, fulfillmentChannelCode = 'DEFAULT') => ({
  fulfillmentChannelCode,
  quantity,
});

/** A seller's listings on loopback: searched in pages or by SKU, their stock, and the report of all SKUs. */

import * as z from 'zod';
import type { Answer, Handler } from './http-service.ts';

export interface SellerListing {
  sku: string;
  title: string;
  /** The prices by marketplace, in hundredths of its currency; in another marketplace it is not listed. */
  prices: Readonly<Record<string, number>>;
  /** Undefined: the service's warehouses hold it. */
  own?: number;
  held?: number;
  issues: readonly object[];
  status?: readonly string[];
  /** Whether the listing has the featured offer. */
  featured?: boolean;
}

export interface SellerServiceOptions {
  listings: readonly SellerListing[];
  /** Looks at each request first, and may answer it. */
  before?: (path: URL) => Answer | undefined | Promise<Answer | undefined>;
}

/** So that no test waits for a limit. */
const QUICK = { 'x-amzn-RateLimit-Limit': '1000' };

const CURRENCIES: Readonly<Record<string, string>> = {
  A1PA6795UKMFR9: 'EUR',
  A13V1IB3VIYZZH: 'EUR',
  APJ6JRA9NG5V4: 'EUR',
  A1RKKUPIHCS9HS: 'EUR',
  A1F83G8C2ARO7P: 'GBP',
};

export function sellerService({ listings, before }: SellerServiceOptions): Handler {
  return async ({ path, method, headers, json }) => {
    const url = new URL(path, `http://${headers.host}`);
    const early = await before?.(url);
    if (early !== undefined) return early;
    if (url.pathname.startsWith('/batches/')) return { headers: QUICK, body: offersOf(json, listings) };
    return { headers: QUICK, ...answer(url, method, listings) };
  };
}

function answer(url: URL, method: string, listings: readonly SellerListing[]): Answer {
  const { pathname } = url;
  const marketplace = url.searchParams.get('marketplaceIds') ?? '';
  const here = listings.filter(({ prices }) => prices[marketplace] !== undefined);
  if (pathname === '/signed') return { body: reportOf(listings, url.searchParams.get('of') ?? '') };
  if (pathname.endsWith('/summaries')) return { body: stockOf(url, here) };
  if (pathname.includes('/documents/')) {
    return { body: { url: `${url.origin}/signed?of=${pathname.split('-').at(-1)}` } };
  }
  if (method === 'POST') return { status: 202, body: { reportId: 'R1' } };
  if (pathname.endsWith('/reports/R1')) {
    return { body: { reportId: 'R1', processingStatus: 'DONE', reportDocumentId: 'D-A1PA6795UKMFR9' } };
  }
  if (pathname.includes('/reports')) return { body: { reports: [] } };
  const sku = decodeURIComponent(pathname.split('/')[5] ?? '');
  if (sku !== '') {
    const found = here.find((each) => each.sku === sku);
    return found === undefined
      ? { status: 404, body: { errors: [{ code: 'NOT_FOUND' }] } }
      : { body: show(found, marketplace) };
  }
  return { body: search(url, here, marketplace) };
}

function search(url: URL, here: readonly SellerListing[], marketplace: string) {
  const query = url.searchParams;
  const wanted = query.get('identifiers')?.split(',');
  const found = wanted === undefined ? here : here.filter(({ sku }) => wanted.includes(sku));
  const from = Number(query.get('pageToken') ?? '0');
  const to = Math.min(from + Number(query.get('pageSize') ?? '10'), found.length, 1_000);
  return {
    numberOfResults: found.length,
    pagination: to < Math.min(found.length, 1_000) ? { nextToken: String(to) } : {},
    items: found.slice(from, to).map((listing) => show(listing, marketplace)),
  };
}

function show(
  { sku, title, prices, own, issues, status = ['BUYABLE', 'DISCOVERABLE'] }: SellerListing,
  id: string,
) {
  const amount = ((prices[id] ?? 0) / 100).toFixed(2);
  return {
    sku,
    summaries: [{ marketplaceId: id, asin: `B0${sku}`, itemName: title, productType: 'LAMP', status }],
    issues,
    offers: [
      { marketplaceId: id, offerType: 'B2B', price: { currencyCode: CURRENCIES[id], amount: '0.01' } },
      { marketplaceId: id, offerType: 'B2C', price: { currencyCode: CURRENCIES[id], amount } },
    ],
    fulfillmentAvailability:
      own === undefined
        ? [{ fulfillmentChannelCode: 'AMAZON_EU' }]
        : [{ fulfillmentChannelCode: 'DEFAULT', quantity: own }],
  };
}

const offersSchema = z.object({
  requests: z.array(z.object({ uri: z.string(), MarketplaceId: z.string() })),
});

/** Returns the offers in another order than requested. */
function offersOf(json: unknown, listings: readonly SellerListing[]) {
  const { requests } = offersSchema.parse(json);
  const responses = requests.map(({ uri, MarketplaceId }) => {
    const sku = decodeURIComponent(uri.split('/')[5] ?? '');
    const { featured = true } = listings.find((each) => each.sku === sku) ?? {};
    const offers = [true, false].map((mine) => ({ MyOffer: mine, IsBuyBoxWinner: mine === featured }));
    return {
      request: { SellerSKU: sku, MarketplaceId },
      status: { statusCode: 200 },
      body: { payload: { SKU: sku, Offers: offers } },
    };
  });
  return { responses: responses.reverse() };
}

function stockOf(url: URL, here: readonly SellerListing[]) {
  const wanted = url.searchParams.get('sellerSkus')?.split(',') ?? [url.searchParams.get('sellerSku') ?? ''];
  const summaries = here
    .filter(({ sku, own }) => own === undefined && wanted.includes(sku))
    .map(({ sku, held = 0 }) => ({
      sellerSku: sku,
      inventoryDetails: { fulfillableQuantity: held, inboundWorkingQuantity: 1, inboundShippedQuantity: 2 },
      totalQuantity: held + 3,
    }));
  return { payload: { inventorySummaries: summaries } };
}

function reportOf(listings: readonly SellerListing[], marketplace: string): string {
  const here = listings.filter(({ prices }) => prices[marketplace] !== undefined);
  return ['item-name\tseller-sku\tprice', ...here.map(({ sku, title }) => `${title}\t${sku}\t1,00`), ''].join(
    '\r\n',
  );
}

/** One listing of one marketplace as flat rows: what is sold at which price out of which stock, and each of its issues. */

import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { cutBehind } from '../../base/text/shorten.ts';
import { isExempt, type ListingIssue, readIssue } from '../../service/shapes/listing-issue.ts';
import { effectOf, type Suppressed, suppressionOf } from './suppression.ts';

/** A row of `listings`; null is what the service did not tell. */
export interface ListingRow {
  sku: string;
  marketplace_id: string;
  /** Its country. */
  marketplace: string;
  asin: string | null;
  title: string | null;
  product_type: string | null;
  status: string | null;
  buyable: 0 | 1 | null;
  discoverable: 0 | 1 | null;
  channel: 'FBA' | 'seller' | null;
  /** What can be sold. */
  quantity: number | null;
  /** On the way to the warehouses. */
  inbound: number | null;
  price: number | null;
  currency: string | null;
  /** price x quantity. */
  stock_amount: number | null;
  /** Enforced now. */
  suppressed: Suppressed | null;
  /** Codes of the issues that suppress it. */
  suppressed_by: string | null;
  /** Enforcements that an exemption keeps off for now. */
  exempt_issues: number;
  errors: number;
  warnings: number;
  issues: number;
  last_updated: string | null;
}

/** One of the marketplaces that are reviewed. */
export interface Marketplace {
  id: string;
  /** Its country, or the id where that is not known. */
  name: string;
}

/**
 * Undefined for what is no listing. Never throws: what has another shape than documented counts as not told.
 * @param now milliseconds since the epoch
 */
export function flattenListing(item: unknown, { id, name }: Marketplace, now: number) {
  if (!isJsonObject(item) || typeof item.sku !== 'string') return undefined;
  const place = { sku: item.sku, marketplace_id: id, marketplace: name };
  const issues = listOf(item.issues)
    .map((issue, index) => readIssue(issue, index, now))
    .filter(({ marketplaceIds }) => marketplaceIds.length === 0 || marketplaceIds.includes(id))
    .map((issue) => issueRow(place, issue));
  const summary = ownOf(item.summaries, id) ?? {};
  const statuses = summary.status === undefined ? undefined : listOf(summary.status).filter(isText);
  const has = (status: string) => (statuses === undefined ? null : statuses.includes(status) ? 1 : 0);
  const row: ListingRow = {
    ...place,
    asin: textOf(summary.asin),
    title: textOf(summary.itemName),
    product_type: textOf(summary.productType),
    status: statuses?.join(', ') ?? null,
    buyable: has('BUYABLE'),
    discoverable: has('DISCOVERABLE'),
    ...stockOf(item.fulfillmentAvailability),
    inbound: null,
    ...priceOf(item.offers, id),
    stock_amount: null,
    ...countsOf(issues),
    last_updated: textOf(summary.lastUpdatedDate),
  };
  return { row, issues };
}

/** The same row with what its stock is worth, rounded to the hundredth. */
export function withAmount(row: ListingRow): ListingRow {
  const { price, quantity } = row;
  const amount = price === null || quantity === null ? null : Math.round(price * quantity * 100) / 100;
  return { ...row, stock_amount: amount };
}

/** A row of `listing_issues`. */
export type IssueRow = ReturnType<typeof issueRow>;

function issueRow(place: Pick<ListingRow, 'sku' | 'marketplace_id' | 'marketplace'>, issue: ListingIssue) {
  const { code, severity, message, actions, exemption, attributeNames, categories } = issue;
  const effect = effectOf(actions);
  const exempt = isExempt(issue);
  return {
    ...place,
    code,
    severity,
    message,
    effect,
    /** As sent. */
    actions: joined(actions),
    /** 1: enforced now, and keeps the listing from being bought or found. */
    suppresses: Number(!exempt && suppressionOf(effect) !== undefined),
    exempt: Number(exempt && effect !== 'none'),
    exempt_until: exemption?.expiryDate ?? null,
    exemption: exemption?.status ?? null,
    attribute_names: joined(attributeNames),
    categories: joined(categories),
    cause: causeOf(code, attributeNames, message),
  };
}

const LONGEST_CAUSE = 300;

/** What has to be mended: the same for issues whose messages differ in numbers only. */
function causeOf(code: string, attributeNames: readonly string[], message: string): string {
  const about = [code, ...attributeNames].join(' ');
  return cutBehind(`${about}: ${message.replace(/\d+(?:[.,]\d+)*/g, '#')}`, LONGEST_CAUSE);
}

function countsOf(issues: readonly IssueRow[]) {
  const enforced = issues.filter(({ suppresses }) => suppresses === 1);
  const found = enforced.map(({ effect }) => suppressionOf(effect));
  const suppressed = found.includes('altogether') ? 'altogether' : found.includes('search') ? 'search' : null;
  return {
    suppressed,
    suppressed_by: joined([...new Set(enforced.map(({ code }) => code))]),
    exempt_issues: issues.filter(({ exempt }) => exempt === 1).length,
    errors: issues.filter(({ severity }) => severity === 'ERROR').length,
    warnings: issues.filter(({ severity }) => severity === 'WARNING').length,
    issues: issues.length,
  } as const;
}

/** What the seller ships, from all places; of the service's warehouses only that they hold it: how many is asked for elsewhere. */
function stockOf(value: unknown): Pick<ListingRow, 'channel' | 'quantity'> {
  const entries = listOf(value).filter(isJsonObject);
  const isHeld = ({ fulfillmentChannelCode: code }: JsonObject) => isText(code) && code.startsWith('AMAZON');
  const own = entries
    .filter((entry) => !isHeld(entry))
    .flatMap(({ quantity }) => (typeof quantity === 'number' ? [quantity] : []));
  const quantity = own.reduce((sum, each) => sum + each, 0);
  if (entries.some(isHeld) && quantity === 0) return { channel: 'FBA', quantity: null };
  return { channel: entries.length === 0 ? null : 'seller', quantity: own.length === 0 ? null : quantity };
}

/** What everybody pays, before what businesses pay. */
function priceOf(value: unknown, marketplaceId: string): Pick<ListingRow, 'price' | 'currency'> {
  const offers = listOf(value)
    .filter(isJsonObject)
    .filter((offer) => (offer.marketplaceId ?? marketplaceId) === marketplaceId);
  const offer = offers.find(({ offerType }) => offerType !== 'B2B') ?? offers[0];
  const price = isJsonObject(offer?.price) ? offer.price : {};
  const amount = price.amount === '' || price.amount === null ? Number.NaN : Number(price.amount);
  return {
    price: Number.isFinite(amount) ? amount : null,
    currency: textOf(price.currencyCode) ?? textOf(price.currency),
  };
}

function ownOf(value: unknown, marketplaceId: string): JsonObject | undefined {
  const entries = listOf(value).filter(isJsonObject);
  return entries.find((entry) => (entry.marketplaceId ?? marketplaceId) === marketplaceId);
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const isText = (value: unknown): value is string => typeof value === 'string';
const textOf = (value: unknown) => (isText(value) && value !== '' ? value : null);
const joined = (texts: readonly string[]) => (texts.length === 0 ? null : texts.join(', '));

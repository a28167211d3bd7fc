/** Flattens one listing of one marketplace into rows: product, price and stock, and each of its issues. */

import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { cutBehind } from '../../base/text/shorten.ts';
import { isExempt, type ListingIssue, readIssue } from '../../service/shapes/listing-issue.ts';
import { effectOf, type SuppressionKind, suppressionOf } from './suppression.ts';

/** A row of `listings`; null if the service did not state a value. */
export interface ListingRow {
  sku: string;
  marketplace_id: string;
  /** The country of the marketplace. */
  marketplace: string;
  asin: string | null;
  title: string | null;
  product_type: string | null;
  status: string | null;
  buyable: 0 | 1 | null;
  discoverable: 0 | 1 | null;
  channel: 'FBA' | 'seller' | null;
  /** The sellable quantity. */
  quantity: number | null;
  /** The quantity on the way to the warehouses. */
  inbound: number | null;
  price: number | null;
  currency: string | null;
  /** The product price x quantity. */
  stock_amount: number | null;
  /** The suppression in force now. */
  suppressed: SuppressionKind | null;
  /** The codes of the issues that suppress it. */
  suppressed_by: string | null;
  /** The number of enforcements that an exemption currently prevents. */
  exempt_issues: number;
  errors: number;
  warnings: number;
  issues: number;
  last_updated: string | null;
}

/** One of the reviewed marketplaces. */
export interface ReviewedMarketplace {
  id: string;
  /** The country, or the id if the country is unknown. */
  name: string;
}

/**
 * Returns undefined for an item that is no listing. It never throws: a member with an undocumented shape
 * counts as missing.
 * @param now milliseconds since the epoch
 */
export function flattenListing(item: unknown, { id, name }: ReviewedMarketplace, now: number) {
  if (!isJsonObject(item) || typeof item.sku !== 'string') return undefined;
  const key = { sku: item.sku, marketplace_id: id, marketplace: name };
  const issues = listOf(item.issues)
    .map((issue, index) => readIssue(issue, index, now))
    .filter(({ marketplaceIds }) => marketplaceIds.length === 0 || marketplaceIds.includes(id))
    .map((issue) => issueRow(key, issue));
  const summary = ownOf(item.summaries, id) ?? {};
  const statuses = summary.status === undefined ? undefined : listOf(summary.status).filter(isText);
  const has = (status: string) => (statuses === undefined ? null : statuses.includes(status) ? 1 : 0);
  const row: ListingRow = {
    ...key,
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

/** Returns the same row with the value of its stock, rounded to the hundredth. */
export function withAmount(row: ListingRow): ListingRow {
  const { price, quantity } = row;
  const amount = price === null || quantity === null ? null : Math.round(price * quantity * 100) / 100;
  return { ...row, stock_amount: amount };
}

/** A row of `listing_issues`. */
export type IssueRow = ReturnType<typeof issueRow>;

function issueRow(key: Pick<ListingRow, 'sku' | 'marketplace_id' | 'marketplace'>, issue: ListingIssue) {
  const { code, severity, message, actions, exemption, attributeNames, categories } = issue;
  const effect = effectOf(actions);
  const exempt = isExempt(issue);
  return {
    ...key,
    code,
    severity,
    message,
    effect,
    /** The actions as sent. */
    actions: joined(actions),
    /** 1 if it is enforced now and keeps the listing from being bought or found. */
    suppresses: Number(!exempt && suppressionOf(effect) !== undefined),
    exempt: Number(exempt && effect !== 'none'),
    exempt_until: exemption?.expiryDate ?? null,
    exemption: exemption?.status ?? null,
    attribute_names: joined(attributeNames),
    categories: joined(categories),
    cause: causeOf(code, attributeNames, message),
  };
}

const MAX_CAUSE_CHARACTERS = 300;

/** Returns the cause, which is equal for issues whose messages differ only in numbers. */
function causeOf(code: string, attributeNames: readonly string[], message: string): string {
  const about = [code, ...attributeNames].join(' ');
  return cutBehind(`${about}: ${message.replace(/\d+(?:[.,]\d+)*/g, '#')}`, MAX_CAUSE_CHARACTERS);
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

/**
 * Returns the total quantity that the seller ships. For Amazon's warehouses only the channel is known here,
 * because another operation returns their quantity.
 */
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

/** Returns the consumer price if there is one, else the business price. */
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

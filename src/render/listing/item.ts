/** Renders an item as text: identity, issues, price and stock (section 2.3, `getListingsItem`). */

import { isJsonObject } from '../../base/json.ts';
import { showText } from '../../base/text/escape-text.ts';
import { tokensOf } from '../../base/text/shorten.ts';
import { formatInline } from '../value/format-inline.ts';
import { memberLines, renderValue } from '../value/render.ts';
import { namesOfSelect } from '../value/selected-columns.ts';
import { formatMarketplace, type MarketplaceName } from './format-issue.ts';
import { type ExplainOptions, explainIssues, readStatuses, statusLines } from './issues.ts';

export interface DescribeItemOptions extends ExplainOptions {
  /** The item before it was cut down: its issues are counted and explained instead. */
  whole?: unknown;
  /** True if nothing was selected: an item without issues is then reported to have none. */
  complete?: boolean;
  /** The selected paths, relative to the item. */
  select?: readonly string[];
}

/** Members with a format of their own; every other member is rendered generically. */
const WRITERS: Readonly<
  Record<string, (value: unknown, options: DescribeItemOptions) => string[] | undefined>
> = {
  summaries: (value, { marketplaceName }) => summaryLines(value, marketplaceName),
  offers: (value, { marketplaceName }) => offerLines(value, marketplaceName),
  fulfillmentAvailability: stockLines,
  procurement: procurementLines,
};

/**
 * Renders an item, documented or from `getListingsItem`; other objects become generic lines. Values are shown
 * as sent: dates, prices and quantities are not converted. Undocumented members, and those without the
 * documented shape, are shown like any JSON.
 */
export function describeItem(item: unknown, options: DescribeItemOptions): string {
  if (!isJsonObject(item)) return renderValue(item, options.select).join('\n');
  const lines: string[] = typeof item.sku === 'string' ? [`SKU ${showText(item.sku)}`] : [];
  const after: string[] = [];
  for (const [name, value] of Object.entries(item)) {
    if (name === 'issues' || (name === 'sku' && typeof value === 'string')) continue;
    const writer = Object.hasOwn(WRITERS, name) ? WRITERS[name] : undefined;
    const target = name === 'summaries' ? lines : after;
    target.push(...(writer?.(value, options) ?? memberLines(name, value, options.select)));
  }
  return [...lines, ...issueLines(item, options, [...lines, ...after]), ...after].join('\n');
}

function issueLines(item: object, options: DescribeItemOptions, others: readonly string[]): string[] {
  if (!('issues' in item) && options.complete !== true) {
    return statusLines(readStatuses(item), options.marketplaceName);
  }
  if ('issues' in item && !isExplainable(options))
    return [
      ...statusLines(readStatuses(item), options.marketplaceName),
      ...memberLines('issues', item.issues, options.select),
    ];
  const { maxTokens } = options;
  const room =
    maxTokens === undefined ? {} : { maxTokens: Math.max(0, maxTokens - tokensOf(others.join('\n')) - 1) };
  return [explainIssues(options.whole ?? item, { ...options, ...room }).text];
}

/**
 * Ranks the issues in one line for readers of the JSON: the worst for sales first, each kind with its indexes
 * in `issues`. Returns undefined if the selection leaves issues out.
 */
export function rankIssues(item: unknown, options: DescribeItemOptions): string | undefined {
  const value = options.whole ?? item;
  if (!isJsonObject(value)) return undefined;
  if (options.complete !== true && !('issues' in value && isExplainable(options))) return undefined;
  return explainIssues(value, options).ranking;
}

/** False if only some members of the issues were selected, because an explanation would reveal others. */
function isExplainable({ select = [] }: DescribeItemOptions): boolean {
  return !namesOfSelect(select).some(([first, ...rest]) => first === 'issues' && rest.length > 0);
}

/** Returns `Cost price: 10.00 USD`. */
function procurementLines(value: unknown): string[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const prices = value
    .filter(isJsonObject)
    .map((each) => Object.keys(each).join() === 'costPrice' && formatInline(each.costPrice, 80));
  const shown = prices.filter((price) => typeof price === 'string');
  return shown.length === value.length ? [`Cost price: ${shown.join(', ')}`] : undefined;
}

/** Formats a member with its label; undefined for a value without the documented shape. */
type FormatMember = (value: unknown) => string | undefined;

const asIs: FormatMember = (value) => (typeof value === 'string' ? showText(value) : undefined);

function labelled(label: string): FormatMember {
  return (value) => (typeof value === 'string' ? `${label} ${showText(value)}` : undefined);
}

const SUMMARY: Readonly<Record<string, FormatMember>> = {
  // The status is shown with the issues.
  status: (value) => (typeof value === 'string' || Array.isArray(value) ? '' : undefined),
  asin: labelled('ASIN'),
  itemName: asIs,
  productType: labelled('product type'),
  conditionType: labelled('condition'),
  fnSku: labelled('FNSKU'),
  createdDate: labelled('created'),
  lastUpdatedDate: labelled('updated'),
  mainImage: formatImage,
};

const OFFER: Readonly<Record<string, FormatMember>> = {
  price: (value) => formatInline(value, 80),
  offerType: asIs,
  audience: formatAudience,
  points: formatPoints,
};

/** Returns `US: ASIN B012345678, «Blue widget», product type WIDGET`; the status is shown with the issues. */
function summaryLines(value: unknown, name: MarketplaceName | undefined): string[] | undefined {
  return renderPerMarketplace(value, '', SUMMARY, name);
}

/** Returns `Price in US: 19.99 USD, B2C, audience ALL`. */
function offerLines(value: unknown, name: MarketplaceName | undefined): string[] | undefined {
  return renderPerMarketplace(value, 'Price', OFFER, name);
}

function renderPerMarketplace(
  value: unknown,
  label: string,
  formats: Readonly<Record<string, FormatMember>>,
  name: MarketplaceName | undefined,
): string[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isJsonObject)) return undefined;
  const lines: string[] = [];
  for (const each of value.filter(isJsonObject)) {
    const { marketplaceId } = each;
    const where = typeof marketplaceId === 'string' ? formatMarketplace(marketplaceId, name) : undefined;
    const { known, other } = formatMembers(each, formats);
    // Before a colon a country has no article.
    const head = where?.startsWith('the ') ? where.slice('the '.length) : (where ?? '');
    const lead = where === undefined ? label : label === '' ? head : `${label} in ${where}`;
    if (marketplaceId !== undefined && where === undefined) other.push('marketplaceId');
    const line = [lead === '' ? '' : `${lead}:`, known.join(', ')].filter((text) => text !== '').join(' ');
    const more: string[] = [];
    for (const member of other) for (const text of memberLines(member, each[member])) more.push(`  ${text}`);
    if (known.length > 0 || more.length > 0) lines.push(line, ...more);
  }
  return lines;
}

/**
 * Formats known members in our order. Also returns the names of other members, and of those with another
 * shape, except the marketplace.
 */
function formatMembers(
  members: Record<string, unknown>,
  formats: Readonly<Record<string, FormatMember>>,
): { known: string[]; other: string[] } {
  const written: string[] = ['marketplaceId'];
  const known: string[] = [];
  for (const member of Object.keys(formats)) {
    const text = Object.hasOwn(members, member) ? formats[member]?.(members[member]) : undefined;
    if (text === undefined) continue;
    written.push(member);
    if (text !== '') known.push(text);
  }
  return { known, other: Object.keys(members).filter((name) => !written.includes(name)) };
}

function hasOnly(value: unknown, names: readonly string[]): value is Record<string, unknown> {
  return isJsonObject(value) && Object.keys(value).every((name) => names.includes(name));
}

/** Returns `image «https://...» 500 x 400`. */
function formatImage(value: unknown): string | undefined {
  if (!hasOnly(value, ['link', 'height', 'width']) || typeof value.link !== 'string') return undefined;
  const { height, width } = value;
  const size = typeof height === 'number' && typeof width === 'number';
  if (!size && (height !== undefined || width !== undefined)) return undefined;
  return `image ${showText(value.link)}${size ? ` ${width} x ${height}` : ''}`;
}

/** Returns `audience ALL «Everyone»`. */
function formatAudience(value: unknown): string | undefined {
  if (!hasOnly(value, ['value', 'displayName']) || typeof value.value !== 'string') return undefined;
  const { displayName } = value;
  if (displayName !== undefined && typeof displayName !== 'string') return undefined;
  return `audience ${showText(value.value)}${displayName === undefined ? '' : ` ${showText(displayName)}`}`;
}

/** Returns `100 points worth 1.5 USD`. */
function formatPoints(value: unknown): string | undefined {
  if (!hasOnly(value, ['pointsNumber', 'pointsMonetaryValue'])) return undefined;
  const { pointsNumber, pointsMonetaryValue } = value;
  if (typeof pointsNumber !== 'number') return undefined;
  if (pointsMonetaryValue === undefined) return `${pointsNumber} points`;
  const worth = formatInline(pointsMonetaryValue, 80);
  return worth === undefined ? undefined : `${pointsNumber} points worth ${worth}`;
}

/** Returns `Stock: DEFAULT 10, AMAZON_NA 3`. */
function stockLines(value: unknown): string[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const shown: string[] = [];
  for (const each of value) {
    if (!hasOnly(each, ['fulfillmentChannelCode', 'quantity'])) return undefined;
    const { fulfillmentChannelCode: channel, quantity } = each;
    if (typeof channel !== 'string' || (typeof quantity !== 'number' && quantity !== undefined))
      return undefined;
    shown.push(`${showText(channel)} ${quantity ?? '(quantity not sent)'}`);
  }
  return [`Stock: ${shown.join(', ')}`];
}

/** Writes an item for a person: what it is, what is wrong with it, price and stock (section 2.3, `getListingsItem`). */

import { isJsonObject } from '../json.ts';
import { showText } from '../text/escape-text.ts';
import { tokensOf } from '../text/shorten.ts';
import { type ExplainOptions, explainIssues } from './issues.ts';
import { offerLines, stockLines, summaryLines } from './item-lines.ts';
import { readStatuses, statusLines } from './listing-status.ts';
import { memberLines, renderValue } from './render.ts';
import { inlineWords } from './render-inline.ts';

export interface DescribeItemOptions extends ExplainOptions {
  /** The item before it was cut down: its issues are counted and explained in its place. */
  whole?: unknown;
  /** Nothing was selected: an item without issues is told to have none. */
  complete?: boolean;
}

/** Members written by words of their own; every other member is written as it is. */
const WRITERS: Readonly<
  Record<string, (value: unknown, options: DescribeItemOptions) => string[] | undefined>
> = {
  summaries: (value, { marketplaceName }) => summaryLines(value, marketplaceName),
  offers: (value, { marketplaceName }) => offerLines(value, marketplaceName),
  fulfillmentAvailability: stockLines,
  procurement: procurementLines,
};

/**
 * The text of an item, documented or from `getListingsItem`; other objects come as generic lines. Values are
 * shown as sent: dates, prices and quantities are not converted. Members without the documented shape, and
 * members that nobody documented, are shown like any JSON.
 */
export function describeItem(item: unknown, options: DescribeItemOptions): string {
  if (!isJsonObject(item)) return renderValue(item).join('\n');
  const lines: string[] = typeof item.sku === 'string' ? [`SKU ${showText(item.sku)}`] : [];
  const after: string[] = [];
  for (const [name, value] of Object.entries(item)) {
    if (name === 'issues' || (name === 'sku' && typeof value === 'string')) continue;
    const writer = Object.hasOwn(WRITERS, name) ? WRITERS[name] : undefined;
    const target = name === 'summaries' ? lines : after;
    target.push(...(writer?.(value, options) ?? memberLines(name, value)));
  }
  return [...lines, ...issueLines(item, options, [...lines, ...after]), ...after].join('\n');
}

function issueLines(item: object, options: DescribeItemOptions, others: readonly string[]): string[] {
  if (!('issues' in item) && options.complete !== true) {
    return statusLines(readStatuses(item), options.marketplaceName);
  }
  const { maxTokens } = options;
  const room =
    maxTokens === undefined ? {} : { maxTokens: Math.max(0, maxTokens - tokensOf(others.join('\n')) - 1) };
  return [explainIssues(options.whole ?? item, { ...options, ...room }).text];
}

/** `Cost price: 10.00 USD`. */
function procurementLines(value: unknown): string[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const prices = value
    .filter(isJsonObject)
    .map((each) => Object.keys(each).join() === 'costPrice' && inlineWords(each.costPrice, 80));
  const shown = prices.filter((price) => typeof price === 'string');
  return shown.length === value.length ? [`Cost price: ${shown.join(', ')}`] : undefined;
}

/** What is out of the ordinary about a change of a listing, in words, and how much it changes. */

import { canonicalJson } from '../../../base/canonical-json.ts';
import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import { quoteName } from '../../../base/text/quote-name.ts';
import { count } from '../../../base/text/value-words.ts';
import { moneyWords } from '../words/value.ts';
import { changedAmounts, pairsOf, stepsOf } from './changed-amounts.ts';
import {
  type Attributes,
  entriesOf,
  isWarehouse,
  OFFER,
  PRICES,
  STOCK,
  selectorOf,
  toAttributes,
} from './entries.ts';

/** A price that falls by more, in percent. */
const FAR_DOWN = 30;
/** A price that rises by more: often a point at the wrong place. */
const FAR_UP = 100;
/** A sale price that is lower than the price by more. */
const FAR_OFF = 50;

const UNREAD = 'what is sent beside what was read';

/** Before and after are attributes by name, whole. @param sendsUnread more is sent than stands in them */
export function findUnusual(before: unknown, after: unknown, sendsUnread = false) {
  const [old, next] = [toAttributes(before), toAttributes(after)];
  const compared = changedAmounts(old, next);
  const amounts = sendsUnread ? { ...compared, opaque: [...compared.opaque, UNREAD] } : compared;
  const found = [
    ...compareEntries(old, next, OFFER, offerWords),
    ...compareEntries(old, next, STOCK, stockWords),
    ...compared.opaque.map((what) => `${what} is no plain amount`),
    ...(sendsUnread ? ['not all that is sent was read before'] : []),
  ];
  const removed = Object.keys(old)
    .filter((name) => entriesOf(next, name).length === 0 && !name.startsWith('other_product_image_locator'))
    .map((name) => `${quoteName(name)} removed`);
  return { words: [...new Set(found), ...removed], amounts };
}

type Entries = [before: JsonObject | undefined, after: JsonObject | undefined];

/** Each entry of either side with the one that it comes from or becomes. */
function compareEntries(
  old: Attributes,
  next: Attributes,
  name: string,
  compare: (...entries: Entries) => string[],
): string[] {
  const [before, after] = [
    entriesOf(old, name).filter(isJsonObject),
    entriesOf(next, name).filter(isJsonObject),
  ];
  // An attribute that is gone as a whole is told as that.
  if (after.length === 0) return [];
  const pairs = pairsOf(before, after).map((pair): Entries => [entryOf(pair.before), entryOf(pair.after)]);
  return [...otherCurrencies(before, after), ...pairs.flatMap((pair) => compare(...pair))];
}

const entryOf = (value: unknown) => (isJsonObject(value) ? value : undefined);

/** A price in a currency that none of them was in. */
function otherCurrencies(before: readonly JsonObject[], after: readonly JsonObject[]): string[] {
  const [old, next] = [currenciesOf(before), currenciesOf(after)];
  if (old.size === 0) return [];
  return [...next]
    .filter((currency) => !old.has(currency))
    .map((currency) => `in ${quoteName(currency)}, until now in ${[...old].map(quoteName).join(' and ')}`);
}

const currenciesOf = (entries: readonly JsonObject[]) =>
  new Set(entries.flatMap(({ currency }) => (typeof currency === 'string' ? [currency] : [])));

function offerWords(before: Entries[0], after: Entries[1]): string[] {
  const audience = selectorOf(after ?? before ?? {}, 'audience') ?? 'ALL';
  const whose = audience === 'ALL' ? '' : `${quoteName(audience)} `;
  if (after === undefined) return [`${whose}offer removed`];
  const names = Object.entries(PRICES);
  const removed = names.filter(([member]) => before?.[member] !== undefined && after[member] === undefined);
  const [was, prices] = [amountsOf(before?.our_price), amountsOf(after.our_price)];
  const [old, sales] = [amountsOf(before?.discounted_price), amountsOf(after.discounted_price)];
  const [least = -Infinity] = amountsOf(after.minimum_seller_allowed_price);
  const [most = Infinity] = amountsOf(after.maximum_seller_allowed_price);
  const isChanged = canonicalJson(prices) !== canonicalJson(was);
  const falls = changeOf(prices, Math.min, was, Math.max);
  const rises = changeOf(prices, Math.max, was, Math.min);
  const money = (value: number) => moneyWords(value, after.currency) ?? String(value);
  const words = [
    ...(prices.includes(0) && isChanged ? ['price to 0'] : []),
    ...(prices.some((price) => price < 0) && isChanged ? ['price below 0'] : []),
    ...(inPercent(falls) < -FAR_DOWN ? [`down by ${percent(falls)}`] : []),
    ...(inPercent(rises) > FAR_UP ? [`up by ${percent(rises)}`] : []),
    ...(prices.some((price) => price < least) ? [`below the minimum price of ${money(least)}`] : []),
    ...(prices.some((price) => price > most) ? [`above the maximum price of ${money(most)}`] : []),
    ...(sales.some((sale) => sale < least) ? [`sale price below the minimum price of ${money(least)}`] : []),
    ...saleWords(prices, sales, canonicalJson(sales) !== canonicalJson(old)),
    ...names.flatMap(([member, name]) => stepWords(before?.[member], after[member], name)),
    ...removed.map(([, name]) => `${name} removed`),
  ];
  return words.map((word) => whose + word);
}

/** None where they are no plain numbers. */
const amountsOf = (price: unknown): readonly number[] => stepsOf(price) ?? [];

type Choose = (...values: number[]) => number;

/** Between the two that are furthest apart; 0 where there is nothing to compare. */
function changeOf(next: readonly number[], one: Choose, was: readonly number[], other: Choose) {
  const from = other(...was);
  return was.length === 0 || next.length === 0 || from === 0 ? 0 : one(...next) / from - 1;
}

/** What counts when is not seen at a glance. */
function stepWords(before: unknown, after: unknown, name: string): string[] {
  const steps = amountsOf(after);
  const isSame = canonicalJson(before) === canonicalJson(after);
  return steps.length > 1 && !isSame ? [`${name} in ${steps.length} steps`] : [];
}

function saleWords(prices: readonly number[], sales: readonly number[], isChanged: boolean): string[] {
  if (prices.length === 0 || sales.length === 0) return [];
  const off = Math.min(...sales) / Math.max(...prices) - 1;
  return [
    ...(Math.max(...sales) >= Math.min(...prices) ? ['sale price not below the price'] : []),
    ...(isChanged && inPercent(off) < -FAR_OFF ? [`sale price ${percent(off)} below the price`] : []),
  ];
}

/** Without what the arithmetic adds. */
const inPercent = (change: number) => Math.round(change * 1e6) / 1e4;

/** Of 45.4 % 45; never more than it is. */
const percent = (change: number) => `${count(Math.floor(Math.abs(inPercent(change))))} %`;

function stockWords(before: Entries[0], after: Entries[1]): string[] {
  const code = selectorOf(after ?? before ?? {}, 'fulfillment_channel_code') ?? 'DEFAULT';
  if (after === undefined) return [`channel ${quoteName(code)} removed`];
  if (before === undefined) return [`new channel ${quoteName(code)}`];
  const [was, is] = [before.quantity, after.quantity];
  return [
    ...(is === 0 && was !== 0 ? ['quantity to 0'] : []),
    ...(isWarehouse(code) && was !== is ? ['quantity of an FBA listing'] : []),
  ];
}

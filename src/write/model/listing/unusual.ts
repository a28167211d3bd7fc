/** Finds the unusual parts of a listing's change, as text, and the amounts that it changes. */

import { canonicalJson } from '../../../base/canonical-json.ts';
import { groupBy } from '../../../base/group-by.ts';
import { isJsonObject, type JsonObject, toObject } from '../../../base/json.ts';
import { count } from '../../../base/text/format-value.ts';
import { quoteName } from '../../../base/text/quote-name.ts';
import { formatMoney } from '../format/value.ts';
import { changedAmounts, pairsOf, stepsOf } from './changed-amounts.ts';
import {
  type Attributes,
  entriesOf,
  isWarehouse,
  OFFER,
  PRICES,
  STOCK,
  scheduleOf,
  selectorOf,
  toAttributes,
} from './entries.ts';

/** The percentage of a fall above which a price is unusual. */
const FAR_DOWN = 30;
/** The percentage of a rise above which a price is unusual: often its decimal point is misplaced. */
const FAR_UP = 100;
/** The percentage below the price at which a sale price becomes unusual. */
const FAR_OFF = 50;

const UNREAD = 'what is sent beside what was read';

/** Compares whole attributes by name. @param sendsUnread true if the write sends more than they have */
export function findUnusual(before: unknown, after: unknown, sendsUnread = false) {
  const [old, next] = [toAttributes(before), toAttributes(after)];
  const compared = changedAmounts(old, next);
  const amounts = sendsUnread ? { ...compared, opaque: [...compared.opaque, UNREAD] } : compared;
  const found = [
    ...compareEntries(old, next, OFFER, describeOffer),
    ...compareEntries(old, next, STOCK, describeStock),
    ...compared.opaque.map((what) => `${what} is no plain amount`),
    ...(sendsUnread ? ['not all that is sent was read before'] : []),
  ];
  const removed = Object.keys(old)
    .filter((name) => entriesOf(next, name).length === 0 && !name.startsWith('other_product_image_locator'))
    .map((name) => `${quoteName(name)} removed`);
  return { words: [...new Set(found), ...removed], amounts };
}

type EntryPair = [before: JsonObject | undefined, after: JsonObject | undefined];

/** Compares each entry of either side with its counterpart. */
function compareEntries(
  old: Attributes,
  next: Attributes,
  name: string,
  compare: (...entries: EntryPair) => string[],
): string[] {
  const [before, after] = [
    entriesOf(old, name).filter(isJsonObject),
    entriesOf(next, name).filter(isJsonObject),
  ];
  // A removed attribute is reported as a whole.
  if (after.length === 0) return [];
  const pairs = pairsOf(before, after).map((pair): EntryPair => [entryOf(pair.before), entryOf(pair.after)]);
  return [...otherCurrencies(before, after), ...pairs.flatMap((pair) => compare(...pair))];
}

const entryOf = (value: unknown) => (isJsonObject(value) ? value : undefined);

/** Reports a price in a currency that no entry had before. */
function otherCurrencies(before: readonly JsonObject[], after: readonly JsonObject[]): string[] {
  const [old, next] = [currenciesOf(before), currenciesOf(after)];
  if (old.size === 0) return [];
  return [...next]
    .filter((currency) => !old.has(currency))
    .map((currency) => `in ${quoteName(currency)}, until now in ${[...old].map(quoteName).join(' and ')}`);
}

const currenciesOf = (entries: readonly JsonObject[]) =>
  new Set(entries.flatMap(({ currency }) => (typeof currency === 'string' ? [currency] : [])));

/** @param before undefined if the offer is new, or unknown */
export function describeOffer(before: EntryPair[0], after: EntryPair[1]): string[] {
  const audience = selectorOf(after ?? before ?? {}, 'audience') ?? 'ALL';
  const whose = audience === 'ALL' ? '' : `${quoteName(audience)} `;
  if (after === undefined) return [`${whose}offer removed`];
  const names = Object.entries(PRICES);
  const removed = names.filter(([member]) => before?.[member] !== undefined && after[member] === undefined);
  const [prices, sales] = [amountsOf(after.our_price), amountsOf(after.discounted_price)];
  const moves = movesOf(before?.our_price, after.our_price);
  const saleMoves = movesOf(before?.discounted_price, after.discounted_price);
  const changes = moves.flatMap(({ from, to }) => (from > 0 ? [to / from - 1] : []));
  const [falls, rises] = [Math.min(0, ...changes), Math.max(0, ...changes)];
  const money = (value: number) => formatMoney(value, after.currency) ?? String(value);
  // An unchanged bound matters only for prices that change.
  const beyond = (bound: string, isBeyond: (price: number, bound: number) => boolean, words: string) => {
    const [limit] = amountsOf(after[bound]);
    const isSame = movesOf(before?.[bound], after[bound]).length === 0;
    const report = (all: readonly number[], moved: readonly Move[]) =>
      limit !== undefined && (isSame ? moved.map(({ to }) => to) : all).some((one) => isBeyond(one, limit))
        ? [`${words} price of ${money(limit)}`]
        : [];
    return { price: report(prices, moves), sale: report(sales, saleMoves) };
  };
  const below = beyond('minimum_seller_allowed_price', (price, least) => price < least, 'below the minimum');
  const above = beyond('maximum_seller_allowed_price', (price, most) => price > most, 'above the maximum');
  const words = [
    ...(moves.some(({ to }) => to === 0) ? ['price to 0'] : []),
    ...(moves.some(({ to }) => to < 0) ? ['price below 0'] : []),
    ...(inPercent(falls) < -FAR_DOWN ? [`down by ${percent(falls)}`] : []),
    ...(inPercent(rises) > FAR_UP ? [`up by ${percent(rises)}`] : []),
    ...below.price,
    ...above.price,
    ...below.sale.map((word) => `sale price ${word}`),
    ...describeSale(prices, sales, { price: moves.length > 0, sale: saleMoves.length > 0 }),
    ...names.flatMap(([member, name]) => describeSteps(before?.[member], after[member], name)),
    ...removed.map(([, name]) => `${name} removed`),
  ];
  return words.map((word) => whose + word);
}

/** Returns the amounts of a price; none if they are no plain numbers. */
const amountsOf = (price: unknown): readonly number[] => stepsOf(price) ?? [];

/** The change of one amount; `from` is NaN if there was no amount above 0. */
interface Move {
  from: number;
  to: number;
}

/**
 * Returns the changed amounts of a price. Each step is compared with those of the same time. Without any, it
 * is compared with every step, because it may replace any of them.
 */
function movesOf(before: unknown, after: unknown): Move[] {
  const [was, is] = [timedSteps(before), timedSteps(after)];
  const [known, stays] = [new Set(was.map(keyOf)), new Set(is.map(keyOf))];
  const fresh = is.filter((step) => !known.has(keyOf(step)));
  const gone = was.filter((step) => !stays.has(keyOf(step)));
  const [newTimes, goneTimes] = [new Set(fresh.map(({ time }) => time)), groupBy(gone, ({ time }) => time)];
  const moves = fresh.flatMap(({ time, amount: to }) =>
    endsOf(goneTimes.get(time) ?? was).map((from) => ({ from, to })),
  );
  // A removed step leaves its time to the others.
  const left = gone.filter(({ time }) => !newTimes.has(time));
  if (left.length === 0) return moves;
  return [...moves, ...endsOf(left).flatMap((from) => is.map(({ amount: to }) => ({ from, to })))];
}

/** Returns the lowest and the highest amount above 0, as bases of a percentage. */
function endsOf(steps: readonly TimedStep[]): number[] {
  const all = steps.flatMap(({ amount }) => (amount > 0 ? [amount] : []));
  return all.length === 0 ? [Number.NaN] : [Math.min(...all), Math.max(...all)];
}

interface TimedStep {
  amount: number;
  time: string;
}

const keyOf = ({ amount, time }: TimedStep) => `${amount} ${time}`;

/** Returns the steps with their times; none if they are no plain numbers. */
function timedSteps(price: unknown): readonly TimedStep[] {
  const schedules = Array.isArray(price) ? price.flatMap((one) => scheduleOf(one) ?? []) : [];
  return amountsOf(price).map((amount, at) => {
    const { value_with_tax: _, ...time } = toObject(schedules[at]);
    return { amount, time: canonicalJson(time) };
  });
}

/** Reports several steps, because their dates are not visible at a glance. */
function describeSteps(before: unknown, after: unknown, name: string): string[] {
  const steps = amountsOf(after);
  const isSame = canonicalJson(before) === canonicalJson(after);
  return steps.length > 1 && !isSame ? [`${name} in ${steps.length} steps`] : [];
}

function describeSale(
  prices: readonly number[],
  sales: readonly number[],
  isChanged: { price: boolean; sale: boolean },
): string[] {
  if (prices.length === 0 || sales.length === 0) return [];
  const off = Math.min(...sales) / Math.max(...prices) - 1;
  return [
    ...((isChanged.price || isChanged.sale) && Math.max(...sales) >= Math.min(...prices)
      ? ['sale price not below the price']
      : []),
    ...(isChanged.sale && inPercent(off) < -FAR_OFF ? [`sale price ${percent(off)} below the price`] : []),
  ];
}

/** Rounds away the noise of the arithmetic. */
const inPercent = (change: number) => Math.round(change * 1e6) / 1e4;

/** Formats whole percents, rounded down: 45 for 45.4 %. */
const percent = (change: number) => `${count(Math.floor(Math.abs(inPercent(change))))} %`;

function describeStock(before: EntryPair[0], after: EntryPair[1]): string[] {
  const code = selectorOf(after ?? before ?? {}, 'fulfillment_channel_code') ?? 'DEFAULT';
  if (after === undefined) return [`channel ${quoteName(code)} removed`];
  if (before === undefined) return [`new channel ${quoteName(code)}`];
  const [was, is] = [before.quantity, after.quantity];
  return [
    ...(is === 0 && was !== 0 ? ['quantity to 0'] : []),
    ...(isWarehouse(code) && was !== is ? ['quantity of an FBA listing'] : []),
  ];
}

/** What is out of the ordinary about a change of a listing, in words, and how much it changes. */

import { type Attributes, isMeant, selectorOf, toAttributes } from '../changes/listing/entries.ts';
import { moneyWords } from '../changes/words/value.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import { quoteName } from '../text/quote-name.ts';
import { amountOf, OFFER } from './set-offer.ts';
import { isWarehouse, STOCK } from './set-stock.ts';

/** A price that falls by more, in percent. */
const FAR_DOWN = 30;
/** A price that rises by more: often a point at the wrong place. */
const FAR_UP = 100;
/** A sale price that is lower than the price by more. */
const FAR_OFF = 50;

export interface Unusual {
  words: string[];
  /** The largest change of a price, else of a quantity: -0.05 is 5 % less. Undefined where none changes. */
  relative: number | undefined;
}

/** Before and after are attributes by name, whole. */
export function findUnusual(before: unknown, after: unknown): Unusual {
  const [old, next] = [toAttributes(before), toAttributes(after)];
  const offers = compareEntries(old, next, OFFER, offerWords);
  const stock = compareEntries(old, next, STOCK, stockWords);
  const removed = Object.keys(old)
    .filter((name) => (next[name] ?? []).length === 0 && !name.startsWith('other_product_image_locator'))
    .map((name) => `${quoteName(name)} removed`);
  const relative = [...offers, ...stock]
    .flatMap(({ relative: one }) => one ?? [])
    .reduce(
      (most: number | undefined, one) => (Math.abs(one) > Math.abs(most ?? 0) ? one : (most ?? one)),
      undefined,
    );
  return { words: [...new Set([...offers, ...stock].flatMap(({ words }) => words)), ...removed], relative };
}

type Entries = [before: JsonObject | undefined, after: JsonObject | undefined];

/** Each entry of either side with the one that it comes from or becomes. */
function compareEntries(
  old: Attributes,
  next: Attributes,
  name: string,
  compare: (...entries: Entries) => Unusual,
): Unusual[] {
  const [before, after] = [old[name] ?? [], next[name] ?? []].map((list) => list.filter(isJsonObject));
  // An attribute that is gone as a whole is told as that.
  if (before === undefined || after === undefined || after.length === 0) return [];
  const gone = before.filter((entry) => !after.some((one) => isMeant(entry, one)));
  return [
    ...otherCurrencies(before, after),
    ...after.map((entry) =>
      compare(
        before.find((one) => isMeant(entry, one)),
        entry,
      ),
    ),
    ...gone.map((entry) => compare(entry, undefined)),
  ];
}

/** A price in a currency that none of them was in. */
function otherCurrencies(before: readonly JsonObject[], after: readonly JsonObject[]): Unusual[] {
  const [old, next] = [before, after].map(
    (entries) => new Set(entries.flatMap(({ currency }) => (typeof currency === 'string' ? [currency] : []))),
  );
  if (old === undefined || next === undefined || old.size === 0) return [];
  return [...next]
    .filter((currency) => !old.has(currency))
    .map((currency) => ({
      words: [`in ${quoteName(currency)}, until now in ${[...old].map(quoteName).join(' and ')}`],
      relative: undefined,
    }));
}

const MEMBERS = [
  ['our_price', 'price'],
  ['discounted_price', 'sale price'],
  ['minimum_seller_allowed_price', 'minimum price'],
  ['maximum_seller_allowed_price', 'maximum price'],
] as const;

function offerWords(...[before, after]: Entries): Unusual {
  const audience = selectorOf(after ?? before ?? {}, 'audience');
  const whose = audience === undefined || audience === 'ALL' ? '' : `${quoteName(audience)} `;
  if (after === undefined) return { words: [`${whose}offer removed`], relative: undefined };
  const removed = MEMBERS.filter(([member]) => before?.[member] !== undefined && after[member] === undefined);
  const [was, price, sale, least, most] = [
    amountOf(before?.our_price),
    ...MEMBERS.map(([member]) => amountOf(after[member])),
  ];
  const change = was === undefined || was === 0 || price === undefined ? undefined : price / was - 1;
  const changed = price !== was;
  const saleChanged = sale !== amountOf(before?.discounted_price);
  const money = (value: number) => moneyWords(value, after.currency) ?? String(value);
  const words = [
    ...(price === 0 && changed ? ['price to 0'] : []),
    ...(price !== undefined && price < 0 && changed ? ['price below 0'] : []),
    ...(change !== undefined && inPercent(change) < -FAR_DOWN ? [`down by ${percent(change)}`] : []),
    ...(change !== undefined && inPercent(change) > FAR_UP ? [`up by ${percent(change)}`] : []),
    ...(price !== undefined && least !== undefined && price < least
      ? [`below the minimum price of ${money(least)}`]
      : []),
    ...(price !== undefined && most !== undefined && price > most
      ? [`above the maximum price of ${money(most)}`]
      : []),
    ...(sale !== undefined && least !== undefined && sale < least
      ? [`sale price below the minimum price of ${money(least)}`]
      : []),
    ...saleWords(price, sale, saleChanged),
    ...removed.map(([, name]) => `${name} removed`),
  ];
  const off = saleChanged && sale !== undefined && price !== undefined ? sale / price - 1 : undefined;
  return { words: words.map((word) => whose + word), relative: change === 0 ? (off ?? 0) : (change ?? off) };
}

function saleWords(price: number | undefined, sale: number | undefined, changed: boolean): string[] {
  if (price === undefined || sale === undefined) return [];
  if (sale >= price) return ['sale price not below the price'];
  const off = sale / price - 1;
  return changed && inPercent(off) < -FAR_OFF ? [`sale price ${percent(off)} below the price`] : [];
}

/** Without what the arithmetic adds. */
const inPercent = (change: number) => Math.round(change * 1e6) / 1e4;

/** Of 45.4 % 45; never more than it is. */
const percent = (change: number) => `${Math.floor(Math.abs(inPercent(change))).toLocaleString('en-US')} %`;

function stockWords(...[before, after]: Entries): Unusual {
  const code = selectorOf(after ?? before ?? {}, 'fulfillment_channel_code') ?? 'DEFAULT';
  if (after === undefined) return { words: [`channel ${quoteName(code)} removed`], relative: undefined };
  if (before === undefined) return { words: [`new channel ${quoteName(code)}`], relative: undefined };
  const [was, is] = [before.quantity, after.quantity];
  const words = [
    ...(is === 0 && was !== 0 ? ['quantity to 0'] : []),
    ...(isWarehouse(code) && was !== is ? ['quantity of an FBA listing'] : []),
  ];
  const isBoth = typeof was === 'number' && typeof is === 'number' && was > 0;
  return { words, relative: isBoth ? is / was - 1 : undefined };
}

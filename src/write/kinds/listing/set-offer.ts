/** Price, sale, minimum and maximum price: one member of one entry of the attribute that holds them all; the rest of it stays. */

import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import { quoteName } from '../../../base/text/quote-name.ts';
import { currencyOf } from '../../../service/facts/currencies.ts';
import { checkAmount } from './amount.ts';
import { selectorOf } from './entries.ts';
import type { ListingPlace, ListingState, SetAttribute, SetProblem } from './listing-state.ts';
import { checkSale } from './sale-dates.ts';
import type { SetValues } from './set-values.ts';

export const OFFER = 'purchasable_offer';

/** Members of an offer, by the words for them. */
const PRICES = [
  ['price', 'our_price'],
  ['minimum_price', 'minimum_seller_allowed_price'],
  ['maximum_price', 'maximum_seller_allowed_price'],
] as const;

const WORDS = ['price', 'sale_price', 'sale_from', 'sale_to', 'minimum_price', 'maximum_price'] as const;

/** Undefined where nothing of it is to change. */
export function setOffer(
  { attributes }: ListingState,
  values: SetValues,
  place: ListingPlace,
): SetAttribute | SetProblem | undefined {
  const [first] = WORDS.filter((word) => values[word] !== undefined);
  if (first === undefined) return values.currency === undefined ? undefined : NOTHING_IN_IT;
  const entries = attributes[OFFER] ?? [];
  const found = findOffer(entries, values, place, first);
  if ('message' in found) return found;
  const { entry, currency } = found;
  let changed: JsonObject = entry ?? newOffer(currency, place);
  for (const [word, member] of PRICES) {
    const next = setPrice(changed, member, word, values[word], currency);
    if (isProblem(next)) return next;
    changed = next;
  }
  const withSale = setSale(changed, values, currency, place.now);
  if (isProblem(withSale)) return withSale;
  if (withSale.our_price === undefined)
    return problem(first, `needs a price: the listing has none in ${place.name}`);
  const wrong = checkBounds(withSale);
  if (wrong !== undefined) return wrong;
  const all =
    entry === undefined ? [...entries, withSale] : entries.map((one) => (one === entry ? withSale : one));
  return { name: OFFER, entries: all };
}

export const problem = (word: string, message: string): SetProblem => ({ word, message });

export const isProblem = (value: object): value is SetProblem => 'message' in value && 'word' in value;

const NOTHING_IN_IT = problem('currency', 'says nothing without an amount');

function newOffer(currency: string, { marketplaceId }: ListingPlace): JsonObject {
  return { currency, audience: 'ALL', marketplace_id: marketplaceId };
}

/** The offer to everybody, in the currency that is meant; none where the listing has none yet. */
function findOffer(
  entries: readonly unknown[],
  values: SetValues,
  { marketplaceId, name }: ListingPlace,
  word: string,
): { entry: JsonObject | undefined; currency: string } | SetProblem {
  const all = entries.filter(isJsonObject).filter((entry) => selectorOf(entry, 'audience') === 'ALL');
  const own = currencyOf(marketplaceId);
  const given = currenciesOf(values);
  const [asked] = given;
  if (given.length > 1) return problem('currency', `must be one: ${given.join(' and ')} are given`);
  const currencies = [...new Set(all.map((entry) => selectorOf(entry, 'currency') ?? own ?? ''))];
  const currency = asked ?? (currencies.length > 1 ? own : (currencies[0] ?? own));
  if (currency === undefined || currency === '') {
    return problem(word, 'needs a currency, which is not known here for this marketplace: add currency');
  }
  const entry = all.filter((one) => (selectorOf(one, 'currency') ?? currency) === currency);
  if (entry.length > 1)
    return problem(word, `cannot be told: there are ${entry.length} offers in ${currency}; give patches`);
  const usual = currencies.length === 0 ? own : currencies.map(quoteName).join(' or ');
  if (entry.length === 0 && usual !== undefined && (currencies.length > 0 || currency !== own)) {
    return problem(
      asked === undefined ? word : 'currency',
      `must be ${usual}, the currency of prices in ${name}, not ${currency}`,
    );
  }
  return { entry: entry[0], currency };
}

/** Those that are given, with an amount or alone. */
function currenciesOf(values: SetValues): string[] {
  const { price, sale_price, minimum_price, maximum_price, currency } = values;
  const amounts = [price, sale_price, minimum_price, maximum_price].map((amount) => amount?.currency);
  return [...new Set([...amounts, currency].filter((one) => one !== undefined))];
}

function setPrice(
  entry: JsonObject,
  member: string,
  word: string,
  amount: SetValues['minimum_price'],
  currency: string,
): JsonObject | SetProblem {
  if (amount === undefined) return entry;
  if (amount === null) return without(entry, member);
  const value = checkAmount(amount.value, currency);
  if (typeof value === 'string') return problem(word, value);
  const step = onlyStep(entry[member]);
  if (step === undefined)
    return problem(word, 'changes over time or has another form than known; give patches');
  return { ...entry, [member]: [{ schedule: [{ ...step, value_with_tax: value }] }] };
}

export function without(entry: JsonObject, member: string): JsonObject {
  const { [member]: _old, ...rest } = entry;
  return rest;
}

/** The one step of `[{ schedule: [step] }]`, empty where there is none; undefined for what has more or another form. */
export function onlyStep(value: unknown): JsonObject | undefined {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return {};
  const [price, ...others] = Array.isArray(value) ? value : [];
  if (!isJsonObject(price) || others.length > 0 || Object.keys(price).join() !== 'schedule') return undefined;
  const [step, ...more] = Array.isArray(price.schedule) ? price.schedule : [undefined, undefined];
  if (more.length > 0) return undefined;
  return step === undefined ? {} : isJsonObject(step) ? step : undefined;
}

/** As a number, of the one step. */
export function amountOf(value: unknown): number | undefined {
  const amount = onlyStep(value)?.value_with_tax;
  return typeof amount === 'number' ? amount : undefined;
}

function checkBounds(entry: JsonObject): SetProblem | undefined {
  const [least, most] = [
    amountOf(entry.minimum_seller_allowed_price),
    amountOf(entry.maximum_seller_allowed_price),
  ];
  if (least === undefined || most === undefined || least <= most) return undefined;
  return problem('minimum_price', `would be above the maximum price: ${least} and ${most}`);
}

// The sale price of an offer and the days between which it holds: what is not given stays as it is.

const SALE = 'discounted_price';

function setSale(
  entry: JsonObject,
  { sale_price: amount, sale_from: from, sale_to: to }: SetValues,
  currency: string,
  now: number,
): JsonObject | SetProblem {
  if (amount === undefined && from === undefined && to === undefined) return entry;
  if (amount === null) {
    if (from === undefined && to === undefined) return without(entry, SALE);
    return problem('sale_price', 'null ends the sale: leave sale_from and sale_to out');
  }
  const old = onlyStep(entry[SALE]);
  if (old === undefined) return problem('sale_price', 'has several sales, one after the other; give patches');
  const value = amount === undefined ? old.value_with_tax : checkAmount(amount.value, currency);
  if (amount === undefined && value === undefined)
    return problem('sale_price', 'is missing: there is no sale yet');
  if (typeof value === 'string' && amount !== undefined) return problem('sale_price', value);
  const dates = datesOf({ from: from ?? old.start_at, to: to ?? old.end_at }, now, to !== undefined);
  if (isProblem(dates)) return dates;
  const step = { ...old, value_with_tax: value, start_at: dates.from, end_at: dates.to };
  return { ...entry, [SALE]: [{ schedule: [step] }] };
}

/** @param isNew whether its end was given now */
function datesOf(
  { from, to }: { from: unknown; to: unknown },
  now: number,
  isNew: boolean,
): { from: unknown; to: unknown } | SetProblem {
  if (from === undefined) return problem('sale_from', 'is missing: a sale needs the day on which it begins');
  if (to === undefined) return problem('sale_to', 'is missing: a sale needs the day on which it ends');
  if (typeof from !== 'string' || typeof to !== 'string') return { from, to };
  const wrong = checkSale(from, to, now);
  if (wrong === undefined) return { from, to };
  return problem('sale_to', isNew ? wrong : `is missing: the one that is there ${wrong}`);
}

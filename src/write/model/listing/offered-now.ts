/**
 * The attributes of a listing with the values that are on offer now. The service answers both: `attributes` as they were
 * submitted last, and beside them what buyers see. The two differ, because stock sells and other programs set prices, so
 * every comparison ("already like this", the preview, undo, read-back) is made with the result of this module.
 */

import { isJsonObject, type JsonObject, objectsIn, toObject } from '../../../base/json.ts';
import { quoteText } from '../../../base/text/escape-text.ts';
import { shortenToCharacters } from '../../../base/text/shorten.ts';
import { moneyWords } from '../words/value.ts';
import {
  entriesOf,
  inPlaces,
  isPlainStep,
  isWarehouse,
  namesIn,
  OFFER,
  onlySchedule,
  placeOf,
  STOCK,
  selectorOf,
  toAttributes,
} from './entries.ts';
import { mayHoldAt } from './sale-dates.ts';

export interface OfferedNow {
  attributes: Record<string, readonly unknown[]>;
  /**
   * By attribute: why it is not certain that what was submitted is on offer. The attribute then holds what was submitted,
   * and nothing may be called unchanged, or read back, by it.
   */
  unclear: ReadonlyMap<string, string>;
}

/** A listing as getListingsItem and searchListingsItems answer it, and where and when its values count. */
interface Shown {
  item: Readonly<Record<string, unknown>>;
  /** Ids of the marketplaces that it was asked for. */
  places: readonly string[];
  /** Milliseconds since the epoch: decides whether a sale may be running. */
  now: number;
}

/** The entries of one attribute, with what is offered in the place of what was submitted. */
interface Brought {
  entries: readonly unknown[];
  unclear?: string | undefined;
}

/** Attributes whose values the service also answers as they are offered. Handling times and sale dates have no such pair, and images are answered under addresses of the service's own. */
const PAIRS: Readonly<Record<string, (entries: readonly unknown[], shown: Shown) => Brought>> = {
  [STOCK]: stockNow,
  [OFFER]: offersNow,
  item_name: (entries, shown) => summaryNow(entries, shown, 'itemName'),
  condition_type: (entries, shown) => summaryNow(entries, shown, 'conditionType'),
};

export function offeredNow(listing: unknown, places: readonly string[], now: number): OfferedNow {
  const shown = { item: toObject(listing), places, now };
  const submitted = inPlaces(toAttributes(shown.item.attributes), places);
  const unclear = new Map<string, string>();
  const attributes = namesIn(submitted, PAIRS).flatMap((name) => {
    const entries = entriesOf(submitted, name);
    const brought = PAIRS[name]?.(entries, shown) ?? { entries };
    if (brought.unclear !== undefined) unclear.set(name, brought.unclear);
    return brought.entries.length === 0 ? [] : [[name, brought.entries] as const];
  });
  return { attributes: Object.fromEntries(attributes), unclear };
}

// Stock: the quantity by channel. The stock of the service's own warehouses is never submitted.

function stockNow(entries: readonly unknown[], { item, places }: Shown): Brought {
  if (!Array.isArray(item.fulfillmentAvailability)) return { entries };
  const offered = objectsIn(item.fulfillmentAvailability).filter(
    ({ fulfillmentChannelCode: code }) => typeof code === 'string' && !isWarehouse(code),
  );
  let unclear: string | undefined;
  const brought = entries.map((entry) => {
    const code = isJsonObject(entry) ? (selectorOf(entry, 'fulfillment_channel_code') ?? '') : '';
    if (!isJsonObject(entry) || isWarehouse(code)) return entry;
    const [only, ...others] = offered.filter((one) => one.fulfillmentChannelCode === code);
    const quantity = others.length === 0 ? only?.quantity : undefined;
    if (quantity === entry.quantity) return entry;
    // Quantities are answered without a marketplace: of several that differ, it is not known whose one is.
    if (typeof quantity === 'number' && quantitiesOf(entries, code).size === 1) return { ...entry, quantity };
    if (typeof quantity === 'number' || Number(entry.quantity) > 0)
      unclear = quantityWords(entry.quantity, quantity);
    return entry;
  });
  // A channel that was never submitted from a program, such as one of Seller Central.
  const isSubmitted = entries.some(
    (entry) => isJsonObject(entry) && !isWarehouse(selectorOf(entry, 'fulfillment_channel_code') ?? ''),
  );
  const added = (isSubmitted ? [] : offered).flatMap(
    ({ fulfillmentChannelCode: fulfillment_channel_code, quantity }) =>
      places.map((marketplace_id) => ({
        fulfillment_channel_code,
        ...(typeof quantity === 'number' && { quantity }),
        marketplace_id,
      })),
  );
  return { entries: [...brought, ...added], unclear };
}

/** Every quantity that was submitted for a channel. */
const quantitiesOf = (entries: readonly unknown[], code: string) =>
  new Set(
    entries
      .filter(isJsonObject)
      .filter((entry) => selectorOf(entry, 'fulfillment_channel_code') === code)
      .map(({ quantity }) => quantity),
  );

const quantityWords = (submitted: unknown, offered: unknown) =>
  typeof offered === 'number'
    ? `shows ${offered} now, and it is not certain in which marketplace: other quantities were submitted last`
    : `shows no quantity now, although ${Number(submitted)} was submitted last`;

// Prices: by marketplace, audience and currency. While a sale runs, the price that is offered can be the sale price.

function offersNow(entries: readonly unknown[], shown: Shown): Brought {
  if (!Array.isArray(shown.item.offers)) return { entries };
  const offered = objectsIn(shown.item.offers).flatMap((offer) => readOffer(offer));
  let unclear: string | undefined;
  const brought = entries.map((entry) => {
    if (!isJsonObject(entry)) return entry;
    const amounts = new Set(
      offered.filter((offer) => isOfEntry(offer, entry, shown.places)).map(({ amount }) => amount),
    );
    const made = withPrice(entry, [...amounts], shown.now);
    if (typeof made !== 'string') return made;
    unclear = made;
    return entry;
  });
  // What is offered to everybody and was submitted by nobody here, such as an offer of Seller Central.
  const added = offered
    .filter(({ audience }) => audience === EVERYBODY)
    .filter((offer) => shown.places.includes(offer.place))
    .filter((offer) => !entries.some((entry) => isJsonObject(entry) && isAbout(entry, offer)))
    .map(({ place, currency, amount }) => ({
      currency,
      audience: EVERYBODY,
      marketplace_id: place,
      our_price: priceOf({}, amount),
    }));
  return { entries: [...brought, ...added], unclear };
}

const EVERYBODY = 'ALL';

type Offer = ReturnType<typeof readOffer>[number];

function readOffer({ marketplaceId, offerType, price, audience }: JsonObject) {
  const { amount, currencyCode } = toObject(price);
  const value = typeof amount === 'string' && amount.trim() !== '' ? Number(amount) : amount;
  if (typeof value !== 'number' || !Number.isFinite(value)) return [];
  if (typeof marketplaceId !== 'string' || typeof currencyCode !== 'string') return [];
  const { value: named } = toObject(audience);
  const whose = typeof named === 'string' && named !== EVERYBODY ? named : undefined;
  return [
    {
      place: marketplaceId,
      currency: currencyCode,
      amount: value,
      audience: whose ?? (offerType === 'B2B' ? 'B2B' : EVERYBODY),
    },
  ];
}

/** Whether an entry is the one of this marketplace and audience, in whatever currency. */
const isAbout = (entry: JsonObject, { audience, place }: Offer) =>
  selectorOf(entry, 'audience') === audience && (placeOf(entry) ?? place) === place;

const isOfEntry = (offer: Offer, entry: JsonObject, places: readonly string[]) =>
  isAbout(entry, offer) &&
  (selectorOf(entry, 'currency') ?? offer.currency) === offer.currency &&
  (places.length === 0 || places.includes(offer.place));

/** @returns the entry with the price that is offered, or why that is not certain */
function withPrice(entry: JsonObject, amounts: readonly number[], now: number): JsonObject | string {
  const [amount, ...others] = amounts;
  const steps = stepsIn(entry.our_price);
  const money = (value: unknown) =>
    typeof value === 'number' ? (moneyWords(value, entry.currency) ?? String(value)) : 'none';
  const submitted = steps.map(({ value_with_tax }) => money(value_with_tax)).join(' and ');
  if (amount === undefined) {
    // Offers to businesses and other groups are not answered for every account.
    const isExpected = selectorOf(entry, 'audience') === EVERYBODY && steps.length > 0;
    return isExpected ? `is not offered now, although a price of ${submitted} was submitted last` : entry;
  }
  if (others.length > 0) return `has several prices now: ${amounts.map(money).join(' and ')}`;
  if (steps.some(({ value_with_tax }) => value_with_tax === amount)) return entry;
  const sales = stepsIn(entry.discounted_price).filter(({ start_at, end_at }) =>
    mayHoldAt(textOf(start_at), textOf(end_at), now),
  );
  if (sales.some(({ value_with_tax }) => value_with_tax === amount)) return entry;
  const [step = {}] = steps;
  const isKnown = sales.length === 0 && steps.length <= 1 && isPlainStep(step);
  if (isKnown) return { ...entry, our_price: priceOf(step, amount) };
  const sale = sales.map(({ value_with_tax }) => money(value_with_tax)).join(' and ');
  const besides = sales.length === 0 ? '' : `, with a sale price of ${sale}`;
  return `is offered at ${money(amount)} now, although a price of ${submitted === '' ? 'none' : submitted} was submitted last${besides}`;
}

const stepsIn = (prices: unknown): JsonObject[] => (onlySchedule(prices) ?? []).filter(isJsonObject);

const priceOf = (step: JsonObject, amount: number) => [{ schedule: [{ ...step, value_with_tax: amount }] }];

/** `"2026-12-01"`, or the same as `{ value: "2026-12-01" }`. */
const textOf = (moment: unknown): unknown => (isJsonObject(moment) ? moment.value : moment);

// Title and condition: one of each marketplace in its summary.

const LONGEST_SHOWN = 80;

function summaryNow(
  entries: readonly unknown[],
  { item, places }: Shown,
  member: 'itemName' | 'conditionType',
): Brought {
  const summaries = objectsIn(item.summaries);
  let unclear: string | undefined;
  const brought = entries.map((entry) => {
    if (!isJsonObject(entry)) return entry;
    const here = [placeOf(entry) ?? places].flat();
    const found = new Set(
      summaries
        .filter(({ marketplaceId }) => typeof marketplaceId === 'string' && here.includes(marketplaceId))
        .map((summary) => summary[member])
        .filter((value) => typeof value === 'string' && value !== ''),
    );
    if (found.size === 0 || found.has(entry.value)) return entry;
    const rivals = entries.filter((one) => isJsonObject(one) && here.includes(placeOf(one) ?? here[0] ?? ''));
    // Of a text in several languages, the one that is shown is one of them.
    if (rivals.some((one) => isJsonObject(one) && found.has(one.value))) return entry;
    const [value] = found;
    if (found.size === 1 && rivals.length === 1) return { ...entry, value };
    unclear = `is shown as ${quoteText(shortenToCharacters(String(value), LONGEST_SHOWN))} now, which was not submitted in any language`;
    return entry;
  });
  return { entries: brought, unclear };
}

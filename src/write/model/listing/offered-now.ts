/**
 * Reads the attributes of a listing with the values that are on offer now. The service returns both:
 * `attributes` as they were submitted last, and the values that buyers see. The two differ, because stock
 * sells and other programs set prices. So every comparison ("already like this", the preview, undo,
 * read-back) uses the result of this module.
 */

import { isJsonObject, type JsonObject, objectsIn, toObject } from '../../../base/json.ts';
import { quoteText } from '../../../base/text/escape-text.ts';
import { shortenToCharacters } from '../../../base/text/shorten.ts';
import { formatMoney } from '../format/value.ts';
import {
  entriesInMarketplaces,
  entriesOf,
  isPlainStep,
  isWarehouse,
  marketplaceOfEntry,
  namesIn,
  OFFER,
  onlySchedule,
  STOCK,
  selectorOf,
  toAttributes,
} from './entries.ts';
import { mayApplyAt } from './sale-dates.ts';

export interface OfferedNow {
  attributes: Record<string, readonly unknown[]>;
  /**
   * The reasons, by attribute, why a submitted value may not be on offer. The attribute then has the
   * submitted value, which proves nothing: it must not count as unchanged, or as read back.
   */
  unclear: ReadonlyMap<string, string>;
}

/**
 * A listing as getListingsItem and searchListingsItems return it, with the marketplaces and the time of the
 * request.
 */
interface ShownListing {
  item: Readonly<Record<string, unknown>>;
  /** The ids of the requested marketplaces. */
  places: readonly string[];
  /** The milliseconds since the epoch, which decide whether a sale may be running. */
  now: number;
}

/** The entries of one attribute, with offered values in place of the submitted ones. */
interface OfferedEntries {
  entries: readonly unknown[];
  unclear?: string | undefined;
}

/**
 * The attributes whose offered values the service returns too. Handling times and sale dates have no such
 * pair, and images have the service's own addresses.
 */
const PAIRS: Readonly<Record<string, (entries: readonly unknown[], shown: ShownListing) => OfferedEntries>> =
  {
    [STOCK]: stockNow,
    [OFFER]: offersNow,
    item_name: (entries, shown) => summaryNow(entries, shown, 'itemName'),
    condition_type: (entries, shown) => summaryNow(entries, shown, 'conditionType'),
  };

export function offeredNow(listing: unknown, places: readonly string[], now: number): OfferedNow {
  const shown = { item: toObject(listing), places, now };
  const submitted = entriesInMarketplaces(toAttributes(shown.item.attributes), places);
  const unclear = new Map<string, string>();
  const attributes = namesIn(submitted, PAIRS).flatMap((name) => {
    const entries = entriesOf(submitted, name);
    const updated = PAIRS[name]?.(entries, shown) ?? { entries };
    if (updated.unclear !== undefined) unclear.set(name, updated.unclear);
    return updated.entries.length === 0 ? [] : [[name, updated.entries] as const];
  });
  return { attributes: Object.fromEntries(attributes), unclear };
}

// Stock has a quantity for each channel. The stock of the service's own warehouses is never submitted.

function stockNow(entries: readonly unknown[], { item, places }: ShownListing): OfferedEntries {
  if (!Array.isArray(item.fulfillmentAvailability)) return { entries };
  const offered = objectsIn(item.fulfillmentAvailability).filter(
    ({ fulfillmentChannelCode: code }) => typeof code === 'string' && !isWarehouse(code),
  );
  let unclear: string | undefined;
  const updated = entries.map((entry) => {
    const code = isJsonObject(entry) ? (selectorOf(entry, 'fulfillment_channel_code') ?? '') : '';
    if (!isJsonObject(entry) || isWarehouse(code)) return entry;
    const [only, ...others] = offered.filter((one) => one.fulfillmentChannelCode === code);
    const quantity = others.length === 0 ? only?.quantity : undefined;
    if (quantity === entry.quantity) return entry;
    // The service returns quantities without a marketplace, so with different quantities the right one is
    // unknown.
    if (typeof quantity === 'number' && quantitiesOf(entries, code).size === 1) return { ...entry, quantity };
    if (typeof quantity === 'number' || Number(entry.quantity) > 0)
      unclear = quantityMessage(entry.quantity, quantity);
    return entry;
  });
  // Some channels were never submitted by a program, such as one of Seller Central.
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
  return { entries: [...updated, ...added], unclear };
}

/** Returns every quantity that was submitted for a channel. */
const quantitiesOf = (entries: readonly unknown[], code: string) =>
  new Set(
    entries
      .filter(isJsonObject)
      .filter((entry) => selectorOf(entry, 'fulfillment_channel_code') === code)
      .map(({ quantity }) => quantity),
  );

const quantityMessage = (submitted: unknown, offered: unknown) =>
  typeof offered === 'number'
    ? `shows ${offered} now, and it is not certain in which marketplace: other quantities were submitted last`
    : `shows no quantity now, although ${Number(submitted)} was submitted last`;

// Prices differ by marketplace, audience and currency. While a sale runs, the offered price can be the sale
// price.

function offersNow(entries: readonly unknown[], shown: ShownListing): OfferedEntries {
  if (!Array.isArray(shown.item.offers)) return { entries };
  const offered = objectsIn(shown.item.offers).flatMap((offer) => readOffer(offer));
  let unclear: string | undefined;
  const updated = entries.map((entry) => {
    if (!isJsonObject(entry)) return entry;
    const amounts = new Set(
      offered.filter((offer) => isOfEntry(offer, entry, shown.places)).map(({ amount }) => amount),
    );
    const priced = withPrice(entry, [...amounts], shown.now);
    if (typeof priced !== 'string') return priced;
    unclear = priced;
    return entry;
  });
  // Some offers to everybody were not submitted here, such as an offer of Seller Central.
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
  return { entries: [...updated, ...added], unclear };
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

/** Returns true if an entry has this marketplace and audience, in any currency. */
const isAbout = (entry: JsonObject, { audience, place }: Offer) =>
  selectorOf(entry, 'audience') === audience && (marketplaceOfEntry(entry) ?? place) === place;

const isOfEntry = (offer: Offer, entry: JsonObject, places: readonly string[]) =>
  isAbout(entry, offer) &&
  (selectorOf(entry, 'currency') ?? offer.currency) === offer.currency &&
  (places.length === 0 || places.includes(offer.place));

/** @returns the entry with the offered price, or the reason why that is uncertain */
function withPrice(entry: JsonObject, amounts: readonly number[], now: number): JsonObject | string {
  const [amount, ...others] = amounts;
  const steps = stepsIn(entry.our_price);
  const money = (value: unknown) =>
    typeof value === 'number' ? (formatMoney(value, entry.currency) ?? String(value)) : 'none';
  const submitted = steps.map(({ value_with_tax }) => money(value_with_tax)).join(' and ');
  if (amount === undefined) {
    // The service does not return offers to businesses and other groups for every account.
    const isExpected = selectorOf(entry, 'audience') === EVERYBODY && steps.length > 0;
    return isExpected ? `is not offered now, although a price of ${submitted} was submitted last` : entry;
  }
  if (others.length > 0) return `has several prices now: ${amounts.map(money).join(' and ')}`;
  if (steps.some(({ value_with_tax }) => value_with_tax === amount)) return entry;
  const sales = stepsIn(entry.discounted_price).filter(({ start_at, end_at }) =>
    mayApplyAt(textOf(start_at), textOf(end_at), now),
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

/** Returns `"2026-12-01"`, also from `{ value: "2026-12-01" }`. */
const textOf = (moment: unknown): unknown => (isJsonObject(moment) ? moment.value : moment);

// Title and condition come from the summary of each marketplace.

const MAX_SHOWN = 80;

function summaryNow(
  entries: readonly unknown[],
  { item, places }: ShownListing,
  member: 'itemName' | 'conditionType',
): OfferedEntries {
  const summaries = objectsIn(item.summaries);
  let unclear: string | undefined;
  const updated = entries.map((entry) => {
    if (!isJsonObject(entry)) return entry;
    const here = [marketplaceOfEntry(entry) ?? places].flat();
    const found = new Set(
      summaries
        .filter(({ marketplaceId }) => typeof marketplaceId === 'string' && here.includes(marketplaceId))
        .map((summary) => summary[member])
        .filter((value) => typeof value === 'string' && value !== ''),
    );
    if (found.size === 0 || found.has(entry.value)) return entry;
    const rivals = entries.filter(
      (one) => isJsonObject(one) && here.includes(marketplaceOfEntry(one) ?? here[0] ?? ''),
    );
    // The shown text is one of several languages.
    if (rivals.some((one) => isJsonObject(one) && found.has(one.value))) return entry;
    const [value] = found;
    if (found.size === 1 && rivals.length === 1) return { ...entry, value };
    unclear = `is shown as ${quoteText(shortenToCharacters(String(value), MAX_SHOWN))} now, which was not submitted in any language`;
    return entry;
  });
  return { entries: updated, unclear };
}

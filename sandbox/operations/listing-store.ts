/** The listings as the sandbox remembers them: those of its world, what was written over them, and when that is seen. */

import * as z from 'zod';
import { isJsonObject } from '../../src/base/json.ts';
import { decimalsOf } from '../../src/service/facts/marketplaces.ts';
import type { ListingFixture } from '../fixtures/listing.ts';
import type { Keeping } from '../world/kept-world.ts';
import type { World } from '../world/world.ts';

export type Attributes = Readonly<Record<string, readonly unknown[]>>;

export type ListingStore = ReturnType<typeof createListingStore>;

/** The stored form of a listing; null if it was deleted. */
const writtenSchema = z.object({
  after: z
    .object({
      asin: z.string(),
      marketplaceIds: z.array(z.string()).readonly(),
      item: z.looseObject({ sku: z.string() }),
      errors: z
        .array(z.object({ code: z.string(), message: z.string(), details: z.string().optional() }))
        .readonly()
        .optional(),
    })
    .nullable(),
});

/** The older state that the next reads still show. */
interface Delay {
  before: ListingFixture | undefined;
  readsLeft: number;
}

/** @param readsUntilVisible how many reads of a listing still show the old state after each write. */
export function createListingStore(world: World, readsUntilVisible: number, keeping: Keeping) {
  const written = keeping.shelf('listing', writtenSchema);
  const delays = new Map<string, Delay>();
  const latest = (sku: string): ListingFixture | undefined => {
    const kept = written.get(sku);
    return kept === undefined ? world.findSku(sku) : (kept.after ?? undefined);
  };
  const shown = (sku: string) => {
    const delay = delays.get(sku);
    return delay !== undefined && delay.readsLeft > 0 ? delay.before : latest(sku);
  };
  const listings = () => {
    const changed = written.ids();
    if (changed.length === 0) return world.listings();
    const known = new Set(world.listings().map(({ item }) => item.sku));
    const added = changed.filter((sku) => !known.has(sku));
    return [...known, ...added].flatMap((sku) => shown(sku) ?? []);
  };
  return {
    /** The current state, whether reads show it yet or not. */
    latest,
    /** Reads the listing like getListingsItem: a write is visible after the stated number of reads. */
    read(sku: string): ListingFixture | undefined {
      const delay = delays.get(sku);
      const listing = shown(sku);
      if (delay !== undefined && delay.readsLeft > 0) delay.readsLeft -= 1;
      return listing;
    },
    /** A write starts from the current state, so that no other process may write this listing meanwhile. */
    alone: written.alone,
    /** @param after undefined: it is gone. */
    write(sku: string, after: ListingFixture | undefined): void {
      if (readsUntilVisible > 0) delays.set(sku, { before: shown(sku), readsLeft: readsUntilVisible });
      written.set(sku, { after: after ?? null });
    },
    // The world as every other operation shows it, without counting as a read.
    world: { ...world, listings, findSku: shown },
  };
}

/** Returns the attributes of a listing: those that it names, and price and stock in the public service's form. */
export function attributesOf({ item, marketplaceIds }: ListingFixture): Attributes {
  const named = isJsonObject(item.attributes) ? item.attributes : {};
  const lists = Object.entries(named).map(([name, value]) => [name, Array.isArray(value) ? value : [value]]);
  const offers = listOf(item.offers).flatMap(toOffer);
  const stock = listOf(item.fulfillmentAvailability).flatMap((one) => toStock(one, marketplaceIds));
  return {
    ...(offers.length > 0 && { purchasable_offer: offers }),
    ...(stock.length > 0 && { fulfillment_availability: stock }),
    ...Object.fromEntries(lists),
  };
}

const listOf = (value: unknown) => (Array.isArray(value) ? value.filter(isJsonObject) : []);

function toOffer({ marketplaceId, price }: Record<string, unknown>): object[] {
  if (!isJsonObject(price)) return [];
  return [
    {
      currency: price.currencyCode,
      audience: 'ALL',
      our_price: [{ schedule: [{ value_with_tax: Number(price.amount) }] }],
      marketplace_id: marketplaceId,
    },
  ];
}

function toStock(one: Record<string, unknown>, marketplaceIds: readonly string[]): object[] {
  const { fulfillmentChannelCode, quantity } = one;
  return marketplaceIds.map((marketplace_id) => ({
    fulfillment_channel_code: fulfillmentChannelCode,
    ...(quantity !== undefined && { quantity }),
    marketplace_id,
  }));
}

/** The listing with these attributes: title, price and stock follow them in its other parts. */
export function withAttributes(listing: ListingFixture, attributes: Attributes): ListingFixture {
  const { item } = listing;
  const titleOf = (id: unknown) => findEntry(attributes.item_name, id)?.value;
  const offers = listOf(attributes.purchasable_offer).filter(({ audience }) => audience !== 'B2B');
  const priceOf = (id: unknown) => firstPrice(findEntry(offers, id)?.our_price);
  // One entry for each marketplace; what is told of a channel is told once, as it was written last.
  const stock = listOf(attributes.fulfillment_availability).filter(
    ({ fulfillment_channel_code: code }, at, all) =>
      all.findIndex((other) => other.fulfillment_channel_code === code) === at,
  );
  return {
    ...listing,
    item: {
      ...item,
      attributes,
      ...(item.summaries !== undefined && {
        summaries: listOf(item.summaries).map((one) => ({
          ...one,
          itemName: titleOf(one.marketplaceId) ?? one.itemName,
        })),
      }),
      ...(item.offers !== undefined && {
        // An offer that is taken away is offered to nobody.
        offers: listOf(item.offers)
          .filter((one) => priceOf(one.marketplaceId) !== undefined)
          .map((one) => ({ ...one, price: newPrice(one.price, priceOf(one.marketplaceId)) })),
      }),
      ...((stock.length > 0 || item.fulfillmentAvailability !== undefined) && {
        fulfillmentAvailability: stock.map(
          ({ fulfillment_channel_code: fulfillmentChannelCode, quantity }) => ({
            fulfillmentChannelCode,
            ...(quantity !== undefined && { quantity }),
          }),
        ),
      }),
    },
  };
}

export function findEntry(entries: readonly unknown[] | undefined, id: unknown) {
  return listOf(entries).find(({ marketplace_id }) => marketplace_id === undefined || marketplace_id === id);
}

/** `[{ schedule: [{ value_with_tax: 19.99 }] }]`. */
export function firstPrice(value: unknown): number | undefined {
  const [price] = listOf(value);
  const [step] = listOf(price?.schedule);
  return typeof step?.value_with_tax === 'number' ? step.value_with_tax : undefined;
}

function newPrice(price: unknown, amount: number | undefined): unknown {
  return isJsonObject(price) && amount !== undefined
    ? { ...price, amount: amount.toFixed(decimalsOf(String(price.currencyCode))) }
    : price;
}

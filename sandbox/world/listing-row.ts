/** What reports and orders need to know of one listing in one marketplace, read out of its fixture. */

import * as z from 'zod';
import type { ListingFixture } from '../fixtures/listing.ts';

export type ListingRow = NonNullable<ReturnType<typeof readRow>>;

/** What the sandbox itself reads of a listing, which may hold less, and anything else. */
export const itemSchema = z.looseObject({
  sku: z.string(),
  summaries: z
    .array(
      z.looseObject({
        marketplaceId: z.string(),
        itemName: z.string().default(''),
        fnSku: z.string().optional(),
        status: z.array(z.string()).default([]),
        createdDate: z.string().optional(),
        lastUpdatedDate: z.string().optional(),
      }),
    )
    .default([]),
  issues: z.array(z.looseObject({ severity: z.string().default('') })).default([]),
  offers: z
    .array(
      z.looseObject({
        marketplaceId: z.string(),
        price: z.looseObject({ currencyCode: z.string(), amount: z.string() }),
      }),
    )
    .default([]),
  fulfillmentAvailability: z
    .array(z.looseObject({ fulfillmentChannelCode: z.string(), quantity: z.number().optional() }))
    .default([]),
});

/** Undefined where the listing is not in this marketplace. */
export function readRow({ asin, item, marketplaceIds }: ListingFixture, marketplaceId: string) {
  if (!marketplaceIds.includes(marketplaceId)) return undefined;
  const { summaries, offers, fulfillmentAvailability } = itemSchema.parse(item);
  const summary = summaries.find((one) => one.marketplaceId === marketplaceId);
  const price = offers.find((one) => one.marketplaceId === marketplaceId)?.price;
  const [held] = fulfillmentAvailability;
  const isWarehoused = held?.fulfillmentChannelCode.startsWith('AMAZON') === true;
  const fulfilledBy: 'AMAZON' | 'MERCHANT' = isWarehoused ? 'AMAZON' : 'MERCHANT';
  return {
    sku: item.sku,
    asin,
    fnSku: summary?.fnSku,
    title: summary?.itemName ?? '',
    /** As the offer has it; empty where there is none. */
    price: price?.amount ?? '',
    currency: price?.currencyCode ?? '',
    /** Undefined where the service's warehouses hold it. */
    quantity: isWarehoused ? undefined : (held?.quantity ?? 0),
    /** What the listing itself says that the service's warehouses hold; most say nothing. */
    warehoused: isWarehoused ? held.quantity : undefined,
    fulfilledBy,
    status: summary?.status ?? [],
    /** Undefined for a listing that the service has no summary of yet. */
    createdDate: summary?.createdDate,
    lastUpdatedDate: summary?.lastUpdatedDate,
  };
}

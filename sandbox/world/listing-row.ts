/** Reads from the fixture of a listing the row that reports and orders need, for one marketplace. */

import * as z from 'zod';
import type { ListingFixture } from '../fixtures/listing.ts';

export type ListingRow = NonNullable<ReturnType<typeof readRow>>;

/** The members of a listing that the sandbox reads; a listing may lack them, and may have any others. */
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
    /** The price of the offer; empty if there is none. */
    price: price?.amount ?? '',
    currency: price?.currencyCode ?? '',
    /** Undefined where the service's warehouses hold it. */
    quantity: isWarehoused ? undefined : (held?.quantity ?? 0),
    /** The quantity in the service's warehouses by the listing itself, which most do not state. */
    warehoused: isWarehoused ? held.quantity : undefined,
    fulfilledBy,
    status: summary?.status ?? [],
    /** Undefined for a listing that the service has no summary of yet. */
    createdDate: summary?.createdDate,
    lastUpdatedDate: summary?.lastUpdatedDate,
  };
}

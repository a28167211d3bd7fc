/** What reports and orders need to know of one listing in one marketplace, read out of its fixture. */

import * as z from 'zod';
import type { ListingFixture } from '../fixtures/listing.ts';

export interface ListingRow {
  sku: string;
  asin: string;
  fnSku: string | undefined;
  title: string;
  /** As the offer has it; empty where there is none. */
  price: string;
  currency: string;
  /** Undefined where the service's warehouses hold it. */
  quantity: number | undefined;
  /** What the listing itself says that the service's warehouses hold; most say nothing. */
  warehoused: number | undefined;
  fulfilledBy: 'AMAZON' | 'MERCHANT';
  status: readonly string[];
  /** Undefined for a listing that the service has no summary of yet. */
  createdDate: string | undefined;
  lastUpdatedDate: string | undefined;
}

const itemSchema = z.looseObject({
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
export function readRow(
  { asin, item, marketplaceIds }: ListingFixture,
  marketplaceId: string,
): ListingRow | undefined {
  if (!marketplaceIds.includes(marketplaceId)) return undefined;
  const { summaries, offers, fulfillmentAvailability } = itemSchema.parse(item);
  const summary = summaries.find((one) => one.marketplaceId === marketplaceId);
  const price = offers.find((one) => one.marketplaceId === marketplaceId)?.price;
  const [held] = fulfillmentAvailability;
  const fulfilledBy = held?.fulfillmentChannelCode.startsWith('AMAZON') ? 'AMAZON' : 'MERCHANT';
  return {
    sku: item.sku,
    asin,
    fnSku: summary?.fnSku,
    title: summary?.itemName ?? '',
    price: price?.amount ?? '',
    currency: price?.currencyCode ?? '',
    quantity: fulfilledBy === 'AMAZON' ? undefined : (held?.quantity ?? 0),
    warehoused: fulfilledBy === 'AMAZON' ? held?.quantity : undefined,
    fulfilledBy,
    status: summary?.status ?? [],
    createdDate: summary?.createdDate,
    lastUpdatedDate: summary?.lastUpdatedDate,
  };
}

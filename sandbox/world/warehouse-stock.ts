/** How many of each product the service's own warehouses hold in the made-up world, and what is on its way there. */

import type { ListingFixture } from '../fixtures/listing.ts';
import { type ListingRow, readRow } from './listing-row.ts';
import { createSequence, seedOf } from './sequence.ts';

export type WarehouseStock = ReturnType<typeof listStock>[number];

/**
 * Lists one marketplace's listings that the service ships. Their stock is the same wherever they are sold.
 * @param waiting the units of open orders, by SKU
 */
export function listStock(
  listings: readonly ListingFixture[],
  marketplaceId: string,
  waiting: ReadonlyMap<string, number>,
) {
  return listings.flatMap((listing) => {
    const row = readRow(listing, marketplaceId);
    return row?.fulfilledBy === 'AMAZON'
      ? [{ row, ...countStock(row), waiting: waiting.get(row.sku) ?? 0 }]
      : [];
  });
}

/** Returns how many units of a made-up listing can be sold. */
export const fulfillableOf = (sku: string): number => countStock({ sku, warehoused: undefined }).fulfillable;

/** Returns the units that the warehouses hold and do not sell at the moment. */
export const reservedOf = ({ waiting, transferred }: WarehouseStock): number => waiting + transferred;

/** Returns the units that stand in the warehouses. */
export const onHandOf = (stock: WarehouseStock): number =>
  stock.fulfillable + reservedOf(stock) + stock.unfulfillable;

/** Drawn from the SKU, so that it is the same whichever marketplace asks. */
function countStock({ sku, warehoused }: Pick<ListingRow, 'sku' | 'warehoused'>) {
  const next = createSequence(seedOf(sku));
  const level = next() % 10;
  const isInbound = next() % 3 === 0;
  return {
    fulfillable: warehoused ?? fulfillableAt(level, next),
    inboundWorking: isInbound && next() % 4 === 0 ? 24 : 0,
    inboundShipped: isInbound ? 12 * (1 + (next() % 8)) : 0,
    inboundReceiving: isInbound && next() % 5 === 0 ? 6 : 0,
    transferred: next() % 7,
    unfulfillable: next() % 6 === 0 ? 1 + (next() % 4) : 0,
  };
}

/** Some are sold out, some are nearly so. */
function fulfillableAt(level: number, next: () => number): number {
  if (level === 0) return 0;
  return level < 3 ? 1 + (next() % 9) : 10 + (next() % 100);
}

export const inboundOf = ({ inboundWorking, inboundShipped, inboundReceiving }: WarehouseStock): number =>
  inboundWorking + inboundShipped + inboundReceiving;

/** Returns the units that are there and on their way. */
export const totalOf = (stock: WarehouseStock): number => onHandOf(stock) + inboundOf(stock);

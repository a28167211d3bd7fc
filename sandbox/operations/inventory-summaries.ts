/** getInventorySummaries: what the service's warehouses hold, in pages whose tokens live for 30 seconds. */

import { type Answer, type Call, invalid, ok } from '../answer.ts';
import type { Played } from '../router.ts';
import { isoSeconds } from '../world/plain-values.ts';
import { reservedOf, totalOf, type WarehouseStock } from '../world/warehouse-stock.ts';
import type { World } from '../world/world.ts';
import { findPlace, fits, readList, readMoment, refuseUnplayed } from './query.ts';

const PAGE = 50;
const MAX_SKUS = 50;
const TOKEN_LIFETIME_MS = 30_000;

export const playInventory = (world: World): Played => ({
  'fulfilment-inventory/getInventorySummaries': (call) => summarize(world, call),
});

function refuse(call: Call): void {
  const { query } = call;
  refuseUnplayed(call);
  if (query.get('granularityType') !== 'Marketplace') invalid('granularityType: must be Marketplace.');
  const marketplaceIds = readList(query, 'marketplaceIds');
  if (marketplaceIds.length !== 1) invalid('marketplaceIds: must name one marketplace.');
  if (query.get('granularityId') !== marketplaceIds[0]) {
    invalid('granularityId: must be the id in marketplaceIds.');
  }
  if (readList(query, 'sellerSkus').length > MAX_SKUS)
    invalid(`sellerSkus: at most ${MAX_SKUS} are allowed.`);
}

function summarize(world: World, call: Call): Answer {
  refuse(call);
  const { query, cut } = findPlace(call, TOKEN_LIFETIME_MS);
  const granularityId = query.get('granularityId') ?? '';
  const skus = [...readList(query, 'sellerSkus'), ...query.getAll('sellerSku')];
  const since = readMoment(query, 'startDateTime');
  const found = world
    .stock(granularityId)
    .filter(({ row }) => fits(skus, row.sku))
    .filter(({ row }) => since === undefined || Date.parse(row.lastUpdatedDate ?? '') >= since);
  const { items, next } = cut(found, PAGE);
  const withDetails = query.get('details') === 'true';
  return ok({
    ...(next.nextToken !== undefined && { pagination: next }),
    payload: {
      granularity: { granularityType: 'Marketplace', granularityId },
      inventorySummaries: items.map((stock) => show(stock, withDetails)),
    },
  });
}

function show(stock: WarehouseStock, withDetails: boolean): object {
  const { row, fulfillable, inboundWorking, inboundShipped, inboundReceiving, unfulfillable } = stock;
  return {
    asin: row.asin,
    fnSku: row.fnSku,
    sellerSku: row.sku,
    condition: 'NewItem',
    ...(withDetails && {
      inventoryDetails: {
        fulfillableQuantity: fulfillable,
        inboundWorkingQuantity: inboundWorking,
        inboundShippedQuantity: inboundShipped,
        inboundReceivingQuantity: inboundReceiving,
        reservedQuantity: {
          totalReservedQuantity: reservedOf(stock),
          pendingCustomerOrderQuantity: stock.waiting,
          pendingTransshipmentQuantity: stock.transferred,
          fcProcessingQuantity: 0,
        },
        researchingQuantity: { totalResearchingQuantity: 0, researchingQuantityBreakdown: [] },
        unfulfillableQuantity: {
          totalUnfulfillableQuantity: unfulfillable,
          customerDamagedQuantity: 0,
          warehouseDamagedQuantity: unfulfillable,
          distributorDamagedQuantity: 0,
          carrierDamagedQuantity: 0,
          defectiveQuantity: 0,
          expiredQuantity: 0,
        },
      },
    }),
    lastUpdatedTime: row.lastUpdatedDate ?? isoSeconds(0),
    productName: row.title,
    totalQuantity: totalOf(stock),
    stores: [],
  };
}

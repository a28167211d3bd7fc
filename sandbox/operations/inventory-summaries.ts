/** getInventorySummaries: what the service's warehouses hold, in pages whose tokens live for 30 seconds. */

import type { Answer, Call } from '../answer.ts';
import { type Route, route } from '../router.ts';
import { isoSeconds } from '../world/plain-values.ts';
import type { WarehouseStock } from '../world/warehouse-stock.ts';
import type { World } from '../world/world.ts';
import { findPlace } from './page-token.ts';
import { answerQuery, invalid, readList, readMoment, refuseUnplayed } from './query.ts';

const OPERATION = 'getInventorySummaries';
const PAGE = 50;
const MAX_SKUS = 50;
const TOKEN_LIFETIME_MS = 30_000;
const PLAYED = [
  'details',
  'granularityType',
  'granularityId',
  'marketplaceIds',
  'startDateTime',
  'sellerSku',
  'sellerSkus',
  'nextToken',
];

export function buildInventorySummariesRoute(world: World, now: () => number): Route {
  return route(OPERATION, 'GET', '/fba/inventory/v1/summaries', (call) =>
    answerQuery(() => summarize(world, now(), call)),
  );
}

function refuse(query: URLSearchParams): Answer | undefined {
  const unplayed = refuseUnplayed(OPERATION, query, PLAYED);
  if (unplayed !== undefined) return unplayed;
  if (query.get('granularityType') !== 'Marketplace') return invalid('granularityType: must be Marketplace.');
  const marketplaceIds = readList(query, 'marketplaceIds');
  if (marketplaceIds.length !== 1) return invalid('marketplaceIds: must name one marketplace.');
  if (query.get('granularityId') !== marketplaceIds[0]) {
    return invalid('granularityId: must be the id in marketplaceIds.');
  }
  if (readList(query, 'sellerSkus').length > MAX_SKUS)
    return invalid(`sellerSkus: at most ${MAX_SKUS} are allowed.`);
  return undefined;
}

function summarize(world: World, now: number, { query: given }: Call): Answer {
  const refused = refuse(given);
  if (refused !== undefined) return refused;
  const { query, cut } = findPlace(given, {
    operation: OPERATION,
    tokenName: 'nextToken',
    now,
    lifetimeMs: TOKEN_LIFETIME_MS,
  });
  const granularityId = query.get('granularityId') ?? '';
  const skus = new Set([...readList(query, 'sellerSkus'), ...query.getAll('sellerSku')]);
  const since = readMoment(query, 'startDateTime') ?? -Infinity;
  const found = world
    .stock(granularityId)
    .filter(({ row }) => skus.size === 0 || skus.has(row.sku))
    .filter(({ row }) => Date.parse(row.lastUpdatedDate ?? '') >= since || since === -Infinity);
  const { items, next } = cut(found, PAGE);
  const withDetails = query.get('details') === 'true';
  return {
    status: 200,
    body: {
      ...(next !== undefined && { pagination: { nextToken: next } }),
      payload: {
        granularity: { granularityType: 'Marketplace', granularityId },
        inventorySummaries: items.map((stock) => show(stock, withDetails)),
      },
    },
  };
}

function show(stock: WarehouseStock, withDetails: boolean): object {
  const { row, fulfillable, inboundWorking, inboundShipped, inboundReceiving, reserved, unfulfillable } =
    stock;
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
          totalReservedQuantity: reserved,
          pendingCustomerOrderQuantity: reserved,
          pendingTransshipmentQuantity: 0,
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

/** Everything there and on its way. */
export function totalOf(stock: WarehouseStock): number {
  const { fulfillable, inboundWorking, inboundShipped, inboundReceiving, reserved, unfulfillable } = stock;
  return fulfillable + inboundWorking + inboundShipped + inboundReceiving + reserved + unfulfillable;
}

/** Builds the stock of the service's warehouses, the shipments to them, and the plan of each shipment (2024-03-20). */

import { type Call, invalid, known } from '../answer.ts';
import type { InboundShipment } from '../world/inbound-shipments.ts';
import { isoSeconds } from '../world/plain-values.ts';
import { reservedOf, totalOf } from '../world/warehouse-stock.ts';
import type { World } from '../world/world.ts';
import { type FindRows, fits, isWithin, readList, readMoment, readSpan } from './query.ts';

const MAX_SKUS = 50;

const stock: FindRows = (world, { query }) => {
  const [marketplaceId, ...others] = readList(query, 'marketplaceIds');
  if (marketplaceId === undefined || others.length > 0) {
    return invalid('marketplaceIds: must name one marketplace.');
  }
  if (query.get('granularityId') !== marketplaceId) {
    invalid('granularityId: must be the id in marketplaceIds.');
  }
  if (readList(query, 'sellerSkus').length > MAX_SKUS)
    invalid(`sellerSkus: at most ${MAX_SKUS} are allowed.`);
  const since = readMoment(query, 'startDateTime') ?? -Infinity;
  return world
    .stock(marketplaceId)
    .map((one) => ({
      ...one,
      updated: one.row.lastUpdatedDate ?? isoSeconds(0),
      reserved: reservedOf(one),
      total: totalOf(one),
      withDetails: query.get('details') === 'true',
    }))
    .filter(({ updated }) => Date.parse(updated) >= since);
};

/** Identifiers have 38 characters, the first two of which name the kind. */
const idOf = (kind: 'wf' | 'pl' | 'sh' | 'dw', { id }: InboundShipment): string =>
  `${kind}00000000-0000-4000-8000-${id.slice(-4).padStart(12, '0')}`;

function show(shipment: InboundShipment) {
  const { id, market, items, status } = shipment;
  const store = market.stores[1];
  const [city, state, postalCode] = store?.town ?? ['', '', ''];
  return {
    ...shipment,
    store: { name: store?.name ?? '', street: store?.street ?? '' },
    city,
    state,
    postalCode,
    items: items.map((item) => ({ ...item, shipmentId: id })),
    planId: idOf('wf', shipment),
    planStatus: status === 'WORKING' ? 'ACTIVE' : 'SHIPPED',
    placementId: idOf('pl', shipment),
    shipmentId: idOf('sh', shipment),
    windowId: idOf('dw', shipment),
  };
}

const planOf = (world: World, { params: { inboundPlanId } }: Call) =>
  known(
    world
      .inboundShipments()
      .map(show)
      .find(({ planId }) => planId === inboundPlanId),
    'Inbound plan',
    inboundPlanId,
  );

function findShipments(world: World, { query }: Call) {
  const span = readSpan(query, 'LastUpdated');
  const [statuses, ids] = [readList(query, 'ShipmentStatusList'), readList(query, 'ShipmentIdList')];
  if (query.get('QueryType') === 'DATE_RANGE') {
    if (span.after === undefined || span.before === undefined) {
      invalid('LastUpdatedAfter and LastUpdatedBefore: both are needed for DATE_RANGE.');
    }
  } else if (query.get('QueryType') !== 'SHIPMENT') {
    invalid('QueryType: is missing, or NEXT_TOKEN without NextToken.');
  } else if (statuses.length + ids.length === 0) {
    invalid('ShipmentStatusList or ShipmentIdList: one of them is needed for SHIPMENT.');
  }
  return world
    .inboundShipments()
    .filter(
      ({ market, status, id, updatedAt }) =>
        market.id === query.get('MarketplaceId') &&
        fits(statuses, status) &&
        fits(ids, id) &&
        isWithin(span, updatedAt),
    )
    .map(show);
}

export const inboundRows = {
  stock,
  inboundShipments: findShipments,
  inboundItems: (world, call) => findShipments(world, call).flatMap(({ items }) => items),
  inboundShipment: (world, { params: { shipmentId } }) => {
    const found = world.inboundShipments().find(({ id }) => id === shipmentId);
    return [show(known(found, 'Shipment', shipmentId))];
  },
  inboundPlans: (world, { query }) => {
    const found = world.inboundShipments().map(show);
    return query.get('sortOrder') === 'ASC' ? found : found.toReversed();
  },
  inboundPlan: (world, call) => [planOf(world, call)],
  inboundPlanItems: (world, call) => planOf(world, call).items,
  plannedShipment: (world, call) => {
    const plan = planOf(world, call);
    const { shipmentId } = call.params;
    return [known(plan.shipmentId === shipmentId ? plan : undefined, 'Shipment', shipmentId)];
  },
} satisfies Readonly<Record<string, FindRows>>;

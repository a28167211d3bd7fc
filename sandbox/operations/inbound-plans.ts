/** The reads of inbound plans (fulfillment inbound 2024-03-20): each shipment to the service's warehouses has a plan of its own. */

import { type Call, known, ok } from '../answer.ts';
import type { Played } from '../router.ts';
import type { InboundShipment } from '../world/inbound-shipments.ts';
import { isoSeconds } from '../world/plain-values.ts';
import type { World } from '../world/world.ts';
import { findPlace, fits, readInteger, readList, refuseChoices, refuseUnplayed } from './query.ts';

export const playInboundPlans = (world: World): Played => ({
  'inbound-fulfilment/listInboundPlans': (call) => listPlans(world, call),
  'inbound-fulfilment/getInboundPlan': ({ params }) => {
    const shipment = findPlan(world, params.inboundPlanId);
    return ok({
      ...showPlan(shipment),
      packingOptions: [],
      placementOptions: [{ placementOptionId: idOf('pl', shipment), status: 'ACCEPTED' }],
      shipments: [{ shipmentId: idOf('sh', shipment), status: shipment.status }],
    });
  },
  'inbound-fulfilment/listInboundPlanItems': (call) => {
    const { query, cut } = findPlace(call);
    const pageSize = readInteger(query, 'pageSize', { most: 1000, otherwise: 10 });
    const { items, next } = cut(findPlan(world, call.params.inboundPlanId).items.map(showItem), pageSize);
    return ok({ items, pagination: next });
  },
  'inbound-fulfilment/getShipment': ({ params: { inboundPlanId, shipmentId } }) => {
    const plan = findPlan(world, inboundPlanId);
    const shipment = known(idOf('sh', plan) === shipmentId ? plan : undefined, 'Shipment', shipmentId);
    const address = addressOf(shipment);
    return ok({
      name: shipment.name,
      shipmentId,
      /** Is the identifier that the operations of v0 know. */
      shipmentConfirmationId: shipment.id,
      placementOptionId: idOf('pl', shipment),
      status: shipment.status,
      source: { address, sourceType: 'SELLER_FACILITY' },
      selectedDeliveryWindow: {
        availabilityType: 'AVAILABLE',
        deliveryWindowOptionId: idOf('dw', shipment),
        startDate: isoSeconds(shipment.arrivesFrom),
        endDate: isoSeconds(shipment.arrivesTo),
      },
      destination: { destinationType: 'AMAZON_WAREHOUSE', warehouseId: 'SBX1' },
    });
  },
});

function listPlans(world: World, call: Call) {
  refuseUnplayed(call);
  refuseChoices(call);
  const { query, cut } = findPlace(call);
  const found = world
    .inboundShipments()
    .map(showPlan)
    .filter(({ status }) => fits(readList(query, 'status'), status));
  const sorted = query.get('sortOrder') === 'ASC' ? found : found.toReversed();
  const { items, next } = cut(sorted, readInteger(query, 'pageSize', { most: 30, otherwise: 10 }));
  return ok({ inboundPlans: items, pagination: next });
}

/** Identifiers have 38 characters, the first two of which name the kind. */
const idOf = (kind: 'wf' | 'pl' | 'sh' | 'dw', { id }: InboundShipment): string =>
  `${kind}00000000-0000-4000-8000-${id.slice(-4).padStart(12, '0')}`;

const findPlan = (world: World, planId: string | undefined): InboundShipment =>
  known(
    world.inboundShipments().find((shipment) => idOf('wf', shipment) === planId),
    'Inbound plan',
    planId,
  );

const showPlan = (shipment: InboundShipment) => ({
  inboundPlanId: idOf('wf', shipment),
  name: shipment.name,
  status: shipment.status === 'WORKING' ? 'ACTIVE' : 'SHIPPED',
  createdAt: isoSeconds(shipment.createdAt),
  lastUpdatedAt: isoSeconds(shipment.updatedAt),
  marketplaceIds: [shipment.market.id],
  sourceAddress: addressOf(shipment),
});

function addressOf({ market }: InboundShipment) {
  const store = market.stores[1];
  const [city, stateOrProvinceCode, postalCode] = store?.town ?? ['', '', ''];
  return {
    name: store?.name ?? '',
    addressLine1: store?.street ?? '',
    city,
    stateOrProvinceCode,
    postalCode,
    countryCode: market.country,
  };
}

const showItem = ({ row, shipped }: InboundShipment['items'][number]) => ({
  msku: row.sku,
  asin: row.asin,
  fnsku: row.fnSku ?? '',
  quantity: shipped,
  labelOwner: 'SELLER',
  prepInstructions: [],
});

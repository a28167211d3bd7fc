/** The reads of fulfillment inbound 2024-03-20: plans, each with one shipment to the service's warehouses. */

import { type Answer, type Call, known, ok } from '../answer.ts';
import type { Played } from '../router.ts';
import type { InboundShipment } from '../world/inbound-shipments.ts';
import { DAY_MS, isoSeconds } from '../world/plain-values.ts';
import type { World } from '../world/world.ts';
import { findPlace, fits, readInteger, readList, refuseChoices, refuseUnplayed } from './query.ts';

export function playInboundPlans(world: World): Played {
  const findPlan = ({ params: { inboundPlanId: id } }: Call) =>
    known(
      world.inboundShipments().find(({ planId }) => planId === id),
      'Inbound plan',
      id,
    );
  const findShipment = (call: Call) => {
    const shipment = findPlan(call);
    const { shipmentId } = call.params;
    return known(shipment.shipmentId === shipmentId ? shipment : undefined, 'Shipment', shipmentId);
  };
  return {
    'inbound-fulfilment/listInboundPlans': (call) => listPlans(world, call),
    'inbound-fulfilment/getInboundPlan': (call) => {
      const plan = findPlan(call);
      const { placementId: placementOptionId, shipmentId, status } = plan;
      return ok({
        ...showPlan(plan),
        packingOptions: [],
        placementOptions: [{ placementOptionId, status: 'ACCEPTED' }],
        shipments: [{ shipmentId, status }],
      });
    },
    'inbound-fulfilment/listInboundPlanItems': (call) => listItems(findPlan(call), call),
    'inbound-fulfilment/getShipment': (call) => ok(showShipment(findShipment(call))),
    'inbound-fulfilment/listShipmentItems': (call) => listItems(findShipment(call), call),
  };
}

function listPlans(world: World, call: Call): Answer {
  refuseUnplayed(call);
  refuseChoices(call);
  const { query, cut } = findPlace(call);
  const by = query.get('sortBy') === 'CREATION_TIME' ? 'createdAt' : 'updatedAt';
  const sign = query.get('sortOrder') === 'ASC' ? 1 : -1;
  const found = world
    .inboundShipments()
    .filter((plan) => fits(readList(query, 'status'), planStatus(plan)))
    .toSorted((a, b) => sign * (a[by] - b[by]));
  const { items, next } = cut(found, readInteger(query, 'pageSize', { most: 30, otherwise: 10 }));
  return ok({ inboundPlans: items.map(showPlan), pagination: next });
}

const planStatus = ({ status }: InboundShipment): string => (status === 'WORKING' ? 'ACTIVE' : 'SHIPPED');

const showPlan = (plan: InboundShipment) => ({
  inboundPlanId: plan.planId,
  name: plan.name,
  status: planStatus(plan),
  marketplaceIds: [plan.market.id],
  createdAt: isoSeconds(plan.createdAt),
  lastUpdatedAt: isoSeconds(plan.updatedAt),
  sourceAddress: addressOf(plan),
});

function addressOf({ market }: InboundShipment): object {
  const store = market.stores[1];
  const [city, state, postalCode] = store?.town ?? ['', '', ''];
  return {
    name: store?.name ?? '',
    addressLine1: store?.street ?? '',
    city,
    ...(state && { stateOrProvinceCode: state }),
    postalCode,
    countryCode: market.country,
    phoneNumber: store?.phone,
  };
}

const showShipment = (shipment: InboundShipment): object => ({
  placementOptionId: shipment.placementId,
  shipmentId: shipment.shipmentId,
  shipmentConfirmationId: shipment.confirmationId,
  name: shipment.name,
  source: { sourceType: 'SELLER_FACILITY', address: addressOf(shipment) },
  destination: { destinationType: 'AMAZON_WAREHOUSE', warehouseId: 'SBX1' },
  dates: {
    readyToShipWindow: {
      start: isoSeconds(shipment.createdAt + DAY_MS),
      end: isoSeconds(shipment.createdAt + 2 * DAY_MS),
    },
  },
  status: shipment.status,
});

function listItems({ items: all }: InboundShipment, call: Call): Answer {
  refuseUnplayed(call);
  const { query, cut } = findPlace(call);
  const { items, next } = cut(all, readInteger(query, 'pageSize', { most: 1_000, otherwise: 10 }));
  const shown = items.map(({ row, shipped }) => ({
    asin: row.asin,
    fnsku: row.fnSku ?? '',
    msku: row.sku,
    labelOwner: 'SELLER',
    prepInstructions: [{ prepType: 'ITEM_NO_PREP', prepOwner: 'NONE' }],
    quantity: shipped,
  }));
  return ok({ items: shown, pagination: next });
}

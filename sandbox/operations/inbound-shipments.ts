/** The reads of fulfillment inbound v0: shipments to the service's warehouses, and the units in them. */

import { type Answer, type Call, invalid, known, okPayload } from '../answer.ts';
import type { Played } from '../router.ts';
import type { InboundShipment } from '../world/inbound-shipments.ts';
import type { World } from '../world/world.ts';
import { findPlace, fits, isWithin, readList, readSpan, refuseChoices, refuseUnplayed } from './query.ts';

const PAGE = 50;

export const playInboundShipments = (world: World): Played => ({
  'inbound-fulfilment/getShipments': (call) =>
    answerPage(world, call, 'ShipmentData', (found) => found.map(showShipment)),
  'inbound-fulfilment/getShipmentItems': (call) =>
    answerPage(world, call, 'ItemData', (found) => found.flatMap(showItems)),
  'inbound-fulfilment/getShipmentItemsByShipmentId': ({ params: { shipmentId } }) => {
    const found = world.inboundShipments().find(({ id }) => id === shipmentId);
    return okPayload({ ItemData: showItems(known(found, 'Shipment', shipmentId)) });
  },
});

function answerPage(
  world: World,
  call: Call,
  list: string,
  show: (found: readonly InboundShipment[]) => object[],
): Answer {
  refuseUnplayed(call);
  refuseChoices(call);
  const { query, cut } = findPlace(call);
  const { items, next } = cut(show(findShipments(world, query)), PAGE);
  return okPayload({ [list]: items, ...(next.nextToken && { NextToken: next.nextToken }) });
}

function findShipments(world: World, query: URLSearchParams): readonly InboundShipment[] {
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
    );
}

function showShipment({ id, name, status, market }: InboundShipment): object {
  const store = market.stores[1];
  const [city, state, postalCode] = store?.town ?? ['', '', ''];
  return {
    ShipmentId: id,
    ShipmentName: name,
    ShipFromAddress: {
      Name: store?.name ?? '',
      AddressLine1: store?.street ?? '',
      City: city,
      StateOrProvinceCode: state,
      CountryCode: market.country,
      PostalCode: postalCode,
    },
    DestinationFulfillmentCenterId: 'SBX1',
    ShipmentStatus: status,
    LabelPrepType: 'SELLER_LABEL',
    AreCasesRequired: false,
    BoxContentsSource: 'INTERACTIVE',
  };
}

const showItems = ({ id, items }: InboundShipment): object[] =>
  items.map(({ row, shipped, received }) => ({
    ShipmentId: id,
    SellerSKU: row.sku,
    FulfillmentNetworkSKU: row.fnSku,
    QuantityShipped: shipped,
    QuantityReceived: received,
    QuantityInCase: 0,
  }));

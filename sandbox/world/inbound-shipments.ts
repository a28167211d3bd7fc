/** Puts the inbound units of the inventory, which are on their way to the service's warehouses, into shipments. */

import type { ListingRow } from './listing-row.ts';
import type { Market } from './markets.ts';
import { DAY_MS } from './plain-values.ts';
import type { WarehouseStock } from './warehouse-stock.ts';

/** Moments are in milliseconds. */
export type InboundShipment = ReturnType<typeof buildShipment>;

interface InboundItem {
  row: ListingRow;
  shipped: number;
  received: number;
}

const MAX_ITEMS = 12;
/** So many units of each product arrived before the others of its shipment. */
const RECEIVED = 12;
const LOST = 2;
/** A shipment that is under way is created so long before it arrives. */
const DAYS_TO_ARRIVE = 30;

/** The seller ships all of them to the first marketplace. @param stock of that marketplace */
export function makeInboundShipments(
  stock: readonly WarehouseStock[],
  market: Market | undefined,
  now: number,
) {
  if (market === undefined) return [];
  const closed = stock.filter(({ fulfillable }) => fulfillable > 24).slice(0, MAX_ITEMS);
  const groups = [
    // A part of the last product never arrived, which is reimbursed.
    ...split('CLOSED', closed, (_, index) => ({
      shipped: 24,
      received: 24 - (index === closed.length - 1 ? LOST : 0),
    })),
    ...split('RECEIVING', stock, ({ inboundReceiving, fulfillable }) => {
      const received = inboundReceiving && Math.min(RECEIVED, fulfillable);
      return { shipped: inboundReceiving + received, received };
    }),
    ...split('SHIPPED', stock, ({ inboundShipped }) => ({ shipped: inboundShipped, received: 0 })),
    ...split('WORKING', stock, ({ inboundWorking }) => ({ shipped: inboundWorking, received: 0 })),
  ];
  return groups.map(({ status, items }, index) =>
    buildShipment(status, items, index, market, now - (groups.length - index) * 4 * DAY_MS),
  );
}

type Status = 'CLOSED' | 'RECEIVING' | 'SHIPPED' | 'WORKING';

/** Returns as many shipments as these products fill. */
function split(
  status: Status,
  stock: readonly WarehouseStock[],
  count: (stock: WarehouseStock, index: number) => Omit<InboundItem, 'row'>,
) {
  const all = stock.map((one, index): InboundItem => ({ row: one.row, ...count(one, index) }));
  const items = all.filter(({ shipped }) => shipped > 0);
  return Array.from({ length: Math.ceil(items.length / MAX_ITEMS) }, (_, index) => ({
    status,
    items: items.slice(index * MAX_ITEMS, (index + 1) * MAX_ITEMS),
  }));
}

function buildShipment(
  status: Status,
  items: readonly InboundItem[],
  index: number,
  market: Market,
  createdAt: number,
) {
  const number = String(index + 1).padStart(4, '0');
  const isThere = status === 'CLOSED' || status === 'RECEIVING';
  const arrivesFrom = createdAt + (isThere ? 1 : DAYS_TO_ARRIVE) * DAY_MS;
  return {
    id: `FBA15SBX${number}`,
    name: market.words.restock.replace('{n}', number),
    status,
    items,
    market,
    createdAt,
    updatedAt: createdAt + 2 * DAY_MS,
    arrivesFrom,
    arrivesTo: arrivesFrom + 2 * DAY_MS,
  };
}

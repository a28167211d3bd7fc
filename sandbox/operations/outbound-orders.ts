/** Orders of other shops that the service's warehouses ship (fulfilment outbound 2020-07-01): listed, read, created, changed. */

import * as z from 'zod';
import { type Answer, type Call, invalid, known, ok, okPayload, readBody } from '../answer.ts';
import type { Played } from '../router.ts';
import type { Order } from '../world/make-orders.ts';
import { isoSeconds } from '../world/plain-values.ts';
import { once, type World } from '../world/world.ts';
import { readMoment, refuseUnplayed } from './query.ts';

/** How many there are from the beginning. */
const COUNT = 8;

const addressSchema = z.looseObject({
  name: z.string().min(1),
  addressLine1: z.string().min(1),
  postalCode: z.string().min(1),
  countryCode: z.string().length(2),
});
const changeSchema = z.object({
  displayableOrderComment: z.string().optional(),
  destinationAddress: addressSchema.optional(),
  notificationEmails: z.array(z.string()).optional(),
});
const itemSchema = z.looseObject({
  sellerSku: z.string(),
  sellerFulfillmentOrderItemId: z.string(),
  quantity: z.int().min(1),
});
const createSchema = z.looseObject({
  ...changeSchema.shape,
  sellerFulfillmentOrderId: z.string().min(1).max(40),
  displayableOrderId: z.string().min(1),
  displayableOrderDate: z.string(),
  displayableOrderComment: z.string(),
  shippingSpeedCategory: z.string(),
  destinationAddress: addressSchema,
  items: z.array(itemSchema).min(1),
});

interface Outbound {
  fulfillmentOrder: Record<string, unknown> & { sellerFulfillmentOrderId: string; statusUpdatedDate: string };
  fulfillmentOrderItems: readonly object[];
}

type Store = Map<string, Outbound>;

export function playOutboundOrders(world: World): Played {
  const store = once(() => seedAll(world));
  const outboundOf = ({ params: { sellerFulfillmentOrderId: id = '' } }: Call): Outbound =>
    known(store().get(id), 'Fulfillment order', id);
  return {
    'outbound-fulfilment/listAllFulfillmentOrders': (call) => list(store(), call),
    'outbound-fulfilment/createFulfillmentOrder': (call) => create(store(), world, call),
    'outbound-fulfilment/getFulfillmentOrder': (call) =>
      okPayload({
        ...outboundOf(call),
        fulfillmentShipments: [],
        returnItems: [],
        returnAuthorizations: [],
      }),
    'outbound-fulfilment/updateFulfillmentOrder': (call) => change(outboundOf(call), call),
    'outbound-fulfilment/cancelFulfillmentOrder': (call) => {
      outboundOf(call).fulfillmentOrder.fulfillmentOrderStatus = 'Cancelled';
      return ok({});
    },
  };
}

const seedAll = (world: World): Store =>
  new Map(
    world
      .orders()
      .filter(({ fulfilledBy }) => fulfilledBy === 'AMAZON')
      .slice(-COUNT)
      .map((order, at) => seed(order, at))
      .map((outbound) => [outbound.fulfillmentOrder.sellerFulfillmentOrderId, outbound]),
  );

/** The buyer and the items of an order, as if they had come from the seller's own shop. */
function seed({ buyer, market, items, purchasedAt, updatedAt }: Order, at: number): Outbound {
  const { name, phone, email } = buyer;
  const id = `SHOP-${1_001 + at}`;
  return {
    fulfillmentOrder: {
      sellerFulfillmentOrderId: id,
      marketplaceId: market.id,
      displayableOrderId: id,
      displayableOrderDate: isoSeconds(purchasedAt),
      displayableOrderComment: `Thank you for your order, ${name}!`,
      shippingSpeedCategory: 'Standard',
      destinationAddress: postalAddress(buyer),
      fulfillmentAction: 'Ship',
      fulfillmentPolicy: 'FillOrKill',
      receivedDate: isoSeconds(purchasedAt),
      fulfillmentOrderStatus: at < COUNT / 2 ? 'Complete' : 'Planning',
      statusUpdatedDate: isoSeconds(updatedAt),
      notificationEmails: [email],
    },
    fulfillmentOrderItems: items.map(({ row, ordered }, n) => ({
      sellerSku: row.sku,
      sellerFulfillmentOrderItemId: `${id}-${n + 1}`,
      quantity: ordered,
      cancelledQuantity: 0,
      unfulfillableQuantity: 0,
      ...(at % 3 === 0 && { giftMessage: `From ${name}, call me: ${phone}` }),
    })),
  };
}

const postalAddress = ({ name, street, town, countryCode, phone }: Order['buyer']) => ({
  name,
  addressLine1: street,
  city: town.city,
  postalCode: town.postalCode,
  countryCode,
  phone,
  ...(town.state !== '' && { stateOrRegion: town.state }),
});

function list(store: Store, call: Call): Answer {
  refuseUnplayed(call, ['queryStartDate']);
  const since = readMoment(call.query, 'queryStartDate') ?? -Infinity;
  const fulfillmentOrders = [...store.values()]
    .map(({ fulfillmentOrder }) => fulfillmentOrder)
    .filter(({ statusUpdatedDate }) => Date.parse(statusUpdatedDate) >= since);
  return okPayload({ fulfillmentOrders });
}

function create(store: Store, world: World, { body, now }: Call): Answer {
  const { items, ...order } = readBody(createSchema, body);
  if (store.has(order.sellerFulfillmentOrderId)) invalid('sellerFulfillmentOrderId: is taken.');
  store.set(order.sellerFulfillmentOrderId, {
    fulfillmentOrder: {
      marketplaceId: world.markets[0]?.id,
      fulfillmentAction: 'Ship',
      fulfillmentPolicy: 'FillOrKill',
      ...order,
      receivedDate: isoSeconds(now),
      fulfillmentOrderStatus: 'Received',
      statusUpdatedDate: isoSeconds(now),
    },
    fulfillmentOrderItems: items.map((item) => ({ ...item, cancelledQuantity: 0, unfulfillableQuantity: 0 })),
  });
  return ok({});
}

/** Whole members are replaced; what was shipped stays as it is. */
function change({ fulfillmentOrder }: Outbound, { body, now }: Call): Answer {
  const changes = readBody(changeSchema, body);
  if (fulfillmentOrder.fulfillmentOrderStatus === 'Complete') {
    invalid('A fulfillment order that is complete cannot be changed.');
  }
  Object.assign(fulfillmentOrder, changes, { statusUpdatedDate: isoSeconds(now) });
  return ok({});
}

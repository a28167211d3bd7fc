/** Orders of other shops that the service's warehouses ship (fulfilment outbound 2020-07-01): listed, read, created, changed. */

import * as z from 'zod';
import { type Answer, type Call, fail } from '../answer.ts';
import { type Route, route } from '../router.ts';
import type { Order } from '../world/make-orders.ts';
import { isoSeconds } from '../world/plain-values.ts';
import type { World } from '../world/world.ts';
import { answerQuery, invalid, invalidBody, readMoment, refuseUnplayed } from './query.ts';
import { postalAddress } from './show-new-order.ts';

const LIST = 'listAllFulfillmentOrders';
const BASE = '/fba/outbound/2020-07-01/fulfillmentOrders';
/** How many there are from the beginning. */
const COUNT = 8;

const addressSchema = z.looseObject({
  name: z.string().min(1),
  addressLine1: z.string().min(1),
  postalCode: z.string().min(1),
  countryCode: z.string().length(2),
});
const changeSchema = z.looseObject({
  displayableOrderComment: z.string().optional(),
  destinationAddress: addressSchema.optional(),
  notificationEmails: z.array(z.string()).optional(),
});
const createSchema = changeSchema.extend({
  sellerFulfillmentOrderId: z.string().min(1).max(40),
  displayableOrderId: z.string().min(1),
  displayableOrderDate: z.string(),
  displayableOrderComment: z.string(),
  shippingSpeedCategory: z.string(),
  destinationAddress: addressSchema,
  items: z
    .array(
      z.looseObject({
        sellerSku: z.string(),
        sellerFulfillmentOrderItemId: z.string(),
        quantity: z.int().min(1),
      }),
    )
    .min(1),
});

interface Outbound {
  fulfillmentOrder: Record<string, unknown> & { sellerFulfillmentOrderId: string; statusUpdatedDate: string };
  fulfillmentOrderItems: readonly object[];
}

export function buildOutboundOrderRoutes(world: World, now: () => number): Route[] {
  const store = seededOnce(world);
  const one = `${BASE}/{sellerFulfillmentOrderId}`;
  return [
    route(LIST, 'GET', BASE, (call) => answerQuery(() => list(store(), call))),
    route('createFulfillmentOrder', 'POST', BASE, (call) => create(store(), world, now(), call)),
    route('getFulfillmentOrder', 'GET', one, (call) =>
      withOutbound(store(), call, (found) => ({ status: 200, body: { payload: show(found) } })),
    ),
    route('updateFulfillmentOrder', 'PUT', one, (call) =>
      withOutbound(store(), call, (found) => change(found, now(), call)),
    ),
    route('cancelFulfillmentOrder', 'PUT', `${one}/cancel`, (call) =>
      withOutbound(store(), call, ({ fulfillmentOrder }) => {
        fulfillmentOrder.fulfillmentOrderStatus = 'Cancelled';
        return { status: 200, body: {} };
      }),
    ),
  ];
}

type Store = Map<string, Outbound>;

function seededOnce(world: World): () => Store {
  let store: Store | undefined;
  return () => {
    store ??= new Map(
      world
        .orders()
        .filter(({ fulfilledBy }) => fulfilledBy === 'AMAZON')
        .slice(-COUNT)
        .map((order, at) => seed(order, at))
        .map((outbound) => [outbound.fulfillmentOrder.sellerFulfillmentOrderId, outbound]),
    );
    return store;
  };
}

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

const show = (outbound: Outbound): object => ({
  ...outbound,
  fulfillmentShipments: [],
  returnItems: [],
  returnAuthorizations: [],
});

function list(store: Store, { query }: Call): Answer {
  const unplayed = refuseUnplayed(LIST, query, ['queryStartDate']);
  if (unplayed !== undefined) return unplayed;
  const since = readMoment(query, 'queryStartDate') ?? -Infinity;
  const fulfillmentOrders = [...store.values()]
    .map(({ fulfillmentOrder }) => fulfillmentOrder)
    .filter(({ statusUpdatedDate }) => Date.parse(statusUpdatedDate) >= since);
  return { status: 200, body: { payload: { fulfillmentOrders } } };
}

function withOutbound(store: Store, { params }: Call, use: (found: Outbound) => Answer): Answer {
  const id = params.sellerFulfillmentOrderId ?? '';
  const found = store.get(id);
  if (found !== undefined) return use(found);
  return fail(404, { code: 'NotFound', message: `Fulfillment order '${id}' was not found.`, details: '' });
}

function create(store: Store, world: World, now: number, { body }: Call): Answer {
  const parsed = createSchema.safeParse(body);
  if (!parsed.success) return invalidBody(parsed.error);
  const { items, ...order } = parsed.data;
  if (store.has(order.sellerFulfillmentOrderId)) return invalid('sellerFulfillmentOrderId: is taken.');
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
  return { status: 200, body: {} };
}

/** Whole members are replaced; what was shipped stays as it is. */
function change(outbound: Outbound, now: number, { body }: Call): Answer {
  const parsed = changeSchema.safeParse(body);
  if (!parsed.success) return invalidBody(parsed.error);
  if (outbound.fulfillmentOrder.fulfillmentOrderStatus === 'Complete') {
    return invalid('A fulfillment order that is complete cannot be changed.');
  }
  const { displayableOrderComment, destinationAddress, notificationEmails } = parsed.data;
  Object.assign(outbound.fulfillmentOrder, {
    ...(displayableOrderComment !== undefined && { displayableOrderComment }),
    ...(destinationAddress !== undefined && { destinationAddress }),
    ...(notificationEmails !== undefined && { notificationEmails }),
    statusUpdatedDate: isoSeconds(now),
  });
  return { status: 200, body: {} };
}

import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { call, firstError, type SignedIn, signIn, US } from '../helpers.ts';

const BASE = '/fba/outbound/2020-07-01/fulfillmentOrders';
const orderSchema = z.looseObject({
  sellerFulfillmentOrderId: z.string(),
  fulfillmentOrderStatus: z.string(),
  destinationAddress: z.looseObject({ name: z.string() }),
  notificationEmails: z.array(z.string()),
});
const listSchema = z.looseObject({ payload: z.looseObject({ fulfillmentOrders: z.array(orderSchema) }) });
const send = ({ sandbox, token }: SignedIn, method: string, path: string, body: unknown) =>
  call(sandbox, path, { method, token, body });

describe('orders of other shops', () => {
  it('are listed and read with their addresses', async () => {
    const { get } = await signIn();
    const { fulfillmentOrders } = listSchema.parse((await get(BASE)).body).payload;
    expect(fulfillmentOrders).toHaveLength(8);
    for (const fulfillmentOrder of fulfillmentOrders) {
      const one = await get(`${BASE}/${fulfillmentOrder.sellerFulfillmentOrderId}`);
      expect(one.body).toMatchObject({ payload: { fulfillmentOrder } });
    }
    expect((await get(`${BASE}/none`)).status).toBe(404);
    expect(firstError(await get(`${BASE}?nextToken=a`)).message).toContain('with nextToken');
  });

  it('are created, changed and cancelled; a complete one stays', async () => {
    const seller = await signIn();
    const destinationAddress = { name: 'Zoë', addressLine1: '2 Way', postalCode: '10115', countryCode: 'DE' };
    const body = {
      sellerFulfillmentOrderId: 'NEW-1',
      displayableOrderId: 'NEW-1',
      displayableOrderDate: '2026-11-21',
      displayableOrderComment: 'Thanks',
      shippingSpeedCategory: 'Standard',
      destinationAddress,
      items: [{ sellerSku: 'A', sellerFulfillmentOrderItemId: '1', quantity: 1 }],
    };
    expect((await send(seller, 'POST', BASE, body)).status).toBe(200);
    expect(firstError(await send(seller, 'POST', BASE, body)).details).toContain('taken');
    const moved = { ...destinationAddress, addressLine1: '3 Way' };
    await send(seller, 'PUT', `${BASE}/NEW-1`, {
      destinationAddress: moved,
      notificationEmails: ['z@a.example'],
    });
    await send(seller, 'PUT', `${BASE}/NEW-1/cancel`, undefined);
    expect((await seller.get(`${BASE}/NEW-1`)).body).toMatchObject({
      payload: {
        fulfillmentOrder: {
          destinationAddress: moved,
          notificationEmails: ['z@a.example'],
          fulfillmentOrderStatus: 'Cancelled',
        },
      },
    });
    const { fulfillmentOrders } = listSchema.parse((await seller.get(BASE)).body).payload;
    const complete = fulfillmentOrders.find((one) => one.fulfillmentOrderStatus === 'Complete');
    const refused = await send(seller, 'PUT', `${BASE}/${complete?.sellerFulfillmentOrderId}`, {});
    expect(firstError(refused).details).toContain('complete');
  });
});

describe('messages about an order', () => {
  it('say what may be sent, in which language, and take it', async () => {
    const seller = await signIn();
    const path = `/orders/v0/orders?MarketplaceIds=${US}&CreatedAfter=2026-11-01T00:00:00Z`;
    const { payload } = z
      .looseObject({
        payload: z.looseObject({ Orders: z.array(z.looseObject({ AmazonOrderId: z.string() })) }),
      })
      .parse((await seller.get(`${path}&OrderStatuses=Shipped`)).body);
    const id = payload.Orders[0]?.AmazonOrderId;
    const query = `?marketplaceIds=${US}`;
    const base = `/messaging/v1/orders/${id}`;
    const actions = await seller.get(`${base}${query}`);
    expect(actions.body).toMatchObject({ _embedded: { actions: expect.any(Array) } });
    expect((await seller.get(`${base}/attributes${query}`)).body).toEqual({ buyer: { locale: 'en-US' } });
    const text = { text: 'Your warranty' };
    expect((await send(seller, 'POST', `${base}/messages/warranty${query}`, text)).status).toBe(201);
    const refused = await send(seller, 'POST', `${base}/messages/confirmOrderDetails${query}`, text);
    expect(firstError(refused).details).toContain('not allowed');
    const review = `/solicitations/v1/orders/${id}`;
    expect((await seller.get(`${review}${query}`)).body).toMatchObject({
      _links: { actions: [{ name: 'productReviewAndSellerFeedback' }] },
    });
    const asked = await send(
      seller,
      'POST',
      `${review}/solicitations/productReviewAndSellerFeedback${query}`,
      undefined,
    );
    expect(asked.status).toBe(201);
    expect(firstError(await seller.get(base)).details).toContain('marketplaceIds');
  });
});

import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { call, firstError, NOON, signIn, US } from '../helpers.ts';

const CA = 'A2EUQ1WTGCTBG2';
const RESTRICTED = '/tokens/2021-03-01/restrictedDataToken';
const SINCE = '2026-10-22T00:00:00Z';
const money = z.strictObject({ CurrencyCode: z.string(), Amount: z.string().regex(/^\d+\.\d\d$/) });

const oldSchema = z.looseObject({
  payload: z.looseObject({
    Orders: z.array(
      z.looseObject({
        AmazonOrderId: z.string(),
        PurchaseDate: z.iso.datetime(),
        OrderStatus: z.string(),
        MarketplaceId: z.string(),
        LatestShipDate: z.iso.datetime(),
        OrderTotal: money.optional(),
      }),
    ),
    NextToken: z.string().optional(),
  }),
});
const readOld = (body: unknown) => {
  const { Orders: items, NextToken: next } = oldSchema.parse(body).payload;
  return { items, next };
};
const newSchema = z.looseObject({
  orders: z.array(
    z.looseObject({
      orderId: z.string(),
      createdTime: z.iso.datetime(),
      salesChannel: z.looseObject({ marketplaceId: z.string() }),
      fulfillment: z.looseObject({ fulfillmentStatus: z.string() }).optional(),
      proceeds: z
        .looseObject({ grandTotal: z.strictObject({ amount: z.string(), currencyCode: z.string() }) })
        .optional(),
    }),
  ),
  pagination: z.looseObject({ nextToken: z.string() }).optional(),
});
const readNew = (body: unknown) => {
  const { orders: items, pagination } = newSchema.parse(body);
  return { items, next: pagination?.nextToken };
};

const oldPath = `/orders/v0/orders?MarketplaceIds=${US},${CA}&CreatedAfter=${SINCE}`;
const newPath = `/orders/2026-01-01/orders?marketplaceIds=${US},${CA}&createdAfter=${SINCE}`;

describe('orders', () => {
  it('are the same in both versions, once each over all pages', async () => {
    const { pages } = await signIn();
    const old = await pages(oldPath, 'NextToken', readOld);
    const current = await pages(`${newPath}&includedData=FULFILLMENT,PROCEEDS`, 'paginationToken', readNew);
    expect(old.calls).toBe(Math.ceil(old.items.length / 100));
    expect(old.items.length).toBeGreaterThan(500);
    expect(new Set(old.items.map(({ AmazonOrderId }) => AmazonOrderId)).size).toBe(old.items.length);
    expect(
      current.items.map(({ orderId, createdTime, salesChannel, proceeds }) => [
        orderId,
        createdTime,
        salesChannel.marketplaceId,
        proceeds?.grandTotal.amount,
      ]),
    ).toEqual(
      old.items.map(({ AmazonOrderId, PurchaseDate, MarketplaceId, OrderTotal }) => [
        AmazonOrderId,
        PurchaseDate,
        MarketplaceId,
        OrderTotal?.Amount,
      ]),
    );
  });

  it('are filtered by status, marketplace and time; late ones are among them', async () => {
    const { pages } = await signIn();
    const { items: old } = await pages(
      `${oldPath}&OrderStatuses=Unshipped,PartiallyShipped`,
      'NextToken',
      readOld,
    );
    const status = '&fulfillmentStatuses=UNSHIPPED,PARTIALLY_SHIPPED&includedData=FULFILLMENT';
    const { items: current } = await pages(`${newPath}${status}`, 'paginationToken', readNew);
    expect(current.map(({ orderId }) => orderId)).toEqual(old.map(({ AmazonOrderId }) => AmazonOrderId));
    expect(new Set(old.map(({ OrderStatus }) => OrderStatus))).toEqual(
      new Set(['Unshipped', 'PartiallyShipped']),
    );
    expect(old.filter(({ LatestShipDate }) => Date.parse(LatestShipDate) < NOON).length).toBeGreaterThan(5);
    const { items: none } = await pages(
      `${newPath}&fulfillmentStatuses=UNFULFILLABLE`,
      'paginationToken',
      readNew,
    );
    expect(none).toEqual([]);
    const { items: canada } = await pages(oldPath.replace(`${US},`, ''), 'NextToken', readOld);
    expect(new Set(canada.map(({ MarketplaceId }) => MarketplaceId))).toEqual(new Set([CA]));
  });

  it('have items whose prices add up to the total', async () => {
    const { get, pages } = await signIn();
    const { items } = await pages(
      `${oldPath}&OrderStatuses=Shipped&CreatedBefore=2026-10-23T00:00:00Z`,
      'NextToken',
      readOld,
    );
    const itemSchema = z.looseObject({
      ItemPrice: money,
      ItemTax: money,
      ShippingPrice: money,
      ShippingTax: money,
      PromotionDiscount: money,
    });
    const schema = z.looseObject({ payload: z.looseObject({ OrderItems: z.array(itemSchema) }) });
    const cents = ({ Amount }: z.infer<typeof money>): number => Math.round(Number(Amount) * 100);
    for (const { AmazonOrderId, OrderTotal } of items) {
      const { payload } = schema.parse((await get(`/orders/v0/orders/${AmazonOrderId}/orderItems`)).body);
      const sum = payload.OrderItems.map(
        (item) =>
          cents(item.ItemPrice) +
          cents(item.ItemTax) +
          cents(item.ShippingPrice) +
          cents(item.ShippingTax) -
          cents(item.PromotionDiscount),
      ).reduce((a, b) => a + b, 0);
      expect(sum).toBe(OrderTotal === undefined ? undefined : cents(OrderTotal));
    }
  });

  it('have a buyer in v0 only for a restricted data token', async () => {
    const { sandbox, token, get } = await signIn();
    const [first] = readOld((await get(oldPath)).body).items;
    const one = `/orders/v0/orders/${first?.AmazonOrderId}`;
    expect((await get(one)).body).not.toHaveProperty('payload.BuyerInfo');
    expect((await get(`${one}/address`)).status).toBe(403);
    const restrictedResources = [
      { method: 'GET', path: one },
      { method: 'GET', path: `${one}/address` },
    ];
    const bought = await call(sandbox, RESTRICTED, {
      method: 'POST',
      token,
      body: { restrictedResources },
    });
    const restricted = z
      .looseObject({ restrictedDataToken: z.string() })
      .parse(bought.body).restrictedDataToken;
    const address = await call(sandbox, `${one}/address`, { token: restricted });
    expect(address.body).toMatchObject({ payload: { ShippingAddress: { City: expect.any(String) } } });
    const whole = await call(sandbox, one, { token: restricted });
    expect(whole.body).toMatchObject({ payload: { BuyerInfo: { BuyerName: expect.any(String) } } });
  });

  it('show of the buyer what the token was bought for', async () => {
    const { sandbox, token, pages } = await signIn();
    const buy = async (path: string, dataElements?: string[]) => {
      const restrictedResources = [{ method: 'GET', path, dataElements }];
      const body = { restrictedResources };
      const { restrictedDataToken } = z
        .looseObject({ restrictedDataToken: z.string() })
        .parse((await call(sandbox, RESTRICTED, { method: 'POST', token, body })).body);
      return call(sandbox, path, { token: restrictedDataToken });
    };
    const { items } = await pages(`${oldPath}&OrderStatuses=Shipped`, 'NextToken', readOld);
    const id = items.find(({ IsBusinessOrder }) => IsBusinessOrder)?.AmazonOrderId;
    const one = `/orders/v0/orders/${id}`;
    const shown = async (...elements: string[]) => {
      const { payload } = z
        .looseObject({ payload: z.looseObject({}) })
        .parse((await buy(one, elements)).body);
      return Object.keys(payload).filter((name) => /Buyer|Address/.test(name));
    };
    expect(await shown('buyerInfo')).toEqual(['BuyerInfo']);
    expect(await shown('shippingAddress')).toEqual(['ShippingAddress']);
    expect(await shown('buyerTaxInformation')).toEqual(['BuyerTaxInformation']);
    const taxInfo = { TaxClassifications: [{ Value: expect.stringMatching(/^SBX\d{9}$/) }] };
    expect((await buy(`${one}/buyerInfo`)).body).toMatchObject({ payload: { BuyerTaxInfo: taxInfo } });
    const regulated = { Fields: [{ FieldId: 'patient_name' }, { FieldId: 'contact' }] };
    expect((await buy(`${one}/regulatedInfo`)).body).toMatchObject({
      payload: { RegulatedInformation: regulated },
    });
    const gifts = await Promise.all(
      items
        .slice(0, 40)
        .map(({ AmazonOrderId }) => buy(`/orders/v0/orders/${AmazonOrderId}/orderItems/buyerInfo`)),
    );
    expect(
      gifts.filter(({ body }) => JSON.stringify(body).includes('GiftMessageText')).length,
    ).toBeGreaterThan(2);
  });

  it('show a part of the new version only where it is asked for', async () => {
    const { get } = await signIn();
    const [plain] = readNew((await get(newPath)).body).items;
    const parts = ['createdTime', 'lastUpdatedTime', 'orderId', 'orderItems', 'salesChannel'];
    const shown = Object.keys(plain ?? {}).filter((name) => name !== 'programs');
    expect(shown.sort()).toEqual(parts);
    const one = `/orders/2026-01-01/orders/${plain?.orderId}?includedData=BUYER,RECIPIENT,FULFILLMENT`;
    expect((await get(one)).body).toMatchObject({ order: { buyer: {}, recipient: {}, fulfillment: {} } });
  });

  it.each([
    ['/orders/v0/orders?CreatedAfter=2026-11-01T00:00:00Z', 'MarketplaceIds'],
    [`/orders/v0/orders?MarketplaceIds=${US}`, 'Exactly one'],
    [`${oldPath}&LastUpdatedAfter=${SINCE}`, 'Exactly one'],
    [`${oldPath}&CreatedBefore=2026-11-21T11:59:00Z`, 'two minutes'],
    [`${oldPath}&CreatedBefore=2026-10-01T00:00:00Z`, 'must follow'],
    [`${oldPath}&OrderStatuses=Lost`, 'OrderStatuses'],
    [`${oldPath}&MaxResultsPerPage=101`, 'MaxResultsPerPage'],
    ['/orders/2026-01-01/orders', 'Exactly one'],
    [`${newPath}&includedData=GOSSIP`, 'GOSSIP'],
    [`${newPath}&paginationToken=abc`, 'paginationToken'],
  ])('refuses %s', async (path, told) => {
    const { get } = await signIn();
    const reply = await get(path);
    expect(reply.status).toBe(400);
    expect(firstError(reply).details).toContain(told);
  });

  it('by what the sandbox does not play are answered as operations are that it does not play', async () => {
    const { get } = await signIn();
    const reply = await get(`${oldPath}&BuyerEmail=a@b.example`);
    expect([reply.status, firstError(reply).message]).toEqual([
      501,
      expect.stringContaining('(getOrders with BuyerEmail)'),
    ]);
  });

  it('that do not exist are not found', async () => {
    const { get } = await signIn();
    for (const base of ['/orders/v0/orders', '/orders/2026-01-01/orders']) {
      expect((await get(`${base}/111-0000000-0000000`)).status).toBe(404);
    }
  });
});

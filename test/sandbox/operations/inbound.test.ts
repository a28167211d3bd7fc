/** Inbound shipments of the demo account: their units are those that the inventory has on the way. */

import { expect, it } from 'vitest';
import * as z from 'zod';
import { firstError, signIn, US } from '../helpers.ts';
import { findUndocumented } from './documented-answer.ts';

const V0 = '/fba/inbound/v0';
const ALL = 'WORKING,SHIPPED,RECEIVING,CLOSED';
const shipmentsPath = `${V0}/shipments?QueryType=SHIPMENT&MarketplaceId=${US}&ShipmentStatusList=${ALL}`;
const shipmentsSchema = z.object({
  payload: z.object({
    ShipmentData: z.array(z.object({ ShipmentId: z.string(), ShipmentStatus: z.string() })),
  }),
});
const itemsSchema = z.object({
  payload: z.object({
    ItemData: z.array(
      z.object({ SellerSKU: z.string(), QuantityShipped: z.int(), QuantityReceived: z.int() }),
    ),
  }),
});
const PLANS = '/inbound/fba/2024-03-20/inboundPlans';
const plansSchema = z.object({
  inboundPlans: z.array(z.object({ inboundPlanId: z.string(), status: z.string(), createdAt: z.string() })),
  pagination: z.object({ nextToken: z.string().optional() }),
});
const planItemsSchema = z.object({ items: z.array(z.object({ msku: z.string(), quantity: z.int() })) });
const inventorySchema = z.object({
  pagination: z.object({ nextToken: z.string() }).optional(),
  payload: z.object({
    inventorySummaries: z.array(
      z.object({
        sellerSku: z.string(),
        inventoryDetails: z.object({
          inboundWorkingQuantity: z.int(),
          inboundShippedQuantity: z.int(),
          inboundReceivingQuantity: z.int(),
        }),
      }),
    ),
  }),
});
const UNITS = {
  WORKING: 'inboundWorkingQuantity',
  SHIPPED: 'inboundShippedQuantity',
  RECEIVING: 'inboundReceivingQuantity',
} as const;

it('has the units in its shipments that the inventory says are inbound', async () => {
  const { get, pages } = await signIn();
  const { items: inventory } = await pages(
    `/fba/inventory/v1/summaries?granularityType=Marketplace&granularityId=${US}&marketplaceIds=${US}&details=true`,
    'nextToken',
    (body) => {
      const { payload, pagination } = inventorySchema.parse(body);
      return { items: payload.inventorySummaries, next: pagination?.nextToken };
    },
  );
  const { ShipmentData } = shipmentsSchema.parse((await get(shipmentsPath)).body).payload;
  expect(new Set(ShipmentData.map(({ ShipmentStatus }) => ShipmentStatus))).toEqual(new Set(ALL.split(',')));
  for (const [status, member] of Object.entries(UNITS)) {
    const inShipments = new Map<string, number>();
    for (const { ShipmentId } of ShipmentData.filter(({ ShipmentStatus }) => ShipmentStatus === status)) {
      const { payload } = itemsSchema.parse((await get(`${V0}/shipments/${ShipmentId}/items`)).body);
      for (const { SellerSKU, QuantityShipped, QuantityReceived } of payload.ItemData) {
        inShipments.set(SellerSKU, (inShipments.get(SellerSKU) ?? 0) + QuantityShipped - QuantityReceived);
      }
    }
    const inbound = inventory
      .map(({ sellerSku, inventoryDetails }) => [sellerSku, inventoryDetails[member]] as const)
      .filter(([, units]) => units > 0);
    expect(inbound.length).toBeGreaterThan(0);
    expect(inShipments).toEqual(new Map(inbound));
  }
});

it('answers in the documented shapes', async () => {
  const { get } = await signIn();
  const listed = (await get(shipmentsPath)).body;
  const [first] = shipmentsSchema.parse(listed).payload.ShipmentData;
  const range = 'QueryType=DATE_RANGE&LastUpdatedAfter=2026-01-01&LastUpdatedBefore=2026-11-30';
  for (const [name, body] of Object.entries({
    getShipments: listed,
    getShipmentItemsByShipmentId: (await get(`${V0}/shipments/${first?.ShipmentId}/items`)).body,
    getShipmentItems: (await get(`${V0}/shipmentItems?${range}&MarketplaceId=${US}`)).body,
  }))
    expect([name, await findUndocumented(`inbound-fulfilment/${name}`, body)]).toEqual([name, []]);
});

it('has a plan for each shipment, with its items', async () => {
  const { get, pages } = await signIn();
  const { items: plans } = await pages(PLANS, 'paginationToken', (body) => {
    const { inboundPlans, pagination } = plansSchema.parse(body);
    return { items: inboundPlans, next: pagination.nextToken };
  });
  const { ShipmentData } = shipmentsSchema.parse((await get(shipmentsPath)).body).payload;
  expect(plans).toHaveLength(ShipmentData.length);
  const moments = plans.map(({ createdAt }) => createdAt);
  expect(moments).toEqual(moments.toSorted().reverse());
  for (const { inboundPlanId, status } of plans) {
    expect(inboundPlanId).toHaveLength(38);
    const plan = (await get(`${PLANS}/${inboundPlanId}`)).body;
    const [{ shipmentId }] = z
      .object({ shipments: z.tuple([z.object({ shipmentId: z.string() })]) })
      .parse(plan).shipments;
    const shipment = (await get(`${PLANS}/${inboundPlanId}/shipments/${shipmentId}`)).body;
    const { shipmentConfirmationId } = z.object({ shipmentConfirmationId: z.string() }).parse(shipment);
    const held = ShipmentData.find(({ ShipmentId }) => ShipmentId === shipmentConfirmationId);
    expect(status).toBe(held?.ShipmentStatus === 'WORKING' ? 'ACTIVE' : 'SHIPPED');
    const items = (await get(`${PLANS}/${inboundPlanId}/items?pageSize=1000`)).body;
    const { payload } = itemsSchema.parse(
      (await get(`${V0}/shipments/${shipmentConfirmationId}/items`)).body,
    );
    expect(planItemsSchema.parse(items).items.map(({ msku, quantity }) => [msku, quantity])).toEqual(
      payload.ItemData.map((one) => [one.SellerSKU, one.QuantityShipped]),
    );
    for (const [name, body] of Object.entries({
      getInboundPlan: plan,
      getShipment: shipment,
      listInboundPlanItems: items,
    }))
      expect([name, await findUndocumented(`inbound-fulfilment/${name}`, body)]).toEqual([name, []]);
  }
  const listed = (await get(`${PLANS}?status=ACTIVE`)).body;
  expect(plansSchema.parse(listed).inboundPlans.every(({ status }) => status === 'ACTIVE')).toBe(true);
  expect(await findUndocumented('inbound-fulfilment/listInboundPlans', listed)).toEqual([]);
});

it('gives the items of a time over pages, and nothing of another marketplace', async () => {
  const { get } = await signIn();
  const range = 'QueryType=DATE_RANGE&LastUpdatedAfter=2026-01-01&LastUpdatedBefore=2026-11-30';
  const { body } = await get(`${V0}/shipmentItems?${range}&MarketplaceId=${US}`);
  expect(itemsSchema.parse(body).payload.ItemData).toHaveLength(50);
  const { NextToken } = z.object({ payload: z.object({ NextToken: z.string() }) }).parse(body).payload;
  const next = await get(
    `${V0}/shipmentItems?QueryType=NEXT_TOKEN&NextToken=${NextToken}&MarketplaceId=${US}`,
  );
  expect(itemsSchema.parse(next.body).payload.ItemData.length).toBeGreaterThan(0);
  const elsewhere = await get(`${V0}/shipmentItems?${range}&MarketplaceId=A2EUQ1WTGCTBG2`);
  expect(elsewhere.body).toEqual({ payload: { ItemData: [] } });
});

it.each([
  [`${V0}/shipments?QueryType=SHIPMENT&MarketplaceId=${US}`, 400],
  [`${V0}/shipments?QueryType=DATE_RANGE&MarketplaceId=${US}`, 400],
  [`${V0}/shipments/FBA0/items`, 404],
  [`${PLANS}/wf00000000-0000-4000-8000-000000009999`, 404],
])('refuses %s with %i', async (wrong, status) => {
  const { get } = await signIn();
  const reply = await get(wrong);
  expect([reply.status, firstError(reply).code]).toEqual([status, expect.any(String)]);
});

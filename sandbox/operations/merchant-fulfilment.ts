/** Merchant fulfilment v0: labels that are bought for an order, as base64 of the zipped file. */

import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import * as z from 'zod';
import { type Answer, type Call, fail } from '../answer.ts';
import { LABEL_FORMATS, type LabelFormat, labelOf } from '../papers/shipping-papers.ts';
import { type Route, route } from '../router.ts';
import type { Order } from '../world/make-orders.ts';
import { DAY_MS, isoSeconds } from '../world/plain-values.ts';
import type { World } from '../world/world.ts';
import { withOrder } from './known-order.ts';
import { showAddress } from './order-buyer.ts';
import { invalid, invalidBody } from './query.ts';

const BASE = '/mfn/v0';
const SERVICES = { 'SBX-STANDARD': 4.95, 'SBX-EXPRESS': 11.5 } as const;
type ServiceId = keyof typeof SERVICES;
const SERVICE_IDS = ['SBX-STANDARD', 'SBX-EXPRESS'] as const satisfies readonly ServiceId[];

const detailsSchema = z.looseObject({
  AmazonOrderId: z.string(),
  ItemList: z.array(z.looseObject({ OrderItemId: z.string(), Quantity: z.int().min(1) })).min(1),
  ShipFromAddress: z.record(z.string(), z.unknown()),
  PackageDimensions: z.record(z.string(), z.unknown()),
  Weight: z.looseObject({ Value: z.number(), Unit: z.enum(['oz', 'g']) }),
  ShippingServiceOptions: z.looseObject({ LabelFormat: z.string().default('PDF') }),
});
const eligibleSchema = z.looseObject({ ShipmentRequestDetails: detailsSchema });
const createSchema = eligibleSchema.extend({ ShippingServiceId: z.enum(SERVICE_IDS) });
type Details = z.infer<typeof detailsSchema>;

interface Shipment {
  id: string;
  order: Order;
  details: Details;
  serviceId: ServiceId;
  format: LabelFormat;
  createdAt: number;
  status: 'Purchased' | 'RefundPending';
}

export function buildMerchantFulfilmentRoutes(world: World, now: () => number): Route[] {
  const bought = new Map<string, Shipment>();
  const restricted = { auth: 'restricted' } as const;
  const one = `${BASE}/shipments/{shipmentId}`;
  return [
    route('getEligibleShipmentServices', 'POST', `${BASE}/eligibleShippingServices`, (call) =>
      listServices(world, now(), call),
    ),
    route(
      'createShipment',
      'POST',
      `${BASE}/shipments`,
      (call) => buy(world, bought, now(), call),
      restricted,
    ),
    route('getShipment', 'GET', one, (call) => withShipment(bought, call, show), restricted),
    route(
      'cancelShipment',
      'DELETE',
      one,
      (call) =>
        withShipment(bought, call, (shipment) => {
          shipment.status = 'RefundPending';
          return show(shipment);
        }),
      restricted,
    ),
  ];
}

/** Only what the seller ships, and the items of that order. */
function withShippable(world: World, details: Details, use: (order: Order) => Answer): Answer {
  return withOrder(world, details.AmazonOrderId, (order) => {
    if (order.fulfilledBy !== 'MERCHANT')
      return invalid('AmazonOrderId: the seller does not ship this order.');
    const wrong = details.ItemList.find(
      ({ OrderItemId }) => !order.items.some(({ id }) => id === OrderItemId),
    );
    return wrong === undefined
      ? use(order)
      : invalid(`ItemList: ${wrong.OrderItemId} is no item of the order.`);
  });
}

function listServices(world: World, now: number, { body }: Call): Answer {
  const parsed = eligibleSchema.safeParse(body);
  if (!parsed.success) return invalidBody(parsed.error);
  return withShippable(world, parsed.data.ShipmentRequestDetails, (order) => ({
    status: 200,
    body: { payload: { ShippingServiceList: SERVICE_IDS.map((id) => showService(id, order, now)) } },
  }));
}

function buy(world: World, bought: Map<string, Shipment>, createdAt: number, { body }: Call): Answer {
  const parsed = createSchema.safeParse(body);
  if (!parsed.success) return invalidBody(parsed.error);
  const { ShipmentRequestDetails: details, ShippingServiceId: serviceId } = parsed.data;
  const wanted = details.ShippingServiceOptions.LabelFormat;
  const format = LABEL_FORMATS.find((one) => one === wanted);
  if (format === undefined) return invalid(`LabelFormat: ${wanted} is none of ${LABEL_FORMATS.join(', ')}.`);
  return withShippable(world, details, (order) => {
    const id = `5a4db0c5-0000-4000-8000-${String(bought.size + 1).padStart(12, '0')}`;
    const shipment: Shipment = { id, order, details, serviceId, format, createdAt, status: 'Purchased' };
    bought.set(id, shipment);
    return show(shipment);
  });
}

function withShipment(
  bought: ReadonlyMap<string, Shipment>,
  { params }: Call,
  use: (shipment: Shipment) => Answer,
): Answer {
  const shipment = bought.get(params.shipmentId ?? '');
  if (shipment !== undefined) return use(shipment);
  return fail(404, {
    code: 'NotFound',
    message: `Shipment '${params.shipmentId}' was not found.`,
    details: '',
  });
}

function showService(id: ServiceId, { market }: Order, now: number): object {
  const rate = { CurrencyCode: market.currency, Amount: SERVICES[id] };
  return {
    ShippingServiceName: id === 'SBX-EXPRESS' ? 'Sandbox Express' : 'Sandbox Standard',
    CarrierName: 'Sandbox Carrier',
    ShippingServiceId: id,
    ShippingServiceOfferId: `${id}-OFFER`,
    ShipDate: isoSeconds(now),
    EarliestEstimatedDeliveryDate: isoSeconds(now + DAY_MS),
    LatestEstimatedDeliveryDate: isoSeconds(now + 3 * DAY_MS),
    Rate: rate,
    RateWithAdjustments: rate,
    ShippingServiceOptions: { DeliveryExperience: 'NoTracking', CarrierWillPickUp: false },
    AvailableLabelFormats: [...LABEL_FORMATS],
    RequiresAdditionalSellerInputs: false,
  };
}

function show({ id, order, details, serviceId, format, createdAt, status }: Shipment): Answer {
  const trackingId = `SBXT${id.slice(-4)}${order.id.replaceAll('-', '')}`;
  const { bytes, mediaType } = labelOf(order, format, trackingId);
  const { Name, AddressLine1, City, PostalCode, CountryCode, Phone } = showAddress(order);
  const payload = {
    ShipmentId: id,
    AmazonOrderId: order.id,
    ItemList: details.ItemList,
    ShipFromAddress: details.ShipFromAddress,
    ShipToAddress: {
      Name,
      AddressLine1,
      City,
      PostalCode,
      CountryCode,
      Phone,
      Email: order.buyer.email,
    },
    PackageDimensions: details.PackageDimensions,
    Weight: details.Weight,
    Insurance: { CurrencyCode: order.market.currency, Amount: 0 },
    ShippingService: showService(serviceId, order, createdAt),
    Label: {
      Dimensions: { Length: 11, Width: 4, Unit: 'inches' },
      FileContents: {
        Contents: gzipSync(bytes).toString('base64'),
        FileType: mediaType,
        Checksum: createHash('md5').update(bytes).digest('base64'),
      },
      LabelFormat: format,
    },
    Status: status,
    TrackingId: trackingId,
    CreatedDate: isoSeconds(createdAt),
  };
  return { status: 200, body: { payload } };
}

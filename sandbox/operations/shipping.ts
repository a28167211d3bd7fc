/** Labels that are bought for an order: merchant fulfilment v0, as base64 of the zipped file, and shipping v2, as plain base64. */

import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import * as z from 'zod';
import { type Answer, type Call, invalid, known, okPayload, readBody, refuse } from '../answer.ts';
import { LABEL_FORMATS, type LabelFormat, labelOf, packingSlipOf } from '../documents/shipping-papers.ts';
import type { Played } from '../router.ts';
import type { Order } from '../world/make-orders.ts';
import { DAY_MS, feeCents, isoSeconds } from '../world/plain-values.ts';
import type { World } from '../world/world.ts';
import { orderOf } from './find-orders.ts';

const CARRIER = 'Sandbox Carrier';
const SERVICES = {
  'SBX-STANDARD': { name: 'Sandbox Standard', cents: 495 },
  'SBX-EXPRESS': { name: 'Sandbox Express', cents: 1150 },
} as const;
const SERVICE_IDS = ['SBX-STANDARD', 'SBX-EXPRESS'] as const satisfies readonly (keyof typeof SERVICES)[];

export function playShipping(world: World): Played {
  const bought = new Map<string, Shipment>();
  const parcels = new Map<string, Parcels>();
  const shipmentOf = ({ params: { shipmentId = '' } }: Call): Shipment =>
    known(bought.get(shipmentId), 'Shipment', shipmentId);
  return {
    'merchant-fulfillment/getEligibleShipmentServices': ({ body, now }) => {
      const order = orderToShip(world, readBody(eligibleSchema, body).ShipmentRequestDetails);
      return okPayload({ ShippingServiceList: SERVICE_IDS.map((id) => showService(id, order, now)) });
    },
    'merchant-fulfillment/createShipment': (call) => buy(world, bought, call),
    'merchant-fulfillment/getShipment': (call) => show(shipmentOf(call)),
    'merchant-fulfillment/cancelShipment': (call) => {
      const shipment = shipmentOf(call);
      shipment.status = 'RefundPending';
      return show(shipment);
    },
    'shipping/oneClickShipment': (call) => buyAtOnce(world, parcels, call),
    'shipping/getShipmentDocuments': ({ params: { shipmentId = '' }, query }) => {
      const shipment = parcels.get(shipmentId);
      const reference = query.get('packageClientReferenceId') ?? '';
      if (!shipment?.references.includes(reference)) {
        const message = `Package '${reference}' of '${shipmentId}' was not found.`;
        return refuse(404, { code: 'NotFound', message });
      }
      return okPayload({ shipmentId, packageDocumentDetail: showPackage(shipment, reference) });
    },
  };
}

// Merchant fulfilment v0.

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
  serviceId: keyof typeof SERVICES;
  format: LabelFormat;
  createdAt: number;
  status: 'Purchased' | 'RefundPending';
}

/** Only what the seller ships, and the items of that order. @throws Refusal */
function orderToShip(world: World, { AmazonOrderId, ItemList }: Details): Order {
  const order = orderOf(world, AmazonOrderId);
  if (order.fulfilledBy !== 'MERCHANT') invalid('AmazonOrderId: the seller does not ship this order.');
  const wrong = ItemList.find(({ OrderItemId }) => !order.items.some(({ id }) => id === OrderItemId));
  return wrong === undefined ? order : invalid(`ItemList: ${wrong.OrderItemId} is no item of the order.`);
}

function buy(world: World, bought: Map<string, Shipment>, { body, now: createdAt }: Call): Answer {
  const { ShipmentRequestDetails: details, ShippingServiceId: serviceId } = readBody(createSchema, body);
  const wanted = details.ShippingServiceOptions.LabelFormat;
  const format =
    LABEL_FORMATS.find((one) => one === wanted) ??
    invalid(`LabelFormat: ${wanted} is none of ${LABEL_FORMATS.join(', ')}.`);
  const order = orderToShip(world, details);
  const id = `5a4db0c5-0000-4000-8000-${String(bought.size + 1).padStart(12, '0')}`;
  const shipment: Shipment = { id, order, details, serviceId, format, createdAt, status: 'Purchased' };
  bought.set(id, shipment);
  return show(shipment);
}

const costOf = (id: Shipment['serviceId'], market: Order['market']): number =>
  feeCents(SERVICES[id].cents, market) / 100;

function showService(id: Shipment['serviceId'], { market }: Order, now: number): object {
  const rate = { CurrencyCode: market.currency, Amount: costOf(id, market) };
  return {
    ShippingServiceName: SERVICES[id].name,
    CarrierName: CARRIER,
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
  const { ItemList, ShipFromAddress, PackageDimensions, Weight } = details;
  const trackingId = `SBXT${id.slice(-4)}${order.id.replaceAll('-', '')}`;
  const { bytes, mediaType } = labelOf(order, format, trackingId);
  const { name, street, town, countryCode, phone, email } = order.buyer;
  return okPayload({
    ShipmentId: id,
    AmazonOrderId: order.id,
    ItemList,
    ShipFromAddress,
    ShipToAddress: {
      Name: name,
      AddressLine1: street,
      City: town.city,
      PostalCode: town.postalCode,
      CountryCode: countryCode,
      Phone: phone,
      Email: email,
    },
    PackageDimensions,
    Weight,
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
  });
}

// Shipping v2: a shipment that is bought in one step, with its label and its packing slip.

const FORMATS = { PNG: 'PNG', PDF: 'PDF', ZPL: 'ZPL203' } as const;

const oneClickSchema = z.looseObject({
  packages: z.array(z.looseObject({ packageClientReferenceId: z.string() })).min(1),
  channelDetails: z.looseObject({
    channelType: z.literal('AMAZON'),
    amazonOrderDetails: z.looseObject({ orderId: z.string() }),
  }),
  labelSpecifications: z.looseObject({
    format: z.enum(['PNG', 'PDF', 'ZPL']),
    requestedDocumentTypes: z.array(z.enum(['LABEL', 'PACKSLIP'])).min(1),
  }),
});

interface Parcels {
  id: string;
  order: Order;
  references: readonly string[];
  labels: z.infer<typeof oneClickSchema>['labelSpecifications'];
}

function buyAtOnce(world: World, parcels: Map<string, Parcels>, { body, now }: Call): Answer {
  const { packages, channelDetails, labelSpecifications: labels } = readBody(oneClickSchema, body);
  const order = orderOf(world, channelDetails.amazonOrderDetails.orderId);
  const id = `sbx-one-click-${1_000 + parcels.size}`;
  const references = packages.map(({ packageClientReferenceId }) => packageClientReferenceId);
  const shipment = { id, order, references, labels };
  parcels.set(id, shipment);
  return okPayload({
    shipmentId: id,
    packageDocumentDetails: references.map((reference) => showPackage(shipment, reference)),
    promise: {
      deliveryWindow: { start: isoSeconds(now + DAY_MS), end: isoSeconds(now + 3 * DAY_MS) },
      pickupWindow: { start: isoSeconds(now), end: isoSeconds(now + DAY_MS) },
    },
    carrier: { id: 'SBX', name: CARRIER },
    service: { id: 'SBX-STANDARD', name: SERVICES['SBX-STANDARD'].name },
    totalCharge: { value: costOf('SBX-STANDARD', order.market), unit: order.market.currency },
  });
}

function showPackage({ id, order, labels }: Parcels, packageClientReferenceId: string): object {
  const trackingId = `SBXO${id.replace(/\D/g, '')}${order.id.replaceAll('-', '')}`;
  const packageDocuments = labels.requestedDocumentTypes.map((type) => {
    const isLabel = type === 'LABEL';
    const document = isLabel ? labelOf(order, FORMATS[labels.format], trackingId) : packingSlipOf(order);
    return { type, format: isLabel ? labels.format : 'PDF', contents: document.bytes.toString('base64') };
  });
  return { packageClientReferenceId, packageDocuments, trackingId };
}

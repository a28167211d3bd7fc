/** Shipping v2: a shipment that is bought in one step, with its label and its packing slip as plain base64. */

import * as z from 'zod';
import { type Answer, type Call, fail } from '../answer.ts';
import { labelOf, packingSlipOf } from '../papers/shipping-papers.ts';
import { type Route, route } from '../router.ts';
import type { Order } from '../world/make-orders.ts';
import { DAY_MS, isoSeconds } from '../world/plain-values.ts';
import type { World } from '../world/world.ts';
import { withOrder } from './known-order.ts';
import { invalidBody } from './query.ts';

const FORMATS = ['PNG', 'PDF', 'ZPL'] as const;
const DOCUMENTS = ['LABEL', 'PACKSLIP'] as const;

const bodySchema = z.looseObject({
  packages: z.array(z.looseObject({ packageClientReferenceId: z.string() })).min(1),
  channelDetails: z.looseObject({
    channelType: z.literal('AMAZON'),
    amazonOrderDetails: z.looseObject({ orderId: z.string() }),
  }),
  labelSpecifications: z.looseObject({
    format: z.enum(FORMATS),
    requestedDocumentTypes: z.array(z.enum(DOCUMENTS)).min(1),
  }),
});
type Body = z.infer<typeof bodySchema>;

interface Shipment {
  id: string;
  order: Order;
  references: readonly string[];
  format: (typeof FORMATS)[number];
  documents: Body['labelSpecifications']['requestedDocumentTypes'];
}

export function buildShippingV2Routes(world: World, now: () => number): Route[] {
  const bought = new Map<string, Shipment>();
  return [
    route('oneClickShipment', 'POST', '/shipping/v2/oneClickShipment', (call) =>
      buy(world, bought, now(), call),
    ),
    route('getShipmentDocuments', 'GET', '/shipping/v2/shipments/{shipmentId}/documents', (call) =>
      getDocuments(bought, call),
    ),
  ];
}

function buy(world: World, bought: Map<string, Shipment>, now: number, { body }: Call): Answer {
  const parsed = bodySchema.safeParse(body);
  if (!parsed.success) return invalidBody(parsed.error);
  const { packages, channelDetails, labelSpecifications } = parsed.data;
  return withOrder(world, channelDetails.amazonOrderDetails.orderId, (order) => {
    const shipment = {
      id: `sbx-one-click-${1_000 + bought.size}`,
      order,
      format: labelSpecifications.format,
      references: packages.map(({ packageClientReferenceId }) => packageClientReferenceId),
      documents: labelSpecifications.requestedDocumentTypes,
    };
    bought.set(shipment.id, shipment);
    const window = { start: isoSeconds(now + DAY_MS), end: isoSeconds(now + 3 * DAY_MS) };
    const payload = {
      shipmentId: shipment.id,
      packageDocumentDetails: shipment.references.map((reference) => showPackage(shipment, reference)),
      promise: {
        deliveryWindow: window,
        pickupWindow: { start: isoSeconds(now), end: isoSeconds(now + DAY_MS) },
      },
      carrier: { id: 'SBX', name: 'Sandbox Carrier' },
      service: { id: 'SBX-STANDARD', name: 'Sandbox Standard' },
      totalCharge: { value: 4.95, unit: order.market.currency },
    };
    return { status: 200, body: { payload } };
  });
}

function showPackage({ id, order, format, documents }: Shipment, reference: string): object {
  const trackingId = `SBXO${id.replace(/\D/g, '')}${order.id.replaceAll('-', '')}`;
  const packageDocuments = documents.map((type) => {
    const isLabel = type === 'LABEL';
    const paper = isLabel
      ? labelOf(order, format === 'ZPL' ? 'ZPL203' : format, trackingId)
      : packingSlipOf(order);
    return { type, format: isLabel ? format : 'PDF', contents: paper.bytes.toString('base64') };
  });
  return { packageClientReferenceId: reference, packageDocuments, trackingId };
}

function getDocuments(bought: ReadonlyMap<string, Shipment>, { params, query }: Call): Answer {
  const id = params.shipmentId ?? '';
  const shipment = bought.get(id);
  const reference = query.get('packageClientReferenceId') ?? '';
  if (shipment === undefined || !shipment.references.includes(reference)) {
    return fail(404, { code: 'NotFound', message: `Package '${reference}' of '${id}' was not found.` });
  }
  const packageDocumentDetail = showPackage(shipment, reference);
  return { status: 200, body: { payload: { shipmentId: id, packageDocumentDetail } } };
}

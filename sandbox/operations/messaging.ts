/** Messages to the buyer of an order, and the request for a review: what may be sent, and sending it. */

import { isJsonObject } from '../../src/base/json.ts';
import type { Answer, Call } from '../answer.ts';
import { type Route, route } from '../router.ts';
import type { UploadStore } from '../signed/upload-store.ts';
import { detailsOf } from '../world/buyer-details.ts';
import type { Order } from '../world/make-orders.ts';
import type { World } from '../world/world.ts';
import { withOrder } from './known-order.ts';
import { invalid, readList } from './query.ts';

const MESSAGES = '/messaging/v1/orders/{amazonOrderId}';
const SOLICITATIONS = '/solicitations/v1/orders/{amazonOrderId}';
const REVIEW = 'productReviewAndSellerFeedback';

/** Operation -> the last part of its path. */
const KINDS = {
  confirmCustomizationDetails: 'confirmCustomizationDetails',
  createConfirmDeliveryDetails: 'confirmDeliveryDetails',
  createLegalDisclosure: 'legalDisclosure',
  createConfirmOrderDetails: 'confirmOrderDetails',
  createConfirmServiceDetails: 'confirmServiceDetails',
  CreateWarranty: 'warranty',
  createDigitalAccessKey: 'digitalAccessKey',
  createUnexpectedProblem: 'unexpectedProblem',
  sendInvoice: 'invoice',
} as const;

/** What may still be said about an order: nothing once it was cancelled, less once it was shipped. */
function allowedFor({ status, fulfilledBy }: Order): string[] {
  if (status === 'Canceled' || status === 'Pending') return [];
  const always = ['unexpectedProblem', 'legalDisclosure', 'warranty', 'invoice'];
  const before = ['confirmCustomizationDetails', 'confirmOrderDetails', 'confirmDeliveryDetails'];
  return fulfilledBy === 'AMAZON' || status === 'Shipped' ? always : [...before, ...always];
}

export function buildMessagingRoutes(world: World, uploads: UploadStore): Route[] {
  const about = (call: Call, use: (order: Order) => Answer): Answer =>
    readList(call.query, 'marketplaceIds').length === 1
      ? withOrder(world, call.params.amazonOrderId, use)
      : invalid('marketplaceIds: must name one marketplace.');
  const send = (operation: string, path: string, name: string, allowed: (order: Order) => string[]): Route =>
    route(operation, 'POST', path, (call) =>
      about(call, (order) =>
        allowed(order).includes(name)
          ? (refuseAttachments(uploads, call.body) ?? { status: 201, body: {} })
          : invalid(`${name}: is not allowed for this order now.`),
      ),
    );
  const list = (operation: string, path: string, allowed: (order: Order) => string[]): Route =>
    route(operation, 'GET', path, (call) =>
      about(call, (order) => ({
        status: 200,
        body: showActions(path.replace('{amazonOrderId}', order.id), allowed(order), order),
      })),
    );
  const reviews = ({ status }: Order): string[] => (status === 'Shipped' ? [REVIEW] : []);
  return [
    list('getMessagingActionsForOrder', MESSAGES, allowedFor),
    route('GetAttributes', 'GET', `${MESSAGES}/attributes`, (call) =>
      about(call, (order) => ({ status: 200, body: { buyer: { locale: detailsOf(order).locale } } })),
    ),
    ...Object.entries(KINDS).map(([operation, name]) =>
      send(operation, `${MESSAGES}/messages/${name}`, name, allowedFor),
    ),
    list('getSolicitationActionsForOrder', SOLICITATIONS, reviews),
    send(
      'createProductReviewAndSellerFeedbackSolicitation',
      `${SOLICITATIONS}/solicitations/${REVIEW}`,
      REVIEW,
      reviews,
    ),
  ];
}

/** Each has to be uploaded, and to have a name. */
function refuseAttachments(uploads: UploadStore, body: unknown): Answer | undefined {
  const attachments = isJsonObject(body) && Array.isArray(body.attachments) ? body.attachments : [];
  const wrong = attachments.filter((one) => {
    const { uploadDestinationId: id, fileName } = isJsonObject(one) ? one : {};
    return typeof fileName !== 'string' || uploads.find(String(id))?.arrived === undefined;
  });
  return wrong.length === 0
    ? undefined
    : invalid(`attachments: ${wrong.length} were not uploaded or have no fileName.`);
}

function showActions(base: string, names: readonly string[], { market }: Order): object {
  const query = `?marketplaceIds=${market.id}`;
  const folder = base.startsWith('/messaging') ? 'messages' : 'solicitations';
  return {
    _links: {
      self: { href: `${base}${query}` },
      actions: names.map((name) => ({ href: `${base}/${folder}/${name}${query}`, name })),
    },
    _embedded: { actions: names.map((name) => ({ payload: { name } })) },
  };
}

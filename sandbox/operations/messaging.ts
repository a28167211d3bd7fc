/** Messages to the buyer of an order, and the request for a review: what may be sent, and sending it. */

import { isJsonObject } from '../../src/base/json.ts';
import { type Answer, type Call, invalid, ok } from '../answer.ts';
import type { Handler, Played } from '../router.ts';
import type { UploadStore } from '../signed/upload-store.ts';
import { detailsOf } from '../world/buyer-details.ts';
import type { Order } from '../world/make-orders.ts';
import type { World } from '../world/world.ts';
import { orderOf } from './find-orders.ts';
import { readList } from './query.ts';

const SENDING = [
  'messaging/confirmCustomizationDetails',
  'messaging/createConfirmDeliveryDetails',
  'messaging/createLegalDisclosure',
  'messaging/createConfirmOrderDetails',
  'messaging/createConfirmServiceDetails',
  'messaging/CreateWarranty',
  'messaging/createDigitalAccessKey',
  'messaging/createUnexpectedProblem',
  'messaging/sendInvoice',
  'solicitations/createProductReviewAndSellerFeedbackSolicitation',
] as const;

/** Lists the messages that an order still allows: none after cancellation, fewer after shipment. */
function messagesFor({ status, fulfilledBy }: Order): string[] {
  if (status === 'Canceled' || status === 'Pending') return [];
  const always = ['unexpectedProblem', 'legalDisclosure', 'warranty', 'invoice'];
  const before = ['confirmCustomizationDetails', 'confirmOrderDetails', 'confirmDeliveryDetails'];
  return fulfilledBy === 'AMAZON' || status === 'Shipped' ? always : [...before, ...always];
}

const solicitationsFor = ({ status }: Order): string[] =>
  status === 'Shipped' ? ['productReviewAndSellerFeedback'] : [];

export function playMessaging(world: World, uploads: UploadStore): Played {
  const about =
    (use: (order: Order, call: Call) => Answer): Handler =>
    (call) => {
      if (readList(call.query, 'marketplaceIds').length !== 1) {
        invalid('marketplaceIds: must name one marketplace.');
      }
      return use(orderOf(world, call.params.amazonOrderId), call);
    };
  const send = about((order, { operation, body }) => {
    const kind = operation.path.split('/').at(-1) ?? '';
    if (![...messagesFor(order), ...solicitationsFor(order)].includes(kind)) {
      invalid(`${kind}: is not allowed for this order now.`);
    }
    refuseAttachments(uploads, body);
    return ok({}, 201);
  });
  return {
    ...Object.fromEntries(SENDING.map((id) => [id, send])),
    'messaging/getMessagingActionsForOrder': about((order) =>
      showActions(`/messaging/v1/orders/${order.id}`, 'messages', messagesFor(order), order),
    ),
    'messaging/GetAttributes': about((order) => ok({ buyer: { locale: detailsOf(order).locale } })),
    'solicitations/getSolicitationActionsForOrder': about((order) =>
      showActions(`/solicitations/v1/orders/${order.id}`, 'solicitations', solicitationsFor(order), order),
    ),
  };
}

/** Each has to be uploaded, and to have a name. @throws Refusal */
function refuseAttachments(uploads: UploadStore, body: unknown): void {
  const attachments = isJsonObject(body) && Array.isArray(body.attachments) ? body.attachments : [];
  const wrong = attachments.filter((one) => {
    const { uploadDestinationId: id, fileName } = isJsonObject(one) ? one : {};
    return typeof fileName !== 'string' || uploads.find(String(id))?.arrived === undefined;
  });
  if (wrong.length > 0) invalid(`attachments: ${wrong.length} were not uploaded or have no fileName.`);
}

function showActions(base: string, folder: string, names: readonly string[], { market }: Order): Answer {
  const query = `?marketplaceIds=${market.id}`;
  return ok({
    _links: {
      self: { href: `${base}${query}` },
      actions: names.map((name) => ({ href: `${base}/${folder}/${name}${query}`, name })),
    },
    _embedded: { actions: names.map((name) => ({ payload: { name } })) },
  });
}

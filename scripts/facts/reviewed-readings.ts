/** Which operation shows what a write changes where the definitions do not tell, reviewed by hand, each with its reason. */

import { decodeReading } from '../../src/service/facts/compact-readings.ts';
import type { Reading } from '../../src/service/facts/operation.ts';

export interface ReviewedReadings {
  reason: string;
  /** In place of what was found; null: there is none. Both absent: there is none, and none was found. */
  state?: Reading | null;
  progress?: Reading | null;
}

const state = (text: string, reason: string): ReviewedReadings => ({ reason, state: decodeReading(text) });
const progress = (text: string, reason: string): ReviewedReadings => ({
  reason,
  progress: decodeReading(text),
});
const none = (reason: string, ids: readonly string[]): Record<string, ReviewedReadings> =>
  Object.fromEntries(ids.map((id) => [id, { reason, state: null, progress: null }]));
const all = (reading: ReviewedReadings, ids: readonly string[]): Record<string, ReviewedReadings> =>
  Object.fromEntries(ids.map((id) => [id, reading]));

const v0Order = state(
  'orders/getOrder@2026-01-01 orderId',
  'the operation of v0 that was found is deprecated',
);
const vendorTransaction = progress(
  'vendor-transactions/getTransaction transactionId=answer:payload.transactionId',
  'the answer is the id of a transaction, which another file reads',
);
const directTransaction = (path: string) =>
  progress(
    `vendor-direct-fulfilment/getTransactionStatus transactionId=answer:${path}`,
    'the answer is the id of a transaction, which another file reads',
  );
const planLevel = (text: string) =>
  state(text, 'the plan or shipment tells what was chosen, a list only what can be');

export const reviewedReadings: Readonly<Record<string, ReviewedReadings>> = {
  ...all(v0Order, ['orders/confirmShipment', 'orders/updateShipmentStatus']),
  ...all(vendorTransaction, [
    'vendor-orders/submitAcknowledgement',
    'vendor-shipments/SubmitShipmentConfirmations',
    'vendor-shipments/SubmitShipments',
    'vendor-invoices/submitInvoices',
  ]),
  ...all(directTransaction('transactionId'), [
    'vendor-direct-fulfilment/submitAcknowledgement',
    'vendor-direct-fulfilment/submitShippingLabelRequest',
    'vendor-direct-fulfilment/submitShipmentConfirmations',
    'vendor-direct-fulfilment/submitShipmentStatusUpdates',
  ]),
  ...all(directTransaction('payload.transactionId'), [
    'vendor-direct-fulfilment/submitInventoryUpdate',
    'vendor-direct-fulfilment/submitInvoice',
  ]),
  ...all(planLevel('inbound-fulfilment/getShipment inboundPlanId shipmentId'), [
    'inbound-fulfilment/scheduleSelfShipAppointment',
    'inbound-fulfilment/confirmDeliveryWindowOptions',
  ]),
  'a-plus-content/updateContentDocument': state(
    'a-plus-content/getContentDocument contentReferenceKey marketplaceId includedDataSet=constant:CONTENTS',
    'the reading operation asks which part is wanted',
  ),
  'a-plus-content/createContentDocument': state(
    'a-plus-content/getContentDocument contentReferenceKey=answer:contentReferenceKey marketplaceId includedDataSet=constant:CONTENTS',
    'the reading operation asks which part is wanted',
  ),
  ...all(
    state(
      'a-plus-content/getContentDocument contentReferenceKey marketplaceId includedDataSet=constant:METADATA',
      'the status of a document is part of its metadata',
    ),
    [
      'a-plus-content/postContentDocumentApprovalSubmission',
      'a-plus-content/postContentDocumentSuspendSubmission',
    ],
  ),
  'invoices/createGovernmentInvoice': progress(
    'invoices/getGovernmentInvoiceStatus marketplaceId=body:marketplaceId transactionType=body:transactionType shipmentId=body:shipmentId invoiceType=body:invoiceType inboundPlanId=body:inboundPlanId',
    'the same path, with the members of the body as parameters',
  ),
  'scheduled-package-delivery/createScheduledPackage': state(
    'scheduled-package-delivery/getScheduledPackage amazonOrderId=body:amazonOrderId marketplaceId=body:marketplaceId',
    'the same path, with the members of the body as parameters',
  ),
  'outbound-fulfilment/createFulfillmentOrder': state(
    'outbound-fulfilment/getFulfillmentOrder sellerFulfillmentOrderId=body:sellerFulfillmentOrderId',
    "the id is the seller's own, and stands in the body",
  ),
  'merchant-fulfillment/createShipment': state(
    'merchant-fulfillment/getShipment shipmentId=answer:payload.ShipmentId',
    'the id is spelt otherwise in the answer',
  ),
  'shipping/purchaseShipment@v1': state(
    'shipping/getShipment shipmentId=answer:payload.shipmentId',
    'buys and creates a shipment at another path than it is read',
  ),
  'shipment-invoice/submitInvoice': progress(
    'shipment-invoice/getInvoiceStatus shipmentId',
    'the status of the invoice, while the shipment that was found does not tell it',
  ),
  'shipment-invoice/submitInvoice@2022-07-01': progress(
    'shipment-invoice/getInvoiceStatus@2022-07-01 orderId shipmentId marketplaceId=body:marketplaceId invoiceType=body:invoiceType programType=body:programType',
    'another path, with members of the body as parameters',
  ),
  'transfers/initiatePayout': state(
    'transfers/listPayouts payoutId=answer:payoutReferenceId',
    'the list shows one payout when asked by its id',
  ),
  ...all(
    {
      reason: 'the account whose link it changes is listed by a PUT that reads',
      state: decodeReading('shipping/getCarrierAccounts x-amzn-shipping-business-id'),
    },
    [
      'shipping/linkCarrierAccount@v2-POST',
      'shipping/linkCarrierAccount@v2-PUT',
      'shipping/unlinkCarrierAccount',
    ],
  ),
  'fulfilment-inventory/deleteInventoryItem': state(
    'fulfilment-inventory/getInventorySummaries granularityType=constant:Marketplace granularityId=parameter:marketplaceId marketplaceIds=parameter:marketplaceId sellerSku',
    'the summaries show one SKU when asked for it',
  ),
  ...none('no operation shows a message that was sent', [
    'messaging/confirmCustomizationDetails',
    'messaging/createConfirmDeliveryDetails',
    'messaging/createLegalDisclosure',
    'messaging/createConfirmOrderDetails',
    'messaging/createConfirmServiceDetails',
    'messaging/CreateWarranty',
    'messaging/createDigitalAccessKey',
    'messaging/createUnexpectedProblem',
    'messaging/sendInvoice',
    'notifications/sendTestNotification',
  ]),
  ...none('no operation lists the notifications of an app', [
    'app-integrations/createNotification',
    'app-integrations/deleteNotifications',
    'app-integrations/recordActionFeedback',
  ]),
  ...none('the new secret comes by a notification, never by an operation', [
    'application-management/rotateApplicationClientSecret',
  ]),
  ...none('several things in one call: no one reading shows them', [
    'external-fulfilment/batchInventory',
    'fulfilment-inventory/addInventory',
    'scheduled-package-delivery/createScheduledPackageBulk',
    'scheduled-package-delivery/updateScheduledPackages',
  ]),
  ...none('the reading operation asks for more than the write knows (a package, a tracking id, a period)', [
    'shipping/cancelShipment@v2',
    'shipping/directPurchaseShipment',
    'shipping/oneClickShipment',
    'shipping/purchaseShipment@v2',
    'shipping/generateCollectionForm',
    'service/createReservation',
    'service/updateReservation',
    'service/cancelReservation',
    'service/updateSchedule',
  ]),
  ...none('no operation reads it again', [
    'fulfilment-inventory/createInventoryItem',
    'shipping/createClaim',
    'shipping/submitNdrFeedback',
    'vendor-direct-fulfilment/createContainerLabel',
  ]),
};

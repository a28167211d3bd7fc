/** Which operations take another token than the seller's; reviewed by hand against the service's public guides. */

import type { Operation } from './operation.ts';

/** Fail without a restricted data token: all that they return, or that they take, is personal data. */
export const restrictedOperations: readonly string[] = [
  'merchant-fulfillment/getShipment',
  'merchant-fulfillment/cancelShipment',
  'merchant-fulfillment/createShipment',
  'orders/getOrderAddress',
  'orders/getOrderBuyerInfo',
  'orders/getOrderItemsBuyerInfo',
  'orders/getOrderRegulatedInfo',
  'scheduled-package-delivery/createScheduledPackageBulk',
  'shipment-invoice/getShipmentDetails',
  'shipping/getShipment',
  'vendor-direct-fulfilment/createShippingLabels',
  'vendor-direct-fulfilment/getCustomerInvoice',
  'vendor-direct-fulfilment/getCustomerInvoices',
  'vendor-direct-fulfilment/getOrder',
  'vendor-direct-fulfilment/getOrders',
  'vendor-direct-fulfilment/getPackingSlip',
  'vendor-direct-fulfilment/getPackingSlips',
  'vendor-direct-fulfilment/getShippingLabel',
  'vendor-direct-fulfilment/getShippingLabels',
];

/**
 * Answer with the seller's token too, leaving personal data out; with a restricted data token they include it.
 * The values are the data elements that such a token can be asked for. `getReportDocument` needs one only for
 * report types that hold personal data, and then for that document's exact path; it has no data elements.
 */
export const personalDataElements: Readonly<Record<string, readonly string[]>> = {
  'orders/getOrders': ['buyerInfo', 'shippingAddress', 'buyerTaxInformation'],
  'orders/getOrder': ['buyerInfo', 'shippingAddress', 'buyerTaxInformation'],
  'orders/getOrderItems': ['buyerInfo'],
  'reports/getReportDocument': [],
};

/** What a restricted data token can be asked for that holds nothing but data that are masked: it is not asked for then. */
export interface MaskedOnly {
  /** Id of the operation that would answer. */
  operation: string;
  path: string;
  /** The data element; absent where it is the whole answer. */
  element?: string;
}

const ordersPath = '/orders/v0/orders';
const orderPath = `${ordersPath}/{orderId}`;

/** All GET. The names, addresses, e-mail and tax numbers of a buyer, and beside them at most the country of a tax number. */
export const maskedOnly: readonly MaskedOnly[] = [
  { operation: 'orders/getOrderBuyerInfo', path: `${orderPath}/buyerInfo` },
  { operation: 'orders/getOrders', path: ordersPath, element: 'buyerInfo' },
  { operation: 'orders/getOrders', path: ordersPath, element: 'buyerTaxInformation' },
  { operation: 'orders/getOrder', path: orderPath, element: 'buyerInfo' },
  { operation: 'orders/getOrder', path: orderPath, element: 'buyerTaxInformation' },
];

const notificationsScope = 'sellingpartnerapi::notifications';

/** Belong to the application, not to a seller: operation id -> scope of its client_credentials token. */
export const grantlessScopes: Readonly<Record<string, string>> = {
  'application-management/rotateApplicationClientSecret': 'sellingpartnerapi::client_credential:rotation',
  'notifications/createDestination': notificationsScope,
  'notifications/deleteDestination': notificationsScope,
  'notifications/getDestination': notificationsScope,
  'notifications/getDestinations': notificationsScope,
  'notifications/getSubscriptionById': notificationsScope,
  'notifications/deleteSubscriptionById': notificationsScope,
  'notifications/sendTestNotification': notificationsScope,
};

export function authOf(id: string): Operation['auth'] {
  const scope = grantlessScopes[id];
  if (scope !== undefined) return { kind: 'grantless', scope };
  return { kind: restrictedOperations.includes(id) ? 'restricted' : 'seller' };
}

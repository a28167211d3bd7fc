/** Why a restricted data token is bought although personal data are masked: reviewed by hand, for each operation and data element. */

const labels = 'a document for the person, and what it is the label or the slip of';

/**
 * What the answers to all others say that is not masked, for which their token is bought all the same.
 * Operation id, with `#` and the data element where it has one -> that.
 */
export const unmaskedAnswers: Readonly<Record<string, string>> = {
  'merchant-fulfillment/getShipment': 'the label, tracking, price and town',
  'merchant-fulfillment/cancelShipment': 'whether the label is refunded',
  'merchant-fulfillment/createShipment': 'the label, tracking, price and town',
  'orders/getOrderAddress': 'town, region, country and the area of the postcode',
  'orders/getOrderItemsBuyerInfo': 'the gift wrap and its price',
  'orders/getOrderRegulatedInfo': 'which fields were filled in, and the state of the verification',
  'orders/getOrders#shippingAddress': 'town, region, country and the area of the postcode',
  'orders/getOrder#shippingAddress': 'town, region, country and the area of the postcode',
  'orders/getOrderItems#buyerInfo': 'the gift wrap and its price',
  'reports/getReportDocument':
    'the address of a document, which is collected into tables or saved for the person',
  'scheduled-package-delivery/createScheduledPackageBulk': 'packages, their time slots, and their documents',
  'shipment-invoice/getShipmentDetails': 'items, amounts, town and country',
  'shipping/getShipment': 'the rate, the containers and the town',
  'vendor-direct-fulfilment/createShippingLabels': labels,
  'vendor-direct-fulfilment/getCustomerInvoice': labels,
  'vendor-direct-fulfilment/getCustomerInvoices': labels,
  'vendor-direct-fulfilment/getOrder': 'items, amounts, dates, town and country',
  'vendor-direct-fulfilment/getOrders': 'items, amounts, dates, town and country',
  'vendor-direct-fulfilment/getPackingSlip': labels,
  'vendor-direct-fulfilment/getPackingSlips': labels,
  'vendor-direct-fulfilment/getShippingLabel': labels,
  'vendor-direct-fulfilment/getShippingLabels': labels,
};

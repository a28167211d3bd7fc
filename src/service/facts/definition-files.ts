/** Which public definition file belongs to which group, since which edition of the facts, and which older ones are left out. */

/** A file whose operations are part of the facts. */
export interface DefinitionFile {
  /** Slug of its group. */
  group: string;
  /**
   * Which edition of the facts brought it. Ids are given once: an operation whose name an earlier edition already uses
   * in the same group carries its version in its id, so that a file added later never changes what an id means.
   */
  edition: number;
}

const first = (group: string): DefinitionFile => ({ group, edition: 1 });
const second = (group: string): DefinitionFile => ({ group, edition: 2 });

/** File name without `.json` -> its place. A new file goes to the end, with the next edition. */
export const definitionFiles: Readonly<Record<string, DefinitionFile>> = {
  'awd_2024-05-09': first('warehousing-and-distribution'),
  'catalogItems_2022-04-01': first('catalog-items'),
  catalogItemsV0: first('catalog-v0'),
  'definitionsProductTypes_2020-09-01': first('definitions'),
  'easyShip_2022-03-23': first('scheduled-package-delivery'),
  'fulfillmentInbound_2024-03-20': first('inbound-fulfilment'),
  fbaInbound: first('inbound-fulfilment'),
  fbaInventory: first('fulfilment-inventory'),
  'fulfillmentOutbound_2020-07-01': first('outbound-fulfilment'),
  'feeds_2021-06-30': first('feeds'),
  productFeesV0: first('fees'),
  'finances_2024-06-19': first('finance'),
  financesV0: first('finance'),
  'InvoicesApiModel_2024-06-19': first('invoices'),
  'listingsItems_2021-08-01': first('listings-items'),
  'listingsRestrictions_2021-08-01': first('listings-items'),
  merchantFulfillmentV0: first('merchant-fulfillment'),
  ordersV0: first('orders'),
  productPricingV0: first('product-pricing'),
  'productPricing_2022-05-01': first('product-pricing'),
  'reports_2021-06-30': first('reports'),
  sales: first('sales'),
  sellers: first('sellers'),
  services: first('service'),
  shipmentInvoicingV0: first('shipment-invoice'),
  shipping: first('shipping'),
  shippingV2: first('shipping'),
  'supplySources_2020-07-01': first('supply-sources'),
  'tokens_2021-03-01': first('tokens'),
  'uploads_2020-11-01': first('uploads'),
  notifications: first('notifications'),
  'orders_2026-01-01': second('orders'),
  messaging: second('messaging'),
  solicitations: second('solicitations'),
  'aplusContent_2020-11-01': second('a-plus-content'),
  'dataKiosk_2023-11-15': second('data-kiosk'),
  'customerFeedback_2024-06-01': second('customer-feedback'),
  'replenishment-2022-11-07': second('replenishment'),
  'sellerWallet_2024-03-01': second('seller-wallet'),
  'transfers_2024-06-01': second('transfers'),
  'financesInvoices_2026-06-25': second('finance'),
  fulfillmentInboundV0: second('inbound-fulfilment'),
  'fulfillmentOutbound_2026-07-04': second('outbound-fulfilment'),
  'deliveryShipmentInvoiceV2022-07-01': second('shipment-invoice'),
  'tracking_2026-01-30': second('tracking'),
  'vehicles_2024-11-01': second('vehicles'),
  'appIntegrations-2024-04-01': second('app-integrations'),
  'application_2023-11-30': second('application-management'),
  'externalFulfillmentInventory_2024-09-11': second('external-fulfilment'),
  'externalFulfillmentShipments_2024-09-11': second('external-fulfilment'),
  'externalFulfillmentReturns_2024-09-11': second('external-fulfilment'),
  vendorOrders: second('vendor-orders'),
  vendorShipments: second('vendor-shipments'),
  vendorInvoices: second('vendor-invoices'),
  vendorTransactionStatus: second('vendor-transactions'),
  'vendorDirectFulfillmentOrders_2021-12-28': second('vendor-direct-fulfilment'),
  'vendorDirectFulfillmentShipping_2021-12-28': second('vendor-direct-fulfilment'),
  vendorDirectFulfillmentInventoryV1: second('vendor-direct-fulfilment'),
  vendorDirectFulfillmentPaymentsV1: second('vendor-direct-fulfilment'),
  'vendorDirectFulfillmentTransactions_2021-12-28': second('vendor-direct-fulfilment'),
  'vendorDirectFulfillmentSandboxData_2021-10-28': second('vendor-direct-fulfilment'),
};

/** Which public definition file belongs to which group of section 4.4; an older version of the same file is left out. */

/** File name without `.json` -> slug of its group. */
export const definitionFiles: Readonly<Record<string, string>> = {
  'awd_2024-05-09': 'warehousing-and-distribution',
  'catalogItems_2022-04-01': 'catalog-items',
  catalogItemsV0: 'catalog-v0',
  'definitionsProductTypes_2020-09-01': 'definitions',
  'easyShip_2022-03-23': 'scheduled-package-delivery',
  'fulfillmentInbound_2024-03-20': 'inbound-fulfilment',
  fbaInbound: 'inbound-fulfilment',
  fbaInventory: 'fulfilment-inventory',
  'fulfillmentOutbound_2020-07-01': 'outbound-fulfilment',
  'feeds_2021-06-30': 'feeds',
  productFeesV0: 'fees',
  'finances_2024-06-19': 'finance',
  financesV0: 'finance',
  'InvoicesApiModel_2024-06-19': 'invoices',
  'listingsItems_2021-08-01': 'listings-items',
  'listingsRestrictions_2021-08-01': 'listings-items',
  merchantFulfillmentV0: 'merchant-fulfillment',
  ordersV0: 'orders',
  productPricingV0: 'product-pricing',
  'productPricing_2022-05-01': 'product-pricing',
  'reports_2021-06-30': 'reports',
  sales: 'sales',
  sellers: 'sellers',
  services: 'service',
  shipmentInvoicingV0: 'shipment-invoice',
  shipping: 'shipping',
  shippingV2: 'shipping',
  'supplySources_2020-07-01': 'supply-sources',
  'tokens_2021-03-01': 'tokens',
  'uploads_2020-11-01': 'uploads',
  notifications: 'notifications',
};

/** Files that hold an older version of operations that another file above also holds. */
export const olderFiles: readonly string[] = ['catalogItems_2020-12-01'];

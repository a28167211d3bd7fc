/** The public operations that are left out, by name: an older version of operations that the facts hold in a newer one. */

export interface OlderVersion {
  /** Name of the definition file without `.json`. */
  file: string;
  version: string;
  /** With which its paths begin. */
  path: string;
  /** Slug of the group that holds the newer version of each of its operations, by the same name. */
  group: string;
  newer: string;
  operations: readonly string[];
}

/** One reason holds for all: a group lists each operation in one version where the newer one can do all that the older can. */
export const olderVersionReason = 'an older version of an operation that is listed in a newer one';

export const olderVersions: readonly OlderVersion[] = [
  {
    file: 'catalogItems_2020-12-01',
    version: '2020-12-01',
    path: '/catalog/2020-12-01/',
    group: 'catalog-items',
    newer: '2022-04-01',
    operations: ['searchCatalogItems', 'getCatalogItem'],
  },
  {
    file: 'listingsItems_2020-09-01',
    version: '2020-09-01',
    path: '/listings/2020-09-01/',
    group: 'listings-items',
    newer: '2021-08-01',
    operations: ['putListingsItem', 'patchListingsItem', 'deleteListingsItem'],
  },
  {
    file: 'vendorDirectFulfillmentOrdersV1',
    version: 'v1',
    path: '/vendor/directFulfillment/orders/v1/',
    group: 'vendor-direct-fulfilment',
    newer: '2021-12-28',
    operations: ['getOrders', 'getOrder', 'submitAcknowledgement'],
  },
  {
    file: 'vendorDirectFulfillmentShippingV1',
    version: 'v1',
    path: '/vendor/directFulfillment/shipping/v1/',
    group: 'vendor-direct-fulfilment',
    newer: '2021-12-28',
    operations: [
      'getShippingLabels',
      'submitShippingLabelRequest',
      'getShippingLabel',
      'submitShipmentConfirmations',
      'submitShipmentStatusUpdates',
      'getCustomerInvoices',
      'getCustomerInvoice',
      'getPackingSlips',
      'getPackingSlip',
    ],
  },
  {
    file: 'vendorDirectFulfillmentTransactionsV1',
    version: 'v1',
    path: '/vendor/directFulfillment/transactions/v1/',
    group: 'vendor-direct-fulfilment',
    newer: '2021-12-28',
    operations: ['getTransactionStatus'],
  },
];

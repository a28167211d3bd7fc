/** What the names alone do not tell of the operations' members, reviewed by hand over all of them (test/personal/members.txt). */

import type { Treatment } from './kinds.ts';

/**
 * Groups that hold nothing of buyers or recipients, whatever their members are called.
 * Slug -> whose names, addresses and telephone numbers it holds instead. Groups that a user adds have other
 * slugs.
 */
export const ownGroups: Readonly<Record<string, string>> = {
  'a-plus-content': 'texts and pictures of product pages',
  'catalog-items': 'products, with contacts of their manufacturers',
  'catalog-v0': 'products',
  definitions: 'what listings may hold',
  finance: 'amounts, and the operator and the seller as parties of its invoices',
  'inbound-fulfilment': "the seller's own addresses and warehouses of the service",
  'listings-items': 'listings, with contacts of manufacturers and of those responsible for a product',
  notifications: "the application's own destinations",
  'product-pricing': 'prices, and sample places that the seller asked about',
  'seller-wallet': "the seller's bank accounts",
  sellers: "the seller's own business",
  'supply-sources': "the seller's own stores and their contacts",
  transfers: "the seller's bank accounts",
  'vendor-invoices': 'the vendor and the operator, who buys',
  'vendor-orders': 'the vendor and the operator, who buys',
  'vendor-shipments': 'the vendor, carriers, and warehouses of the operator',
  'warehousing-and-distribution': "the seller's own addresses and warehouses of the service",
};

/** Groups whose documents (labels, files) hold nothing of buyers either; any other document may. */
export const groupsWithoutBuyersDocuments: ReadonlySet<string> = new Set([
  ...Object.keys(ownGroups),
  'customer-feedback',
  'feeds',
  'uploads',
]);

/** Operation id -> dotted member -> what it is though its name does not say so. */
export const reviewedMembers: Readonly<Record<string, Readonly<Record<string, Treatment>>>> = {
  // Entered by the buyer; elsewhere it is the operator's own number, by which orders of vendors are known.
  'orders/getOrderBuyerInfo': { 'payload.PurchaseOrderNumber': 'buyer text' },
};

/** Report types whose places are warehouses: stock that moved between the seller's own registrations. */
export const ownReports: ReadonlySet<string> = new Set(['GST_MTR_STOCK_TRANSFER_REPORT']);

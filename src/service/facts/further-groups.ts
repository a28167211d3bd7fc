/** Groups of public operations beside those of the document, named in the same way. */

import type { Audience } from './operation.ts';

export interface FurtherGroup {
  /** First part of operation ids; never changes. */
  slug: string;
  name: string;
  /** Whose operations they are, where they are not every seller's. */
  audience?: Audience;
}

/** Sellers' groups first, in the order in which they are listed. */
export const furtherGroups: readonly FurtherGroup[] = [
  { slug: 'messaging', name: 'Messaging' },
  { slug: 'solicitations', name: 'Solicitations' },
  { slug: 'a-plus-content', name: 'A+ content' },
  { slug: 'data-kiosk', name: 'Data Kiosk' },
  { slug: 'customer-feedback', name: 'Customer feedback' },
  { slug: 'replenishment', name: 'Replenishment' },
  { slug: 'seller-wallet', name: 'Seller wallet' },
  { slug: 'transfers', name: 'Transfers' },
  { slug: 'tracking', name: 'Tracking' },
  { slug: 'vehicles', name: 'Vehicles' },
  { slug: 'app-integrations', name: 'App integrations' },
  { slug: 'application-management', name: 'Application management' },
  { slug: 'external-fulfilment', name: 'External fulfilment', audience: 'external' },
  { slug: 'vendor-orders', name: 'Vendor orders', audience: 'vendor' },
  { slug: 'vendor-shipments', name: 'Vendor shipments', audience: 'vendor' },
  { slug: 'vendor-invoices', name: 'Vendor invoices', audience: 'vendor' },
  { slug: 'vendor-transactions', name: 'Vendor transactions', audience: 'vendor' },
  { slug: 'vendor-direct-fulfilment', name: 'Vendor direct fulfilment', audience: 'vendor' },
];

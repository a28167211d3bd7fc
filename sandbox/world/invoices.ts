/** An order that was shipped has an invoice, but for a few that the seller forgot. */

import type { Order } from './make-orders.ts';

/** The seller forgot one of so many. */
const FORGOTTEN_ONE_OF = 19;

export const isInvoiced = ({ status, id }: Order): boolean =>
  status === 'Shipped' && Number(id.slice(-7)) % FORGOTTEN_ONE_OF !== 0;

/** The number is the same in every report and operation. */
export const invoiceNumberOf = ({ id }: Order): string => `INV-${id.replaceAll('-', '')}`;

/** Tax invoices: listed, exported, and each a PDF behind an address that ends after a while. */

import * as z from 'zod';
import { type Answer, type Call, invalid, known, ok } from '../answer.ts';
import { invoiceOf } from '../documents/shipping-papers.ts';
import type { StoredDocument } from '../jobs.ts';
import type { Played } from '../router.ts';
import type { Addresses } from '../signed/signed-address.ts';
import type { Order } from '../world/make-orders.ts';
import { isoSeconds } from '../world/plain-values.ts';
import { invoiceNumberOf, isInvoiced } from '../world/taxes.ts';
import type { World } from '../world/world.ts';
import { findPageStart, readInteger, refuseUnplayed } from './query.ts';

const DOCUMENT = 'sbx-invoice-document-';
/** An export gives at most this many documents. */
const MAX_EXPORTED = 10;

const exportSchema = z.looseObject({ marketplaceId: z.string(), externalInvoiceId: z.string().optional() });

const invoiced = (world: World, marketplaceId: string, number?: string | null): Order[] =>
  world
    .orders()
    .filter((order) => order.market.id === marketplaceId && isInvoiced(order))
    .filter((order) => (number ?? invoiceNumberOf(order)) === invoiceNumberOf(order));

/** The PDF with this document id. */
export function findInvoiceDocument(world: World, documentId: string): StoredDocument | undefined {
  const order = world.orders().find((one) => `${DOCUMENT}${one.id}` === documentId && isInvoiced(one));
  if (order === undefined) return undefined;
  return {
    bytes: invoiceOf(order, invoiceNumberOf(order)),
    contentType: 'application/pdf',
    isCompressed: false,
  };
}

export function playInvoices({ world, addresses }: { world: World; addresses: Addresses }): Played {
  const exported = new Map<string, readonly string[]>();
  return {
    'invoices/getInvoices': (call) => list(world, call),
    'invoices/createInvoicesExport': ({ body }) => {
      const { data } = exportSchema.safeParse(body);
      if (data === undefined) return invalid('marketplaceId: is missing.');
      const found = invoiced(world, data.marketplaceId, data.externalInvoiceId);
      const exportId = `sbx-export-${1_000 + exported.size}`;
      // The newest ones.
      const newest = found.slice(-MAX_EXPORTED).map(({ id }) => `${DOCUMENT}${id}`);
      exported.set(exportId, newest);
      return ok({ exportId }, 202);
    },
    'invoices/getInvoicesExport': ({ params: { exportId = '' } }) => {
      const invoicesDocumentIds = known(exported.get(exportId), 'Export', exportId);
      return ok({ export: { exportId, status: 'DONE', invoicesDocumentIds } });
    },
    'invoices/getInvoicesDocument': ({ params: { invoicesDocumentId = '' } }) => {
      known(findInvoiceDocument(world, invoicesDocumentId), 'Invoices document', invoicesDocumentId);
      const invoicesDocumentUrl = addresses.document(invoicesDocumentId);
      return ok({ invoicesDocument: { invoicesDocumentId, invoicesDocumentUrl } });
    },
  };
}

function list(world: World, call: Call): Answer {
  refuseUnplayed(call, ['marketplaceId', 'externalInvoiceId', 'pageSize', 'nextToken']);
  const { query, cut } = findPageStart(call);
  const pageSize = readInteger(query, 'pageSize', { most: 200, otherwise: 50 });
  const marketplaceId = query.get('marketplaceId') || invalid('marketplaceId: is missing.');
  const { items, next } = cut(invoiced(world, marketplaceId, query.get('externalInvoiceId')), pageSize);
  const invoices = items.map((order) => ({
    id: `sbx-invoice-${order.id}`,
    externalInvoiceId: invoiceNumberOf(order),
    series: '1',
    date: isoSeconds(order.updatedAt),
    status: 'AUTHORIZED',
    invoiceType: 'SALES',
    transactionIds: [{ name: 'orderId', id: order.id }],
    transactionType: 'CUSTOMER_ORDER',
  }));
  return ok({ invoices, ...next });
}

/** Tax invoices: listed, exported, and each a PDF behind an address that ends after a while. */

import * as z from 'zod';
import { type Answer, type Call, fail } from '../answer.ts';
import { invoiceOf } from '../papers/shipping-papers.ts';
import { type Route, route } from '../router.ts';
import type { StoredFile } from '../signed/document-listener.ts';
import type { Order } from '../world/make-orders.ts';
import { isoSeconds } from '../world/plain-values.ts';
import type { World } from '../world/world.ts';
import { findPlace } from './page-token.ts';
import { answerQuery, invalid, readInteger, refuseUnplayed } from './query.ts';

const BASE = '/tax/invoices/2024-06-19';
const LIST = 'getInvoices';
const PLAYED = ['marketplaceId', 'externalInvoiceId', 'pageSize', 'nextToken'];
const DOCUMENT = 'sbx-invoice-document-';
/** An export gives at most this many documents. */
const MAX_EXPORTED = 10;

const exportSchema = z.looseObject({ marketplaceId: z.string(), externalInvoiceId: z.string().optional() });

export interface InvoiceParts {
  world: World;
  now: () => number;
  addressOf(documentId: string, announceEncoding: boolean): string;
}

const numberOf = ({ id }: Order): string => `INV-${id.replaceAll('-', '')}`;
const isInvoiced = ({ status, fulfilledBy }: Order): boolean =>
  status === 'Shipped' && fulfilledBy === 'MERCHANT';

const invoiced = (world: World, marketplaceId: string, number?: string): Order[] =>
  world
    .orders()
    .filter((order) => order.market.id === marketplaceId && isInvoiced(order))
    .filter((order) => number === undefined || numberOf(order) === number);

/** The PDF with this document id. */
export function findInvoiceDocument(world: World, documentId: string): StoredFile | undefined {
  const order = world.orders().find((one) => `${DOCUMENT}${one.id}` === documentId && isInvoiced(one));
  return order && { bytes: invoiceOf(order, numberOf(order)), contentType: 'application/pdf' };
}

export function buildInvoiceRoutes({ world, now, addressOf }: InvoiceParts): Route[] {
  const exported = new Map<string, readonly string[]>();
  return [
    route(LIST, 'GET', `${BASE}/invoices`, (call) => answerQuery(() => list(world, now(), call))),
    route('createInvoicesExport', 'POST', `${BASE}/exports`, (call) => createExport(world, exported, call)),
    route('getInvoicesExport', 'GET', `${BASE}/exports/{exportId}`, ({ params }) =>
      getExport(exported, params.exportId ?? ''),
    ),
    route('getInvoicesDocument', 'GET', `${BASE}/documents/{invoicesDocumentId}`, ({ params }) => {
      const id = params.invoicesDocumentId ?? '';
      if (findInvoiceDocument(world, id) === undefined) return notFound('Invoices document', id);
      const invoicesDocument = { invoicesDocumentId: id, invoicesDocumentUrl: addressOf(id, false) };
      return { status: 200, body: { invoicesDocument } };
    }),
  ];
}

const notFound = (what: string, id: string): Answer =>
  fail(404, { code: 'NotFound', message: `${what} '${id}' was not found.`, details: '' });

function list(world: World, now: number, call: Call): Answer {
  const unplayed = refuseUnplayed(LIST, call.query, PLAYED);
  if (unplayed !== undefined) return unplayed;
  const { from, query, tokenAt } = findPlace(call.query, { operation: LIST, tokenName: 'nextToken', now });
  const pageSize = readInteger(query, 'pageSize', { least: 1, most: 200, otherwise: 50 });
  const marketplaceId = query.get('marketplaceId') ?? '';
  if (marketplaceId === '') return invalid('marketplaceId: is missing.');
  const found = invoiced(world, marketplaceId, query.get('externalInvoiceId') ?? undefined);
  const to = Math.min(from + pageSize, found.length);
  const invoices = found.slice(from, to).map((order) => ({
    id: `sbx-invoice-${order.id}`,
    externalInvoiceId: numberOf(order),
    series: '1',
    date: isoSeconds(order.updatedAt),
    status: 'AUTHORIZED',
    invoiceType: 'SALES',
    transactionIds: [{ name: 'orderId', id: order.id }],
    transactionType: 'CUSTOMER_ORDER',
  }));
  return { status: 200, body: { invoices, ...(to < found.length && { nextToken: tokenAt(to) }) } };
}

function createExport(world: World, exported: Map<string, readonly string[]>, { body }: Call): Answer {
  const parsed = exportSchema.safeParse(body);
  if (!parsed.success) return invalid('marketplaceId: is missing.');
  const found = invoiced(world, parsed.data.marketplaceId, parsed.data.externalInvoiceId);
  const exportId = `sbx-export-${1_000 + exported.size}`;
  // The newest ones.
  exported.set(
    exportId,
    found.slice(-MAX_EXPORTED).map(({ id }) => `${DOCUMENT}${id}`),
  );
  return { status: 202, body: { exportId } };
}

function getExport(exported: ReadonlyMap<string, readonly string[]>, exportId: string): Answer {
  const invoicesDocumentIds = exported.get(exportId);
  if (invoicesDocumentIds === undefined) return notFound('Export', exportId);
  return { status: 200, body: { export: { exportId, status: 'DONE', invoicesDocumentIds } } };
}

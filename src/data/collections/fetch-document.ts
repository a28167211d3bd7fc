/** A document of the service from its id to the rows of a collection: address asked for, fetched, loaded. */

import { join } from 'node:path';
import * as z from 'zod';
import type { Clock } from '../../base/clock.ts';
import { ApiError, NetworkError } from '../../base/errors.ts';
import type { CallInput, Client } from '../../call/client.ts';
import type { Downloads } from '../../call/download/download.ts';
import { withFreshAddress } from '../../call/fresh-address.ts';
import type { Operation } from '../../service/facts/operation.ts';
import type { JoinedDocuments } from '../documents/join-documents.ts';
import type { DocumentFormat, DocumentOutcome, Loader } from '../tables/types.ts';
import { PATIENCE_MS } from './pages.ts';
import type { RunProgress } from './work.ts';

/** How often the progress of a load is looked at. */
const LOOK_MS = 250;

export interface DocumentJob {
  client: Pick<Client, 'call'>;
  downloads: Downloads;
  clock: Clock;
  signal: AbortSignal;
  tell(progress: RunProgress): void;
  account: string;
  owner: CallInput['owner'];
  /** Base address of the service, which decides where the document may be fetched from. */
  givenBy: string;
  /** getReportDocument, getFeedDocument or Data Kiosk's getDocument. */
  operation: Operation;
  id: string;
}

/** Both shapes: reports and feeds, and Data Kiosk. */
const addressSchema = z.union([
  z.looseObject({ url: z.string().min(1) }).transform(({ url }) => url),
  z.looseObject({ documentUrl: z.string().min(1) }).transform(({ documentUrl }) => documentUrl),
]);

/** Writes the document into a new file; a new address is asked for where one has ended. @throws as `Downloads.download` */
export async function fetchDocument(
  job: DocumentJob,
  file: string,
): Promise<{ bytes: number; charset: string | undefined }> {
  const { downloads, clock, signal, givenBy, tell } = job;
  return withFreshAddress(async () => {
    const address = await askAddress(job);
    return downloads.download(address, file, {
      givenBy,
      givenAt: clock.wallClock(),
      signal,
      onProgress: ({ bytes, ofBytes }) => tell({ message: `Downloads ${sizeWords(bytes, ofBytes)}` }),
    });
  });
}

async function askAddress({ client, operation, id, account, owner, signal, tell }: DocumentJob) {
  const name = operation.parameters.find((parameter) => parameter.in === 'path')?.name ?? 'documentId';
  const { body } = await client.call(
    { operation, parameters: { [name]: id }, account, owner },
    {
      signal,
      timeoutMs: PATIENCE_MS,
      onProgress: ({ ms }) => tell({ message: 'Waits for the address of the document', leftMs: ms }),
    },
  );
  const address = addressSchema.safeParse(body);
  if (address.success) return address.data;
  throw new NetworkError(
    'NO_ADDRESS',
    'not-sent',
    `${operation.name} answered without an address of the document.`,
    'Check the id, and what the document is of (report, feed, data-kiosk).',
  );
}

export interface LoadJob {
  loader: Loader;
  table: string;
  /** A file, or several as one. */
  document: string | JoinedDocuments;
  format: DocumentFormat;
  charset?: string | undefined;
  reportType?: string | undefined;
  /** True for a report with personal data, which is given against a token of its own. */
  isRestricted?: boolean | undefined;
  tell(progress: RunProgress): void;
}

/** Where a document of this collection is kept while it is loaded. */
export const fileOf = (loader: Loader) => join(loader.folder, 'document');

/** @throws DocumentError: nothing of it is to be used */
export async function loadDocument(job: LoadJob): Promise<DocumentOutcome> {
  const { loader, table, document, format, charset, reportType, isRestricted, tell } = job;
  const look = setInterval(() => {
    const { rows, bytes, ofBytes = 0 } = loader.progress();
    const percent = ofBytes === 0 ? '' : ` (${Math.min(99, Math.floor((bytes / ofBytes) * 100))} %)`;
    tell({ message: `${rows.toLocaleString('en-US')} rows loaded${percent}`, done: rows });
  }, LOOK_MS);
  try {
    return await loader.addDocument(table, document, { format, charset, reportType, isRestricted });
  } finally {
    clearInterval(look);
  }
}

function sizeWords(bytes: number, ofBytes: number | undefined): string {
  const isSmall = Math.max(bytes, ofBytes ?? 0) < 1_000_000;
  const inUnit = (size: number) => (isSmall ? Math.ceil(size / 1_000) : (size / 1_000_000).toFixed(1));
  const of = ofBytes === undefined ? '' : ` of ${inUnit(ofBytes)}`;
  return `${inUnit(bytes)}${of} ${isSmall ? 'kB' : 'MB'}`;
}

/** What a refused address may mean beside what the service says. */
export function explainDocumentError(error: unknown, of: string): unknown {
  if (error instanceof ApiError && [400, 403, 404].includes(error.status)) {
    return error.withHint(
      `Is the id that of a document of a ${of}? A report's own id is another one: getReport tells its reportDocumentId.`,
    );
  }
  return error;
}

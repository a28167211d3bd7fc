/**
 * Loads documents of the service into the one table of a collection: it asks for the address, downloads and
 * loads.
 */

import { join } from 'node:path';
import * as z from 'zod';
import { ApiError, NetworkError } from '../../base/errors.ts';
import { count } from '../../base/text/format-value.ts';
import { type CallInput, PATIENCE_MS } from '../../call/client-types.ts';
import type { Downloads } from '../../call/download/download.ts';
import { withFreshAddress } from '../../call/fresh-address.ts';
import type { Operation } from '../../service/facts/operation.ts';
import type { JoinedDocuments, LabeledDocument } from '../documents/join-documents.ts';
import { valueSourceOf } from '../tables/personal-tables.ts';
import type { CollectionSource, Loader, LoadOptions } from '../tables/table-types.ts';
import type {
  CollectionPlan,
  CollectionResult,
  CollectionSources,
  CollectionWorkParts,
} from './collection-plan.ts';
import type { DoneReport } from './fitting-report.ts';
import { mayBePersonal, type SaveTarget, saveRaw } from './save-raw.ts';

/** The interval between checks of a load's progress. */
const PROGRESS_CHECK_MS = 250;

export interface DocumentRequest {
  id: string;
  of?: 'report' | 'feed' | 'data-kiosk' | undefined;
}

const DOCUMENT_OPERATIONS = {
  report: 'reports/getReportDocument',
  feed: 'feeds/getFeedDocument',
  'data-kiosk': 'data-kiosk/getDocument',
} as const;

/** @returns the text of the query that a Data Kiosk document answers; undefined if unknown */
export type FindQuery = (
  id: string,
  context: Pick<CollectionSources, 'client' | 'account' | 'find'> & {
    owner: CallInput['owner'];
    signal: AbortSignal;
  },
) => Promise<string | undefined>;

/**
 * Plans to read an existing document by its id once, because documents never change.
 * @param findQuery is omitted if no comparison is made
 * @throws InputError for an id that cannot be sent
 */
export async function planDocument(
  { id, of = 'report', as }: DocumentRequest & { as?: string | undefined },
  sources: CollectionSources,
  findQuery?: FindQuery,
): Promise<CollectionPlan> {
  const { client, account, saving } = sources;
  const operation = sources.find(DOCUMENT_OPERATIONS[of]);
  const { owner, url } = await client.prepare({ operation, parameters: withId(operation, id), account });
  const source: CollectionSource = { kind: 'document', id, of };
  return {
    source,
    recentMs: Number.POSITIVE_INFINITY,
    saveAs: saving?.name,
    async work({ openLoader, signal, tell: report }) {
      const job = {
        id,
        ...(await openDocumentJob(sources, { signal, tell: report }, { owner, url, operation })),
      };
      const isKiosk = of === 'data-kiosk';
      return collectDocument(job, {
        openLoader,
        table: as ?? `${of.replace('-', '_')}_document`,
        format: isKiosk ? 'jsonl' : 'auto',
        query: isKiosk ? await findQuery?.(id, { ...sources, owner, signal }) : undefined,
        source,
        complete: true,
        notes: [],
        saving,
        isRestricted: true,
      });
    },
  };
}

export interface DocumentJob
  extends Pick<CollectionSources, 'client' | 'clock' | 'account'>,
    Pick<CollectionWorkParts, 'signal' | 'tell'> {
  downloads: Downloads;
  owner: CallInput['owner'];
  /** The base address of the service, which decides from where the document may be downloaded. */
  givenBy: string;
  /** The operation getReportDocument, getFeedDocument or Data Kiosk's getDocument. */
  operation: Operation;
  id: string;
}

/** @param url the URL of a call to the service that provides the document */
export async function openDocumentJob(
  { client, clock, account, downloads }: CollectionSources,
  { signal, tell: report }: Pick<CollectionWorkParts, 'signal' | 'tell'>,
  { owner, operation, url }: Pick<DocumentJob, 'owner' | 'operation'> & { url: string },
): Promise<Omit<DocumentJob, 'id'>> {
  const givenBy = new URL(url).origin;
  return {
    client,
    clock,
    account,
    signal,
    tell: report,
    owner,
    operation,
    givenBy,
    downloads: await downloads(),
  };
}

export interface CollectionTarget {
  openLoader: CollectionWorkParts['openLoader'];
  table: string;
  format: LoadOptions['format'];
  source: CollectionSource;
  complete: boolean;
  notes: string[];
  saving: SaveTarget | undefined;
  /** Whether its documents need a restricted data token, because they contain buyers' data. */
  isRestricted: boolean;
  /** The text of the query that a Data Kiosk document answers, if known. */
  query?: string | undefined;
  template?: LoadOptions['template'];
}

/** @throws the errors of `fetchDocument`, explained if the caller named the document */
export async function collectDocument(job: DocumentJob, target: CollectionTarget): Promise<CollectionResult> {
  const loader = await target.openLoader();
  const file = fileOf(loader);
  const { charset } = await fetchDocument(job, file).catch((error: unknown) => {
    throw target.source.kind === 'document' ? explainRefusal(error, target.source.of) : error;
  });
  return load(loader, { document: file, charset }, target, job);
}

/** Loads all reports into one table, in which each row names its report. */
export async function collectJoined(
  job: Omit<DocumentJob, 'id'>,
  reports: readonly DoneReport[],
  target: CollectionTarget,
): Promise<CollectionResult> {
  const loader = await target.openLoader();
  const documents: LabeledDocument[] = [];
  for (const [at, { reportId, reportDocumentId }] of reports.entries()) {
    const file = `${fileOf(loader)}-${at + 1}`;
    const report: DocumentJob['tell'] = ({ message, ...rest }) =>
      job.tell({ message: `Report ${at + 1} of ${reports.length}: ${message}`, isAtLeast: true, ...rest });
    const { charset } = await fetchDocument({ ...job, tell: report, id: reportDocumentId }, file);
    documents.push({ file, charset, label: reportId });
  }
  return load(loader, { document: { column: 'report_id', documents } }, target, job);
}

/** Returns the path at which a document of this collection is stored while it is loaded. */
export const fileOf = (loader: Loader) => join(loader.folder, 'document');

/** Accepts the shapes of reports and feeds, and of Data Kiosk. */
const addressSchema = z.union([
  z.looseObject({ url: z.string().min(1) }).transform(({ url }) => url),
  z.looseObject({ documentUrl: z.string().min(1) }).transform(({ documentUrl }) => documentUrl),
]);

/**
 * Writes the document into a new file and asks for a new address if one has expired.
 * @throws the errors of `Downloads.download`
 */
export async function fetchDocument(
  job: DocumentJob,
  file: string,
): Promise<{ bytes: number; charset: string | undefined }> {
  const { downloads, clock, signal, givenBy, tell: report } = job;
  return withFreshAddress(async () => {
    const address = await requestAddress(job);
    return downloads.download(address, file, {
      givenBy,
      givenAt: clock.wallClock(),
      signal,
      onProgress: ({ bytes, ofBytes }) => report({ message: `Downloads ${formatLoadSize(bytes, ofBytes)}` }),
    });
  });
}

/** Sets the one path parameter of the operation. */
const withId = ({ parameters }: Operation, id: string) =>
  Object.fromEntries(parameters.filter((one) => one.in === 'path').map(({ name }) => [name, id]));

async function requestAddress({ client, operation, id, account, owner, signal, tell: report }: DocumentJob) {
  const { body } = await client.call(
    { operation, parameters: withId(operation, id), account, owner },
    {
      signal,
      timeoutMs: PATIENCE_MS,
      onProgress: ({ ms }) => report({ message: 'Waits for the address of the document', leftMs: ms }),
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

/** Adds a possible cause to a refused address, beside the service's message. */
function explainRefusal(error: unknown, of: string): unknown {
  if (error instanceof ApiError && [400, 403, 404].includes(error.status)) {
    return error.withHint(
      `Is the id that of a document of a ${of}? A report's own id is another one: getReport tells its reportDocumentId.`,
    );
  }
  return error;
}

function formatLoadSize(bytes: number, ofBytes: number | undefined): string {
  const isSmall = Math.max(bytes, ofBytes ?? 0) < 1_000_000;
  const inUnit = (size: number) => (isSmall ? Math.ceil(size / 1_000) : (size / 1_000_000).toFixed(1));
  const of = ofBytes === undefined ? '' : ` of ${inUnit(ofBytes)}`;
  return `${inUnit(bytes)}${of} ${isSmall ? 'kB' : 'MB'}`;
}

interface DownloadedFile {
  /** One file, or several that are read as one. */
  document: string | JoinedDocuments;
  charset?: string | undefined;
}

/** @throws DocumentError, after which nothing of the document may be used */
async function load(
  loader: Loader,
  { document, charset }: DownloadedFile,
  { table, format, source, complete, notes, saving, isRestricted, query, template }: CollectionTarget,
  { tell: report, signal }: Pick<DocumentJob, 'tell' | 'signal'>,
): Promise<CollectionResult> {
  const look = setInterval(() => {
    const { rows, bytes, ofBytes } = loader.progress();
    const percent = ofBytes === 0 ? '' : ` (${Math.min(99, Math.floor((bytes / ofBytes) * 100))} %)`;
    report({ message: `${count(rows)} rows loaded${percent}`, done: rows });
  }, PROGRESS_CHECK_MS);
  const loaded = await loader
    .addDocument(table, document, { format, charset, isRestricted, template })
    .finally(() => clearInterval(look));
  const personal = mayBePersonal(valueSourceOf(source), isRestricted, loaded.tables);
  const files = typeof document === 'string' ? [{ file: document }] : document.documents;
  // Saving comes before the downloads are removed with the loader; a file that could not be saved costs no
  // table.
  const saved = saving && (await saveRaw(saving, files, personal, signal));
  const info = await loader.finish({ source, complete, notes: [...notes, ...loaded.notes], query });
  return { ...info, saved };
}

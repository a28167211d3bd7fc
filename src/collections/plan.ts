/** What a request to collect comes to: where the data are from, how they are had, and for how long they are new enough. */

import type { CallInput, Client } from '../client/client.ts';
import type { Clock } from '../client/clock.ts';
import type { Downloads } from '../client/download/download.ts';
import { namedMarketplaces } from '../client/request/resolve-marketplaces.ts';
import type { LabeledDocument } from '../documents/join-documents.ts';
import { InputError } from '../errors.ts';
import { marketplaceLabel } from '../service/facts/marketplaces.ts';
import type { Operation } from '../service/facts/operation.ts';
import type { CollectionSource, DocumentFormat } from '../tables/types.ts';
import { showText } from '../text/escape-text.ts';
import {
  type DocumentJob,
  explainDocumentError,
  fetchDocument,
  fileOf,
  loadDocument,
} from './fetch-document.ts';
import { withLargestPages } from './page-size.ts';
import { collectPages } from './pages.ts';
import { partsLeftOut } from './parts-left-out.ts';
import { makeReport, RECENT_MS } from './report.ts';
import { checkReport, type GivenReport, type ReportRequest } from './report-request.ts';
import { type DoneReport, type ServiceReport, timeOf } from './service-report.ts';
import type { Work } from './work.ts';

/** Pages that were read since then are given again. */
export const RECENT_PAGES_MS = 10 * 60_000;

/** What the work of an account needs. */
export interface Sources {
  client: Client;
  /** Opened on first use. */
  downloads(): Promise<Downloads>;
  /** By id or name. @throws InputError naming the candidates */
  find(operation: string): Operation;
  account: string;
  clock: Clock;
}

export interface Plan {
  source: CollectionSource;
  /** Of the main table, before it is made unique. */
  table: string;
  /** A collection of this age at most is as good as a new one, in milliseconds. */
  recentMs: number;
  work: Work;
}

export interface OperationRequest {
  operation: string;
  parameters?: Readonly<Record<string, unknown>> | undefined;
  body?: unknown;
  as?: string | undefined;
}

/** @throws InputError for an operation without pages, for one that writes, and for wrong arguments; nothing is sent */
export async function planOperation(request: OperationRequest, sources: Sources): Promise<Plan> {
  const { client, account, clock } = sources;
  const operation = sources.find(request.operation);
  const { paging } = operation;
  if (operation.effect !== 'read' || paging === undefined) throw notPaging(operation);
  const given = request.parameters ?? {};
  if (paging.input.in === 'query' && (given[paging.input.name] ?? undefined) !== undefined) {
    throw ownToken(operation, paging.input.name);
  }
  const body = request.body === undefined ? {} : { body: request.body };
  const sized = withLargestPages(operation, { parameters: given, ...body });
  const prepared = await client.prepare({ operation, account, ...sized });
  const plain = await client.prepare({ operation, account, parameters: given, ...sizedBody(sized.body) });
  const owner: CallInput['owner'] = prepared.owner;
  const table = request.as ?? nounOf(operation.name);
  const source: CollectionSource = {
    kind: 'operation',
    operation: operation.id,
    parameters: { ...plain.parameters, ...plain.filledIn },
    ...(plain.body === undefined ? {} : { body: plain.body }),
  };
  const named = namedMarketplaces(prepared.marketplaces);
  return {
    source,
    table,
    recentMs: RECENT_PAGES_MS,
    async work({ open, signal, tell }) {
      const input = { account, owner, parameters: sized.parameters, ...sizedBody(sized.body) };
      const { loader, complete, notes } = await collectPages({
        ...{ client, operation, paging, input, table, clock, signal, tell, open },
      });
      const marketplaces = named.length === 0 ? [] : [`Marketplaces: ${named.join(', ')}.`];
      return loader.finish({
        ...{ source, complete },
        notes: [...marketplaces, ...notes, ...partsLeftOut(operation, given)],
      });
    },
  };
}

const sizedBody = (body: unknown) => (body === undefined ? {} : { body });

function notPaging({ name, id, effect }: Operation): InputError {
  return effect === 'read'
    ? new InputError(
        `${name} has no pages to collect; nothing was sent.`,
        `Call it with read_operation: it answers at once. Operation: ${id}.`,
      )
    : new InputError(
        `${id} does not only read (its effect: ${effect}); nothing was sent.`,
        'collect_data takes operations that read. Reports are collected with report: {"type": ...}.',
      );
}

function ownToken({ name }: Operation, parameter: string): InputError {
  return new InputError(
    `${name} was not sent: ${parameter} is set by collect_data itself, which reads all pages.`,
    `Leave ${parameter} out.`,
  );
}

/** `searchListingsItems` -> `ListingsItems`; the tables make a name of it that SQL takes. */
function nounOf(name: string): string {
  return name.replace(/^(?:get|list|search)(?=[A-Z])/i, '') || name;
}

export interface ReportOrder extends GivenReport {
  fresh?: boolean | undefined;
  as?: string | undefined;
}

/** @throws InputError with everything that is wrong; nothing is sent */
export async function planReport(order: ReportOrder, sources: Sources): Promise<Plan> {
  const { client, account, clock, find } = sources;
  const operations = {
    getReports: find('reports/getReports'),
    createReport: find('reports/createReport'),
    getReport: find('reports/getReport'),
    getReportDocument: find('reports/getReportDocument'),
  };
  const { owner, url } = await client.prepare({
    operation: operations.getReport,
    parameters: { reportId: '1' },
    account,
  });
  const request = checkReport(order, owner.marketplaceId, clock.wallClock());
  const { type, facts, marketplaces, start, end, options } = request;
  const source: CollectionSource = {
    kind: 'report',
    reportType: type,
    marketplaces,
    ...(start === undefined ? {} : { start }),
    ...(end === undefined ? {} : { end }),
    ...(options === undefined ? {} : { options }),
  };
  const table = order.as ?? type.replace(/^GET_/, '');
  // A document with personal data is given against a token of its own.
  const getReportDocument =
    facts?.restricted === true
      ? { ...operations.getReportDocument, auth: { kind: 'restricted' as const } }
      : operations.getReportDocument;
  return {
    source,
    table,
    recentMs: Math.max(RECENT_MS, (facts?.minutesApart ?? 0) * 60_000),
    async work({ open, signal, tell, idle }) {
      const base = { client, clock, signal, tell, account, owner, givenBy: new URL(url).origin };
      const downloads = await sources.downloads();
      const made = await makeReport({
        ...{ ...base, downloads, request, idle, fresh: order.fresh === true },
        operations: { ...operations, getReportDocument },
        scratch: async () => fileOf(await open()),
      });
      const { reports, areJoined, complete } = made;
      const [report] = reports;
      const whole = report === undefined || areJoined ? source : { ...source, reportId: report.reportId };
      const target = {
        open,
        table,
        format: formatOf(facts?.format),
        reportType: type,
        source: whole,
        complete,
      };
      const notes = [aboutWords(request, areJoined ? undefined : report), ...request.notes, ...made.notes];
      const job = { ...base, downloads, operation: getReportDocument };
      return areJoined
        ? loadJoined(job, reports, { ...target, notes })
        : loadFrom({ ...job, id: report?.reportDocumentId ?? '' }, { ...target, notes });
    },
  };
}

/** What was understood, and which time the report says it covers. */
function aboutWords(
  { marketplaces, facts, ...asked }: ReportRequest,
  report: ServiceReport | undefined,
): string {
  const named = marketplaces.map((id) => marketplaceLabel(id) ?? showText(id)).join(', ');
  const { start, end } =
    (facts?.period === 'moment' || report === undefined ? undefined : timeOf(report)) ?? asked;
  const time = start === undefined && end === undefined ? '' : `, ${start ?? ''} to ${end ?? 'now'}`;
  return `Marketplaces: ${named}${time}.`;
}

/** What holds no rows is kept as it is. */
function formatOf(format: string | undefined): DocumentFormat {
  if (format === 'tab' || format === 'csv' || format === 'json' || format === 'xml') return format;
  return format === undefined ? 'auto' : 'other';
}

export interface DocumentRequest {
  id: string;
  of?: 'report' | 'feed' | 'data-kiosk' | undefined;
  as?: string | undefined;
}

const DOCUMENT_OPERATIONS = {
  report: 'reports/getReportDocument',
  feed: 'feeds/getFeedDocument',
  'data-kiosk': 'data-kiosk/getDocument',
} as const;

/** A document never changes: it is read once. @throws InputError for an id that cannot be sent */
export async function planDocument(request: DocumentRequest, sources: Sources): Promise<Plan> {
  const { client, account, clock } = sources;
  const { id, of = 'report' } = request;
  const operation = sources.find(DOCUMENT_OPERATIONS[of]);
  const name = operation.parameters.find((parameter) => parameter.in === 'path')?.name ?? '';
  const { owner, url } = await client.prepare({ operation, parameters: { [name]: id }, account });
  const source: CollectionSource = { kind: 'document', id, of };
  const table = request.as ?? `${of.replace('-', '_')}_document`;
  return {
    source,
    table,
    recentMs: Number.POSITIVE_INFINITY,
    async work({ open, signal, tell }) {
      const downloads = await sources.downloads();
      const job = {
        ...{ client, clock, signal, tell, account, owner, downloads, operation, id },
        givenBy: new URL(url).origin,
      };
      return loadFrom(job, {
        open,
        table,
        format: of === 'data-kiosk' ? 'jsonl' : 'auto',
        source,
        complete: true,
        notes: [],
      });
    },
  };
}

interface Target {
  open: Parameters<Work>[0]['open'];
  table: string;
  format: DocumentFormat;
  reportType?: string;
  source: CollectionSource;
  complete: boolean;
  notes: string[];
}

async function loadFrom(job: DocumentJob, target: Target) {
  const { open, table, format, reportType, source, complete, notes } = target;
  const loader = await open();
  const file = fileOf(loader);
  const { charset } = await fetchDocument(job, file).catch((error: unknown) => {
    throw source.kind === 'document' ? explainDocumentError(error, source.of) : error;
  });
  const loaded = await loadDocument({
    ...{ loader, table, document: file, format, charset, reportType, tell: job.tell },
  });
  return loader.finish({ source, complete, notes: [...notes, ...loaded.notes] });
}

/** All of them in one table, each row with the report that it is from. */
async function loadJoined(job: Omit<DocumentJob, 'id'>, reports: readonly DoneReport[], target: Target) {
  const { open, table, format, reportType, source, complete, notes } = target;
  const loader = await open();
  const documents: LabeledDocument[] = [];
  for (const [at, { reportId, reportDocumentId }] of reports.entries()) {
    const file = `${fileOf(loader)}-${at + 1}`;
    const tell: DocumentJob['tell'] = ({ message, ...rest }) =>
      job.tell({ message: `Report ${at + 1} of ${reports.length}: ${message}`, isAtLeast: true, ...rest });
    const { charset } = await fetchDocument({ ...job, tell, id: reportDocumentId }, file);
    documents.push({ file, charset, label: reportId });
  }
  const document = { column: 'report_id', documents };
  const loaded = await loadDocument({ loader, table, document, format, reportType, tell: job.tell });
  return loader.finish({ source, complete, notes: [...notes, ...loaded.notes] });
}

/** The reports operations: asking for one, seeing how far it is, and getting the address of its document. */

import * as z from 'zod';
import { type Answer, type Call, fail } from '../answer.ts';
import type { Report, ReportStore } from '../reports/report-store.ts';
import { findReportType, reportTypeNames } from '../reports/report-types.ts';
import { type Route, route } from '../router.ts';
import type { Market } from '../world/markets.ts';
import { DAY_MS, isoSeconds } from '../world/plain-values.ts';
import { findPlace } from './page-token.ts';
import {
  answerQuery,
  BadParameter,
  invalid,
  invalidBody,
  readInteger,
  readList,
  readMoment,
  refuseOthers,
  refuseUnplayed,
} from './query.ts';

const BASE = '/reports/2021-06-30';

export interface ReportParts {
  reports: ReportStore;
  markets: readonly Market[];
  now: () => number;
  /** The signed address of a document, by its id. */
  addressOf(documentId: string, announceEncoding: boolean): string;
}

export function buildReportRoutes(parts: ReportParts): Route[] {
  const { reports } = parts;
  const one = `${BASE}/reports/{reportId}`;
  return [
    route('createReport', 'POST', `${BASE}/reports`, (call) => answerQuery(() => createReport(parts, call))),
    route('getReports', 'GET', `${BASE}/reports`, (call) =>
      answerQuery(() => listReports(reports, parts.now(), call)),
    ),
    route('getReport', 'GET', one, (call) =>
      withReport(reports, call, (report) => ({ status: 200, body: showReport(reports, report) })),
    ),
    route('cancelReport', 'DELETE', one, (call) =>
      withReport(reports, call, (report) =>
        reports.cancel(report)
          ? { status: 200 }
          : invalid(`A report that is ${reports.stateOf(report).status} cannot be cancelled.`),
      ),
    ),
    route('getReportDocument', 'GET', `${BASE}/documents/{reportDocumentId}`, (call) =>
      getDocument(parts, call),
    ),
    route('getReportSchedules', 'GET', `${BASE}/schedules`, ({ query }) =>
      readList(query, 'reportTypes').length === 0
        ? invalid('reportTypes: is missing.')
        : { status: 200, body: { reportSchedules: [] } },
    ),
  ];
}

const notFound = (what: string, id: string): Answer =>
  fail(404, { code: 'NotFound', message: `${what} '${id}' was not found.`, details: '' });

function withReport(reports: ReportStore, { params }: Call, use: (report: Report) => Answer): Answer {
  const id = params.reportId ?? '';
  const report = reports.find(id);
  return report === undefined ? notFound('Report', id) : use(report);
}

function getDocument({ reports, addressOf }: ReportParts, { params, query, token }: Call): Answer {
  const id = params.reportDocumentId ?? '';
  const document = reports.findDocument(id);
  if (document === undefined) return notFound('Report document', id);
  if (document.type.isRestricted && token.kind !== 'restricted') {
    const details = 'This document needs a restricted data token.';
    return fail(403, { code: 'Unauthorized', message: 'Access to requested resource is denied.', details });
  }
  const announceEncoding = query.get('enableContentEncodingUrlHeader') === 'true';
  return {
    status: 200,
    body: {
      reportDocumentId: document.id,
      url: addressOf(document.id, announceEncoding),
      ...(document.type.isCompressed && { compressionAlgorithm: 'GZIP' }),
    },
  };
}

// createReport: what is asked for is checked as the service does it, then waits its turn.

/** The time that a report covers when nobody says. */
const DEFAULT_DAYS = 30;

const moment = z.iso.datetime({ offset: true });
const requestSchema = z.looseObject({
  reportType: z.string().min(1),
  marketplaceIds: z.array(z.string()).min(1).max(25),
  dataStartTime: moment.optional(),
  dataEndTime: moment.optional(),
  reportOptions: z.record(z.string(), z.string()).default({}),
});

/** @throws BadParameter for a marketplace where the seller does not sell. */
function createReport(
  { reports, markets, now }: { reports: ReportStore; markets: readonly Market[]; now: () => number },
  { body }: Call,
): Answer {
  const parsed = requestSchema.safeParse(body);
  if (!parsed.success) return invalidBody(parsed.error);
  const { reportType, marketplaceIds, reportOptions } = parsed.data;
  const refused = refuseType(reportType);
  if (refused !== undefined) return refused;
  const end = parsed.data.dataEndTime === undefined ? now() : Date.parse(parsed.data.dataEndTime);
  const start =
    parsed.data.dataStartTime === undefined
      ? end - DEFAULT_DAYS * DAY_MS
      : Date.parse(parsed.data.dataStartTime);
  if (start > end) return invalid('dataEndTime: lies before dataStartTime.');
  const asked = marketplaceIds.map((id) => findMarket(markets, id));
  const report = reports.create({ reportType, markets: asked, start, end, options: reportOptions });
  return { status: 202, body: { reportId: report.id } };
}

function refuseType(reportType: string): Answer | undefined {
  const type = findReportType(reportType);
  if (type === undefined) {
    return invalid(
      `reportType: ${reportType} is none that the sandbox plays; it plays ${reportTypeNames().join(', ')}.`,
    );
  }
  return type.canBeRequested === false
    ? invalid(
        `reportType: ${reportType} cannot be requested; the service makes it by itself. See getReports.`,
      )
    : undefined;
}

function findMarket(markets: readonly Market[], id: string): Market {
  const market = markets.find((one) => one.id === id);
  if (market !== undefined) return market;
  const known = markets.map((one) => `${one.id} (${one.country})`).join(', ');
  throw new BadParameter(`marketplaceIds: the sandbox has reports of ${known}, not of ${id}.`);
}

// getReports: the reports of a time, newest first; and one report as the service shows it.

const OPERATION = 'getReports';
/** How far back it looks when nobody says. */
const LISTED_DAYS = 90;
const STATUSES = ['CANCELLED', 'DONE', 'FATAL', 'IN_PROGRESS', 'IN_QUEUE'] as const;
const PLAYED = [
  'reportTypes',
  'processingStatuses',
  'marketplaceIds',
  'pageSize',
  'createdSince',
  'createdUntil',
  'nextToken',
];

/** @throws BadParameter for a parameter that cannot be read. */
function listReports(reports: ReportStore, now: number, { query: given }: Call): Answer {
  const refused =
    refuseUnplayed(OPERATION, given, PLAYED) ?? refuseOthers(given, 'processingStatuses', STATUSES);
  if (refused !== undefined) return refused;
  if (given.has('nextToken') && [...given.keys()].length > 1) return invalid('nextToken: must stand alone.');
  const { query, cut } = findPlace(given, { operation: OPERATION, tokenName: 'nextToken', now });
  if (readList(query, 'reportTypes').length === 0) {
    return invalid('reportTypes or nextToken: one of them is needed.');
  }
  const pageSize = readInteger(query, 'pageSize', { least: 1, most: 100, otherwise: 10 });
  const { items, next } = cut(find(reports, query, now), pageSize);
  const shown = items.map((report) => showReport(reports, report));
  return { status: 200, body: { reports: shown, ...(next !== undefined && { nextToken: next }) } };
}

function find(reports: ReportStore, query: URLSearchParams, now: number): Report[] {
  const types = readList(query, 'reportTypes');
  const statuses = readList(query, 'processingStatuses');
  const marketplaceIds = readList(query, 'marketplaceIds');
  const since = readMoment(query, 'createdSince') ?? now - LISTED_DAYS * DAY_MS;
  const until = readMoment(query, 'createdUntil') ?? now;
  const isThere = ({ markets }: Report): boolean =>
    marketplaceIds.length === 0 || markets.some(({ id }) => marketplaceIds.includes(id));
  return reports
    .list()
    .filter(({ reportType }) => types.includes(reportType))
    .filter(({ createdAt }) => createdAt >= since && createdAt <= until)
    .filter((report) => statuses.length === 0 || statuses.includes(reports.stateOf(report).status))
    .filter(isThere);
}

function showReport(reports: ReportStore, report: Report): object {
  const { status, start, end, document } = reports.stateOf(report);
  return {
    reportId: report.id,
    reportType: report.reportType,
    marketplaceIds: report.markets.map(({ id }) => id),
    dataStartTime: isoSeconds(report.start),
    dataEndTime: isoSeconds(report.end),
    createdTime: isoSeconds(report.createdAt),
    processingStatus: status,
    ...(start !== undefined && { processingStartTime: isoSeconds(start) }),
    ...(end !== undefined && { processingEndTime: isoSeconds(end) }),
    ...(document !== undefined && { reportDocumentId: document.id }),
  };
}

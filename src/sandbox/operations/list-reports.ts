/** getReports: the reports of a time, newest first; and one report as the service shows it. */

import type { Answer, Call } from '../answer.ts';
import type { Report, ReportStore } from '../reports/report-store.ts';
import { DAY_MS, isoSeconds } from '../world/plain-values.ts';
import { findPlace } from './page-token.ts';
import { invalid, readInteger, readList, readMoment, refuseOthers, refuseUnplayed } from './query.ts';

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
export function listReports(reports: ReportStore, now: number, { query: given }: Call): Answer {
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
    .filter((report) => statuses.length === 0 || statuses.includes(reports.statusOf(report)))
    .filter(isThere);
}

export function showReport(reports: ReportStore, report: Report): object {
  const { start, end } = reports.workOf(report);
  const document = reports.documentOf(report);
  return {
    reportId: report.id,
    reportType: report.reportType,
    marketplaceIds: report.markets.map(({ id }) => id),
    dataStartTime: isoSeconds(report.start),
    dataEndTime: isoSeconds(report.end),
    createdTime: isoSeconds(report.createdAt),
    processingStatus: reports.statusOf(report),
    ...(start !== undefined && { processingStartTime: isoSeconds(start) }),
    ...(end !== undefined && { processingEndTime: isoSeconds(end) }),
    ...(document !== undefined && { reportDocumentId: document.id }),
  };
}

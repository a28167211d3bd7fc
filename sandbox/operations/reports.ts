/** The reports operations: asking for one, seeing how far it is, and getting the address of its document. */

import * as z from 'zod';
import { reportType as knownReportType } from '../../src/service/facts/report-types.ts';
import { type Answer, type Call, deny, invalid, known, ok, readBody, refuseNotPlayed } from '../answer.ts';
import { createJobs, type Job, type JobState, type Jobs, type Outcome } from '../jobs.ts';
import { encode, localContentType, type ReportRequest, type ReportType } from '../reports/report-type.ts';
import { findReportType, SETTLEMENTS } from '../reports/report-types.ts';
import type { Played } from '../router.ts';
import type { Addresses } from '../signed/signed-address.ts';
import type { Market } from '../world/markets.ts';
import { DAY_MS, HOUR_MS, isoSeconds } from '../world/plain-values.ts';
import type { World } from '../world/world.ts';
import {
  findPageStart,
  readFilledList,
  readInteger,
  readList,
  refuseChoices,
  refuseUnplayed,
} from './query.ts';

interface Report extends Job, ReportRequest {}

const documentIdOf = (id: string) => `amzn1.spdoc.1.4.na.sandbox-${id}.T1SANDBOX`;

/** The service deletes a report after so long. */
const KEPT_MS = 90 * DAY_MS;

export type ReportJobs = Jobs<Report>;

/** @param speed how many times faster than the sandbox's own pace reports are made. */
export function createReports(world: World, now: () => number, speed: number): ReportJobs {
  const jobs = settlementReports(world);
  const conclude = (report: Report) => concludeReport(world, jobs, report);
  return createJobs({ what: 'Report', firstId: 50_001_020_000, jobs, now, speed, conclude });
}

/** The document of a report that is over. */
export function findReportDocument({ jobs, stateOf }: ReportJobs, id: string): Outcome['document'] {
  const report = jobs.find((one) => documentIdOf(one.id) === id);
  return report && stateOf(report).document;
}

/** Lists both forms of the settlements that the service still has the reports of, which it made by itself. */
function settlementReports(world: World): Report[] {
  const kept = world.settlements().filter((one) => one.isClosed && one.end > world.madeAt - KEPT_MS);
  const oldestFirst = kept.toSorted((one, other) => one.end - other.end);
  return oldestFirst.flatMap(({ market, start, end }, n) =>
    SETTLEMENTS.map((type, form) => ({
      id: String(50_001_010_000 + SETTLEMENTS.length * n + form),
      type,
      markets: [market],
      marketplaceIds: [market.id],
      start,
      end,
      options: {},
      createdAt: end + HOUR_MS,
      isCancelled: false,
    })),
  );
}

function concludeReport(world: World, reports: readonly Report[], report: Report): Outcome {
  const type = findReportType(report.type);
  if (type === undefined || isTooSoon(reports, report, type)) return { status: 'CANCELLED' };
  const errorDetails = type.failure?.(report, world);
  const text = errorDetails === undefined ? type.build(world, report) : JSON.stringify({ errorDetails });
  if (text === undefined) return { status: 'CANCELLED' };
  const {
    contentType: usual,
    isCompressed,
    isRestricted,
  }: Pick<ReportType, 'contentType' | 'isCompressed' | 'isRestricted'> = errorDetails === undefined
    ? type
    : { contentType: 'application/json', isCompressed: false };
  const contentType = localContentType(usual, report.markets[0]);
  return {
    status: errorDetails === undefined ? 'DONE' : 'FATAL',
    document: {
      id: documentIdOf(report.id),
      bytes: encode(text, contentType),
      contentType,
      isCompressed,
      ...(isRestricted && { isRestricted }),
    },
  };
}

/** An equal one was asked for not long before. */
function isTooSoon(reports: readonly Report[], report: Report, { minPauseMinutes = 0 }: ReportType): boolean {
  const key = ({ type, marketplaceIds }: Report): string => [type, ...marketplaceIds].join();
  return reports
    .slice(0, reports.indexOf(report))
    .some(
      (earlier) =>
        key(earlier) === key(report) &&
        !earlier.isCancelled &&
        report.createdAt - earlier.createdAt < minPauseMinutes * 60_000,
    );
}

interface Parts {
  reports: ReportJobs;
  world: World;
  addresses: Addresses;
}

export const playReports = (parts: Parts): Played => ({
  'reports/createReport': (call) => createReport(parts, call),
  'reports/getReports': (call) => listReports(parts.reports, call),
  'reports/getReport': ({ params }) => {
    const report = parts.reports.find(params.reportId);
    return ok(showReport(report, parts.reports.stateOf(report)));
  },
  'reports/cancelReport': ({ params }) => parts.reports.cancel(params.reportId),
  'reports/getReportDocument': (call) => getDocument(parts, call),
  'reports/getReportSchedules': ({ query }) => {
    readFilledList(query, 'reportTypes');
    return ok({ reportSchedules: [] });
  },
});

function getDocument({ reports, addresses }: Parts, { params, query, token }: Call): Answer {
  const { reportDocumentId } = params;
  const document = known(
    findReportDocument(reports, reportDocumentId ?? ''),
    'Report document',
    reportDocumentId,
  );
  if (document.isRestricted && token.kind !== 'restricted') {
    deny('This document needs a restricted data token.');
  }
  const announceEncoding = query.get('enableContentEncodingUrlHeader') === 'true';
  return ok({
    reportDocumentId,
    url: addresses.document(document.id, announceEncoding),
    ...(document.isCompressed && { compressionAlgorithm: 'GZIP' }),
  });
}

// createReport: what is asked for is checked as the service does it, then waits its turn.

/** The time that a report covers when nobody says. */
const DEFAULT_DAYS = 30;

const moment = z.iso
  .datetime({ offset: true })
  .transform((text) => Date.parse(text))
  .optional();
const requestSchema = z.looseObject({
  reportType: z.string().min(1),
  marketplaceIds: z.array(z.string()).min(1).max(25),
  dataStartTime: moment,
  dataEndTime: moment,
  reportOptions: z.record(z.string(), z.string()).default({}),
});

function createReport({ reports, world }: Parts, { body, now }: Call): Answer {
  const { reportType, marketplaceIds, reportOptions, ...asked } = readBody(requestSchema, body);
  refuseType(reportType);
  const end = asked.dataEndTime ?? now;
  const start = asked.dataStartTime ?? end - DEFAULT_DAYS * DAY_MS;
  if (start > end) invalid('dataEndTime: lies before dataStartTime.');
  const markets = marketplaceIds.map((id) => findMarket(world.markets, id));
  const about = { type: reportType, marketplaceIds, markets, start, end, options: reportOptions };
  const report = { ...about, ...reports.begin() };
  reports.jobs.push(report);
  return ok({ reportId: report.id }, 202);
}

function refuseType(reportType: string): void {
  const type = findReportType(reportType);
  if (type === undefined) {
    refuseNotPlayed(reportType, knownReportType(reportType) !== undefined);
  }
  if (type.canBeRequested === false) {
    invalid(`reportType: ${reportType} cannot be requested; the service makes it by itself. See getReports.`);
  }
}

function findMarket(markets: readonly Market[], id: string): Market {
  const market = markets.find((one) => one.id === id);
  if (market !== undefined) return market;
  const all = markets.map((one) => `${one.id} (${one.country})`).join(', ');
  return invalid(`marketplaceIds: the sandbox has reports of ${all}, not of ${id}.`);
}

// getReports: the reports of a time, newest first; and one report as the service shows it.

function listReports(reports: ReportJobs, call: Call): Answer {
  refuseUnplayed(call);
  refuseChoices(call);
  if (call.query.has('nextToken') && call.query.size > 1) invalid('nextToken: must stand alone.');
  const { query, cut } = findPageStart(call);
  const types = readList(query, 'reportTypes');
  if (types.length === 0) invalid('reportTypes or nextToken: one of them is needed.');
  const unplayed = types.find((type) => findReportType(type) === undefined);
  if (unplayed !== undefined) refuseNotPlayed(unplayed, knownReportType(unplayed) !== undefined);
  const pageSize = readInteger(query, 'pageSize', { most: 100, otherwise: 10 });
  const found = reports.search({ query, now: call.now }, types).toSorted((a, b) => b.createdAt - a.createdAt);
  const { items, next } = cut(found, pageSize);
  return ok({ reports: items.map((report) => showReport(report, reports.stateOf(report))), ...next });
}

const showReport = (report: Report, { status, start, end, document }: JobState): object => ({
  reportId: report.id,
  reportType: report.type,
  marketplaceIds: report.marketplaceIds,
  dataStartTime: isoSeconds(report.start),
  dataEndTime: isoSeconds(report.end),
  createdTime: isoSeconds(report.createdAt),
  processingStatus: status,
  ...(start !== undefined && { processingStartTime: isoSeconds(start) }),
  ...(end !== undefined && { processingEndTime: isoSeconds(end) }),
  ...(document !== undefined && { reportDocumentId: document.id }),
});

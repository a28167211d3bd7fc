/** The reports that were asked for, and what has become of them: they wait, are made, and end as the clock goes on. */

import type { Market } from '../world/markets.ts';
import { DAY_MS } from '../world/plain-values.ts';
import type { World } from '../world/world.ts';
import type { ReportRequest, ReportType } from './report-type.ts';
import { findReportType, SETTLEMENTS } from './report-types.ts';

export type ReportStatus = 'IN_QUEUE' | 'IN_PROGRESS' | 'DONE' | 'CANCELLED' | 'FATAL';

export const QUEUED_MS = 2_000;
export const WORKED_MS = 3_000;

/** Moments in milliseconds. */
export interface Report extends ReportRequest {
  id: string;
  documentId: string;
  createdAt: number;
  isCancelled: boolean;
  /** How it ends; made when it is over. */
  result?: Result;
}

export interface Result {
  status: Extract<ReportStatus, 'DONE' | 'CANCELLED' | 'FATAL'>;
  /** Absent where there is no document. */
  document?: ReportDocument;
}

export interface ReportDocument {
  id: string;
  text: string;
  type: Pick<ReportType, 'charset' | 'contentType' | 'isCompressed' | 'isRestricted'>;
}

export interface ReportState {
  status: ReportStatus;
  /** When work on it began and ended; absent for what has not happened yet. */
  start?: number;
  end?: number;
  /** Only of a report that is over. */
  document?: ReportDocument;
}

export interface ReportStore {
  create(request: ReportRequest): Report;
  /** Newest first. */
  list(): readonly Report[];
  find(id: string): Report | undefined;
  /** All of it at one moment: a report that ends between two looks is not done without a document. */
  stateOf(report: Report): ReportState;
  findDocument(id: string): ReportDocument | undefined;
  /** False when it has left the queue. */
  cancel(report: Report): boolean;
}

/** @param speed how many times faster than the sandbox's own pace reports are made. */
export function createReports(world: World, now: () => number, speed: number): ReportStore {
  const reports: Report[] = settlements(world.markets[0], now());
  const stateOf = (report: Report): ReportState => {
    const start = report.createdAt + QUEUED_MS / speed;
    const end = start + WORKED_MS / speed;
    const time = now();
    if (!report.isCancelled && time < start) return { status: 'IN_QUEUE' };
    if (!report.isCancelled && time < end) return { status: 'IN_PROGRESS', start };
    report.result ??= conclude(world, reports, report);
    return { ...report.result, ...(report.isCancelled ? {} : { start, end }) };
  };
  return {
    create(request) {
      const id = String(50_001_020_000 + reports.length);
      const report = { ...request, ...identify(id), createdAt: now(), isCancelled: false };
      reports.push(report);
      return report;
    },
    list: () => reports.toSorted((a, b) => b.createdAt - a.createdAt),
    find: (id) => reports.find((report) => report.id === id),
    stateOf,
    findDocument(id) {
      const report = reports.find(({ documentId }) => documentId === id);
      return report && stateOf(report).document;
    },
    cancel(report) {
      if (stateOf(report).status !== 'IN_QUEUE') return false;
      report.isCancelled = true;
      return true;
    },
  };
}

const identify = (id: string) => ({ id, documentId: `amzn1.spdoc.1.4.na.sandbox-${id}.T1SANDBOX` });

/** Two of each form that the service made by itself, each of two weeks. */
function settlements(market: Market | undefined, now: number): Report[] {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  if (market === undefined) return [];
  return [17, 3].flatMap((daysAgo, n) => {
    const end = today - daysAgo * DAY_MS;
    return SETTLEMENTS.map((reportType, form) => ({
      ...identify(String(50_001_010_000 + 10 * form + n)),
      reportType,
      markets: [market],
      start: end - 14 * DAY_MS,
      end,
      options: {},
      createdAt: end + 3_600_000,
      isCancelled: false,
    }));
  });
}

function conclude(world: World, reports: readonly Report[], report: Report): Result {
  const type = findReportType(report.reportType);
  if (type === undefined || report.isCancelled || isTooSoon(reports, report, type))
    return { status: 'CANCELLED' };
  const errorDetails = type.failure?.(report);
  if (errorDetails !== undefined) {
    const about = { charset: 'UTF-8', contentType: 'application/json', isCompressed: false } as const;
    const text = JSON.stringify({ errorDetails });
    return { status: 'FATAL', document: { id: report.documentId, text, type: about } };
  }
  const text = type.build(world, report);
  if (text === undefined) return { status: 'CANCELLED' };
  return { status: 'DONE', document: { id: report.documentId, text, type } };
}

/** An equal one was asked for not long before. */
function isTooSoon(reports: readonly Report[], report: Report, { minPauseMs = 0 }: ReportType): boolean {
  const key = ({ reportType, markets }: Report): string =>
    [reportType, ...markets.map(({ id }) => id)].join();
  return reports.slice(0, reports.indexOf(report)).some((earlier) => {
    return (
      key(earlier) === key(report) &&
      !earlier.isCancelled &&
      report.createdAt - earlier.createdAt < minPauseMs
    );
  });
}

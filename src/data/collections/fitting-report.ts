/** A report as the service lists it, and the check whether it fits the request. */

import * as z from 'zod';
import { accountWideRegions } from '../../service/facts/report-traits.ts';
import type { ReportRequest } from './report-request.ts';

export const reportSchema = z.looseObject({
  reportId: z.string().min(1),
  reportType: z.string().optional(),
  marketplaceIds: z.array(z.string()).optional(),
  dataStartTime: z.string().optional(),
  dataEndTime: z.string().optional(),
  createdTime: z.string().optional(),
  processingStatus: z.string(),
  reportDocumentId: z.string().min(1).optional(),
});
export type ServiceReport = z.output<typeof reportSchema>;

export type DoneReport = ServiceReport & { reportDocumentId: string };

export const isDone = (report: ServiceReport): report is DoneReport =>
  report.processingStatus === 'DONE' && report.reportDocumentId !== undefined;

/** Max time between the end of a report's range and its creation if the end was open. */
const OPEN_END_MS = 10 * 60_000;

/** The service records whole seconds. */
const SECOND_MS = 1_000;

/**
 * Returns whether listed reports can be compared: the service lists no options, so types that may take some
 * cannot.
 */
export function canBeCompared({ facts, options }: ReportRequest): boolean {
  if (facts === undefined || options !== undefined) return false;
  return Object.keys(facts.options ?? {}).length + (facts.requiredOptions ?? []).length === 0;
}

/**
 * Returns true for the same marketplaces (or region, for an account-wide report) and, unless the report shows
 * a moment, the same times. A report with an open or future end covers the time up to its creation.
 */
export function fits(report: ServiceReport, request: ReportRequest, now: number): boolean {
  if (!hasMarketplaces(report, request)) return false;
  if (request.facts?.period === 'moment') return true;
  const { start, end } = request;
  const { dataStartTime, dataEndTime, createdTime } = report;
  // The service uses the creation time, or lists none, if a report has no time.
  const isOwn = (time: string | undefined) => time === undefined || isNear(time, createdTime, OPEN_END_MS);
  if (start === undefined && end === undefined) return isOwn(dataStartTime) && isOwn(dataEndTime);
  const isOpen = end === undefined || Date.parse(end) > now;
  return (
    (start === undefined ? isOwn(dataStartTime) : isNear(dataStartTime, start, SECOND_MS)) &&
    (isOpen ? isNear(dataEndTime, createdTime, OPEN_END_MS) : isNear(dataEndTime, end, SECOND_MS))
  );
}

/** Returns true for any report within the requested range, for types that cannot be requested. */
export function isOfRange(report: ServiceReport, request: ReportRequest): boolean {
  const { start, end, marketplaces } = request;
  const own = report.marketplaceIds ?? marketplaces;
  if (!own.some((id) => marketplaces.includes(id))) return false;
  const from = Date.parse(report.dataEndTime ?? report.createdTime ?? '');
  const to = Date.parse(report.dataStartTime ?? report.createdTime ?? '');
  // A missing time is not outside of the range.
  return !(from < Date.parse(start ?? '')) && !(to > Date.parse(end ?? ''));
}

function hasMarketplaces(
  { marketplaceIds = [] }: ServiceReport,
  { type, marketplaces }: ReportRequest,
): boolean {
  const regions = accountWideRegions(type, marketplaces);
  if (regions !== undefined) return accountWideRegions(type, marketplaceIds)?.join() === regions.join();
  return (
    marketplaceIds.length === marketplaces.length && marketplaces.every((id) => marketplaceIds.includes(id))
  );
}

/** Returns false if one of the times is missing. */
const isNear = (time: string | undefined, other: string | undefined, withinMs: number) =>
  Math.abs(Date.parse(time ?? '') - Date.parse(other ?? '')) < withinMs;

/** Returns the range that the report states, ISO 8601 to the second; undefined if it states none. */
export function timeOf({
  dataStartTime,
  dataEndTime,
}: ServiceReport): { start: string; end: string } | undefined {
  const [start, end] = [Date.parse(dataStartTime ?? ''), Date.parse(dataEndTime ?? '')];
  if (Number.isNaN(start + end)) return undefined;
  return { start: isoSeconds(start), end: isoSeconds(end) };
}

const isoSeconds = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** A report as the service lists it, and whether it is the one that is asked for. */

import * as z from 'zod';
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

export const isDone = (report: ServiceReport): report is ServiceReport & { reportDocumentId: string } =>
  report.processingStatus === 'DONE' && report.reportDocumentId !== undefined;

/** The same marketplaces and, where they count, the same times; an end that was left open is that of a recent one. */
export function fits(report: ServiceReport, request: ReportRequest): boolean {
  if (!hasMarketplaces(report, request)) return false;
  if (request.facts?.period === 'moment') return true;
  const { start, end } = request;
  if (start === undefined && end === undefined) return request.facts?.period === undefined;
  return isAt(report.dataStartTime, start) && (end === undefined || isAt(report.dataEndTime, end));
}

/** Of a kind that nobody asks for: any that lies within. */
export function isOfRange(report: ServiceReport, request: ReportRequest): boolean {
  const { start, end, marketplaces } = request;
  const own = report.marketplaceIds ?? marketplaces;
  if (!own.some((id) => marketplaces.includes(id))) return false;
  const from = Date.parse(report.dataEndTime ?? report.createdTime ?? '');
  const to = Date.parse(report.dataStartTime ?? report.createdTime ?? '');
  return (
    (start === undefined || !(from < Date.parse(start))) && (end === undefined || !(to > Date.parse(end)))
  );
}

function hasMarketplaces({ marketplaceIds = [] }: ServiceReport, { marketplaces }: ReportRequest): boolean {
  return (
    marketplaceIds.length === marketplaces.length && marketplaces.every((id) => marketplaceIds.includes(id))
  );
}

/** The service keeps whole seconds. */
function isAt(time: string | undefined, asked: string | undefined): boolean {
  if (asked === undefined) return true;
  return Math.abs(Date.parse(time ?? '') - Date.parse(asked)) < 1_000;
}

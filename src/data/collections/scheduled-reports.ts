/**
 * Finds reports that cannot be requested, since the service or a schedule makes them: the newest, or all of a
 * time range.
 */

import type { Clock } from '../../base/clock.ts';
import { formatAge } from '../../base/text/duration.ts';
import { showText } from '../../base/text/escape-text.ts';
import { type DoneReport, isDone, isOfRange, type ServiceReport, timeOf } from './fitting-report.ts';
import { ReportError } from './report-failure.ts';
import type { ReportRequest } from './report-request.ts';

/** The listed period; the service lists reports of the last 90 days. */
const LISTED_MS = 89 * 86_400_000;

/** Max reports that become one table: from the 16th on, the service gives one document a minute. */
export const MAX_JOINED_REPORTS = 100;

/** Max reports that are named one by one. */
const MAX_NAMED_REPORTS = 5;

export interface FoundReports {
  /** The found reports, one or more, newest first. */
  reports: DoneReport[];
  /** True for all reports of a time range: one table contains their rows, with the report of each. */
  areJoined: boolean;
  /** False if the service has more than were taken. */
  complete: boolean;
  /** The ids of their marketplaces, if not all requested ones. */
  marketplaces?: string[];
  /** Notes on which reports they are if they were not made for this request. */
  notes: string[];
}

/**
 * @param list returns reports that are done, created since then (milliseconds since the epoch), newest first.
 * @throws ReportError
 */
export async function findScheduledReport(
  { request, clock }: { request: ReportRequest; clock: Clock },
  list: (since: number) => Promise<ServiceReport[]>,
): Promise<FoundReports> {
  const oldest = clock.wallClock() - LISTED_MS;
  const { start, end } = request;
  // A report about a time was made after the start of that time.
  const from = start === undefined ? oldest : Math.max(Date.parse(start), oldest);
  const all = (await list(from)).filter(isDone).filter((report) => isOfRange(report, request));
  const [newest] = all;
  if (newest === undefined) throw noReport(request);
  if (start === undefined && end === undefined) return newestOf(newest, all.length - 1, request, clock);
  const reports = all.slice(0, MAX_JOINED_REPORTS);
  const isCut = start === undefined || Date.parse(start) < oldest;
  const notes = [
    formatJoinedReports(reports),
    ...(isCut
      ? [`The service lists reports of the last 90 days: none before ${dayOf(oldest)} is among them.`]
      : []),
    ...(all.length > reports.length
      ? [
          `At most ${MAX_JOINED_REPORTS} reports are taken: the newest of ${all.length}. Ask for a shorter time.`,
        ]
      : []),
    // Rows in a table are counted; see derived-columns.ts.
    ...(isStoredAsText(request) && haveOverlap(reports)
      ? [
          'Some cover the same time and marketplace: a row may stand in two of them; tell them apart by report_id.',
        ]
      : []),
  ];
  return { reports, areJoined: true, complete: !isCut && reports.length === all.length, notes };
}

/** Returns the newest report if no time is given: it is complete for types that show a moment. */
function newestOf(report: DoneReport, others: number, { facts }: ReportRequest, clock: Clock): FoundReports {
  const used = `${formatReport(report, clock)} was used: ${WHO_MAKES[facts?.origin === 'schedule' ? 'schedule' : 'service']}, so no new one can be asked for.`;
  const isAll = others === 0 || facts?.period === 'moment';
  const more = `${others} more of the last 90 days ${others === 1 ? 'is' : 'are'} there: give start, and end, for all reports of that time in one table.`;
  return { reports: [report], areJoined: false, complete: isAll, notes: isAll ? [used] : [used, more] };
}

const WHO_MAKES = {
  schedule: 'a schedule makes these',
  service: 'the service makes these by itself',
};

/** Returns `Report R1 that was made 2 hours ago`. */
export function formatReport({ reportId, createdTime = '' }: ServiceReport, clock: Clock): string {
  const age = clock.wallClock() - Date.parse(createdTime);
  const when = Number.isNaN(age) ? '' : ` that was made ${formatAge(age)} ago`;
  return `Report ${showText(reportId)}${when}`;
}

function formatJoinedReports(reports: readonly DoneReport[]): string {
  const described = reports.slice(0, MAX_NAMED_REPORTS).map((report) => {
    const time = timeOf(report);
    const words = time === undefined ? '' : ` (${time.start.slice(0, 10)} to ${time.end.slice(0, 10)})`;
    return `${showText(report.reportId)}${words}`;
  });
  const rest = reports.length - described.length;
  const more = rest > 0 ? ` and ${rest} more` : '';
  const count = reports.length === 1 ? '1 report' : `${reports.length} reports`;
  return `${count} of this time, by report_id: ${described.join(', ')}${more}.`;
}

const isStoredAsText = ({ facts }: ReportRequest) => facts?.format === 'xml';

function haveOverlap(reports: readonly DoneReport[]): boolean {
  return reports.some((one, at) => reports.slice(at + 1).some((other) => overlaps(one, other)));
}

function overlaps(one: DoneReport, other: DoneReport): boolean {
  const [first, second] = [timeOf(one), timeOf(other)];
  if (first === undefined || second === undefined) return false;
  const { marketplaceIds = [] } = one;
  const isShared = marketplaceIds.some((id) => other.marketplaceIds?.includes(id) === true);
  return isShared && first.start < second.end && second.start < first.end;
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

function noReport({ type, facts }: ReportRequest): ReportError {
  const how =
    facts?.origin === 'schedule'
      ? 'Only a schedule makes it: create one with createReportSchedule, and collect it when it has run.'
      : 'The service makes it by itself, or the seller in Seller Central; it cannot be asked for.';
  return new ReportError(
    `There is no ${type} of this time and these marketplaces.`,
    `${how} The service lists those of the last 90 days.`,
  );
}

/** Finds a fitting report among those of the service, or requests one and waits for it. */

import * as z from 'zod';
import { ApiError, type AppError, NetworkError } from '../../base/errors.ts';
import { formatFailedItems, isRefusal } from '../../base/failure-of-one.ts';
import type { Idle } from '../../base/semaphore.ts';
import { marketplaceById } from '../../service/facts/marketplaces.ts';
import type { Operation } from '../../service/facts/operation.ts';
import { accountWideRegions, headingOptions, traitsOfReport } from '../../service/facts/report-traits.ts';
import {
  canBeCompared,
  type DoneReport,
  fits,
  isDone,
  reportSchema,
  type ServiceReport,
} from './fitting-report.ts';
import { callWithPatience, failureReason, type PollingJob, pollUntilDone } from './polling.ts';
import { cancelled, EmptyReportError, explainType, fatal, ReportError, tooSlow } from './report-failure.ts';
import type { ReportRequest } from './report-request.ts';
import { type FoundReports, findScheduledReport, formatReport } from './scheduled-reports.ts';

/** Max pages of a list of reports, 100 each. */
const MAX_LIST_PAGES = 20;

const listSchema = z.looseObject({
  reports: z.array(z.unknown()).optional(),
  nextToken: z.string().min(1).optional().catch(undefined),
});

/** Max marketplaces by which reports can be listed. */
const MAX_LISTED = 10;

/** Max requests of a report whose request got no answer. */
const MAX_REQUESTS = 2;

/** Allows for differences between clocks. */
const SKEW_MS = 60_000;

interface ReportJob extends PollingJob {
  operations: Record<'getReports' | 'createReport' | 'getReport', Operation>;
  request: ReportRequest;
  /** The max age of a report to use, in milliseconds. */
  recentMs: number;
  /** Requests a new report even if one exists. */
  fresh: boolean;
  /** The id of an earlier collected report that is wanted again. */
  known: string | undefined;
  /** Runs a step that only waits for the service. */
  idle: Idle;
}

/**
 * Finds or requests the report. If several marketplaces are refused together, each gets its own report, and
 * the notes name those that refuse.
 * @throws ReportError if it cannot be had; the client's errors
 */
export async function findOrRequestReport(job: ReportJob): Promise<FoundReports> {
  try {
    return await findOrRequest(job);
  } catch (error) {
    if (!isRefusal(error) || error.status === 401 || !canBeSplit(job.request)) throw error;
    return requestOneEach(job, error);
  }
}

/**
 * Returns false for reports that cover more than their marketplace, because their rows would repeat in the
 * table.
 */
const canBeSplit = ({ type, marketplaces, facts }: ReportRequest) =>
  marketplaces.length > 1 &&
  traitsOfReport(type)?.scope === 'marketplace' &&
  (facts?.format === 'tab' || facts?.format === 'csv');

/** @throws the error if all marketplaces refuse, or none */
async function requestOneEach(job: ReportJob, error: AppError): Promise<FoundReports> {
  const made: { id: string; reports: DoneReport[] }[] = [];
  const refused: (readonly [string, AppError])[] = [];
  for (const id of job.request.marketplaces) {
    try {
      const { reports } = await findOrRequest({ ...job, request: { ...job.request, marketplaces: [id] } });
      made.push({ id, reports });
    } catch (cause) {
      if (!isRefusal(cause)) throw cause;
      refused.push([marketplaceById(id)?.name ?? id, cause]);
    }
  }
  const reports = made.flatMap((one) => one.reports);
  if (reports.length === 0 || refused.length === 0) throw error;
  const named = made.map(
    ({ id, reports: [report] }) => `${marketplaceById(id)?.name ?? id} ${report?.reportId ?? ''}`,
  );
  return {
    reports,
    areJoined: reports.length > 1,
    complete: false,
    marketplaces: made.map(({ id }) => id),
    notes: [
      ...formatFailedItems(refused),
      `Each of the others has a report of its own: ${named.join(', ')}.`,
    ],
  };
}

async function findOrRequest(job: ReportJob): Promise<FoundReports> {
  const { facts } = job.request;
  const isMade = facts === undefined || facts.origin === 'request' || facts.origin === 'both';
  if (!isMade) return findScheduledReport(job, (since) => listReports(job, since, ['DONE']));
  if (job.known !== undefined) {
    return single(await awaitReport(job, job.known), [`Report ${job.known}, of which the table was made.`]);
  }
  const isNew = job.fresh || !canBeCompared(job.request);
  const known = isNew ? undefined : await findFitting(job, job.recentMs);
  if (known !== undefined && isDone(known)) {
    return single(known, [`${formatReport(known, job.clock)} was used; fresh: true asks for a new one.`]);
  }
  const id = known?.reportId ?? (await requestReport(job));
  return single(await job.idle(() => awaitReport(job, id)), []);
}

const single = (report: DoneReport, notes: string[]): FoundReports => ({
  reports: [report],
  areJoined: false,
  complete: true,
  notes,
});

/** Returns the newest report that is done, or else one in progress. */
async function findFitting(job: ReportJob, within: number): Promise<ServiceReport | undefined> {
  const now = job.clock.wallClock();
  const reports = await listReports(job, now - within, ['DONE', 'IN_QUEUE', 'IN_PROGRESS']);
  const fitting = reports.filter((report) => fits(report, job.request, now));
  return fitting.find(isDone) ?? fitting.find(({ processingStatus }) => processingStatus !== 'DONE');
}

/** Returns all reports, newest first. */
async function listReports(job: ReportJob, since: number, statuses: readonly string[]) {
  const { request } = job;
  let parameters: Record<string, unknown> = {
    reportTypes: [request.type],
    processingStatuses: [...statuses],
    // Lists beyond the service's limit, and account-wide reports, are compared with the marketplaces of each
    // listed report.
    ...(request.marketplaces.length > MAX_LISTED || accountWideRegions(request.type, []) !== undefined
      ? {}
      : { marketplaceIds: request.marketplaces }),
    createdSince: new Date(since).toISOString(),
    pageSize: 100,
  };
  const reports = new Map<string, ServiceReport>();
  for (let page = 1; page <= MAX_LIST_PAGES; page++) {
    const body = await callWithPatience(job, job.operations.getReports, { parameters }).catch(
      (error: unknown) => {
        throw explainType(error, request.type);
      },
    );
    const listed = listSchema.safeParse(body).data;
    for (const each of listed?.reports ?? []) {
      const report = reportSchema.safeParse(each).data;
      if (report !== undefined) reports.set(report.reportId, report);
    }
    if (listed?.nextToken === undefined) break;
    // A token takes no other parameter beside it.
    parameters = { nextToken: listed.nextToken };
  }
  return [...reports.values()]
    .filter(({ reportType = request.type }) => reportType === request.type)
    .sort((one, other) => (other.createdTime ?? '').localeCompare(one.createdTime ?? ''));
}

async function requestReport(job: ReportJob): Promise<string> {
  const { operations, request, clock, tell } = job;
  const begun = clock.wallClock();
  for (let attempt = 1; ; attempt++) {
    tell({ message: 'The report is asked for' });
    try {
      const body = await callWithPatience(job, operations.createReport, { body: bodyOf(request, begun) });
      const made = z.looseObject({ reportId: z.string().min(1) }).safeParse(body);
      if (made.success) return made.data.reportId;
      throw new ReportError('createReport answered without a reportId.', 'Call again in a minute.');
    } catch (error) {
      if (!isUncertain(error)) throw explainType(error, request.type);
      // The report may exist despite the error, and another one would count against the limits of the type.
      const since = clock.wallClock() - begun + SKEW_MS;
      const made = request.options === undefined ? await findFitting(job, since) : undefined;
      if (made !== undefined) return made.reportId;
      if (attempt >= MAX_REQUESTS) throw error;
    }
  }
}

function isUncertain(error: unknown): boolean {
  return error instanceof NetworkError || (error instanceof ApiError && error.status >= 500);
}

function bodyOf({ type, marketplaces, start, end, options }: ReportRequest, now: number) {
  const sent = { ...headingOptions(type), ...options };
  return {
    reportType: type,
    marketplaceIds: marketplaces,
    dataStartTime: start,
    // The service takes now as the end if none is sent.
    ...(end === undefined || Date.parse(end) > now ? {} : { dataEndTime: end }),
    ...(Object.keys(sent).length === 0 ? {} : { reportOptions: sent }),
  };
}

function awaitReport(job: ReportJob, reportId: string): Promise<DoneReport> {
  const look = async () => {
    const body = await callWithPatience(job, job.operations.getReport, { parameters: { reportId } });
    const report = reportSchema.safeParse(body).data;
    if (report !== undefined && isDone(report)) return report;
    const status = report?.processingStatus ?? '';
    if (status === 'DONE')
      throw new EmptyReportError('The report is done, but has no document: it is empty.', '');
    if (status === 'CANCELLED') throw cancelled(job.request, reportId);
    if (status === 'FATAL') throw fatal(job.request, await failureReason(job, report?.reportDocumentId));
    return `The report ${status === 'IN_QUEUE' ? 'waits in the queue of the service' : 'is being made'}`;
  };
  return pollUntilDone(job, look, tooSlow);
}

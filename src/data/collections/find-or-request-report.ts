/** A report to collect: a fitting one of those that the service has, else one is asked for and waited for. */

import * as z from 'zod';
import { ApiError, type AppError, NetworkError } from '../../base/errors.ts';
import { failedSentences, isRefusal } from '../../base/failure-of-one.ts';
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
import { callOnce, failureReason, type PollingJob, pollUntilDone } from './polling.ts';
import { cancelled, EmptyReportError, explainType, fatal, ReportError, tooSlow } from './report-failure.ts';
import type { ReportRequest } from './report-request.ts';
import { type FoundReports, findScheduledReport, reportWords } from './scheduled-reports.ts';

/** Pages of a list of reports, 100 each. */
const MOST_LIST_PAGES = 20;

const listSchema = z.looseObject({
  reports: z.array(z.unknown()).optional(),
  nextToken: z.string().min(1).optional().catch(undefined),
});

/** Marketplaces that a list of reports can be asked for. */
const MOST_LISTED = 10;

/** Times that a report is asked for whose request got no answer. */
const MOST_REQUESTS = 2;

/** Clocks differ. */
const SKEW_MS = 60_000;

interface ReportJob extends PollingJob {
  operations: Record<'getReports' | 'createReport' | 'getReport', Operation>;
  request: ReportRequest;
  /** How old a report may be that is used, in milliseconds. */
  recentMs: number;
  /** A new one, whatever there is. */
  fresh: boolean;
  /** One that was collected before, and is wanted once more. */
  known: string | undefined;
  /** Runs what only waits for the service. */
  idle: Idle;
}

/**
 * Where several marketplaces are refused together, each has a report of its own, and those that refuse are named.
 * @throws ReportError where it cannot be had; the client's errors
 */
export async function findOrRequestReport(job: ReportJob): Promise<FoundReports> {
  try {
    return await findOrMake(job);
  } catch (error) {
    if (!isRefusal(error) || error.status === 401 || !mayBeParted(job.request)) throw error;
    return makeOneEach(job, error);
  }
}

/** Rows of a report that holds more than its marketplace would stand in the table several times. */
const mayBeParted = ({ type, marketplaces, facts }: ReportRequest) =>
  marketplaces.length > 1 &&
  traitsOfReport(type)?.scope === 'marketplace' &&
  (facts?.format === 'tab' || facts?.format === 'csv');

/** @throws the error where all of them refuse, or none */
async function makeOneEach(job: ReportJob, error: AppError): Promise<FoundReports> {
  const made: { id: string; reports: DoneReport[] }[] = [];
  const refused: (readonly [string, AppError])[] = [];
  for (const id of job.request.marketplaces) {
    try {
      const { reports } = await findOrMake({ ...job, request: { ...job.request, marketplaces: [id] } });
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
    notes: [...failedSentences(refused), `Each of the others has a report of its own: ${named.join(', ')}.`],
  };
}

async function findOrMake(job: ReportJob): Promise<FoundReports> {
  const { facts } = job.request;
  const isMade = facts === undefined || facts.origin === 'request' || facts.origin === 'both';
  if (!isMade) return findScheduledReport(job, (since) => listReports(job, since, ['DONE']));
  if (job.known !== undefined) {
    return single(await awaitReport(job, job.known), [`Report ${job.known}, of which the table was made.`]);
  }
  const isNew = job.fresh || !canBeCompared(job.request);
  const known = isNew ? undefined : await findFitting(job, job.recentMs);
  if (known !== undefined && isDone(known)) {
    return single(known, [`${reportWords(known, job.clock)} was used; fresh: true asks for a new one.`]);
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

/** The newest one that is done, or else one that is being made. */
async function findFitting(job: ReportJob, within: number): Promise<ServiceReport | undefined> {
  const now = job.clock.wallClock();
  const reports = await listReports(job, now - within, ['DONE', 'IN_QUEUE', 'IN_PROGRESS']);
  const fitting = reports.filter((report) => fits(report, job.request, now));
  return fitting.find(isDone) ?? fitting.find(({ processingStatus }) => processingStatus !== 'DONE');
}

/** All of them, newest first. */
async function listReports(job: ReportJob, since: number, statuses: readonly string[]) {
  const { request } = job;
  let parameters: Record<string, unknown> = {
    reportTypes: [request.type],
    processingStatuses: [...statuses],
    // More than the service takes here, and those of an account-wide report, are compared with what it lists.
    ...(request.marketplaces.length > MOST_LISTED || accountWideRegions(request.type, []) !== undefined
      ? {}
      : { marketplaceIds: request.marketplaces }),
    createdSince: new Date(since).toISOString(),
    pageSize: 100,
  };
  const reports = new Map<string, ServiceReport>();
  for (let page = 1; page <= MOST_LIST_PAGES; page++) {
    const body = await callOnce(job, job.operations.getReports, { parameters }).catch((error: unknown) => {
      throw explainType(error, request.type);
    });
    const listed = listSchema.safeParse(body).data;
    for (const each of listed?.reports ?? []) {
      const report = reportSchema.safeParse(each).data;
      if (report !== undefined) reports.set(report.reportId, report);
    }
    if (listed?.nextToken === undefined) break;
    // It takes its token beside no other parameter.
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
      const body = await callOnce(job, operations.createReport, { body: bodyOf(request, begun) });
      const made = z.looseObject({ reportId: z.string().min(1) }).safeParse(body);
      if (made.success) return made.data.reportId;
      throw new ReportError('createReport answered without a reportId.', 'Call again in a minute.');
    } catch (error) {
      if (!isUncertain(error)) throw explainType(error, request.type);
      // It may have been made all the same: another one would count against the limits of the type.
      const since = clock.wallClock() - begun + SKEW_MS;
      const made = request.options === undefined ? await findFitting(job, since) : undefined;
      if (made !== undefined) return made.reportId;
      if (attempt >= MOST_REQUESTS) throw error;
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
    // The end that the service takes for one that is left out is now.
    ...(end === undefined || Date.parse(end) > now ? {} : { dataEndTime: end }),
    ...(Object.keys(sent).length === 0 ? {} : { reportOptions: sent }),
  };
}

function awaitReport(job: ReportJob, reportId: string): Promise<DoneReport> {
  const look = async () => {
    const body = await callOnce(job, job.operations.getReport, { parameters: { reportId } });
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

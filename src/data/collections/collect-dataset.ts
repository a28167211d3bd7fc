/** Collects a Data Kiosk dataset: it sends or finds the query, waits for it and loads its documents. */

import * as z from 'zod';
import type { Clock } from '../../base/clock.ts';
import { InputError } from '../../base/errors.ts';
import { formatAge, formatDuration } from '../../base/text/duration.ts';
import { count } from '../../base/text/format-value.ts';
import type { ServiceText } from '../../base/text/service-text.ts';
import { templateOf } from '../../service/facts/dataset-fields.ts';
import { loadDataset } from '../../service/facts/datasets.ts';
import { endingOf } from '../../service/facts/endings.ts';
import { marketplaceLabel } from '../../service/facts/marketplaces.ts';
import type { Operation } from '../../service/facts/operation.ts';
import { reportType, reportTypes } from '../../service/facts/report-types.ts';
import type { CollectionSource } from '../tables/table-types.ts';
import {
  type CollectionTarget,
  collectDocument,
  collectJoined,
  fileOf,
  openDocumentJob,
} from './collect-document.ts';
import type { ReportOrder } from './collect-report.ts';
import {
  type CollectionPlan,
  type CollectionSources,
  type CollectionWorkParts,
  checkNotRefused,
} from './collection-plan.ts';
import { checkDatasetRequest, type DatasetRequest } from './dataset-request.ts';
import { type KioskQuery, readQueries, readQuery } from './find-kiosk-query.ts';
import { callWithPatience, failureReason, type PollingJob, pollUntilDone, RECENT_MS } from './polling.ts';
import { EmptyReportError, ReportError } from './report-failure.ts';

/** Max documents of one answer: the service gives one a minute beyond the first 15. */
const MAX_PAGES = 50;

const OPERATIONS = ['createQuery', 'getQueries', 'getQuery', 'getDocument'] as const;

/** @throws InputError that lists every problem; nothing is sent */
export async function planDataset(order: ReportOrder, sources: CollectionSources): Promise<CollectionPlan> {
  const { client, account, clock, find, saving } = sources;
  const dataset = await loadDataset(order.type);
  if (dataset === undefined) throw unknownDataset(order.type);
  const [createQuery, getQueries, getQuery, getDocument] = OPERATIONS.map((name) =>
    find(`data-kiosk/${name}`),
  );
  if (createQuery === undefined || getQueries === undefined) throw new Error('Data Kiosk is not known');
  if (getQuery === undefined || getDocument === undefined) throw new Error('Data Kiosk is not known');
  const { owner, url } = await client.prepare({
    operation: getQuery,
    parameters: { queryId: '1' },
    account,
  });
  const asked = { ...order, dataset };
  const request = checkDatasetRequest(asked, owner.marketplaceId, clock.wallClock());
  const { marketplaces, start, end } = request;
  const source: CollectionSource = {
    kind: 'report',
    reportType: order.type,
    marketplaces,
    start,
    end,
    options: order.options,
  };
  return {
    source,
    recentMs: RECENT_MS,
    saveAs: saving?.name,
    checkAccess: () => checkNotRefused(client, createQuery, owner, [...marketplaces, order.type]),
    async work({ openLoader, signal, tell, idle }) {
      const job = await openDocumentJob(sources, { signal, tell }, { owner, url, operation: getDocument });
      const scratch = async () => fileOf(await openLoader());
      const kiosk = { ...job, scratch, request, createQuery, getQueries, getQuery };
      const { queries, notes, complete } = await fetchAnswers(kiosk, order.fresh === true, idle);
      const target: CollectionTarget = {
        openLoader,
        table: order.as ?? request.name,
        format: 'jsonl',
        template: templateOf(dataset, request.gives, request.fields),
        source,
        complete,
        notes: [formatRequest(request), ...notes, ...noteOnLag(order.type)],
        query: queries.length === 1 ? request.query : undefined,
        saving,
        isRestricted: false,
      };
      const [first] = queries;
      return first !== undefined && queries.length === 1
        ? collectDocument({ ...job, id: first.reportDocumentId }, target)
        : collectJoined(job, queries, target);
    },
  };
}

function unknownDataset(name: string): InputError {
  const known = reportTypes.filter(({ dataset }) => dataset !== undefined).map(({ id }) => id);
  const successor = endingOf(name)?.successor;
  const instead = successor === undefined ? '' : ` Its successor is ${successor}.`;
  return new InputError(
    `Data Kiosk has no dataset of this name that is known here; nothing was sent.${instead}`,
    `One of: ${known.join(', ')}. For another one call data-kiosk/createQuery with a GraphQL query, then collect_data document: {id, of: "data-kiosk"}.`,
  );
}

interface KioskAnswers {
  queries: { reportId: string; reportDocumentId: string; processingStatus: string }[];
  notes: string[];
  complete: boolean;
}

interface KioskJob extends PollingJob, Record<'createQuery' | 'getQueries' | 'getQuery', Operation> {
  request: DatasetRequest;
}

/**
 * Returns the documents of an answer. A large answer comes in pages, each with its own query.
 * @throws ReportError; the client's errors
 */
async function fetchAnswers(
  job: KioskJob,
  fresh: boolean,
  idle: CollectionWorkParts['idle'],
): Promise<KioskAnswers> {
  const known = fresh ? undefined : await findQuery(job);
  const notes =
    known === undefined ? [] : [`${formatUsedQuery(known, job.clock)}; fresh: true asks for a new one.`];
  const done: KioskQuery[] = [];
  let id = known?.queryId ?? (await createQuery(job, undefined));
  for (;;) {
    const query = await idle(() => awaitQuery(job, id));
    done.push(query);
    const token = query.pagination?.nextToken;
    if (token === undefined || done.length >= MAX_PAGES) break;
    id = await createQuery(job, token);
  }
  const queries = done.flatMap(({ queryId, dataDocumentId, processingStatus }) =>
    dataDocumentId === undefined
      ? []
      : [{ reportId: queryId, reportDocumentId: dataDocumentId, processingStatus }],
  );
  if (queries.length === 0) {
    throw new EmptyReportError(
      'Data Kiosk has no rows for this time and these marketplaces.',
      'The last days come later, see the type: try a longer time, or other marketplaces.',
    );
  }
  const complete = done.at(-1)?.pagination?.nextToken === undefined;
  const cut = complete ? [] : [`At most ${MAX_PAGES} documents are taken: ask for a shorter time.`];
  return { queries, notes: [...notes, ...cut], complete };
}

/** Finds the newest query with the same text among the newest 100, whether it is done or in progress. */
async function findQuery(job: KioskJob): Promise<KioskQuery | undefined> {
  const parameters = {
    processingStatuses: ['DONE', 'IN_QUEUE', 'IN_PROGRESS'],
    createdSince: new Date(job.clock.wallClock() - RECENT_MS).toISOString(),
    pageSize: 100,
  };
  const body = await callWithPatience(job, job.getQueries, { parameters });
  return readQueries(body)
    .filter(({ query = '' }) => normalizeQuery(query) === normalizeQuery(job.request.query))
    .sort((one, other) => (other.createdTime ?? '').localeCompare(one.createdTime ?? ''))
    .find((query) => query.processingStatus !== 'DONE' || query.dataDocumentId !== undefined);
}

async function createQuery(job: KioskJob, paginationToken: string | undefined): Promise<string> {
  job.tell({ message: 'The query is sent' });
  const page = paginationToken === undefined ? {} : { paginationToken };
  const body = await callWithPatience(job, job.createQuery, { body: { query: job.request.query, ...page } });
  const made = z.looseObject({ queryId: z.string().min(1) }).safeParse(body);
  if (made.success) return made.data.queryId;
  throw new ReportError('createQuery answered without a queryId.', 'Call again in a minute.');
}

function awaitQuery(job: KioskJob, queryId: string): Promise<KioskQuery> {
  const look = async () => {
    const query = readQuery(await callWithPatience(job, job.getQuery, { parameters: { queryId } }));
    const status = query?.processingStatus;
    if (query !== undefined && status === 'DONE') return query;
    if (status === 'FATAL') throw failed(await failureReason(job, query?.errorDocumentId));
    if (status === 'CANCELLED') {
      throw new ReportError('The query was canceled at the service.', 'Call again to send it anew.');
    }
    return `The query ${status === 'IN_QUEUE' ? 'is in the queue' : 'is processed'}`;
  };
  return pollUntilDone(job, look, tooSlow);
}

/** @param said the service's message about the failure */
function failed(said: ServiceText | undefined): ReportError {
  const words = said === undefined ? '' : ` It says: ${said.quoted(500)}`;
  return new ReportError(
    `Data Kiosk could not answer the query (FATAL).${words}`,
    'Check fields, days, granularity and marketplaces; some fields need a role of the application, such as Brand Analytics.',
  );
}

const tooSlow = (waitedMs: number) =>
  new ReportError(
    `Data Kiosk did not answer within ${formatDuration(waitedMs)}.`,
    'Call again later with the same arguments: the query is found when it is done.',
  );

/** Normalizes white space, because the service may return the text with other white space. */
const normalizeQuery = (query: string) =>
  query
    .replace(/[\s,]+/g, ' ')
    .replace(/ ?([{}()[\]:]) ?/g, '$1')
    .trim();

function formatUsedQuery({ queryId, createdTime = '' }: KioskQuery, clock: Clock): string {
  const age = clock.wallClock() - Date.parse(createdTime);
  return `Query ${queryId}${Number.isNaN(age) ? '' : ` of ${formatAge(age)} ago`} was used`;
}

function formatRequest({ name, marketplaces, start, end, fields }: DatasetRequest): string {
  const named = marketplaces.map((id) => marketplaceLabel(id) ?? id).join(', ');
  return `${name}${named === '' ? '' : `, ${named}`}, ${start} to ${end}, ${count(fields.length)} fields.`;
}

/** Returns the note that NULL is not zero, and that the last days fill up later. */
function noteOnLag(type: string): string[] {
  const lag = reportType(type)?.dataset?.lag;
  return [`${lag === undefined ? '' : `${lag} `}NULL is not 0: it is not available yet, or never will be.`];
}

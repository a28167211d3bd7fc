/** A Data Kiosk dataset as a collection: its query is sent or found, waited for, and its documents are loaded. */

import * as z from 'zod';
import { type Clock, sleep } from '../../base/clock.ts';
import { AppError, InputError } from '../../base/errors.ts';
import { ageWords, inWords } from '../../base/text/duration.ts';
import { count } from '../../base/text/value-words.ts';
import { type CallOptions, PATIENCE_MS } from '../../call/client-types.ts';
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
  type DocumentJob,
  fetchDocument,
  fileOf,
} from './collect-document.ts';
import type { ReportOrder } from './collect-report.ts';
import { type CollectionPlan, checkNotRefused, type Sources, type WorkParts } from './collection-plan.ts';
import { checkDatasetRequest, type DatasetRequest } from './dataset-request.ts';
import { EmptyReportError, ReportError, readReason } from './report-failure.ts';

/** The figures are refreshed daily, so an answer of the last hours is as good as a new one. */
const RECENT_MS = 4 * 3_600_000;
/** Some queries take hours. */
const MAX_WAIT_MS = 4 * 3_600_000;
const FIRST_LOOK_MS = 1_000;
const MAX_PAUSE_MS = 30_000;
const SLOWER = 1.5;
/** Documents of one answer: the service gives one a minute beyond the first 15. */
const MAX_PAGES = 50;

const OPERATIONS = ['createQuery', 'getQueries', 'getQuery', 'getDocument'] as const;

const querySchema = z.looseObject({
  queryId: z.string().min(1),
  query: z.string().optional(),
  createdTime: z.string().optional(),
  processingStatus: z.string(),
  dataDocumentId: z.string().min(1).optional(),
  errorDocumentId: z.string().min(1).optional(),
  pagination: z.looseObject({ nextToken: z.string().min(1).optional() }).optional(),
});
type KioskQuery = z.output<typeof querySchema>;
const listSchema = z.looseObject({ queries: z.array(z.unknown()).optional() });

/** @throws InputError with everything that is wrong; nothing is sent */
export async function planDataset(order: ReportOrder, sources: Sources): Promise<CollectionPlan> {
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
      const downloads = await sources.downloads();
      const base = { client, clock, signal, tell, account, owner, downloads, givenBy: new URL(url).origin };
      const job = { ...base, operation: getDocument, createQuery, getQueries, getQuery };
      const kiosk = new KioskJob(job, request, async () => fileOf(await openLoader()));
      const { queries, notes, complete } = await kiosk.answers(order.fresh === true, idle);
      const target: CollectionTarget = {
        openLoader: openLoader,
        table: order.as ?? request.name,
        format: 'jsonl',
        template: templateOf(dataset, request.gives, request.fields),
        source,
        complete,
        notes: [aboutWords(request), ...notes, ...lagWords(order.type)],
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

interface Answers {
  queries: { reportId: string; reportDocumentId: string; processingStatus: string }[];
  notes: string[];
  complete: boolean;
}

interface Job extends Omit<DocumentJob, 'id'>, Record<'createQuery' | 'getQueries' | 'getQuery', Operation> {}

class KioskJob {
  readonly #job: Job;
  readonly #request: DatasetRequest;
  readonly #scratch: () => Promise<string>;

  constructor(job: Job, request: DatasetRequest, scratch: () => Promise<string>) {
    this.#job = job;
    this.#request = request;
    this.#scratch = scratch;
  }

  /** A large answer comes in pages, each of a query of its own. @throws ReportError; the client's errors */
  async answers(fresh: boolean, idle: WorkParts['idle']): Promise<Answers> {
    const { clock } = this.#job;
    const known = fresh ? undefined : await this.#find();
    const notes = known === undefined ? [] : [`${usedWords(known, clock)}; fresh: true asks for a new one.`];
    const done: KioskQuery[] = [];
    let id = known?.queryId ?? (await this.#create(undefined));
    for (;;) {
      const query = await idle(() => this.#await(id));
      done.push(query);
      const token = query.pagination?.nextToken;
      if (token === undefined || done.length >= MAX_PAGES) break;
      id = await this.#create(token);
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

  /** The newest one with the same text, among the newest 100: done, or under way. */
  async #find(): Promise<KioskQuery | undefined> {
    const { clock, getQueries } = this.#job;
    const parameters = {
      processingStatuses: ['DONE', 'IN_QUEUE', 'IN_PROGRESS'],
      createdSince: new Date(clock.wallClock() - RECENT_MS).toISOString(),
      pageSize: 100,
    };
    const body = await this.#call(getQueries, { parameters });
    const queries = (listSchema.safeParse(body).data?.queries ?? []).flatMap(
      (each) => querySchema.safeParse(each).data ?? [],
    );
    return queries
      .filter(({ query = '' }) => plain(query) === plain(this.#request.query))
      .sort((one, other) => (other.createdTime ?? '').localeCompare(one.createdTime ?? ''))
      .find((query) => query.processingStatus !== 'DONE' || query.dataDocumentId !== undefined);
  }

  async #create(paginationToken: string | undefined): Promise<string> {
    this.#job.tell({ message: 'The query is sent' });
    const page = paginationToken === undefined ? {} : { paginationToken };
    const body = await this.#call(this.#job.createQuery, { body: { query: this.#request.query, ...page } });
    const made = z.looseObject({ queryId: z.string().min(1) }).safeParse(body);
    if (made.success) return made.data.queryId;
    throw new ReportError('createQuery answered without a queryId.', 'Call again in a minute.');
  }

  async #await(queryId: string): Promise<KioskQuery> {
    const { clock, signal, tell, getQuery } = this.#job;
    const from = clock.now();
    for (let pause = FIRST_LOOK_MS; ; pause = Math.min(MAX_PAUSE_MS, pause * SLOWER)) {
      const query = querySchema.safeParse(await this.#call(getQuery, { parameters: { queryId } })).data;
      const status = query?.processingStatus;
      if (query !== undefined && status === 'DONE') return query;
      if (status === 'FATAL') throw await this.#failed(query?.errorDocumentId);
      if (status === 'CANCELLED') {
        throw new ReportError('The query was canceled at the service.', 'Call again to send it anew.');
      }
      const waited = clock.now() - from;
      if (waited > MAX_WAIT_MS) {
        throw new ReportError(
          `Data Kiosk did not answer within ${inWords(waited)}.`,
          'Call again later with the same arguments: the query is found when it is done.',
        );
      }
      const long = waited < 1_000 ? '' : `, for ${ageWords(waited)} so far`;
      tell({ message: `The query ${status === 'IN_QUEUE' ? 'is in the queue' : 'is processed'}${long}` });
      await sleep(clock, pause, signal);
    }
  }

  /** With what the service says about it. */
  async #failed(id: string | undefined): Promise<ReportError> {
    const hint =
      'Check fields, days, granularity and marketplaces; some fields need a role of the application, such as Brand Analytics.';
    if (id === undefined) return new ReportError('Data Kiosk could not answer the query (FATAL).', hint);
    try {
      const file = await this.#scratch();
      const { charset } = await fetchDocument({ ...this.#job, id }, file);
      const said = await readReason(file, charset);
      const words = said === undefined ? '' : ` It says: ${said.quoted(500)}`;
      return new ReportError(`Data Kiosk could not answer the query (FATAL).${words}`, hint);
    } catch (error) {
      this.#job.signal.throwIfAborted();
      if (error instanceof AppError) {
        return new ReportError('Data Kiosk could not answer the query (FATAL).', hint);
      }
      throw error;
    }
  }

  async #call(
    operation: Operation,
    input: { parameters?: Record<string, unknown>; body?: unknown },
  ): Promise<unknown> {
    const { client, account, owner, signal, tell } = this.#job;
    const options: CallOptions = {
      signal,
      timeoutMs: PATIENCE_MS,
      onProgress: ({ ms }) =>
        tell({ message: `${operation.name} waits ${inWords(ms)} for the service's limit`, leftMs: ms }),
    };
    return (await client.call({ operation, parameters: {}, account, owner, ...input }, options)).body;
  }
}

/** The service may give the text back with other white space. */
const plain = (query: string) =>
  query
    .replace(/[\s,]+/g, ' ')
    .replace(/ ?([{}()[\]:]) ?/g, '$1')
    .trim();

function usedWords({ queryId, createdTime = '' }: KioskQuery, clock: Clock): string {
  const age = clock.wallClock() - Date.parse(createdTime);
  return `Query ${queryId}${Number.isNaN(age) ? '' : ` of ${ageWords(age)} ago`} was used`;
}

function aboutWords({ name, marketplaces, start, end, fields }: DatasetRequest): string {
  const named = marketplaces.map((id) => marketplaceLabel(id) ?? id).join(', ');
  return `${name}${named === '' ? '' : `, ${named}`}, ${start} to ${end}, ${count(fields.length)} fields.`;
}

/** NULL is not zero, and the last days fill up later. */
function lagWords(type: string): string[] {
  const lag = reportType(type)?.dataset?.lag;
  return [`${lag === undefined ? '' : `${lag} `}NULL is not 0: it is not available yet, or never will be.`];
}

/**
 * Reads all pages of an operation into one collection. It survives tokens that expire, loop or come back
 * after an error, and retains the pages before one that fails.
 */

import { createHash } from 'node:crypto';
import { type Clock, sleep } from '../../base/clock.ts';
import { ApiError, NetworkError, RateLimitError, TimeoutError } from '../../base/errors.ts';
import { jsonText } from '../../base/json.ts';
import { formatDuration } from '../../base/text/duration.ts';
import { count } from '../../base/text/format-value.ts';
import type { Wait } from '../../call/api-request.ts';
import {
  type CallInput,
  type CallOptions,
  type CallResult,
  type Client,
  PATIENCE_MS,
} from '../../call/client-types.ts';
import { isTransient } from '../../call/transport/network-failure.ts';
import { requestsPerSecondOf } from '../../call/transport/response-headers.ts';
import { reportInstead } from '../../service/facts/alternatives.ts';
import type { Operation, Paging } from '../../service/facts/operation.ts';
import { parametersOfPage } from '../../service/facts/parameters.ts';
import type { Loader } from '../tables/table-types.ts';
import type { RunProgress } from './collection-plan.ts';
import { memberAt, type ResultPage, readPage, withMember } from './parse-page.ts';

/** Max passes when a token has expired or the pages loop. */
export const MAX_PASSES = 4;

/** More pages are a loop of another kind; the largest sets have some thousands. */
const MAX_PAGES = 20_000;

/**
 * Max pages in a row without a new item; the reading then ends, since a few empty ones between others are
 * normal.
 */
export const MAX_PAGES_WITHOUT_ITEM = 30;

/** The pauses before each repeat of a page that failed after the client's own attempts. */
const PAUSES_MS = [2_000, 15_000];

/** Max repeats of one token that came back as the next one. */
const SAME_TOKEN = 2;

/** The max number of items that the service returns for one search, and how to get all of them. */
const CAPS: Readonly<Record<string, { most: number; instead: string }>> = {
  'listings-items/searchListingsItems': {
    most: 1_000,
    instead:
      'for all of them use review_listings, collect the report GET_MERCHANT_LISTINGS_ALL_DATA, or narrow the search.',
  },
};

/** Takes the items: a collection or any other target. */
export type PageSink = Pick<Loader, 'addItems' | 'abandon'>;

/**
 * Collects the distinct items of pages in memory, for targets that need all of them before they make rows.
 */
export function createItemSink(add: (item: unknown, at: readonly string[]) => void): PageSink {
  const seen = new Set<unknown>();
  return {
    async addItems(_table, items, key, at = []) {
      let rows = 0;
      for (const item of items) {
        const id = key === undefined ? undefined : memberAt(item, key);
        if (id !== undefined && seen.has(id)) continue;
        seen.add(id);
        add(item, at);
        rows += 1;
      }
      return { rows, repeated: items.length - rows };
    },
    async abandon() {
      seen.clear();
    },
  };
}

export interface PagesJob<To extends PageSink = PageSink> {
  client: Pick<Client, 'call'>;
  operation: Operation;
  paging: Paging;
  input: Pick<CallInput, 'parameters' | 'body' | 'account' | 'owner'>;
  table: string;
  clock: Clock;
  signal: AbortSignal;
  tell(progress: RunProgress): void;
  open(): Promise<To>;
}

export interface CollectedPages<To extends PageSink = PageSink> {
  loader: To;
  complete: boolean;
  notes: string[];
  /** The buyers' data that the last page could contain. */
  personalData?: CallResult['personalData'];
}

/**
 * Retains the pages before one that cannot be read, and notes why the rest is missing.
 * @throws the error of the first page, and of credentials or settings on any page: the collection is then
 * incomplete
 */
export async function collectPages<To extends PageSink>(job: PagesJob<To>): Promise<CollectedPages<To>> {
  const { paging, operation } = job;
  const counts: PageCounts = { rows: 0, repeated: 0, given: 0, total: undefined, pages: 0, pagesBefore: 0 };
  const pace = createPace(operation, job.clock);
  let loader = await job.open();
  const finish = async (words: Pick<CollectedPages, 'complete' | 'notes'>) => {
    if (counts.rows === 0) await loader.addItems(job.table, [], paging.key);
    return { loader, ...words, personalData: counts.personalData };
  };
  for (let pass = 1; ; pass++) {
    const before = counts.rows;
    const end = await readPass({ ...job, loader, counts, pace });
    if (end.kind === 'failed' || (end.kind === 'refused' && pass >= MAX_PASSES)) {
      if (counts.rows === 0) throw end.error;
      return finish(describeCutEnd(counts, `The next page could not be read (${end.error.message})`));
    }
    if (end.kind === 'endless') return finish(describeCutEnd(counts, end.why));
    if (end.kind === 'whole' && (pass > 1 || !isShifted(counts, paging))) break;
    if (end.kind === 'looped') {
      // A pass that brings nothing new shows that none will.
      const isSettled = pass > 1 && (paging.key === undefined || counts.rows === before);
      if (isAll(counts) || isSettled || paging.by === 'offset' || pass >= MAX_PASSES) {
        return finish(describeCutEnd(counts, LOOPED[paging.by]));
      }
    }
    counts.given = 0;
    counts.pagesBefore = Math.max(counts.pagesBefore, counts.pages);
    if (paging.key === undefined) {
      // A repeated item cannot be distinguished from another one if there is no key.
      await loader.abandon();
      loader = await job.open();
      Object.assign(counts, { rows: 0, repeated: 0 });
    }
  }
  return finish(describeEnd(counts, operation.id));
}

interface PageCounts {
  /** The number of distinct items. */
  rows: number;
  repeated: number;
  /** The number of items in this pass, including repeated ones. */
  given: number;
  total: number | undefined;
  /** The number of pages in this pass. */
  pages: number;
  /** The number of pages in the longest earlier pass: a later one may meet as many without a new item. */
  pagesBefore: number;
  personalData?: CallResult['personalData'];
}

type PassEnd =
  | { kind: 'whole' }
  | { kind: 'looped' }
  | { kind: 'endless'; why: string }
  | { kind: 'refused' | 'failed'; error: Error };

type PagePass = PagesJob & { loader: PageSink; counts: PageCounts; pace: ReturnType<typeof createPace> };

async function readPass(pass: PagePass): Promise<PassEnd> {
  const { counts, paging, pace, tell } = pass;
  const seen = new Set<string>();
  const seenPages = new Set<string>();
  /** Pages identical to earlier ones: they count only if others follow them, or the end. */
  let held: ResultPage[] = [];
  const release = async () => {
    for (const page of held) await addPage(pass, page);
    held = [];
  };
  let token: string | undefined;
  let same = 0;
  let withoutItem = 0;
  const maxWithoutItem = MAX_PAGES_WITHOUT_ITEM + counts.pagesBefore;
  for (let number = 1; number <= MAX_PAGES; number++) {
    let result: CallResult;
    try {
      result = await callPage(pass, token);
    } catch (error) {
      if (token === undefined || !isOfPage(error)) throw error;
      if (!isRefusedToken(error)) return { kind: 'failed', error };
      // It is unknown whether there are any items that far, because there is no count.
      return isUncounted(pass) ? { kind: 'looped' } : { kind: 'refused', error };
    }
    const page = readPage(result.body, paging);
    pace.called(result, page);
    counts.personalData = result.personalData ?? counts.personalData;
    counts.pages = number;
    const print = createHash('sha1').update(jsonText(page.lists)).digest('base64');
    const isKnown = seenPages.has(print);
    seenPages.add(print);
    if (isKnown && paging.by === 'offset') return { kind: 'looped' };
    let isNew = false;
    if (!isKnown) {
      await release();
      isNew = await addPage(pass, page);
      // The service may return the same page again for the same token.
    } else if (same === 0 && page.count > 0) held.push(page);
    counts.total = page.total ?? counts.total;
    tell(pace.progress(counts));
    const next = nextOf(page, paging, counts);
    if (next === undefined) {
      if (!isAll(counts)) await release();
      return { kind: 'whole' };
    }
    same = next === token ? same + 1 : 0;
    if (same > SAME_TOKEN || (next !== token && seen.has(next))) return { kind: 'looped' };
    withoutItem = isNew ? 0 : withoutItem + 1;
    if (withoutItem >= maxWithoutItem) {
      return { kind: 'endless', why: `The last ${count(withoutItem)} pages brought nothing new` };
    }
    seen.add(next);
    token = next;
  }
  return { kind: 'endless', why: `The pages come to no end: ${count(MAX_PAGES)} were read` };
}

/** @returns whether any item is new */
async function addPage({ loader, counts, table, paging }: PagePass, page: ResultPage): Promise<boolean> {
  const before = counts.rows;
  for (const { name, items, at } of page.lists) {
    if (items.length === 0) continue;
    const target = name === undefined ? table : `${table}_${name}`;
    const added = await loader.addItems(target, items, paging.key, at);
    counts.rows += added.rows;
    counts.repeated += added.repeated;
    counts.given += items.length;
  }
  return counts.rows > before;
}

function nextOf(page: ResultPage, { by }: Paging, { given, total }: PageCounts): string | undefined {
  if (by === 'token') return page.next;
  // If there is no count, only an empty page is the end.
  const isEnd = page.count === 0 || (total !== undefined && given >= total);
  return isEnd ? undefined : String(given);
}

const isAll = ({ rows, total }: PageCounts) => total !== undefined && rows >= total;

const isUncounted = ({ paging, counts }: Pick<PagePass, 'paging' | 'counts'>) =>
  paging.by === 'offset' && counts.total === undefined;

async function callPage(pass: PagePass, token: string | undefined): Promise<CallResult> {
  const { counts, pace, tell } = pass;
  return callPatiently(
    { operation: pass.operation, ...inputOf(pass, token) },
    { ...pass, onWait: (wait) => tell(pace.waiting(counts, wait)) },
  );
}

interface PatienceParts extends Pick<PagesJob, 'client' | 'clock' | 'signal'> {
  onWait?: (wait: Wait) => void;
}

/**
 * Retries longer than the client, because a failure here has cost many calls.
 * @throws the errors of `Client.call`
 */
export async function callPatiently(
  input: CallInput,
  { client, clock, signal, onWait }: PatienceParts,
): Promise<CallResult> {
  const options: CallOptions = { signal, timeoutMs: PATIENCE_MS, onProgress: onWait };
  for (let attempt = 0; ; attempt++) {
    try {
      return await client.call(input, options);
    } catch (error) {
      const pause = PAUSES_MS[attempt];
      if (pause === undefined || !mayPass(error)) throw error;
      await sleep(clock, error instanceof RateLimitError ? error.retryAfterMs : pause, signal);
    }
  }
}

function inputOf({ input, paging, operation }: PagePass, token: string | undefined): PagesJob['input'] {
  if (token === undefined) return input;
  const value = paging.by === 'offset' ? Number(token) : token;
  if (paging.input.in === 'body') return { ...input, body: withMember(input.body, paging.input.name, value) };
  return { ...input, parameters: parametersOfPage({ ...operation, paging }, input.parameters, value) };
}

/** Returns true for an error of the service or network with one page; any other error concerns all pages. */
function isOfPage(error: unknown): error is Error {
  return [ApiError, NetworkError, TimeoutError, RateLimitError].some((kind) => error instanceof kind);
}

function mayPass(error: unknown): boolean {
  if (error instanceof ApiError) return error.status >= 500;
  if (error instanceof NetworkError || error instanceof TimeoutError) return isTransient(error);
  return error instanceof RateLimitError;
}

/** Returns true for errors that, in the middle of a set, mean that the token is no longer accepted. */
function isRefusedToken(error: unknown): boolean {
  return error instanceof ApiError && [400, 403, 404, 410].includes(error.status);
}

/** Returns true if an item was on two pages: the set moved meanwhile, and another item may be on none. */
function isShifted({ rows, repeated, total }: PageCounts, { key }: Paging): boolean {
  return key !== undefined && repeated > 0 && total !== undefined && rows < total;
}

const LOOPED: Readonly<Record<Paging['by'], string>> = {
  token: "The service's page tokens lead in a circle",
  offset: 'The service gives no further page, or the same one again',
};

function describeCutEnd(counts: PageCounts, why: string): Pick<CollectedPages, 'complete' | 'notes'> {
  if (isAll(counts)) return { complete: true, notes: [] };
  const { rows, total } = counts;
  const of = total === undefined ? '' : ` of ${count(total)}`;
  return {
    complete: false,
    notes: [`${why}, so the reading ended: ${count(rows)}${of} items came, there may be more.`],
  };
}

function describeEnd(counts: PageCounts, operation: string): Pick<CollectedPages, 'complete' | 'notes'> {
  const { rows, repeated, given, total } = counts;
  const cap = CAPS[operation];
  const notes = repeated === 0 ? [] : [`${count(repeated)} items that came again were kept once.`];
  if (cap !== undefined && total !== undefined && total > rows && given >= cap.most) {
    const words = `The service gives at most ${count(cap.most)} of a search, and counts ${count(total)}: ${cap.instead}`;
    return { complete: false, notes: [...notes, words] };
  }
  if (total === undefined || rows >= total) return { complete: true, notes };
  const words = `The service counts ${count(total)} items, but its pages held ${count(rows)}.`;
  return { complete: false, notes: [...notes, words] };
}

// The progress of the pages and the time left at the operation's limit, as text and in milliseconds.

/** The burst that is assumed if only the rate is known. */
const BURST = 1;

/** A page that takes longer gets a message. */
const SLOW_MS = 10_000;

function createPace(operation: Operation, clock: Clock) {
  /** The max number of items that the service returns. */
  const most = CAPS[operation.id]?.most ?? Number.POSITIVE_INFINITY;
  const burst = operation.rate?.burst ?? BURST;
  const startedAt = clock.now();
  let rate = operation.rate?.requestsPerSecond;
  let calls = 0;
  let largest = 0;
  let waitedMs = 0;

  const callsLeft = ({ given, total }: PageCounts): number | undefined =>
    total === undefined || largest === 0
      ? undefined
      : Math.max(0, Math.ceil((Math.min(total, most) - given) / largest));

  const msOf = (left: number) => {
    const limited = rate === undefined ? 0 : (Math.max(0, left - Math.max(0, burst - calls)) / rate) * 1000;
    const each = calls === 0 ? 0 : Math.max(0, clock.now() - startedAt - waitedMs) / calls;
    return Math.max(limited, left * each);
  };

  const describe = (counts: PageCounts): RunProgress => {
    const { rows, total } = counts;
    const left = callsLeft(counts);
    const of = total === undefined ? '' : ` of about ${count(Math.max(rows, Math.min(total, most)))}`;
    const items = `${count(rows)}${of} items`;
    if (left === undefined) {
      const next = rate === undefined || calls < burst ? 0 : 1000 / rate;
      const quicker = reportInstead(operation.id);
      const slow =
        next < SLOW_MS
          ? ''
          : `; how many are left is not known, and each further page takes ${formatDuration(next)} at the service's limit${quicker === undefined ? '' : `: the report ${quicker} holds all of them at once`}`;
      return { message: `${items} (${calls} ${calls === 1 ? 'page' : 'pages'}${slow})`, done: rows };
    }
    const leftMs = msOf(left);
    const words = left === 0 ? '' : `, ${left} more ${left === 1 ? 'call' : 'calls'}`;
    return { message: `${items}${words}`, done: rows, total: Math.min(total ?? 0, most), leftMs };
  };

  return {
    called({ headers }: CallResult, page: ResultPage) {
      calls += 1;
      rate = requestsPerSecondOf(headers) ?? rate;
      largest = Math.max(largest, page.count);
    },
    progress: describe,
    /** Returns the progress while a call waits. */
    waiting(counts: PageCounts, { ms, reason }: Wait): RunProgress {
      if (reason !== 'retry') waitedMs += ms;
      const { message, ...rest } = describe(counts);
      const why = reason === 'retry' ? 'for the service to recover' : "for the service's limit";
      const words = `${message}; waits ${formatDuration(ms)} ${why}`;
      const isAtLeast = rest.leftMs === undefined ? { isAtLeast: true } : {};
      return { message: words, ...rest, ...isAtLeast, leftMs: Math.max(ms, rest.leftMs ?? 0) };
    },
  };
}

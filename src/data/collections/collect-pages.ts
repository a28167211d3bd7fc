/** All pages of a reading operation into one collection: tokens that end, loop or come back after an error are survived. */

import { type Clock, sleep } from '../../base/clock.ts';
import { ApiError, InputError, NetworkError, RateLimitError, TimeoutError } from '../../base/errors.ts';
import { inWords } from '../../base/text/duration.ts';
import { count } from '../../base/text/value-words.ts';
import type { Wait } from '../../call/api-request.ts';
import {
  type CallInput,
  type CallOptions,
  type CallResult,
  type Client,
  PATIENCE_MS,
} from '../../call/client.ts';
import { isTransient } from '../../call/transport/network-failure.ts';
import { requestsPerSecondOf } from '../../call/transport/response-headers.ts';
import { reportInstead } from '../../service/facts/neighbours.ts';
import type { Operation, Paging } from '../../service/facts/operation.ts';
import type { Loader } from '../tables/tables.ts';
import { type Page, type ReadLarge, readPage, withMember } from './parse-page.ts';
import type { RunProgress } from './planned-collection.ts';

/** How often the pages are begun again when a token has ended or they loop. */
export const MOST_PASSES = 4;

/** More pages are a loop of another kind; the largest sets have some thousands. */
const MOST_PAGES = 20_000;

/** Before each repeat of a page that failed after the client's own attempts. */
const PAUSES_MS = [2_000, 15_000];

/** How often one token is asked again that came back as the next one. */
const SAME_TOKEN = 2;

/** What the service gives of one search at most, and how to get all of it. */
const CAPS: Readonly<Record<string, { most: number; instead: string }>> = {
  'listings-items/searchListingsItems': {
    most: 1_000,
    instead:
      'for all of them use review_listings, collect the report GET_MERCHANT_LISTINGS_ALL_DATA, or narrow the search.',
  },
};

/** Where items go: a collection, or whatever else takes them. */
export type PageSink = Pick<Loader, 'addItems' | 'abandon'>;

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
  /** Where large pages are read, their items told as a table takes them; here, where it is left out. */
  readLarge?: ReadLarge | undefined;
}

export interface CollectedPages<To extends PageSink = PageSink> {
  loader: To;
  complete: boolean;
  notes: string[];
}

/** @throws the error of a page that could not be had: nothing of the collection is whole then */
export async function collectPages<To extends PageSink>(job: PagesJob<To>): Promise<CollectedPages<To>> {
  const { paging, operation } = job;
  const counts: Counts = { rows: 0, repeated: 0, given: 0, total: undefined };
  const pace = createPace(operation, job.clock);
  let loader = await job.open();
  for (let pass = 1; ; pass++) {
    const before = counts.rows;
    const end = await readPass({ ...job, loader, counts, pace });
    if (end.kind === 'refused' && pass >= MOST_PASSES) throw end.error;
    if (end.kind === 'whole' && (pass > 1 || !isShifted(counts, paging))) break;
    if (end.kind === 'looped') {
      // Where once more brings nothing new, nothing will.
      const isSettled = pass > 1 && (paging.key === undefined || counts.rows === before);
      const isAll = counts.total !== undefined && counts.rows >= counts.total;
      const isUnclear = isUncounted({ paging, counts });
      if (isAll || isSettled || isUnclear || pass >= MOST_PASSES) {
        return { loader, ...loopedWords(counts, paging) };
      }
    }
    counts.given = 0;
    if (paging.key === undefined) {
      // Nothing tells a repeated item from another one.
      await loader.abandon();
      loader = await job.open();
      Object.assign(counts, { rows: 0, repeated: 0 });
    }
  }
  if (counts.given === 0) await loader.addItems(job.table, [], paging.key);
  return { loader, ...endWords(counts, operation.id) };
}

interface Counts {
  /** Different ones. */
  rows: number;
  repeated: number;
  /** Of this pass, repeated ones too. */
  given: number;
  total: number | undefined;
}

type PassEnd = { kind: 'whole' } | { kind: 'looped' } | { kind: 'refused'; error: unknown };

type Pass = PagesJob & { loader: PageSink; counts: Counts; pace: ReturnType<typeof createPace> };

async function readPass(pass: Pass): Promise<PassEnd> {
  const { counts, paging, pace, tell } = pass;
  const seen = new Set<string>();
  let token: string | undefined;
  let last: Page | undefined;
  let same = 0;
  for (let number = 1; number <= MOST_PAGES; number++) {
    let result: CallResult;
    try {
      result = await callPage(pass, token);
    } catch (error) {
      const isRefused = token !== undefined && isRefusedToken(error);
      // Without a count nobody knows whether there are any so far behind.
      if (isRefused && isUncounted(pass)) return { kind: 'looped' };
      if (isRefused) return { kind: 'refused', error };
      throw error;
    }
    const page =
      result.unread === undefined || pass.readLarge === undefined
        ? readPage(result.body, paging)
        : await pass.readLarge(result.unread, { operation: pass.operation, paging }, pass.signal);
    pace.called(result, page);
    // Asked again with the same token, the service may give the same page again; one that passes over no offset does.
    const mayRepeat = same > 0 || isUncounted(pass);
    const isRepeated = mayRepeat && page.fingerprint() === last?.fingerprint();
    if (!isRepeated) await addPage(pass, page);
    else if (paging.by === 'offset') return { kind: 'looped' };
    last = page;
    counts.total = page.total ?? counts.total;
    tell(pace.progress(counts));
    const next = nextOf(page, paging, counts);
    if (next === undefined) return { kind: 'whole' };
    same = next === token ? same + 1 : 0;
    if (same > SAME_TOKEN || (next !== token && seen.has(next))) return { kind: 'looped' };
    seen.add(next);
    token = next;
  }
  throw tooManyPages(counts);
}

async function addPage({ loader, counts, table, paging }: Pass, page: Page): Promise<void> {
  for (const { name, count: given, pieces, at } of page.lists) {
    if (given === 0) continue;
    const target = name === undefined ? table : `${table}_${name}`;
    for (const items of pieces) {
      const added = await loader.addItems(target, items, paging.key, at);
      counts.rows += added.rows;
      counts.repeated += added.repeated;
    }
    counts.given += given;
  }
}

function nextOf(page: Page, { by }: Paging, { given, total }: Counts): string | undefined {
  if (by === 'token') return page.next;
  // Where nobody counts them, only an empty page is the end.
  const isEnd = page.count === 0 || (total !== undefined && given >= total);
  return isEnd ? undefined : String(given);
}

const isUncounted = ({ paging, counts }: Pick<Pass, 'paging' | 'counts'>) =>
  paging.by === 'offset' && counts.total === undefined;

async function callPage(pass: Pass, token: string | undefined): Promise<CallResult> {
  const { counts, pace, tell } = pass;
  return callPatiently(
    { operation: pass.operation, ...inputOf(pass, token) },
    { ...pass, unread: pass.readLarge !== undefined, onWait: (wait) => tell(pace.waiting(counts, wait)) },
  );
}

interface Patience extends Pick<PagesJob, 'client' | 'clock' | 'signal'> {
  unread?: boolean;
  onWait?: (wait: Wait) => void;
}

/** With more patience than the client: what fails here has cost many calls. @throws as `Client.call` */
export async function callPatiently(
  input: CallInput,
  { client, clock, signal, unread = false, onWait }: Patience,
): Promise<CallResult> {
  const options: CallOptions = { signal, timeoutMs: PATIENCE_MS, unread, onProgress: onWait };
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

function inputOf({ input, paging }: Pass, token: string | undefined): PagesJob['input'] {
  if (token === undefined) return input;
  const value = paging.by === 'offset' ? Number(token) : token;
  const { name } = paging.input;
  if (paging.input.in === 'body') return { ...input, body: withMember(input.body, name, value) };
  const parameters = paging.alone ? { [name]: value } : { ...input.parameters, [name]: value };
  return { ...input, parameters };
}

function mayPass(error: unknown): boolean {
  if (error instanceof ApiError) return error.status >= 500;
  if (error instanceof NetworkError || error instanceof TimeoutError) return isTransient(error);
  return error instanceof RateLimitError;
}

/** In the middle of a set, these mean that the token is not taken any more. */
function isRefusedToken(error: unknown): boolean {
  return error instanceof ApiError && [400, 403, 404, 410].includes(error.status);
}

/** An item on two pages: the set moved meanwhile, and another one may stand on none. */
function isShifted({ rows, repeated, total }: Counts, { key }: Paging): boolean {
  return key !== undefined && repeated > 0 && total !== undefined && rows < total;
}

function loopedWords({ rows, total }: Counts, { by }: Paging): Pick<CollectedPages, 'complete' | 'notes'> {
  if (total !== undefined && rows >= total) return { complete: true, notes: [] };
  const of = total === undefined ? '' : ` of ${count(total)}`;
  const why =
    by === 'token'
      ? "The service's page tokens lead in a circle"
      : 'The service does not tell how many there are, and gives no further page';
  return { complete: false, notes: [`${why}: ${count(rows)}${of} items came, there may be more.`] };
}

function endWords(counts: Counts, operation: string): Pick<CollectedPages, 'complete' | 'notes'> {
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

function tooManyPages({ rows }: Counts): InputError {
  return new InputError(
    `The pages come to no end: ${count(MOST_PAGES)} were read, with ${count(rows)} different items.`,
    'Narrow the arguments: a shorter time, fewer marketplaces.',
  );
}

// How far the pages are and how long the rest takes at the operation's limit, in words and in milliseconds.

/** Assumed where only the rate is known. */
const BURST = 1;

/** A page that takes longer is worth a word. */
const SLOW_MS = 10_000;

function createPace(operation: Operation, clock: Clock) {
  /** Items that the service gives. */
  const most = CAPS[operation.id]?.most ?? Number.POSITIVE_INFINITY;
  const burst = operation.rate?.burst ?? BURST;
  const startedAt = clock.now();
  let rate = operation.rate?.requestsPerSecond;
  let calls = 0;
  let largest = 0;
  let waitedMs = 0;

  const callsLeft = ({ given, total }: Counts): number | undefined =>
    total === undefined || largest === 0
      ? undefined
      : Math.max(0, Math.ceil((Math.min(total, most) - given) / largest));

  const msOf = (left: number) => {
    const limited = rate === undefined ? 0 : (Math.max(0, left - Math.max(0, burst - calls)) / rate) * 1000;
    const each = calls === 0 ? 0 : Math.max(0, clock.now() - startedAt - waitedMs) / calls;
    return Math.max(limited, left * each);
  };

  const describe = (counts: Counts): RunProgress => {
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
          : `; how many are left is not known, and each further page takes ${inWords(next)} at the service's limit${quicker === undefined ? '' : `: the report ${quicker} holds all of them at once`}`;
      return { message: `${items} (${calls} ${calls === 1 ? 'page' : 'pages'}${slow})`, done: rows };
    }
    const leftMs = msOf(left);
    const words = left === 0 ? '' : `, ${left} more ${left === 1 ? 'call' : 'calls'}`;
    return { message: `${items}${words}`, done: rows, total: Math.min(total ?? 0, most), leftMs };
  };

  return {
    called({ headers }: CallResult, page: Page) {
      calls += 1;
      rate = requestsPerSecondOf(headers) ?? rate;
      largest = Math.max(largest, page.count);
    },
    progress: describe,
    /** The same while a call waits. */
    waiting(counts: Counts, { ms, reason }: Wait): RunProgress {
      if (reason !== 'retry') waitedMs += ms;
      const { message, ...rest } = describe(counts);
      const why = reason === 'retry' ? 'for the service to recover' : "for the service's limit";
      const words = `${message}; waits ${inWords(ms)} ${why}`;
      const isAtLeast = rest.leftMs === undefined ? { isAtLeast: true } : {};
      return { message: words, ...rest, ...isAtLeast, leftMs: Math.max(ms, rest.leftMs ?? 0) };
    },
  };
}

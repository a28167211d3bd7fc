/**
 * Calls one operation for each row of a SELECT, in batches if one takes many. Its columns are parameters,
 * members of the body, or extra columns, and appear beside each result.
 */

import { createHash } from 'node:crypto';
import { forEachConcurrently, splitIntoChunks } from '../../base/concurrent.ts';
import {
  AccountChangedError,
  ApiError,
  AppError,
  ConfigError,
  CredentialError,
  InputError,
} from '../../base/errors.ts';
import { groupBy } from '../../base/group-by.ts';
import { isJsonObject } from '../../base/json.ts';
import { formatDuration } from '../../base/text/duration.ts';
import { count } from '../../base/text/format-value.ts';
import { quoteName } from '../../base/text/quote-name.ts';
import { shortenToCharacters } from '../../base/text/shorten.ts';
import type { CallInput, CallResult } from '../../call/client-types.ts';
import { fillFeePrices, lacksFeeParts } from '../../call/fee-prices.ts';
import { describeUnlistedValues } from '../../call/request/describe-request.ts';
import { requestsPerSecondOf } from '../../call/transport/response-headers.ts';
import { pagesInstead } from '../../service/facts/alternatives.ts';
import { answerShapeOf } from '../../service/facts/answer-shapes.ts';
import { type BatchForm, batchForm, singleOf } from '../../service/facts/batches.ts';
import { isMarketplaceName } from '../../service/facts/marketplace-members.ts';
import type { AnswerShape, Operation } from '../../service/facts/operation.ts';
import { uniqueName } from '../tables/sql-names.ts';
import type { CollectionSource, Loader, SqlValue } from '../tables/table-types.ts';
import {
  type BatchCallArguments,
  type BatchCallOutcome,
  batchGroupKey,
  buildBatch,
  canBatch,
  readBatch,
  singleRequestOperation,
} from './batch-calls.ts';
import { callPatiently, collectPages, createItemSink } from './collect-pages.ts';
import {
  type CollectionPlan,
  type CollectionSources,
  checkNotRefused,
  type RunProgress,
  unansweredRefusal,
} from './collection-plan.ts';
import {
  type CallArguments,
  type EachArguments,
  type EachRow,
  nameExtras,
  readRows,
  type SelectedRow,
} from './each-arguments.ts';
import { answerIn, isFilled, membersOf, rowsOf } from './each-results.ts';
import { withMember } from './parse-page.ts';

/** If the first calls all fail, the rest would fail too. */
const MAX_FIRST_FAILURES = 10;

/** Max calls in flight; a slow limit has fewer waiting for it, so that other callers get their turns. */
const MAX_IN_FLIGHT = 8;
const AHEAD_SECONDS = 2;

const MAX_ERROR_CHARACTERS = 300;

export interface EachRequest extends EachArguments {
  /** The statement as given, for the source of the data. */
  sql: string;
  table: string;
  recentMs: number;
  /** Notes that come before all others. */
  before: readonly string[];
  /** Returns the members that the definition of an answer names. */
  expect(operation: Operation, shape: AnswerShape): Promise<ExpectedAnswer>;
}

export interface ExpectedAnswer {
  items: readonly unknown[];
  /** The path of the items within the answer. */
  at: readonly string[];
  /** The SQL names of the items' members. */
  columns: readonly string[];
}

/**
 * @throws InputError for no or too many rows, NULL, a placeholder, a column that is no argument, or if no row
 * can be sent; nothing is sent
 */
export async function planEach(request: EachRequest, sources: CollectionSources): Promise<CollectionPlan> {
  const { table, sql, rows } = request;
  const { account, client, find } = sources;
  const operation = find(singleOf(request.operation.id));
  const form = batchForm(operation.id);
  const many = form && { form, operation: find(form.operation) };
  const each = readRows({ ...request, operation: singleRequestOperation(operation, form) });
  const { owner, unlistedValues } = await prepareAny(
    each.map(({ given }) => ({ operation, account, ...given })),
    many,
    client,
  );
  const refusal = (id: string) => unansweredRefusal(client, id, owner);
  const source: CollectionSource = {
    kind: 'operation',
    operation: operation.id,
    // Different rows are a different collection, even if the statement is the same.
    parameters: { ...request.parameters, each: sql, rows: rows.total, digest: digestOf(rows.rows) },
    body: request.body,
  };
  return {
    source,
    recentMs: request.recentMs,
    checkAccess() {
      if (many === undefined || refusal(many.operation.id) !== undefined)
        checkNotRefused(client, operation, owner);
    },
    async work({ openLoader, signal, tell }) {
      const isKnown = many !== undefined && refusal(many.operation.id) !== undefined;
      const batch: BatchAccess = { many: isKnown ? undefined : many, refused: isKnown ? many : undefined };
      const shape = await answerShapeOf(operation);
      const expected = shape && (await request.expect(operation, shape));
      const { named, renamed } = nameExtras(each, expected?.columns ?? []);
      const parts = cutIntoCalls(named, batch.many);
      const loader = await openLoader();
      const counts: EachCounts = {
        of: each.length,
        calls: parts.length,
        rate: (batch.many?.operation ?? operation).rate?.requestsPerSecond,
        done: 0,
        answered: 0,
        made: 0,
        rows: 0,
        empty: 0,
        renamed,
        failed: new Map(),
        unfinished: 0,
        fromListings: 0,
        refused: new Map(),
      };
      const at = expected?.at ?? [];
      const call = { ...sources, operation, shape, at, batch, owner, table, loader, counts, signal };
      const isRefused = (id: string) => client.refusalOf?.(id, owner) !== undefined;
      const telling = () => tell(progressOf(counts, pagesInstead(operation.id, isRefused)));
      telling();
      const isCutOff = await callAll(parts, call, telling);
      if (counts.rows === 0) await addNoRows(named[0], expected, call);
      return loader.finish({
        source,
        complete: !isCutOff && counts.failed.size === 0 && counts.unfinished === 0,
        ...(isCutOff && { cutOff: true }),
        notes: [
          ...request.before,
          ...describeUnlistedValues(unlistedValues),
          ...notesOf(counts, batch, operation, isCutOff),
        ],
      });
    },
  };
}

/** The batch operation that takes many calls at once. */
type Many = { form: BatchForm; operation: Operation } | undefined;

/** The batch operation as long as the account may call it. */
interface BatchAccess {
  many: Many;
  /** The batch operation that was refused (403). */
  refused: Many;
}

/** A sample price checks a fee request whose real price comes from the listing. */
const ANY_PRICE = { ListingPrice: { CurrencyCode: 'EUR', Amount: 1 } };

/**
 * Prepares the first row that can be sent, because a row that cannot be sent fails alone.
 * @throws the InputError of the first row if no row can be sent
 */
async function prepareAny(inputs: readonly CallInput[], many: Many, client: CollectionSources['client']) {
  let refusal: InputError | undefined;
  for (const input of inputs) {
    try {
      return await prepareOne(input, many, client);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      refusal ??= error;
    }
  }
  throw refusal ?? noRows();
}

/** @throws InputError for a request that would be refused; nothing is sent */
async function prepareOne(input: CallInput, many: Many, client: CollectionSources['client']) {
  const { operation, account } = input;
  if (many?.operation.id === operation.id) {
    // Its marketplace may be the account's default, which is only known for a request addressed to one.
    return client.prepare({ ...input, body: buildBatch(many.form, [oneOf(input, 'none')]).body });
  }
  const asked = lacksFeeParts(input)
    ? withMember(
        {
          FeesEstimateRequest: {
            MarketplaceId: 'A1PA6795UKMFR9',
            Identifier: 'any',
            ...requestOf(input.body),
          },
        },
        'FeesEstimateRequest.PriceToEstimateFees',
        ANY_PRICE,
      )
    : input.body;
  return client.prepare({ operation, account, parameters: input.parameters, body: asked });
}

const requestOf = (body: unknown) =>
  isJsonObject(body) && isJsonObject(body.FeesEstimateRequest) ? body.FeesEstimateRequest : {};

const oneOf = (
  { parameters, body }: CallArguments,
  marketplaceId: string | undefined,
): BatchCallArguments => ({
  parameters,
  body,
  marketplaceId,
});

/** Returns the rows of each call. */
function cutIntoCalls(each: readonly EachRow[], many: Many): EachRow[][] {
  if (many === undefined) return each.map((one) => [one]);
  const { form, operation } = many;
  const canShare = ({ given }: EachRow) => canBatch(form, operation, given);
  const groups = groupBy(each.filter(canShare), ({ given }) => batchGroupKey(form, given));
  const alone = each.filter((one) => !canShare(one));
  return [
    ...[...groups.values()].flatMap((group) => splitIntoChunks(group, form.most)),
    ...alone.map((one) => [one]),
  ];
}

interface EachCounts {
  /** The number of rows. */
  of: number;
  /** The number of rows whose results are written. */
  done: number;
  /** The number of rows that did not fail. */
  answered: number;
  /** The number of calls of the operation. */
  calls: number;
  made: number;
  /** The calls a second, if known. */
  rate: number | undefined;
  /** The number of rows written. */
  rows: number;
  /** The number of SELECT rows for which the service has nothing. */
  empty: number;
  /** The extra columns whose names the answer also uses, each with its replacement name. */
  renamed: Map<string, string>;
  /** The number of failed rows by message. */
  failed: Map<string, number>;
  /** The number of rows with an incomplete answer. */
  unfinished: number;
  /** The number of fees at the price of the listing. */
  fromListings: number;
  /** The number of rows refused (403) while none was answered, by the marketplace of the row. */
  refused: Map<string, number>;
}

type Call = Pick<CollectionSources, 'client' | 'clock' | 'account' | 'describe' | 'find'> & {
  operation: Operation;
  shape: AnswerShape | undefined;
  batch: BatchAccess;
  owner: NonNullable<CallInput['owner']>;
  table: string;
  loader: Loader;
  counts: EachCounts;
  signal: AbortSignal;
  /** The path of the items within an answer, if known. */
  at: readonly string[];
  /** The marketplaces of the rows, until it is known whether the account may call the operation. */
  places?: ReadonlySet<string>;
};

/** @returns true if the session ended before the last call */
async function callAll(parts: readonly EachRow[][], call: Call, tell: () => void): Promise<boolean> {
  const { counts, signal } = call;
  const ending = new AbortController();
  const both = AbortSignal.any([signal, ending.signal]);
  const markets = new Set(parts.flat().map(({ row }) => marketOf(row)));
  let pending = [...parts];
  const callOne = async (part: readonly EachRow[], more: Pick<Call, 'places'>) => {
    both.throwIfAborted();
    await callPart(part, { ...call, ...more, signal: both });
    counts.made += 1;
    tell();
  };
  /**
   * Calls one at a time, so that an operation which the account may not call costs one call for each
   * marketplace, not eight.
   */
  const callFirst = async () => {
    for (let part = pending.shift(); part !== undefined; part = pending.shift()) {
      await callOne(part, { places: markets });
      if (counts.answered > 0 || counts.refused.size === 0) return;
      // Rows of a refused marketplace move to the end, because another one may be allowed.
      const isOpen = (one: readonly EachRow[]) => one.some(({ row }) => !counts.refused.has(marketOf(row)));
      pending = [...pending.filter(isOpen), ...pending.filter((one) => !isOpen(one))];
    }
  };
  try {
    await callFirst();
    // The first answer has reported the limit, which may be higher than the documented one.
    const atOnce = Math.max(1, Math.min(MAX_IN_FLIGHT, Math.ceil((counts.rate ?? 1) * AHEAD_SECONDS)));
    const callRest = (part: readonly EachRow[]) =>
      callOne(part, {}).catch((error: unknown) => {
        ending.abort(error);
        throw error;
      });
    await forEachConcurrently(pending, callRest, atOnce);
    return false;
  } catch (error) {
    // Results so far are retained when the session ends in the middle.
    if (signal.aborted && counts.done > 0) return true;
    throw error;
  }
}

async function callPart(part: readonly EachRow[], call: Call): Promise<void> {
  const whole = await withPrices(part, call);
  const [first] = whole;
  if (first === undefined) return;
  const { batch, counts } = call;
  const { many } = batch;
  const isAlone = many === undefined || !canBatch(many.form, many.operation, first.given);
  if (isAlone && whole.length > 1) return callEach(whole, call);
  const [problem] = await catchRowErrors(call, async () => {
    if (isAlone) return addOutcome(first, await itemsOf(first.given, call), call);
    const outcomes = await callMany(whole, many, call);
    for (const [at, outcome] of outcomes.entries()) {
      const one = whole[at];
      if (one !== undefined) await addOutcome(one, outcome, call);
    }
  });
  if (problem === undefined) return;
  if (!isAlone && isRefusal(problem) && many.operation.id !== call.operation.id) {
    // After an earlier answer, the refusal concerns these rows only.
    if (counts.answered === 0) {
      Object.assign(batch, { many: undefined, refused: many });
      counts.rate = call.operation.rate?.requestsPerSecond;
    }
    return callEach(whole, { ...call, batch: { many: undefined, refused: many } });
  }
  if (whole.length > 1 && isOfOneOfThem(problem)) {
    // Halving the batch finds the row that causes the error.
    const half = Math.ceil(whole.length / 2);
    call.counts.calls += 2;
    for (const each of [whole.slice(0, half), whole.slice(half)]) {
      await callPart(each, call);
      call.counts.made += 1;
    }
    return;
  }
  const words = reasonOf(problem);
  const failed = sum(counts.failed) + whole.length;
  if (counts.answered === 0 && isRefusal(problem)) noteRefusal(problem, first, call);
  // A row that cannot be sent tells nothing about the rows after it.
  if (counts.answered === 0 && failed >= MAX_FIRST_FAILURES && !(problem instanceof InputError)) {
    throw problem.withHint(
      `The first ${failed} all failed; the other ${count(counts.of - failed)} were not asked for.`,
    );
  }
  for (const one of whole) await addOutcome(one, { problem: words }, call);
}

const isRefusal = (error: unknown): error is ApiError => error instanceof ApiError && error.status === 403;

/** Calls the operation for each row of a batch separately. */
async function callEach(whole: readonly EachRow[], call: Call): Promise<void> {
  call.counts.calls += whole.length;
  for (const one of whole) {
    await callPart([one], call);
    call.counts.made += 1;
  }
}

/** Min refused rows before the operation counts as refused: one row alone may belong to another seller. */
const REFUSED_ROWS = 2;

/** @throws the refusal once every marketplace was refused, because all other rows would be refused too */
function noteRefusal(
  problem: ApiError,
  { row }: EachRow,
  { counts, batch, operation, places: markets }: Call,
): void {
  const market = marketOf(row);
  counts.refused.set(market, (counts.refused.get(market) ?? 0) + 1);
  const isRefusedEverywhere = [...(markets ?? [])].every((one) => counts.refused.has(one));
  const asked = sum(counts.refused);
  if (markets === undefined || !isRefusedEverywhere || asked < Math.min(REFUSED_ROWS, counts.of)) return;
  const too = batch.refused === undefined ? '' : `${batch.refused.operation.name} was refused (403) too. `;
  const left = counts.of - asked;
  throw problem.withHint(
    `${too}The first ${asked === 1 ? 'call' : `${asked} calls`} of ${operation.name} ${asked === 1 ? 'was' : 'were'} refused${left === 0 ? '' : `; the other ${count(left)} rows were not asked for`}.`,
  );
}

/** Returns the marketplace that a row names; empty if it names none. */
const marketOf = (row: SelectedRow): string =>
  Object.entries(row)
    .filter(([name]) => isMarketplaceName(name.split('.').at(-1) ?? ''))
    .map(([, value]) => String(value))
    .join();

/** Returns the error that concerns these rows only. @throws any error that ends all calls */
async function catchRowErrors({ signal }: Call, ask: () => Promise<void>): Promise<AppError[]> {
  try {
    await ask();
    return [];
  } catch (error) {
    if (signal.aborted || !isOfRow(error)) throw error;
    return [error];
  }
}

const isOfOneOfThem = (error: AppError) =>
  error instanceof InputError || (error instanceof ApiError && [400, 404, 413, 422].includes(error.status));

/** Fills in the listing's price for fees without one; rows whose listing has no price fail. */
async function withPrices(part: readonly EachRow[], call: Call): Promise<readonly EachRow[]> {
  const { operation, account, owner, client, find, counts } = call;
  const inputs = part.map(({ given }) => ({ operation, account, owner, ...given }));
  if (!inputs.some(lacksFeeParts)) return part;
  let filled: Awaited<ReturnType<typeof fillFeePrices>> = [];
  const [problem] = await catchRowErrors(call, async () => {
    filled = await fillFeePrices(inputs, { client, find, read: (input) => callPatiently(input, call) });
  });
  const whole: EachRow[] = [];
  for (const [at, one] of part.entries()) {
    const { input, problem: own = problem, remark } = filled[at] ?? {};
    if (input === undefined || own !== undefined) await addOutcome(one, { problem: reasonOf(own) }, call);
    else whole.push({ ...one, given: { parameters: input.parameters, body: input.body } });
    if (remark !== undefined) counts.fromListings += 1;
  }
  return whole;
}

/** @throws the errors of `Client.call` */
async function callMany(part: readonly EachRow[], { form, operation }: Exclude<Many, undefined>, call: Call) {
  const { client, account, owner } = call;
  const isOfList = operation.id === call.operation.id;
  const all = await Promise.all(
    part.map(async ({ given }) => {
      if (isOfList) return oneOf(given, owner.marketplaceId);
      const prepared = await client.prepare({ operation: call.operation, account, owner, ...given });
      return oneOf({ parameters: prepared.parameters, body: prepared.body }, prepared.marketplaces[0]?.id);
    }),
  );
  const result = await callPatiently({ operation, account, owner, ...buildBatch(form, all) }, call);
  noteRate(result, call);
  return readBatch(form, result.body, all);
}

function noteRate({ headers }: Pick<CallResult, 'headers'>, { counts }: Call): void {
  counts.rate = requestsPerSecondOf(headers) ?? counts.rate;
}

/** Adds a row for each result, and one with the reason for each row of the SELECT that failed. */
async function addOutcome(
  { row, extras }: EachRow,
  outcome: BatchCallOutcome & { complete?: boolean },
  { counts, loader, table, operation, describe, at }: Call,
): Promise<void> {
  if ('problem' in outcome) {
    counts.failed.set(outcome.problem, (counts.failed.get(outcome.problem) ?? 0) + 1);
    // A value in a table is data as a whole, so its quotation marks are removed.
    const error = outcome.problem.replace(/[«»]/g, '');
    const given = [...Object.keys(row), ...Object.keys(extras)];
    const added = await loader.addItems(table, [{ ...row, ...extras, error }], undefined, at, given);
    counts.rows += added.rows;
  } else {
    counts.answered += 1;
    if (isFilled(outcome.items)) {
      const items = (await describe?.(operation, outcome.items)) ?? outcome.items;
      for (const name of Object.keys(extras)) {
        const isShared = items.some((item) => Object.hasOwn(membersOf(item), name));
        if (isShared) counts.renamed.set(name, uniqueName(name, new Set([name])));
      }
      const { rows, given } = rowsOf(row, items, extras);
      const added = await loader.addItems(table, rows, undefined, outcome.at, given);
      // The count is added after the wait, because other calls count meanwhile.
      counts.rows += added.rows;
    } else counts.empty += 1;
    if (outcome.complete === false) counts.unfinished += 1;
  }
  counts.done += 1;
}

/**
 * Adds a table without rows that has its columns, so that a statement over it has no rows instead of an
 * error.
 */
async function addNoRows(
  first: EachRow | undefined,
  { items, at }: ExpectedAnswer = { items: [{}], at: [], columns: [] },
  { loader, table }: Pick<Call, 'loader' | 'table'>,
): Promise<void> {
  const { rows, given } = rowsOf(first?.row ?? {}, items, first?.extras);
  await loader.expectItems(table, rows);
  await loader.addItems(table, [], undefined, at, given);
}

/**
 * Returns the items of all pages if there are pages; else the list that is the answer, or the answer itself.
 */
async function itemsOf(given: CallArguments, call: Call) {
  const { client, operation, account, owner, clock, signal, table } = call;
  const input = { ...given, account, owner };
  const { paging } = operation;
  if (paging === undefined) {
    const result = await callPatiently({ operation, ...input }, { client, clock, signal });
    noteRate(result, call);
    return { ...answerIn(result, call.shape), complete: true };
  }
  let items: unknown[] = [];
  let path: readonly string[] = [];
  const sink = createItemSink((item, at) => {
    items.push(item);
    path = at;
  });
  const open = async () => {
    items = [];
    return sink;
  };
  const job = { client, operation, paging, input, table, clock, signal, tell: () => {}, open };
  const { complete } = await collectPages(job);
  return { items, at: path, complete };
}

/** Returns true for an error of this call alone; the others may succeed. */
function isOfRow(error: unknown): error is AppError {
  if (error instanceof CredentialError || error instanceof ConfigError) return false;
  return error instanceof AppError && !(error instanceof AccountChangedError);
}

const reasonOf = (error: AppError | undefined) =>
  shortenToCharacters((error?.message ?? 'It was not asked for.').replace(/\s+/g, ' '), MAX_ERROR_CHARACTERS);

const noRows = () =>
  new InputError('The SELECT of each gives no rows; nothing was sent.', 'Ask it with query_data first.');

const digestOf = (rows: readonly (readonly SqlValue[])[]) =>
  createHash('sha256').update(JSON.stringify(rows)).digest('hex').slice(0, 16);

// Progress and notes of the collection.

const sum = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((all, one) => all + one, 0);

/** A run with more time left than this gets the suggestion of a faster way. */
const LONG_MS = 60_000;

/** @param instead a source of the same data that is faster for many items */
function progressOf(
  { of, done, calls, made, rate, failed, answered, refused: refusedAt }: EachCounts,
  instead: string | undefined,
): RunProgress {
  const left = Math.max(0, calls - made);
  const leftMs = rate === undefined ? undefined : (left / rate) * 1_000;
  const refused = sum(failed);
  const isLong = (leftMs ?? 0) >= LONG_MS;
  const words = [
    calls < of
      ? `${count(done)} of ${count(of)} rows done (${count(calls)} ${calls === 1 ? 'call' : 'calls'} in all)`
      : `${count(done)} of ${count(of)} calls`,
    ...(refused === 0 ? [] : [`${count(refused)} failed`]),
    ...(leftMs === undefined ? [] : [`about ${formatDuration(leftMs)} more at the service's limit`]),
    ...(instead === undefined || !isLong ? [] : [`${instead}, and is quicker for many`]),
  ];
  const isUnanswered = answered === 0 && (made === 0 || refusedAt.size > 0);
  const awaitsFirst = isUnanswered ? { awaitsFirst: true } : {};
  return { message: words.join(', '), done, total: of, leftMs, ...awaitsFirst };
}

function notesOf(
  { of, done, calls, rows, empty, renamed, failed, unfinished, fromListings }: EachCounts,
  { many, refused: unused }: BatchAccess,
  { name }: Operation,
  isCutOff: boolean,
): string[] {
  const refused = sum(failed);
  const worst = [...failed].sort(([, one], [, other]) => other - one).slice(0, 3);
  const why = worst.map(([words, times]) => `${count(times)} x ${words}`).join('; ');
  const when = isCutOff ? ' when the session ended' : '';
  const isSingle = many === undefined || calls >= of;
  const made = isSingle
    ? `${count(done)} of ${count(of)} calls were made${when}`
    : `${count(done)} of ${count(of)} rows were asked for${when}, in calls of ${many.operation.name}`;
  const results = rows - refused;
  const unit = isSingle ? (empty === 1 ? 'call' : 'calls') : 'of them';
  const errors = refused === 0 ? '' : ` and ${count(refused)} with an error`;
  const nothing = empty === 0 ? '' : `; ${count(empty)} ${unit} found nothing`;
  return [
    `${made}: ${count(results)} ${results === 1 ? 'row' : 'rows'}${errors}${nothing}.`,
    ...[...renamed].map(
      ([name, unique]) =>
        `The column ${quoteName(name)} of each is ${quoteName(unique)} in the table, because the result has a column of that name.`,
    ),
    ...(unused === undefined
      ? []
      : [`${unused.operation.name} was refused (403), so each row was asked for by ${name} alone.`]),
    ...(fromListings === 0
      ? []
      : ['Prices, currencies and who ships that were left out are those of the listings now.']),
    ...(refused === 0 ? [] : [`${count(refused)} failed; the column error says why: ${why}`]),
    ...(unfinished === 0 ? [] : [`Of ${count(unfinished)} not all pages came.`]),
  ];
}

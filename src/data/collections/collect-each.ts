/** One operation called once for each row of a SELECT: its columns are parameters, or members of the body, and stand beside what is answered. */

import { createHash } from 'node:crypto';
import {
  AccountChangedError,
  AppError,
  ConfigError,
  CredentialError,
  InputError,
} from '../../base/errors.ts';
import { isJsonObject, parseJson } from '../../base/json.ts';
import { inWords } from '../../base/text/duration.ts';
import { quoteName } from '../../base/text/quote-name.ts';
import { shortenToCharacters } from '../../base/text/shorten.ts';
import { count } from '../../base/text/value-words.ts';
import type { CallInput } from '../../call/client.ts';
import { MARK } from '../../privacy/personal/marks.ts';
import type { JsonSchema, Operation } from '../../service/facts/operation.ts';
import { resolveSchema } from '../../service/facts/schema-parts.ts';
import type { CollectionSource, Loader, QueryResult, SqlValue } from '../tables/types.ts';
import { callPatiently, collectPages } from './collect-pages.ts';
import { withMember } from './read-page.ts';
import type { Plan, RunProgress, Sources } from './work.ts';

/** At most so many calls. */
export const MOST_CALLS = 10_000;

/** Where the first ones all fail, the rest would. */
const FIRST = 10;

/** Calls at the same time; a slow limit has fewer waiting for it, so that others have their turns. */
const MOST_AT_ONCE = 8;
const AHEAD_SECONDS = 2;

const LONGEST_ERROR = 300;

export interface EachRequest {
  operation: Operation;
  /** The same for all of them. */
  parameters: Readonly<Record<string, unknown>>;
  body: unknown;
  /** As it was given, for telling where the data are from. */
  sql: string;
  rows: QueryResult;
  table: string;
  recentMs: number;
}

type Arguments = Pick<CallInput, 'parameters' | 'body'>;
type Row = Record<string, SqlValue>;

/** @throws InputError for no or too many rows, NULL, a mark, a column that is no argument, a first row that is refused; nothing is sent */
export async function planEach(request: EachRequest, sources: Sources): Promise<Plan> {
  const { operation, table, sql, rows } = request;
  const { account, client } = sources;
  const each = readRows(request);
  const [first] = each;
  if (first === undefined) throw noRows();
  const { owner } = await client.prepare({ operation, account, ...first.given });
  const source: CollectionSource = {
    kind: 'operation',
    operation: operation.id,
    // Other rows are another collection, whatever the statement.
    parameters: { ...request.parameters, each: sql, rows: rows.total, digest: digestOf(rows.rows) },
    body: request.body,
  };
  return {
    source,
    recentMs: request.recentMs,
    async work({ open, signal, tell }) {
      const loader = await open();
      const counts: Counts = { of: each.length, done: 0, rows: 0, failed: new Map(), unfinished: 0 };
      const call = { ...sources, operation, owner, table, loader, counts, signal };
      tell(progressOf(counts, operation));
      const isCutOff = await callAll(each, call, () => tell(progressOf(counts, operation)));
      if (counts.rows === 0) await loader.addItems(table, []);
      return loader.finish({ source, complete: !isCutOff, notes: notesOf(counts, isCutOff) });
    },
  };
}

interface Counts {
  of: number;
  done: number;
  rows: number;
  /** By what was said. */
  failed: Map<string, number>;
  /** Answered, but not with all there is. */
  unfinished: number;
}

type Call = Pick<Sources, 'client' | 'clock' | 'account' | 'describe'> & {
  operation: Operation;
  owner: NonNullable<CallInput['owner']>;
  table: string;
  loader: Loader;
  counts: Counts;
  signal: AbortSignal;
};

interface Each {
  row: Row;
  given: Arguments;
}

/** @returns true where the session ended before the last one */
async function callAll(each: readonly Each[], call: Call, tell: () => void): Promise<boolean> {
  const { counts, operation, signal } = call;
  const rate = operation.rate?.requestsPerSecond ?? 1;
  const atOnce = Math.max(1, Math.min(MOST_AT_ONCE, Math.ceil(rate * AHEAD_SECONDS)));
  const ending = new AbortController();
  const both = AbortSignal.any([signal, ending.signal]);
  let next = 0;
  const workOff = async () => {
    for (let one = each[next++]; one !== undefined; one = each[next++]) {
      both.throwIfAborted();
      await callOne(one, { ...call, signal: both });
      tell();
    }
  };
  try {
    const workers = Array.from({ length: atOnce }, workOff);
    await Promise.all(workers).catch(async (error: unknown) => {
      ending.abort(error);
      await Promise.allSettled(workers);
      throw error;
    });
    return false;
  } catch (error) {
    // What came is kept when the session ends in the middle.
    if (signal.aborted && counts.done > 0) return true;
    throw error;
  }
}

async function callOne({ row, given }: Each, call: Call): Promise<void> {
  const { counts, loader, table, signal } = call;
  try {
    const { items, at, complete } = await itemsOf(given, call);
    const told = items.map((item) => ({
      ...row,
      error: null,
      ...(isJsonObject(item) ? item : { value: item }),
    }));
    // A row that nothing was answered for is a row all the same.
    const { rows } = await loader.addItems(
      table,
      told.length === 0 ? [{ ...row, error: null }] : told,
      undefined,
      at,
    );
    counts.rows += rows;
    if (!complete) counts.unfinished += 1;
  } catch (error) {
    if (signal.aborted || !isOfRow(error)) throw error;
    const words = wordsOf(error);
    counts.failed.set(words, (counts.failed.get(words) ?? 0) + 1);
    if (counts.done + 1 === FIRST && sum(counts.failed) >= FIRST) {
      throw error.withHint(
        `The first ${FIRST} calls all failed; the other ${count(counts.of - FIRST)} were not made.`,
      );
    }
    counts.rows += (await loader.addItems(table, [{ ...row, error: words }])).rows;
  }
  counts.done += 1;
}

/** All pages, where it has pages; else the list that is the answer, or the answer. */
async function itemsOf(
  given: Arguments,
  { client, operation, account, owner, clock, signal, table, ...more }: Call,
) {
  const input = { ...given, account, owner };
  const { paging } = operation;
  if (paging === undefined) {
    const { body } = await callPatiently({ operation, ...input }, { client, clock, signal });
    const payload = isJsonObject(body) ? body.payload : undefined;
    const [value, at] = payload === undefined ? [body, []] : [payload, ['payload']];
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    return { items: (await more.describe?.(operation, items)) ?? items, at, complete: true };
  }
  let items: unknown[] = [];
  let path: readonly string[] = [];
  const sink = {
    async addItems(_table: string, page: unknown, _key?: string, at: readonly string[] = []) {
      if (Array.isArray(page)) items.push(...page);
      path = at;
      return { rows: Array.isArray(page) ? page.length : 0, repeated: 0 };
    },
    async abandon() {
      items = [];
    },
  };
  const job = {
    client,
    operation,
    paging,
    input,
    table,
    clock,
    signal,
    tell: () => {},
    open: async () => sink,
  };
  const { complete } = await collectPages(job);
  return { items: (await more.describe?.(operation, items)) ?? items, at: path, complete };
}

/** Of this call alone; the others may do better. */
function isOfRow(error: unknown): error is AppError {
  if (error instanceof CredentialError || error instanceof ConfigError) return false;
  return error instanceof AppError && !(error instanceof AccountChangedError);
}

const wordsOf = ({ message }: AppError) => shortenToCharacters(message.replace(/\s+/g, ' '), LONGEST_ERROR);

// Rows of the SELECT as arguments.

function readRows({ operation, parameters, body, rows: { columns, rows, total } }: EachRequest): Each[] {
  if (total > MOST_CALLS) {
    throw new InputError(
      `each gives ${count(total)} rows, and at most ${count(MOST_CALLS)} calls are made; nothing was sent.`,
      'Narrow it, or add LIMIT.',
    );
  }
  const places = columns.map((column) => placeOf(column, operation));
  return rows.map((values, at) => {
    const given = { parameters: { ...parameters }, body };
    const row: Row = {};
    for (const [index, place] of places.entries()) {
      const value = values[index] ?? null;
      refuseValue(value, place.column, at);
      row[place.column] = value;
      if (place.kind === 'body') given.body = withMember(given.body, place.column, place.read(value));
      else given.parameters[place.column] = place.read(value);
    }
    return { row, given };
  });
}

interface Place {
  /** By its exact name: `SELECT order_id` is orderId. */
  column: string;
  kind: 'parameter' | 'body';
  read(value: SqlValue): unknown;
}

function placeOf(column: string, { name, parameters, body, defs = {} }: Operation): Place {
  const parameter = parameters.find((one) => fold(one.name) === fold(column));
  if (parameter !== undefined) {
    const { type } = resolveSchema(parameter.schema, defs) ?? {};
    const read = (value: SqlValue) => (type === 'array' ? listOf(value) : value);
    return { column: parameter.name, kind: 'parameter', read };
  }
  const path = column.split('.');
  const exact: string[] = [];
  let schema = body && resolveSchema(body.schema, defs);
  for (const segment of path) {
    const properties: Readonly<Record<string, JsonSchema>> = schema?.properties ?? {};
    const [member, inner] = Object.entries(properties).find(([one]) => fold(one) === fold(segment)) ?? [];
    if (member === undefined && exact.length === 0) break;
    exact.push(member ?? segment);
    schema = inner && resolveSchema(inner, defs);
  }
  if (exact.length > 0) return { column: exact.join('.'), kind: 'body', read: (value) => value };
  const members = Object.keys((body && resolveSchema(body.schema, defs))?.properties ?? {});
  const names = [...parameters.map((one) => one.name), ...members];
  throw new InputError(
    `The column ${quoteName(column)} of each is no argument of ${name}; nothing was sent.`,
    `There are ${names.join(', ')}: call it so (SELECT asin AS ${names[0] ?? 'sku'} ...); other columns can be joined afterwards.`,
  );
}

const fold = (name: string) => name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();

/** `["a", "b"]`, or one. */
function listOf(value: SqlValue): unknown {
  if (typeof value !== 'string' || !value.startsWith('[')) return [value];
  const parsed = readJson(value);
  return Array.isArray(parsed) ? parsed : [value];
}

function readJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function refuseValue(value: SqlValue, column: string, at: number): void {
  if (value === null) {
    throw new InputError(
      `Row ${count(at + 1)} of each has no ${column} (NULL); nothing was sent.`,
      `Add WHERE ${column} IS NOT NULL.`,
    );
  }
  if (typeof value === 'string' && MARK.test(value)) {
    throw new InputError(
      `${column} in row ${count(at + 1)} of each stands for personal data of a buyer, which are not sent; nothing was sent.`,
      'Select other columns.',
    );
  }
}

const noRows = () =>
  new InputError('The SELECT of each gives no rows; nothing was sent.', 'Ask it with query_data first.');

const digestOf = (rows: readonly (readonly SqlValue[])[]) =>
  createHash('sha256').update(JSON.stringify(rows)).digest('hex').slice(0, 16);

// How far it is, and what it came to.

const sum = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((all, one) => all + one, 0);

function progressOf({ of, done, failed }: Counts, { rate }: Operation): RunProgress {
  const left = of - done;
  const leftMs = rate === undefined ? undefined : (left / rate.requestsPerSecond) * 1_000;
  const refused = sum(failed);
  const words = [
    `${count(done)} of ${count(of)} calls`,
    ...(refused === 0 ? [] : [`${count(refused)} failed`]),
    ...(leftMs === undefined ? [] : [`about ${inWords(leftMs)} more at the service's limit`]),
  ];
  return { message: words.join(', '), done, total: of, leftMs };
}

function notesOf({ of, done, failed, unfinished }: Counts, isCutOff: boolean): string[] {
  const refused = sum(failed);
  const worst = [...failed].sort(([, one], [, other]) => other - one).slice(0, 3);
  const why = worst.map(([words, times]) => `${count(times)} x ${words}`).join('; ');
  return [
    `${count(done)} of ${count(of)} calls were made${isCutOff ? ' when the session ended' : ''}, a row or more for each.`,
    ...(refused === 0 ? [] : [`${count(refused)} failed; the column error says why: ${why}`]),
    ...(unfinished === 0 ? [] : [`Of ${count(unfinished)} not all pages came.`]),
  ];
}

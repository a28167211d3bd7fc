/**
 * Turns rows of the SELECT of `each` into call arguments: a column is a parameter, a member of the body, or
 * an extra column.
 */

import { distance } from 'fastest-levenshtein';
import { InputError } from '../../base/errors.ts';
import { parseJson, toObject } from '../../base/json.ts';
import { count } from '../../base/text/format-value.ts';
import { quoteName } from '../../base/text/quote-name.ts';
import type { CallInput } from '../../call/client-types.ts';
import { PLACEHOLDER_PARTS } from '../../privacy/personal/placeholders.ts';
import type { JsonSchema, Operation } from '../../service/facts/operation.ts';
import { resolveSchema } from '../../service/facts/schema-parts.ts';
import { quoteIdentifier, toName, uniqueName } from '../tables/sql-names.ts';
import type { QueryResult, SqlValue } from '../tables/table-types.ts';
import { withMember } from './parse-page.ts';

/** Max number of calls. */
export const MAX_EACH_CALLS = 10_000;

export type CallArguments = Pick<CallInput, 'parameters' | 'body'>;
export type SelectedRow = Record<string, SqlValue>;

/** The calls of one operation, before the rows are read. */
export interface EachArguments {
  operation: Operation;
  /** The parameters that all calls share. */
  parameters: Readonly<Record<string, unknown>>;
  body: unknown;
  rows: QueryResult;
}

/** A row of the SELECT. */
export interface EachRow {
  /** The arguments that the SELECT provides. */
  row: SelectedRow;
  /** The columns of the SELECT that are not sent. */
  extras: SelectedRow;
  given: CallArguments;
}

/** @throws InputError for too many rows, NULL, a placeholder and a column that is no argument */
export function readRows(request: EachArguments): EachRow[] {
  const {
    operation,
    parameters,
    body,
    rows: { columns, rows, total },
  } = request;
  if (total > MAX_EACH_CALLS) {
    throw new InputError(
      `each gives ${count(total)} rows, and at most ${count(MAX_EACH_CALLS)} calls are made; nothing was sent.`,
      'Narrow it, or add LIMIT.',
    );
  }
  const targets = columns.map((column) => targetOf(column, operation));
  checkExtras(targets, request);
  const used = new Set(targets.flatMap(({ column, kind }) => (kind === 'extra' ? [] : [column])));
  const names = targets.map(({ column, kind }) => (kind === 'extra' ? uniqueName(column, used) : column));
  return rows.map((values, at) => {
    const given = { parameters: { ...parameters }, body };
    const row: SelectedRow = {};
    const extras: SelectedRow = {};
    for (const [index, target] of targets.entries()) {
      const value = values[index] ?? null;
      const name = names[index] ?? target.column;
      refusePlaceholder(value, name, at);
      if (target.kind === 'extra') {
        extras[name] = value;
        continue;
      }
      refuseNull(value, name, at);
      row[name] = value;
      if (target.kind === 'body') given.body = withMember(given.body, name, target.read(value));
      else given.parameters[name] = target.read(value);
    }
    return { row, extras, given };
  });
}

/** The use of a column of the SELECT. */
interface ColumnTarget {
  /** The exact column name: `SELECT order_id` is orderId. */
  column: string;
  kind: 'parameter' | 'body' | 'extra';
  read(value: SqlValue): unknown;
}

function targetOf(column: string, { parameters, body, defs = {} }: Operation): ColumnTarget {
  const parameter = parameters.find((one) => plain(one.name) === plain(column));
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
    const [member, inner] = Object.entries(properties).find(([one]) => plain(one) === plain(segment)) ?? [];
    if (member === undefined && exact.length === 0) break;
    exact.push(member ?? segment);
    schema = inner && resolveSchema(inner, defs);
  }
  if (exact.length > 0) return { column: exact.join('.'), kind: 'body', read: (value) => value };
  return { column, kind: 'extra', read: (value) => value };
}

/** Max edits of a misspelled name. */
const MAX_EDITS = 2;

/**
 * @throws InputError if no column is an argument, or if a column's name almost equals that of a missing
 * argument
 */
function checkExtras(
  targets: readonly ColumnTarget[],
  { operation: { name, parameters: defined, body, defs = {} }, ...given }: EachArguments,
): void {
  const members = Object.keys((body && resolveSchema(body.schema, defs))?.properties ?? {});
  const names = [...defined.map((one) => one.name), ...members];
  const sent = targets.flatMap(({ column, kind }) => (kind === 'extra' ? [] : [firstName(column, kind)]));
  const present = new Set([...Object.keys(given.parameters), ...Object.keys(toObject(given.body)), ...sent]);
  const missing = names.filter((one) => !present.has(one));
  const extras = targets.filter(({ kind }) => kind === 'extra').map(({ column }) => column);
  for (const column of extras) {
    const words = plain(firstName(column, 'body'));
    const near = missing.find((one) => distance(words, plain(one)) <= MAX_EDITS);
    if (near === undefined && sent.length > 0) continue;
    const first = near ?? defined.find((one) => one.in === 'path')?.name ?? names[0] ?? 'sku';
    throw new InputError(
      `The column ${quoteName(column)} of each is no argument of ${name}; nothing was sent.`,
      `${near === undefined ? '' : `Did you mean ${near}? `}Name the column as the argument that it gives (SELECT x AS ${first} ...): ${names.join(', ')}.`,
    );
  }
}

const firstName = (column: string, kind: ColumnTarget['kind']) =>
  kind === 'body' ? (column.split('.')[0] ?? column) : column;

/** Renames extra columns that clash with answer columns, because the latter are announced before the call. */
export function nameExtras(each: readonly EachRow[], columns: readonly string[]) {
  const [first] = each;
  const used = new Set([...columns, 'error', ...Object.keys(first?.row ?? {}).map(toName)]);
  const names = new Map(
    Object.keys(first?.extras ?? {}).map((name) => {
      const unique = uniqueName(toName(name), used);
      return [name, unique === toName(name) ? name : unique];
    }),
  );
  const rename = (extras: SelectedRow): SelectedRow =>
    Object.fromEntries(Object.entries(extras).map(([name, value]) => [names.get(name) ?? name, value]));
  return {
    named: each.map((one) => ({ ...one, extras: rename(one.extras) })),
    renamed: new Map([...names].filter(([name, unique]) => name !== unique)),
  };
}

const plain = (name: string) => name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();

/** Parses `["a", "b"]`, or wraps one value. */
function listOf(value: SqlValue): unknown {
  if (typeof value !== 'string' || !value.startsWith('[')) return [value];
  const parsed = parseJson(value);
  return Array.isArray(parsed) ? parsed : [value];
}

function refuseNull(value: SqlValue, column: string, at: number): void {
  if (value === null) {
    throw new InputError(
      `Row ${count(at + 1)} of each has no ${column} (NULL); nothing was sent.`,
      `Select its rows alone: SELECT * FROM (...) WHERE ${quoteIdentifier(column)} IS NOT NULL.`,
    );
  }
}

function refusePlaceholder(value: SqlValue, column: string, at: number): void {
  if (typeof value === 'string' && PLACEHOLDER_PARTS.test(value)) {
    throw new InputError(
      `${column} in row ${count(at + 1)} of each stands for personal data of a buyer, which are not sent; nothing was sent.`,
      'Select other columns.',
    );
  }
}

/**
 * Reads the results of a call of `each`: the items of its answer, and the rows they make beside the SELECT's
 * columns.
 */

import { ApiError } from '../../base/errors.ts';
import { isJsonObject, toObject } from '../../base/json.ts';
import type { CallResult } from '../../call/client-types.ts';
import type { AnswerShape, JsonSchema } from '../../service/facts/operation.ts';
import { resolveSchema } from '../../service/facts/schema-parts.ts';
import { uniqueName } from '../tables/sql-names.ts';
import { formatProblem } from './batch-calls.ts';
import type { SelectedRow } from './each-arguments.ts';
import { memberAt } from './parse-page.ts';

/** Returns false for null, an empty text, and for lists and objects that contain nothing else. */
export function isFilled(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isFilled);
  if (isJsonObject(value)) return Object.values(value).some(isFilled);
  return value !== null && value !== undefined && value !== '';
}

export const membersOf = (item: unknown) => (isJsonObject(item) ? item : { value: item });

/**
 * Returns the SELECT's columns, then the answer's members.
 * @param extras are renamed on a clash, because the definition names the members
 */
export function rowOf(row: SelectedRow, item: unknown, extras: SelectedRow = {}): Record<string, unknown> {
  const members = membersOf(item);
  const names = new Set(Object.keys(members));
  const beside = Object.entries(extras).map(([name, value]) => [uniqueName(name, names), value]);
  return { ...row, ...Object.fromEntries(beside), error: null, ...members };
}

/** Returns the rows of one call, and the members that come from the caller in all of them. */
export function rowsOf(row: SelectedRow, items: readonly unknown[], extras: SelectedRow = {}) {
  const rows = items.map((item) => rowOf(row, item, extras));
  const answered = new Set(['error', ...items.flatMap((item) => Object.keys(membersOf(item)))]);
  const given = new Set(rows.flatMap((one) => Object.keys(one)).filter((name) => !answered.has(name)));
  return { rows, given: [...given] };
}

/** @throws ApiError for an answer with only errors: some operations refuse with status 200 */
export function answerIn(
  { status, body }: Pick<CallResult, 'status' | 'body'>,
  shape: AnswerShape | undefined,
) {
  const { errors, ...said } = toObject(body);
  if (!Array.isArray(errors) || isFilled(said)) return itemsIn(body, shape);
  if (errors.length === 0) return itemsIn(said, shape);
  throw new ApiError({ status }, formatProblem(`HTTP ${status}`, memberAt(errors[0], 'message')));
}

/** Returns the list in the answer, or the answer itself. @param shape the shape of the answer, if known */
export function itemsIn(body: unknown, shape: AnswerShape | undefined) {
  const { value, at } = unwrapAnswer(body, shape);
  return { items: Array.isArray(value) ? value : [value], at };
}

interface Inside {
  value: unknown;
  at: readonly string[];
}

/** Unwraps mere containers: a payload, an object that is its only member, a list that is the only member. */
function unwrapAnswer(body: unknown, shape: AnswerShape | undefined): Inside {
  const payload = isJsonObject(body) ? body.payload : undefined;
  if (payload === undefined) return unwrapList({ value: body, at: [] }, definedIn(shape?.schema, shape));
  const defined = definedIn(definedIn(shape?.schema, shape).payload, shape);
  const [member, another] = Object.keys(shape === undefined ? toObject(payload) : defined);
  const inner = member === undefined || another !== undefined ? undefined : toObject(payload)[member];
  return member === undefined || !isJsonObject(inner)
    ? unwrapList({ value: payload, at: ['payload'] }, defined)
    : { value: inner, at: ['payload', member] };
}

/** Members beside a list that describe nothing about its items. */
const ABOUT_LISTS = /^(?:errors|nextToken)$/i;

/** Takes the list that is defined as the only member, so that its items are the rows. */
function unwrapList({ value, at }: Inside, defined: Readonly<Record<string, JsonSchema>>): Inside {
  const [only, another] = Object.entries(defined).filter(([name]) => !ABOUT_LISTS.test(name));
  if (only === undefined || another !== undefined || !isJsonObject(value)) return { value, at };
  const [name, { type }] = only;
  const { [name]: list, ...others } = value;
  // A member that is not defined yet must not be lost.
  const isAlone = type === 'array' && !isFilled(others) && (Array.isArray(list) || !isFilled(list));
  return isAlone ? { value: list ?? [], at: [...at, name] } : { value, at };
}

/** Returns the members that a schema defines, each resolved. */
function definedIn(schema: JsonSchema | undefined, shape: AnswerShape | undefined) {
  const defs = shape?.defs ?? {};
  const { properties = {} } = schema === undefined ? {} : resolveSchema(schema, defs);
  return Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [name, resolveSchema(member, defs)]),
  );
}

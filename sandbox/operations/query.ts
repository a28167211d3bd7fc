/** Query parameters as the service reads them, how it refuses those that it cannot use, and how it goes from page to page. */

import * as z from 'zod';
import { parseJson } from '../../src/base/json.ts';
import type { Operation } from '../../src/service/facts/operation.ts';
import { type Call, invalid, refuseNotPlayed } from '../answer.ts';
import type { World } from '../world/world.ts';

/** Finds what a call asks for, or the one thing whose id is in its path. @throws Refusal */
export type FindRows = (world: World, call: Call) => readonly object[];

/** A list sent as one value with commas, or under a repeated name. */
export const readList = (query: URLSearchParams, name: string): string[] =>
  query
    .getAll(name)
    .flatMap((value) => value.split(','))
    .filter((value) => value !== '');

/** Reads a list of at least one value. @throws Refusal */
export function readFilledList(query: URLSearchParams, name: string): string[] {
  const values = readList(query, name);
  return values.length > 0 ? values : invalid(`${name}: is missing.`);
}

/** Whether a filter lets this pass: an empty one lets everything. */
export const fits = (wanted: readonly string[], ...values: readonly string[]): boolean =>
  wanted.length === 0 || values.some((value) => wanted.includes(value));

const parametersOf = ({ parameters }: Operation) => parameters.filter(({ in: place }) => place === 'query');

/** The query parameters that the service takes. */
export const namesOf = (operation: Operation): string[] => parametersOf(operation).map(({ name }) => name);

/**
 * A parameter that the sandbox would pass over would make its answer wrong without a word: it is refused instead.
 * @throws Refusal for a name that the service does not take, or the sandbox does not play.
 */
export function refuseUnplayed(
  { operation, query }: Call,
  played: readonly string[] = namesOf(operation),
): void {
  const others = [...new Set(query.keys())].filter((name) => !played.includes(name));
  const unknown = others.filter((name) => !namesOf(operation).includes(name));
  if (unknown.length > 0) invalid(`${unknown.join(', ')}: ${operation.name} does not take it.`);
  if (others.length > 0) refuseNotPlayed(`${operation.name} with ${others.join(', ')}`);
}

/**
 * @param choices where the facts leave them open, or the sandbox plays fewer.
 * @throws Refusal that names the values that the service does not know, or the sandbox does not play.
 */
export function refuseChoices(
  { operation, query }: Call,
  choices: Readonly<Record<string, readonly string[]>> = {},
): void {
  for (const { name, schema } of parametersOf(operation)) {
    const documented: readonly unknown[] | undefined = (schema.items ?? schema).enum;
    const played: readonly unknown[] | undefined = choices[name] ?? documented;
    const others = played === undefined ? [] : readList(query, name).filter((one) => !played.includes(one));
    if (others.length === 0) continue;
    if (others.every((one) => documented?.includes(one))) {
      refuseNotPlayed(`${operation.name} with ${name} ${others.join(', ')}`);
    }
    invalid(`${name}: ${others.join(', ')} is none of ${played?.join(', ')}.`);
  }
}

/** Milliseconds of an ISO 8601 moment; undefined where the parameter is absent. @throws Refusal */
export function readMoment(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  const ms = /^\d{4}-\d{2}-\d{2}(?:T|$)/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? invalid(`${name}: is not a moment in ISO 8601.`) : ms;
}

/** Moments in milliseconds. */
export interface Span {
  after: number | undefined;
  before: number | undefined;
}

/** `created` is told by `createdAfter` and `createdBefore`. @throws Refusal */
export const readSpan = (query: URLSearchParams, name: string): Span => ({
  after: readMoment(query, `${name}After`),
  before: readMoment(query, `${name}Before`),
});

export const isWithin = ({ after, before }: Span, at: number): boolean =>
  at >= (after ?? -Infinity) && at <= (before ?? Infinity);

/** A whole number within bounds. @throws Refusal */
export function readInteger(
  query: URLSearchParams,
  name: string,
  { most, otherwise }: { most: number; otherwise: number },
): number {
  const text = query.get(name);
  if (text === null) return otherwise;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return value >= 1 && value <= most ? value : invalid(`${name}: is a whole number from 1 to ${most}.`);
}

// Page tokens: opaque to the caller, and good for the search that gave them out.

const tokenSchema = z.strictObject({
  operation: z.string(),
  /** The search that goes on, as a query. */
  search: z.string(),
  from: z.int().min(0),
  /** When it was given out, in milliseconds. */
  at: z.number(),
});

/**
 * @param lifetimeMs a token older than this is refused.
 * @throws Refusal for a token that is not of this operation, or too old.
 */
export function findPageStart({ operation, query, now }: Call, lifetimeMs = Infinity) {
  const tokenName = operation.paging?.input.name ?? '';
  const token = query.get(tokenName);
  const known = token === null ? undefined : readToken(token);
  if (token !== null && known?.operation !== operation.name) {
    invalid(`${tokenName}: is not a token of ${operation.name}.`);
  }
  if (known !== undefined && now - known.at > lifetimeMs) {
    invalid(`${tokenName}: has expired ${lifetimeMs / 1000} seconds after it was given out.`);
  }
  const search = new URLSearchParams(known?.search ?? query);
  const from = known?.from ?? 0;
  const tokenAt = (at: number) => {
    const value = { operation: operation.name, search: search.toString(), from: at, at: now };
    return Buffer.from(JSON.stringify(value)).toString('base64url');
  };
  return {
    /** The index of the first row of this page. */
    from,
    /** The parameters of the search: those of its first page, whatever stands beside the token. */
    query: search,
    /** The token of the page that begins there. */
    tokenAt,
    /** The page of these that begins here, and the token of the one behind it, where there is one. */
    cut<Item>(found: readonly Item[], size: number) {
      const to = Math.min(from + size, found.length);
      const next: { nextToken?: string } = to < found.length ? { nextToken: tokenAt(to) } : {};
      return { items: found.slice(from, to), next };
    },
  };
}

function readToken(token: string): z.infer<typeof tokenSchema> | undefined {
  return tokenSchema.safeParse(parseJson(Buffer.from(token, 'base64url').toString())).data;
}

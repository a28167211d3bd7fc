/** Compares an arriving request with one declared case, part by part. */

import { stringify } from 'lossless-json';
import { isJsonObject } from '../json.ts';
import { type Difference, findDifferences } from '../json-difference.ts';
import { matchPath } from './router.ts';
import type { ReplayCase } from './types.ts';

export interface Arrival {
  method: string;
  /** Still encoded. */
  path: string;
  query: URLSearchParams;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
  /** Parsed JSON. */
  body: unknown;
}

/** How many things a case names: the more, the better it fits a request that has them all. */
export function specificity({ request }: ReplayCase): number {
  const count = (part: object | undefined): number => Object.keys(part ?? {}).length;
  const body = request.body === undefined ? 0 : 1 + (isJsonObject(request.body) ? count(request.body) : 0);
  return count(request.path) + count(request.query) + count(request.header) + body;
}

/** Everything in which the request differs from the case, each in one clause; empty when it fits. */
export function compareCase(declared: ReplayCase, arrival: Arrival): string[] {
  const { path = {}, query = {}, header = {}, body } = declared.request;
  const params = matchPath(declared.pathTemplate, arrival.path) ?? {};
  return [
    ...Object.entries(path).flatMap(([name, value]) => differ(`path ${name}`, value, params[name])),
    ...Object.entries(query).flatMap(([name, value]) =>
      differ(`query ${name}`, [value].flat(), arrival.query.getAll(name)),
    ),
    ...Object.entries(header).flatMap(([name, value]) =>
      differ(`header ${name}`, value, arrival.headers[name.toLowerCase()]),
    ),
    ...(body === undefined ? [] : compareBody(body, arrival.body, declared.mayAdd ?? [])),
  ];
}

type Values = string | readonly string[] | undefined;

function differ(what: string, declared: Values, given: Values): string[] {
  const show = (value: Values): string =>
    value === undefined || value.length === 0 ? 'missing' : clip(JSON.stringify(value));
  return JSON.stringify(declared) === JSON.stringify(given)
    ? []
    : [`${what} is ${show(given)}, declared ${show(declared)}`];
}

function compareBody(declared: unknown, given: unknown, mayAdd: readonly string[]): string[] {
  const expected = plain(declared);
  if (typeof expected !== 'object' || expected === null || typeof given !== 'object' || given === null) {
    const [left, right] = [JSON.stringify(expected), JSON.stringify(given)];
    return left === right ? [] : [`body is ${clip(right ?? 'missing')}, declared ${clip(left ?? 'missing')}`];
  }
  if (Array.isArray(expected) !== Array.isArray(given)) {
    return [`body is ${Array.isArray(given) ? 'an array' : 'an object'}, declared otherwise`];
  }
  return findDifferences(expected, given)
    .filter((difference) => !isAddition(difference, mayAdd))
    .map(({ kind, segments, before, after }) => {
      const place = ['body', ...segments].join('.');
      if (kind === 'added') return `${place} was not declared`;
      if (kind === 'removed') return `${place} is missing`;
      return `${place} is ${clip(JSON.stringify(after))}, declared ${clip(JSON.stringify(before))}`;
    });
}

function isAddition({ kind, segments }: Difference, mayAdd: readonly string[]): boolean {
  const [name] = segments;
  return kind === 'added' && segments.length === 1 && typeof name === 'string' && mayAdd.includes(name);
}

/** Numbers that were kept digit by digit become plain ones, as those of an arriving body are. */
function plain(value: unknown): unknown {
  const copy: unknown = JSON.parse(stringify(value) ?? 'null');
  return copy;
}

const clip = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);

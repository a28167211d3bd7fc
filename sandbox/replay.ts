/** Replays declared cases: finds the one that an arriving request means, or says how the request differs from the nearest. */

import { stringify } from 'lossless-json';
import { isJsonObject } from '../src/base/json.ts';
import { type Difference, findDifferences } from '../src/base/json-difference.ts';
import { matchPath } from '../src/service/facts/path-template.ts';
import { type Answer, fail } from './answer.ts';
import type { ReplayCase } from './sandbox.ts';

export interface ReplayResult {
  /** The case that answered; undefined when none did. */
  caseId: string | undefined;
  /** True when that case names no parameter at all, so that any request meets it. */
  general: boolean;
  answer: Answer;
}

export type Replay = ReturnType<typeof createReplay>;

interface Entry {
  id: string;
  declared: ReplayCase;
  /** How often it answered, where cases take turns. */
  answered: number;
}

/**
 * Of several cases that fit, the one that names most answers; among equals the lowest status. With `turns`, equals
 * answer one after the other instead, so that a check gets to see each of them.
 */
export function createReplay(cases: readonly ReplayCase[], turns = false) {
  const entries = cases.map(
    (declared, i): Entry => ({
      id: declared.id ?? `${declared.operationId}#${i}`,
      declared,
      answered: 0,
    }),
  );
  const at = (method: string, path: string): readonly Entry[] => {
    const here = entries.filter(
      ({ declared }) => declared.method === method && matchPath(declared.pathTemplate, path) !== undefined,
    );
    // Of several templates that fit, only the most literal one is meant.
    const fewest = Math.min(...here.map(placeholdersOf));
    return here.filter((entry) => placeholdersOf(entry) === fewest);
  };
  return {
    /** Operation and token kind at this method and path, before anything is compared. */
    operationAt(method: string, path: string) {
      const first = at(method, path)[0]?.declared;
      return first && { operation: first.operationId, auth: first.auth };
    },
    /** Undefined when no case has this method and path. @throws URIError on a broken escape */
    answer(arrival: Arrival): ReplayResult | undefined {
      const here = at(arrival.method, arrival.path);
      if (here.length === 0) return undefined;
      const chosen = choose(here, arrival);
      const entry = here.find(({ id }) => id === chosen.caseId);
      if (turns && entry !== undefined) entry.answered += 1;
      return chosen;
    },
  };
}

const placeholdersOf = ({ declared }: Entry): number => declared.pathTemplate.split('{').length;

function choose(entries: readonly Entry[], arrival: Arrival): ReplayResult {
  const compared = entries
    .map((entry) => ({ entry, differences: compareCase(entry.declared, arrival) }))
    .toSorted((a, b) => rank(a) - rank(b) || byPreference(a.entry, b.entry));
  const best = compared[0];
  if (best === undefined || best.differences.length > 0) return unmatched(entries, best);
  const { id, declared } = best.entry;
  return { caseId: id, general: specificity(declared) === 0, answer: declared.response };
}

const rank = ({ differences }: { differences: readonly string[] }): number => differences.length;

function byPreference(a: Entry, b: Entry): number {
  return (
    specificity(b.declared) - specificity(a.declared) ||
    a.answered - b.answered ||
    a.declared.response.status - b.declared.response.status
  );
}

function unmatched(
  entries: readonly Entry[],
  nearest: { entry: Entry; differences: readonly string[] } | undefined,
): ReplayResult {
  const operation = entries[0]?.declared.operationId ?? '';
  const error = {
    code: 'NoMatchingCase',
    message: `None of the ${entries.length} declared cases of ${operation} matches this request.`,
    details: `Nearest, ${nearest?.entry.id}: ${nearest?.differences.slice(0, 10).join('; ')}.`,
  };
  return { caseId: undefined, general: false, answer: fail(400, error) };
}

// Compares an arriving request with one declared case, part by part.

interface Arrival {
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
function specificity({ request }: ReplayCase): number {
  const count = (part: object | undefined): number => Object.keys(part ?? {}).length;
  const body = request.body === undefined ? 0 : 1 + (isJsonObject(request.body) ? count(request.body) : 0);
  return count(request.path) + count(request.query) + count(request.header) + body;
}

/** Everything in which the request differs from the case, each in one clause; empty when it fits. */
function compareCase(declared: ReplayCase, arrival: Arrival): string[] {
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

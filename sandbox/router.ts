/** Finds the operation that a method and an encoded path belong to. */

import type { Method } from '../src/service/facts/operation.ts';
import { matchSegment } from '../src/service/facts/path-template.ts';
import type { Answer, Call, ErrorForm } from './answer.ts';
import type { AccessToken } from './tokens/token-book.ts';

export interface Route {
  operation: string;
  method: Method;
  /** With `{name}` placeholders, whose values may be empty: the operation says what that means. */
  path: string;
  errorForm?: ErrorForm;
  /** Which token it wants; undefined: a seller's or a grantless one. */
  auth?: AccessToken['kind'];
  handle(call: Call): Answer;
}

/** @param more by default it wants a seller's token */
export function route(
  operation: string,
  method: Method,
  path: string,
  handle: Route['handle'],
  more: Pick<Route, 'auth' | 'errorForm'> = { auth: 'seller' },
): Route {
  return { operation, method, path, handle, ...more };
}

/** The route, or the methods that the path takes instead (none: no such path). */
export type RouteMatch =
  | { route: Route; params: Readonly<Record<string, string>> }
  | { others: readonly Method[] };

const placeholder = /\{([^{}]+)\}/g;

/** Values of the placeholders; undefined when the path does not fit. @throws URIError on a broken escape */
export function matchPath(template: string, path: string): Record<string, string> | undefined {
  const wanted = template.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  const params: [string, string][] = [];
  for (const [i, segment] of wanted.entries()) {
    const values = namedValues(segment, decodeURIComponent(given[i] ?? ''));
    if (values === undefined) return undefined;
    params.push(...values);
  }
  return Object.fromEntries(params);
}

/** A segment is a text, a placeholder, or texts and placeholders mixed (`{id}.json`). */
function namedValues(template: string, segment: string): [string, string][] | undefined {
  const names = [...template.matchAll(placeholder)].map((match) => match[1] ?? '');
  return matchSegment(template, segment)?.map((value, i) => [names[i] ?? '', value]);
}

/** Fewer placeholders first, so that `/rates` goes before `/{id}`. */
export function bySpecificity(a: { path: string }, b: { path: string }): number {
  return a.path.split('{').length - b.path.split('{').length;
}

/** @throws URIError on a broken escape */
export function findRoute(routes: readonly Route[], method: string, path: string): RouteMatch {
  const fitting = routes.flatMap((route) => {
    const params = matchPath(route.path, path);
    return params === undefined ? [] : [{ route, params }];
  });
  const found = fitting.find(({ route }) => route.method === method);
  return found ?? { others: [...new Set(fitting.map(({ route }) => route.method))] };
}

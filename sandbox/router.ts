/** Decides what a method and path mean: the token exchange, an operation, or an error. */

import type { Operation } from '../src/service/facts/operation.ts';
import { matchPath } from '../src/service/facts/path-template.ts';
import { tokenPath } from '../src/service/shapes/token.ts';
import { type Answer, type Call, type ErrorForm, fail, notPlayed } from './answer.ts';
import { TOKEN_EXCHANGE } from './records.ts';
import type { AccessToken } from './tokens/token-book.ts';

/** @throws Refusal */
export type Handler = (call: Call) => Answer;

/** The handlers by operation id; if a path holds a resource, the resource follows the id. */
export type Played = Readonly<Record<string, Handler>>;

interface Route {
  operation: Operation;
  /** The path with `{name}` placeholders, whose values may be empty: the operation says what that means. */
  path: string;
  handle: Handler;
}

export interface Routes {
  played: readonly Route[];
  /** Holds everything that the service has. */
  operations: readonly Operation[];
}

/** @throws URIError on a broken escape */
function findRoute({ played }: Routes, method: string, path: string) {
  return played.flatMap((route) => {
    const params = route.operation.method === method ? matchPath(route.path, path) : undefined;
    return params === undefined ? [] : [{ route, params }];
  })[0];
}

export type Target =
  | { kind: 'refused'; operation: undefined; answer: Answer }
  | { kind: 'exchange'; operation: typeof TOKEN_EXCHANGE }
  | {
      kind: 'call';
      operation: string;
      route: Route;
      params: Readonly<Record<string, string>>;
      auth: AccessToken['kind'];
      errorForm: ErrorForm;
    };

const refused = (answer: Answer): Target => ({ kind: 'refused', operation: undefined, answer });

const EXCHANGE_ALONE = refused({
  ...fail(405, { code: 'MethodNotAllowed', message: 'This path takes POST.' }),
  headers: { allow: 'POST' },
});

function unplayed({ operations }: Routes, method: string, path: string): Target {
  const known = operations.find((one) => one.method === method && matchPath(one.path, path) !== undefined);
  const name = known?.name ?? `${method} ${path.slice(0, 200)}`;
  return refused(fail(501, notPlayed(name, known !== undefined)));
}

function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}

export function resolveTarget(routes: Routes, method: string, path: string): Target {
  if (path === tokenPath) {
    return method === 'POST' ? { kind: 'exchange', operation: TOKEN_EXCHANGE } : EXCHANGE_ALONE;
  }
  if (!path.startsWith('/')) {
    return refused(fail(400, { code: 'InvalidInput', message: 'The path must begin with a slash.' }));
  }
  if (!isDecodable(path)) {
    return refused(fail(400, { code: 'InvalidInput', message: 'The path holds a broken percent escape.' }));
  }
  const found = findRoute(routes, method, path);
  if (found === undefined) return unplayed(routes, method, path);
  const { route, params } = found;
  const { name, auth, id } = route.operation;
  const errorForm = id.startsWith('supply-sources/') ? 'array' : 'object';
  return { kind: 'call', operation: name, route, params, auth: auth.kind, errorForm };
}

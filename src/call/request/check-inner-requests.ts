/** The requests inside a body: only such as the operation documents are sent, since the service carries them out. */

import type { Problem } from '../../base/errors.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { type InnerRequests, innerRequests } from '../../service/facts/inner-requests.ts';
import type { JsonSchema, Operation } from '../../service/facts/operation.ts';
import { isSettableHeader } from '../../service/facts/parameters.ts';
import { fitsTemplate, hidesDotSegment, hidesEndOfPath } from '../../service/facts/path-template.ts';
import { own, resolveSchema } from '../../service/facts/schema-parts.ts';

/** Requests in one body; the service takes 20 to 40. */
export const MAX_INNER_REQUESTS = 100;
/** Characters of one address. */
export const MAX_INNER_ADDRESS = 1_000;

/** Empty for an operation without inner requests. The shape as such (what is required, which types) is checked elsewhere. */
export function checkInnerRequests(operation: Operation, body: unknown): Problem[] {
  const rules = own(innerRequests, operation.id);
  if (rules === undefined || !isJsonObject(body)) return [];
  const strange = unknownMembers(body, [rules.list, ...rules.beside], 'body');
  const list = own(body, rules.list);
  const path = `body.${rules.list}`;
  if (list === undefined || list === null) return strange;
  if (!Array.isArray(list)) return [...strange, { path, message: 'must be a list' }];
  if (list.length > MAX_INNER_REQUESTS) {
    const message = `must have at most ${MAX_INNER_REQUESTS} elements, not ${list.length}; send several calls`;
    return [...strange, { path, message }];
  }
  const members = memberNames(operation, rules.list);
  const wrong = list.map((request: unknown, i) => checkOne(rules, members, request, `${path}.${i}`));
  return [...strange, ...wrong.flat()];
}

function memberNames({ body, defs = {} }: Operation, list: string): readonly string[] {
  const follow = (schema: JsonSchema | undefined) => resolveSchema(schema ?? {}, defs);
  const { items } = follow(own(follow(body?.schema).properties, list));
  return Object.keys(follow(items).properties ?? {});
}

function checkOne(
  rules: InnerRequests,
  members: readonly string[],
  request: unknown,
  path: string,
): Problem[] {
  if (!isJsonObject(request)) return [{ path, message: 'must be an object' }];
  const at = (name: string, message: string | undefined): Problem[] =>
    message === undefined ? [] : [{ path: `${path}.${name}`, message }];
  const { methods, address } = rules;
  return [
    ...unknownMembers(request, members, path),
    ...at('method', methodProblem(own(request, 'method'), methods)),
    ...at(address, addressProblem(own(request, address), rules.path)),
    ...at(
      'body',
      own(request, 'body') === undefined ? undefined : 'must be left out: what is asked has none',
    ),
    ...at('headers', headersProblem(own(request, 'headers'))),
  ];
}

/** Also `Method` beside `method`: which of both a service reads is not known. */
function unknownMembers(
  value: Readonly<Record<string, unknown>>,
  known: readonly string[],
  path: string,
): Problem[] {
  const names = Object.keys(value).filter((name) => !known.includes(name));
  const message = `is not known here, and what is inside it is not looked at. Valid: ${known.join(', ')}.`;
  return names.map((name) => ({ path: `${path}.${name}`, message }));
}

function methodProblem(method: unknown, methods: readonly string[]): string | undefined {
  if (typeof method === 'string' && methods.includes(method)) return undefined;
  return `must be ${methods.join(' or ')}`;
}

/** Matches the characters that RFC 3986 allows in a path, and the braces of a placeholder. */
const PATH = /^\/(?:[\w.~!$&'()*+,;=:@/{}-]|%[0-9a-f]{2})*$/i;

function addressProblem(address: unknown, path: string | undefined): string | undefined {
  if (typeof address !== 'string') return 'must be text';
  if (address.length > MAX_INNER_ADDRESS) {
    return `must have at most ${MAX_INNER_ADDRESS} characters, not ${address.length}`;
  }
  if (!PATH.test(address))
    return 'must be a path that starts with one slash, percent-encoded, without host or query';
  const segments = address.slice(1).split('/');
  if (segments.includes('')) return 'must not hold an empty segment';
  if (segments.some(hidesDotSegment)) return 'must not hold a dot segment, in whatever encoding';
  if (segments.some(hidesEndOfPath)) return 'must not hold a query, a fragment or a control character';
  if (path === undefined) return undefined;
  if (/[{}]/.test(address)) return 'must not hold a placeholder: write the value itself';
  return fitsTemplate(path, address) ? undefined : `must be ${path}`;
}

function headersProblem(headers: unknown): string | undefined {
  if (headers === undefined) return undefined;
  if (!isJsonObject(headers)) return 'must be an object';
  const isFine = ([name, value]: [string, unknown]) =>
    isSettableHeader(name) && typeof value === 'string' && /^[\x20-\x7e]*$/.test(value);
  return Object.entries(headers).every(isFine) ? undefined : 'must hold no header that a call cannot set';
}

/** The requests of a body, each with its place. What is wrong in itself is told by the checks of every call. */
export function listInnerRequests(
  operation: Operation,
  body: unknown,
): { request: JsonObject; at: string }[] {
  const rules = own(innerRequests, operation.id);
  if (rules === undefined || !isJsonObject(body)) return [];
  const list = own(body, rules.list);
  if (!Array.isArray(list)) return [];
  return list
    .slice(0, MAX_INNER_REQUESTS)
    .flatMap((request: unknown, i) =>
      isJsonObject(request) ? [{ request, at: `body.${rules.list}.${i}` }] : [],
    );
}

/**
 * Checks that a restricted data token is requested for known operations with their methods.
 * @param known every operation that can be called from here.
 */
export function checkRestrictedResources(
  operation: Operation,
  body: unknown,
  known: readonly Operation[],
): Problem[] {
  const rules = own(innerRequests, operation.id);
  if (rules === undefined || rules.path !== undefined) return [];
  return listInnerRequests(operation, body).flatMap(({ request, at }): Problem[] => {
    const { method, [rules.address]: address } = request;
    if (typeof method !== 'string' || !rules.methods.includes(method)) return [];
    if (typeof address !== 'string' || address.length > MAX_INNER_ADDRESS) return [];
    const isMeant = (one: Operation) => one.method === method && fitsTemplate(one.path, address);
    return known.some(isMeant) ? [] : [{ path: `${at}.${rules.address}`, message: NOT_KNOWN }];
  });
}

const NOT_KNOWN =
  'is, with this method, the path of no operation that is known here; list_known_operations finds them';

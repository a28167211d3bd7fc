/** Builds the request from an operation and its arguments; it is deterministic and sends nothing. */

import { InputError, type Problem } from '../../base/errors.ts';
import type { Operation, Parameter } from '../../service/facts/operation.ts';
import { isSettableHeader } from '../../service/facts/parameters.ts';
import { own } from '../../service/facts/schema-parts.ts';
import { encodePath, leadsTo, serviceAddress } from './address.ts';
import { checkArguments } from './check-arguments.ts';
import { type AccountDefaults, encodeQuery, fillIn, textsOf } from './parameters.ts';
import { resolveDays, type SentDay } from './resolve-days.ts';
import { resolveMarketplaces, type SentMarketplace } from './resolve-marketplaces.ts';
import type { ShapeProblem, UnlistedValue } from './validate-shape.ts';

export interface BuiltRequest {
  url: string;
  /** The origin of the address, by which limits are counted. */
  origin: string;
  /** Lower-case names; no access token. */
  headers: Readonly<Record<string, string>>;
  /** The caller's parameters, with marketplaces by their ids: they are approved, recorded, and sent again unchanged. */
  parameters: Readonly<Record<string, unknown>>;
  body?: unknown;
  /** Parameters that were filled in from the account because they were left out. */
  filledIn: Readonly<Record<string, string>>;
  /** All of the call's, those that were filled in too. */
  marketplaces: readonly SentMarketplace[];
  /** Plain days that are sent as moments; absent where there are none. */
  days?: readonly SentDay[];
  /** Values that are sent although the definition does not list them; absent where there are none. */
  unlistedValues?: readonly UnlistedValue[];
}

type Texts = ReadonlyMap<string, readonly string[]>;

/** @throws InputError with every problem found, by path. @throws ConfigError for an address that is not safe. */
export async function buildRequest(
  operation: Operation,
  account: AccountDefaults & { baseUrl: string },
  input: { parameters: Readonly<Record<string, unknown>>; body?: unknown; answeredBody?: unknown },
): Promise<BuiltRequest> {
  const { base, origin } = serviceAddress(account.baseUrl);
  const filled = fillIn(operation, input.parameters, account);
  const named = resolveMarketplaces(
    operation,
    { parameters: filled.parameters, body: input.body },
    account.baseUrl,
  );
  const { body, marketplaces, problems } = named;
  const { parameters, days } = resolveDays(operation, named.parameters, homeOf(marketplaces, account));
  const checking = checkArguments(operation, parameters, body, input.answeredBody);
  const checked = checking instanceof Promise ? await checking : checking;
  const unlisted = maySendUnlisted(operation)
    ? checked.flatMap(({ path, listed }) => (listed === undefined ? [] : [{ path, listed }]))
    : [];
  const isSent = ({ listed }: ShapeProblem) => listed !== undefined && unlisted.length > 0;
  const wrong = checked.filter((problem) => !isSent(problem));
  const found = [...problems, ...wrong.map(({ path, message }) => ({ path, message }))];
  if (found.length > 0) throw refuse(operation, found);
  const texts = encodeAll(operation, parameters);
  const query = encodeQuery(pairs(operation, texts, 'query'));
  const path = pathOf(operation, texts);
  const url = `${base}${path}${query === '' ? '' : `?${query}`}`;
  // The last look, whatever the looks before have missed.
  if (!leadsTo(url, base, path)) throw refuse(operation, [{ path: '', message: NOT_ITS_PATH }]);
  const headers = headersOf(operation, texts, body);
  const sent = days.length === 0 ? {} : { days };
  const unlistedValues = unlisted.length === 0 ? undefined : unlisted;
  return {
    url,
    origin,
    headers,
    body,
    marketplaces,
    unlistedValues,
    ...sent,
    ...apart(parameters, filled.filledIn),
  };
}

/**
 * True where a value that the definition does not list costs one refused call at most, since the service adds values
 * before its definitions do. A write stays with what is listed, because what a value does decides how it is shown and
 * approved; an operation of a user's file stays with it too, because the user can add the value there.
 */
const maySendUnlisted = ({ effect, source }: Operation) => effect === 'read' && source !== 'user';

/** Chooses the marketplace whose days are meant: the account's own if it is among several, else the first. */
function homeOf(
  marketplaces: BuiltRequest['marketplaces'],
  { marketplaceId }: AccountDefaults,
): string | undefined {
  return marketplaces.some(({ id }) => id === marketplaceId) ? marketplaceId : marketplaces[0]?.id;
}

/** Separates the caller's values from those that the account filled in, both as they are sent. */
function apart(
  parameters: Readonly<Record<string, unknown>>,
  filledIn: BuiltRequest['filledIn'],
): Pick<BuiltRequest, 'parameters' | 'filledIn'> {
  if (Object.keys(filledIn).length === 0) return { parameters: { ...parameters }, filledIn };
  const all = Object.entries(parameters);
  const isFilledIn = ([name]: [string, unknown]) => Object.hasOwn(filledIn, name);
  const added = all.filter(isFilledIn).map(([name, value]) => [name, String([value].flat()[0])] as const);
  return {
    parameters: Object.fromEntries(all.filter((entry) => !isFilledIn(entry))),
    filledIn: Object.fromEntries(added),
  };
}

function encodeAll(operation: Operation, values: Readonly<Record<string, unknown>>): Texts {
  const texts = new Map<string, readonly string[]>();
  const problems: Problem[] = [];
  for (const parameter of operation.parameters) {
    const value = own(values, parameter.name);
    if (value === undefined) continue;
    const encoded = textsOf(parameter, value);
    if ('problem' in encoded) problems.push(encoded.problem);
    else texts.set(parameter.name, encoded.texts);
  }
  if (problems.length > 0) throw refuse(operation, problems);
  return texts;
}

function pairs(operation: Operation, texts: Texts, place: Parameter['in']): (readonly [string, string])[] {
  const found: (readonly [string, string])[] = [];
  for (const { name, in: there } of operation.parameters)
    if (there === place) for (const text of texts.get(name) ?? []) found.push([name, text]);
  return found;
}

function pathOf(operation: Operation, texts: Texts): string {
  const values = Object.fromEntries(pairs(operation, texts, 'path'));
  const encoded = encodePath(operation.path, values, (name) => isPathItself(operation.id, name));
  if (!encoded.ok) throw refuse(operation, encoded.problems);
  return encoded.path;
}

function headersOf(operation: Operation, texts: Texts, body: unknown): Record<string, string> {
  const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const problems: Problem[] = [];
  for (const [name, text] of pairs(operation, texts, 'header')) {
    if (!isSettableHeader(name)) problems.push({ path: name, message: 'cannot be set by a call' });
    else if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) problems.push({ path: name, message: NOT_HEADER_TEXT });
    else headers[name.toLowerCase()] = text;
  }
  if (problems.length > 0) throw refuse(operation, problems);
  return headers;
}

const NOT_ITS_PATH = 'its address would lead to another path';
const NOT_HEADER_TEXT = 'must not hold line breaks or characters that a header cannot carry';

function refuse(operation: Operation, problems: readonly Problem[]): InputError {
  const list = problems.map(({ path, message }) => `${path} ${message}`).join('; ');
  return new InputError(
    `${operation.name} was not sent: ${list}`,
    'Correct the arguments that are named and call again.',
    problems,
  );
}

// Path parameters whose value is a path itself: with its slashes escaped, the service does not know it (models#254).

const PATHS: Readonly<Record<string, string>> = {
  'uploads/createUploadDestinationForResource': 'resource',
};

function isPathItself(operationId: string, parameter: string): boolean {
  return Object.hasOwn(PATHS, operationId) && PATHS[operationId] === parameter;
}

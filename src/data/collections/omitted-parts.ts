/** Reports which optional parts of each item were not requested. */

import { toObject } from '../../base/json.ts';
import type { PersonalDataAccess } from '../../call/api-request.ts';
import { elementsOf, holdsElements, someMember } from '../../call/tokens/personal-elements.ts';
import { reviewed } from '../../service/facts/generated/reviewed.ts';
import type { Operation, Parameter } from '../../service/facts/operation.ts';
import { own, resolveSchema } from '../../service/facts/schema-parts.ts';
import { toName } from '../tables/sql-names.ts';

/** The parameter with which operations take the parts to return. */
const PARTS = 'includedData';
/** The parameter of getInventorySummaries without which there are only totals. */
const DETAILS = 'details';

/** @param given the arguments as the caller wrote them */
export function listOmittedParts(
  operation: Operation,
  given: Readonly<Record<string, unknown>>,
  access?: PersonalDataAccess,
): string[] {
  const find = (name: string) => operation.parameters.find((parameter) => parameter.name === name);
  const [parts, details] = [find(PARTS), find(DETAILS)];
  return [
    ...(parts === undefined ? [] : listLeftOut(operation, parts, own(given, PARTS))),
    ...(details?.schema.type === 'boolean' && own(given, DETAILS) !== true
      ? ['Without details: true there are totals only.']
      : []),
    ...elementsLeftOut(operation, access),
    ...roleMembersOf(operation, own(given, PARTS)).map((part) => formatMissingRoles([part])),
  ];
}

/** Reports the elements that the service returns only for a restricted data token. */
function elementsLeftOut(operation: Operation, access: PersonalDataAccess | undefined): string[] {
  const elements = elementsOf(operation);
  if (access !== undefined) return [formatEmpty(access)];
  return elements.length === 0 ? [] : [formatToken(elements, operation, 'collect again with fresh: true')];
}

/** Reports the elements that one answer lacks; `access` is set if a restricted token was used. */
export function elementsMissing(
  operation: Operation,
  answer: unknown,
  access?: PersonalDataAccess,
): string | undefined {
  const elements = elementsOf(operation);
  const { payload } = toObject(answer);
  // An empty answer lacks nothing.
  const isEmpty = Object.values(toObject(payload)).some((list) => Array.isArray(list) && list.length === 0);
  if (elements.length === 0 || payload === undefined || isEmpty) return undefined;
  if (holdsElements(payload, elements)) return undefined;
  return access === undefined ? formatToken(elements, operation, 'call again') : formatEmpty(access);
}

/**
 * Reports requested parts of which the answer has no member that a role brings: Orders 2026-01-01 leaves them
 * out without an error.
 * @param includedData the argument as the caller wrote it
 */
export function roleMembersMissing(
  operation: Operation,
  answer: unknown,
  includedData: unknown,
): string | undefined {
  const { orders, order } = toObject(answer);
  if (order === undefined && (!Array.isArray(orders) || orders.length === 0)) return undefined;
  const missing = roleMembersOf(operation, includedData).filter(
    ([, members]) =>
      !someMember(
        answer,
        (name, member) => members.includes(name) && typeof member === 'string' && member !== '',
      ),
  );
  return missing.length === 0 ? undefined : formatMissingRoles(missing);
}

function roleMembersOf({ id }: Operation, includedData: unknown) {
  const asked = requestedParts(includedData);
  return Object.entries(reviewed[id]?.roleMembers ?? {}).filter(([part]) => asked.has(part));
}

function formatMissingRoles(missing: readonly (readonly [string, readonly string[]])[]): string {
  const [parts, members] = [missing.map(([part]) => part), missing.flatMap(([, names]) => names)];
  return `${members.join(', ')}${ARE_EMPTY}${parts.join(' and ')} came without. ${NEEDS_ROLE} ${HAS_NONE} No token helps.`;
}

const requestedParts = (given: unknown): ReadonlySet<unknown> =>
  new Set(Array.isArray(given) ? given : typeof given === 'string' ? given.split(',') : []);

/** Names only the first element in the example, because an application may not have the role for all. */
function formatToken(
  elements: readonly string[],
  { method, path }: Pick<Operation, 'method' | 'path'>,
  then: string,
): string {
  const [first = ''] = elements;
  const body = { restrictedResources: [{ method, path, dataElements: [first] }] };
  return `${elements.join(', ')}${NEEDS_TOKEN}: read_operation createRestrictedDataToken with body ${JSON.stringify(body)} first, then ${then}.`;
}

const NEEDS_TOKEN = ' need a restricted data token';

const ARE_EMPTY = ' are empty: ';

/** Explains why no buyers' data came, and what to do about it. */
function formatEmpty({ elements, granted, refusal, isPaused = false }: PersonalDataAccess): string {
  return `${elements.join(', ')}${ARE_EMPTY}${whyEmpty(granted, refusal, isPaused)}`;
}

function whyEmpty(granted: readonly string[], refusal: string | undefined, isPaused: boolean): string {
  if (isPaused) return 'the restricted data token could not be had just now; call again in a minute.';
  if (granted.length === 0)
    return `${refusal ?? 'no restricted data token brought any'}. ${NEEDS_ROLE} Not asked for again.`;
  return `a restricted data token for ${granted.join(', ')} was sent, and the service gave none. ${HAS_NONE}`;
}

const NEEDS_ROLE =
  "The application needs a role for buyers' data (Direct-to-Consumer Shipping or Tax, both restricted), granted by the seller.";

const HAS_NONE =
  'There are none of pending, canceled and Amazon-fulfilled orders, nor about 30 days after shipment.';

/**
 * Returns true if the tables contain one of the elements that the note calls missing, because a restricted
 * token was used.
 */
export function isAnswered(words: string, columns: readonly { name: string }[]): boolean {
  const marker = [NEEDS_TOKEN, ARE_EMPTY].find((one) => words.includes(one));
  if (marker === undefined) return false;
  const [elements = ''] = words.split(marker);
  return elements
    .split(', ')
    .map(toName)
    .some((element) =>
      columns.some(({ name }) => name.startsWith(`${element}_`) || name.endsWith(`_${element}`)),
    );
}

/** Returns true for notes on parts that were not requested. */
export const isNoteOnParts = (words: string) => /^(?:\w+ was not given: of|Not asked for in) /.test(words);

function listLeftOut({ defs = {} }: Operation, { name, schema }: Parameter, given: unknown): string[] {
  const items = resolveSchema(schema, defs)?.items;
  const values = (items && resolveSchema(items, defs))?.enum;
  if (values === undefined) return [];
  const asked = requestedParts(given);
  const rest = values.filter((value) => !asked.has(value));
  if (rest.length === 0) return [];
  return asked.size === 0
    ? [`${name} was not given: of ${rest.join(', ')}, only what the service gives unasked is here.`]
    : [`Not asked for in ${name}: ${rest.join(', ')}.`];
}

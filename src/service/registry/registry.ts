/**
 * Every callable operation, from the document, the public definitions and the user's files; loaded on first
 * need.
 */

import { InputError } from '../../base/errors.ts';
import { groupBy } from '../../base/group-by.ts';
import { alternativesOf } from '../facts/alternatives.ts';
import { catalogItemV0, documentOf, supplySourceWrite } from '../facts/documented-operations.ts';
import { endingOf, formatEnding, isGone, withoutRefusedSuccessor } from '../facts/endings.ts';
import { enrichOperation } from '../facts/enrich.ts';
import { decodeFacts } from '../facts/facts.ts';
import { factsSchema } from '../facts/facts-file.ts';
import { knownEntries, olderVersionReason, olderVersions } from '../facts/groups.ts';
import { endpointOf, mergeOperations } from '../facts/merge.ts';
import type { Operation } from '../facts/operation.ts';
import { FACTS_DAY } from '../facts/provenance.ts';
import {
  type ListedOperation,
  type ListFilter,
  type ListPage,
  listEntries,
  selectPage,
  slugOf,
} from './find-entries.ts';
import { nearestOperations } from './nearest-operations.ts';

/**
 * Descriptions of the refusals (403) in this session, by operation ID. Refused operations are not suggested
 * as replacements.
 */
export type RefusedOperations = ReadonlyMap<string, string>;

export interface GroupSummary {
  name: string;
  operations: readonly ListedOperation[];
}

export interface Registry {
  /** All callable operations, in the document's order. */
  operations: readonly Operation[];
  /**
   * Finds an operation by ID, `name@version` or an unambiguous bare name.
   * @throws InputError naming the candidates
   */
  find(idOrName: string): Operation;
  /**
   * Finds an operation, and names the others that share a bare name.
   * @throws InputError naming the candidates
   */
  resolve(idOrName: string): FoundOperation;
  /**
   * Returns a page of operations and of entries known by name only; the first search builds its index. A
   * successor that was not refused precedes the operation that it replaces.
   * @throws InputError for an unknown group
   */
  list(filter?: ListFilter, refused?: RefusedOperations): Promise<ListPage>;
  /** Returns all groups with their content, in the document's order. */
  groups(): GroupSummary[];
}

let builtIn: Promise<readonly Operation[]> | undefined;

/**
 * Loads the registry. `extra` has the operations of a user's definitions; one with a built-in one's method
 * and path completes it.
 */
export async function loadRegistry(extra: readonly Operation[] = []): Promise<Registry> {
  builtIn ??= loadBuiltIn();
  return buildRegistry(addUserOperations(await builtIn, extra));
}

async function loadBuiltIn(): Promise<readonly Operation[]> {
  const { default: facts } = await import('../facts/generated/facts.json', { with: { type: 'json' } });
  return completeFromDocument(decodeFacts(factsSchema.parse(facts)));
}

/** Merges the document's descriptions over the definitions' facts. */
function completeFromDocument(found: readonly Operation[]): Operation[] {
  const described = [catalogItemV0, supplySourceWrite()];
  const completed = found.map((operation): Operation => {
    const document = described.find((candidate) => endpointOf(candidate) === endpointOf(operation));
    return document === undefined ? operation : mergeOperations(document, operation);
  });
  const missing = described.filter(
    (document) => !completed.some((operation) => operation.id === document.id),
  );
  return [...completed, ...missing];
}

function addUserOperations(builtIns: readonly Operation[], extra: readonly Operation[]): Operation[] {
  const brought = new Map(extra.map((operation) => [endpointOf(operation), operation]));
  const enriched = builtIns.map((operation) => {
    const user = brought.get(endpointOf(operation));
    return user === undefined ? operation : { ...enrich(operation, user), formerIds: formerIdsOf(user) };
  });
  const endpoints = new Set(builtIns.map(endpointOf));
  return [...enriched, ...extra.filter((operation) => !endpoints.has(endpointOf(operation)))];
}

/** An operation that became a built-in one is still found by the IDs that it had as a user's. */
function formerIdsOf({ id, formerIds = [] }: Operation): string[] {
  return [id, ...formerIds];
}

/** Completes an operation by a user's file; the document's facts take precedence. */
function enrich(operation: Operation, user: Operation): Operation {
  const enriched = enrichOperation(operation, user);
  const document = documentOf(operation);
  return document === undefined
    ? enriched
    : { ...mergeOperations(document, enriched), source: operation.source };
}

/**
 * Puts the successor before each operation that has a day of removal, whether the search found it or not. A
 * refused successor follows the operations that it replaces, as long as these exist.
 */
function successorsFirst(ids: readonly string[], refused: RefusedOperations): string[] {
  const placed = new Set<string>();
  for (const id of ids) {
    const { removed, successor } = withoutRefusedSuccessor(endingOf(id) ?? {}, refused);
    if (removed !== undefined && successor !== undefined) placed.add(successor);
    if (refused.has(id)) for (const other of stillReplacedBy(id)) placed.add(other);
    placed.add(id);
  }
  return [...placed];
}

const stillReplacedBy = (id: string) =>
  alternativesOf(id)
    .filter((other) => !isGone(endingOf(other) ?? {}, Date.parse(FACTS_DAY)))
    .slice(0, MAX_REPLACED);

/** The maximum number of operations that are put before a refused one. */
const MAX_REPLACED = 3;

function buildRegistry(all: readonly Operation[]): Registry {
  const entries = listEntries(all);
  const rank = new Map(entries.map((entry, index) => [entry.id, index]));
  const operations = [...all].sort((one, other) => (rank.get(one.id) ?? 0) - (rank.get(other.id) ?? 0));
  /**
   * Resolved operations by the given name, because a chat uses the same few and each search runs through
   * hundreds.
   */
  const found = new Map<string, FoundOperation>();
  const resolve = (idOrName: string): FoundOperation => {
    const wanted = idOrName.trim();
    const known = found.get(wanted);
    if (known !== undefined) return known;
    const meant = findOperation(operations, wanted);
    found.set(wanted, meant);
    return meant;
  };
  let search: ReturnType<typeof loadSearch> | undefined;
  const loadSearch = async () =>
    (await import('../search/search-entries.ts')).createSearch(entries, operations);
  return {
    operations,
    find: (idOrName) => resolve(idOrName).operation,
    resolve,
    list: async (filter = {}, refused = new Map()) => {
      const text = filter.search?.trim() ?? '';
      if (text === '') return selectPage(entries, filter);
      search ??= loadSearch();
      const found = (await search)(text);
      return selectPage(entries, filter, { ...found, ids: successorsFirst(found.ids, refused) });
    },
    groups: () =>
      [...groupBy(entries, ({ group }) => group)].map(([name, members]) => ({ name, operations: members })),
  };
}

// An operation is found by the caller's name for it, and an inexact name leads to a suggestion.

/** The operation that a caller's name refers to. */
interface FoundOperation {
  operation: Operation;
  /** A note when other operations share the bare name; empty otherwise. */
  note: string;
}

/**
 * Finds an operation by ID (`orders/getOrder`), by `name@version`, or by a bare name, which is resolved in
 * steps:
 *
 * - a name that a user's definition shares with a built-in operation means the built-in one;
 * - a name belongs to the groups that had it in the earliest edition of the facts, and sellers' groups come
 *   before vendors' and external ones;
 * - in the one remaining group, it means the current version.
 *
 * @throws InputError when nothing or more than one operation is meant; the hint lists the candidates.
 */
function findOperation(operations: readonly Operation[], wanted: string): FoundOperation {
  const exact =
    operations.find(({ id }) => id === wanted) ??
    operations.find(({ formerIds }) => formerIds?.includes(wanted));
  if (exact !== undefined) return { operation: exact, note: '' };
  const all = operations.filter((operation) => isMeant(operation, wanted));
  const candidates = narrow(all);
  const [first, second] = candidates;
  if (first === undefined) throw unknownOperation(operations, wanted);
  const operation = second === undefined ? first : currentOf(candidates);
  if (operation === undefined) throw ambiguousOperation(all, wanted);
  return {
    operation,
    note: formatAlternatives(
      operation,
      all.filter((one) => one !== operation),
    ),
  };
}

/** Formats the operation that a bare name was resolved to, and its alternatives, those of its group first. */
function formatAlternatives(operation: Operation, others: readonly Operation[]): string {
  if (others.length === 0) return '';
  const own = others.filter(({ group }) => group === operation.group);
  const ids = [...own, ...others.filter((one) => !own.includes(one))].map(({ id }) => id);
  const more = ids.length > MAX_ALTERNATIVES ? ` and ${ids.length - MAX_ALTERNATIVES} more` : '';
  return `${operation.name} means ${operation.id} here; others of that name: ${ids.slice(0, MAX_ALTERNATIVES).join(', ')}${more}.`;
}

const MAX_ALTERNATIVES = 8;

function isMeant({ id, name, version }: Operation, wanted: string): boolean {
  const tail = id.slice(id.indexOf('/') + 1);
  return (
    name === wanted ||
    tail === wanted ||
    id.startsWith(`${wanted}@`) ||
    tail.startsWith(`${wanted}-`) ||
    (version !== undefined &&
      (`${name}@${version}` === wanted || `${slugOf(id)}/${name}@${version}` === wanted))
  );
}

/**
 * Narrows the candidates: sellers' operations before others, the earliest edition's group before later ones;
 * a user's come last.
 */
function narrow(all: readonly Operation[]): readonly Operation[] {
  const builtIn = all.filter(({ source }) => source !== 'user');
  if (builtIn.length === 0) return all;
  const sellers = builtIn.filter(({ audience }) => audience === undefined);
  const nearest = sellers.length > 0 ? sellers : builtIn;
  const earliest = Math.min(...nearest.map(({ edition = 1 }) => edition));
  const groups = new Set(nearest.filter(({ edition = 1 }) => edition === earliest).map(({ group }) => group));
  return nearest.filter(({ group }) => groups.has(group));
}

/**
 * Returns the current version of a name that a group has in several versions; undefined when there is not
 * exactly one. Versions of the same edition are equal (shipping v1 and v2), so a caller has to choose.
 */
function currentOf(candidates: readonly Operation[]): Operation | undefined {
  if (new Set(candidates.map(({ group }) => group)).size > 1) return undefined;
  const latest = Math.max(...candidates.map(({ edition = 1 }) => edition));
  const [current, another] = candidates.filter(({ edition = 1 }) => edition === latest);
  return another === undefined ? current : undefined;
}

function ambiguousOperation(candidates: readonly Operation[], wanted: string): InputError {
  return new InputError(
    `${quote(wanted)} names ${candidates.length} operations`,
    `Give the id of the one you mean: ${candidates.map(describeCandidate).join('; ')}.`,
  );
}

/** Formats `shipping/getRates@v2 (v2, POST /shipping/v2/shipments/rates)`. */
function describeCandidate(operation: Operation): string {
  const ending = operation.ending === undefined ? '' : `, ${formatEnding(operation.ending)}`;
  const version = operation.version === undefined ? '' : `${operation.version}, `;
  return `${operation.id} (${version}${operation.method} ${operation.path}${ending})`;
}

function unknownOperation(operations: readonly Operation[], wanted: string): InputError {
  const known = knownEntries.find((entry) => entry.id === wanted || entry.name === wanted);
  if (known !== undefined) {
    return new InputError(`${known.id} is known by name only and cannot be called: ${known.reason}`);
  }
  const older = olderVersion(wanted);
  if (older !== undefined) return older;
  const nearest = nearestOperations(operations, wanted);
  return new InputError(
    `there is no operation ${quote(wanted)}`,
    `Did you mean ${nearest.join(', ')}? list_known_operations finds operations by words.`,
  );
}

/** Builds the error for `getCatalogItem@2020-12-01`, with or without its group. */
function olderVersion(wanted: string): InputError | undefined {
  const tail = wanted.slice(wanted.indexOf('/') + 1);
  for (const { operations, version, group, newer } of olderVersions) {
    const name = operations.find((one) => `${one}@${version}` === tail);
    if (name !== undefined && (tail === wanted || wanted.startsWith(`${group}/`)))
      return new InputError(
        `${quote(wanted)} is left out: it is ${olderVersionReason}`,
        `Use ${group}/${name} (${newer}).`,
      );
  }
  return undefined;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}

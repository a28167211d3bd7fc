/** Every operation that can be called, from the document, the public definitions and the user's files; loaded on first need. */

import { catalogItemV0, supplySourceWrite } from '../facts/documented-operations.ts';
import { enrichOperation } from '../facts/enrich.ts';
import { decodeFacts } from '../facts/facts.ts';
import { factsSchema } from '../facts/facts-file.ts';
import { type KnownEntry, knownEntries } from '../facts/known-entries.ts';
import { endpointOf, mergeOperations } from '../facts/merge.ts';
import type { Operation } from '../facts/operation.ts';
import {
  type ListedOperation,
  type ListFilter,
  type ListPage,
  listEntries,
  selectPage,
} from './find-entries.ts';
import { type FoundOperation, findOperation } from './find-operation.ts';

export interface GroupSummary {
  name: string;
  operations: readonly ListedOperation[];
}

export interface Registry {
  /** All that can be called, in the document's order. */
  operations: readonly Operation[];
  /** By id, `name@version` or a bare name that means one operation. @throws InputError naming the candidates. */
  find(idOrName: string): Operation;
  /** The same, with the others that share a bare name. @throws InputError naming the candidates. */
  resolve(idOrName: string): FoundOperation;
  /** A page of operations and of entries known by name only; the first search builds its index. @throws InputError for an unknown group. */
  list(filter?: ListFilter): Promise<ListPage>;
  /** All groups with all that is in them, in the document's order. */
  groups(): GroupSummary[];
  /** Entries of the document that cannot be called, each with the reason. */
  known(): readonly KnownEntry[];
}

let builtIn: Promise<readonly Operation[]> | undefined;

/** `extra`: operations of a user's definitions; one with a built-in one's method and path enriches it. */
export async function loadRegistry(extra: readonly Operation[] = []): Promise<Registry> {
  builtIn ??= loadBuiltIn();
  return buildRegistry(addUserOperations(await builtIn, extra));
}

async function loadBuiltIn(): Promise<readonly Operation[]> {
  const { default: facts } = await import('../facts/generated/facts.json', { with: { type: 'json' } });
  return completeFromDocument(decodeFacts(factsSchema.parse(facts)));
}

/** Lays what the document describes over the definitions' facts. */
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

/** An operation that became a built-in one is still found by the ids that it had as a user's. */
function formerIdsOf({ id, formerIds = [] }: Operation): string[] {
  return [id, ...formerIds];
}

/** What the document describes stays first, whatever a user's file says. */
function enrich(operation: Operation, user: Operation): Operation {
  const enriched = enrichOperation(operation, user);
  const document = [catalogItemV0, supplySourceWrite()].find(({ id }) => id === operation.id);
  return document === undefined
    ? enriched
    : { ...mergeOperations(document, enriched), source: operation.source };
}

function buildRegistry(all: readonly Operation[]): Registry {
  const entries = listEntries(all);
  const place = new Map(entries.map((entry, index) => [entry.id, index]));
  const operations = [...all].sort((one, other) => (place.get(one.id) ?? 0) - (place.get(other.id) ?? 0));
  let search: ReturnType<typeof loadSearch> | undefined;
  const loadSearch = async () =>
    (await import('../search/search-entries.ts')).createSearch(entries, operations);
  return {
    operations,
    find: (idOrName) => findOperation(operations, idOrName).operation,
    resolve: (idOrName) => findOperation(operations, idOrName),
    list: async (filter = {}) => {
      const text = filter.search?.trim() ?? '';
      if (text === '') return selectPage(entries, filter);
      search ??= loadSearch();
      return selectPage(entries, filter, (await search)(text));
    },
    groups: () => groupUp(entries),
    known: () => knownEntries,
  };
}

function groupUp(entries: readonly ListedOperation[]): GroupSummary[] {
  const groups = new Map<string, ListedOperation[]>();
  for (const entry of entries) {
    const members = groups.get(entry.group);
    if (members === undefined) groups.set(entry.group, [entry]);
    else members.push(entry);
  }
  return [...groups].map(([name, operations]) => ({ name, operations }));
}

/**
 * Selects operations, and entries known by name only, by group, method or search result; one page at a time.
 */

import { InputError } from '../../base/errors.ts';
import type { Ending } from '../facts/endings.ts';
import { groups } from '../facts/generated/groups.ts';
import { documentEntries, type KnownEntry, knownEntries } from '../facts/groups.ts';
import type { Audience, Method, Operation, OperationEffect } from '../facts/operation.ts';
import { reportType } from '../facts/report-types.ts';
import { type FoundReportType, showReportType } from '../search/find-report-types.ts';

/** The filters, all of which must match. `search` is an ID, a name, or a seller's words. */
export interface ListFilter {
  /** The slug or name of a group, or a part of it. */
  group?: string;
  search?: string;
  method?: Method;
  callable?: boolean;
  /** Selects entries that the interface document names, or the others. */
  documented?: boolean;
  offset?: number;
  limit?: number;
}

/** It is a type, not an interface, so that it fits where any record is expected. */
export type ListedOperation = {
  id: string;
  group: string;
  name: string;
  method: Method;
  path?: string;
  version?: string;
  effect?: OperationEffect;
  callable: boolean;
  /** The reason why it cannot be called. */
  reason?: string;
  /** True when the interface document names it. */
  documented: boolean;
  deprecated: boolean;
  /** Present when it is deprecated, or its removal has a date. */
  ending?: Ending;
  /** The users of the operation, if it is not for every seller. */
  audience?: Audience;
  /** Describes how the last call in the session was refused (403). */
  refused?: string;
};

export interface ListPage {
  /** The number of matches on all pages: operations and, for a search, report types. */
  total: number;
  offset: number;
  operations: ListedOperation[];
  /** The offset of the next page; missing on the last one. */
  nextOffset?: number;
  /** The words of the search that match nothing. */
  unknown?: string[];
  /** Advice when no operation answers the search. */
  hints?: string[];
  /** The report types among the results of a search. */
  reportTypes?: FoundReportType[];
  /** The ID of the best result of a search. */
  best?: string;
  /** The number of results that match the search too weakly to be listed. */
  leftOut?: number;
}

/** The result of a search, before filters and pages. */
export interface SearchResult {
  /** The IDs of operations and report types, the best first. */
  ids: readonly string[];
  /** The number of further matches that are too weak to be listed. */
  weaker: number;
  /** The words that match nothing; the others were found without them. */
  unknown: readonly string[];
  /** Advice when another tool, or something outside of this program, is the answer. */
  hints: readonly string[];
}

/** The default number of results on a page of a search, and of entries on a page of a list. */
const PAGE_OF_SEARCH = 5;
const PAGE_OF_LIST = 20;

/**
 * Returns operations and known entries in the document's order: in each group the current ones first, and of
 * those the documented ones. Further groups follow, users' groups last.
 */
export function listEntries(operations: readonly Operation[]): ListedOperation[] {
  const rank = createRank();
  const listed = [...operations.map(listOperation), ...knownEntries.map(listKnown)];
  return listed
    .map((entry) => ({ entry, rank: rank(entry) }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ entry }) => entry);
}

function listOperation(operation: Operation): ListedOperation {
  const { id, group, name, method, path, version, effect, ending, audience } = operation;
  return {
    id,
    group,
    name,
    method,
    path,
    version,
    effect,
    callable: true,
    documented: operation.source === 'document' || operation.source === 'both',
    deprecated: operation.deprecated ?? false,
    ...(ending !== undefined && { ending }),
    ...(audience !== undefined && { audience }),
  };
}

function listKnown({ deprecated, ...entry }: KnownEntry): ListedOperation {
  return { ...entry, callable: false, documented: true, deprecated };
}

function createRank(): (entry: ListedOperation) => number {
  const order = new Map(groups.map(({ name }, index) => [name, index]));
  const positions = new Map(
    documentEntries.map(({ group, name }, index) => [`${group.name}/${name}`, index] as const).reverse(),
  );
  return ({ group, name, deprecated }) => {
    const position = positions.get(`${group}/${name}`) ?? 999;
    return (order.get(group) ?? order.size) * 10_000 + (deprecated ? 1_000 : 0) + position;
  };
}

/**
 * Selects a page of entries.
 * @param found the result of the search, the best first; without it the entries keep their order
 * @throws InputError for a group that does not exist.
 */
export function selectPage(
  all: readonly ListedOperation[],
  filter: ListFilter,
  found?: SearchResult,
): ListPage {
  const groups = filter.group === undefined ? undefined : findGroups(all, filter.group);
  const isMeant = (entry: ListedOperation) =>
    (groups === undefined || groups.has(entry.group)) &&
    (filter.method === undefined || entry.method === filter.method) &&
    (filter.callable === undefined || entry.callable === filter.callable) &&
    (filter.documented === undefined || entry.documented === filter.documented);
  const offset = filter.offset ?? 0;
  if (found === undefined) {
    const matching = all.filter(isMeant);
    const end = offset + (filter.limit ?? PAGE_OF_LIST);
    return {
      total: matching.length,
      offset,
      operations: matching.slice(offset, end),
      ...(end < matching.length && { nextOffset: end }),
    };
  }
  // Filters by group or method exclude report types, which have neither.
  const isNarrowed = [filter.group, filter.method, filter.callable, filter.documented].some(
    (value) => value !== undefined,
  );
  const byId = new Map(all.map((entry) => [entry.id, entry]));
  const results = found.ids.flatMap((id): SelectedEntry[] => {
    const operation = byId.get(id);
    if (operation !== undefined) return isMeant(operation) ? [{ id, operation }] : [];
    const type = isNarrowed ? undefined : reportType(id);
    return type === undefined ? [] : [{ id, reportType: showReportType(type) }];
  });
  return pageOf(results, found, offset, offset + (filter.limit ?? PAGE_OF_SEARCH));
}

interface SelectedEntry {
  id: string;
  operation?: ListedOperation;
  reportType?: FoundReportType;
}

function pageOf(
  results: readonly SelectedEntry[],
  { unknown, hints, weaker }: SearchResult,
  offset: number,
  end: number,
): ListPage {
  const shown = results.slice(offset, end);
  const reportTypes = shown.flatMap((result) => result.reportType ?? []);
  const best = results[0]?.id;
  return {
    total: results.length,
    offset,
    ...(best !== undefined && { best }),
    operations: shown.flatMap(({ operation }) => operation ?? []),
    ...(reportTypes.length > 0 && { reportTypes }),
    ...(end < results.length && { nextOffset: end }),
    ...(weaker > 0 && { leftOut: weaker }),
    ...(unknown.length > 0 && { unknown: [...unknown] }),
    ...(hints.length > 0 && { hints: [...hints] }),
  };
}

/** Normalizes the two spellings of the same word. */
export function simplify(text: string): string {
  return text.toLowerCase().replaceAll('fulfillment', 'fulfilment');
}

/** Returns the first part of an operation's ID. */
export function slugOf(id: string): string {
  return id.slice(0, id.indexOf('/'));
}

function findGroups(all: readonly ListedOperation[], wanted: string): Set<string> {
  const text = simplify(wanted.trim());
  const slugs = new Map(all.map((entry) => [entry.group, slugOf(entry.id)]));
  const exact = [...slugs].filter(([group, slug]) => simplify(group) === text || slug === text);
  const found =
    exact.length > 0
      ? exact
      : [...slugs].filter(([group, slug]) => simplify(`${group} ${slug}`).includes(text));
  if (found.length > 0) return new Set(found.map(([group]) => group));
  throw new InputError(
    `there is no group ${JSON.stringify(wanted.slice(0, 100))}`,
    `The groups are: ${[...slugs.values()].join(', ')}.`,
  );
}

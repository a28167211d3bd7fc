/** Searches the operations: exact ids, names and paths first, then by what sellers call things. */

import type { Operation } from '../facts/operation.ts';
import type { ListedOperation } from '../registry/find-entries.ts';
import { createReportSearch, type FoundReportType } from './find-report-types.ts';
import { operationEntry } from './operation-entry.ts';
import { findOtherAnswers } from './other-answers.ts';
import { indexEntries } from './word-index.ts';

/** What a search finds, before anything is left out or cut into pages. */
export interface SearchResult {
  /** Ids, the best first. */
  ids: readonly string[];
  /** Words that nothing has; the others were found without them. */
  unknown: readonly string[];
  /** Where another tool, or something outside of this program, is the answer. */
  hints: readonly string[];
  /** Reports that hold what is searched for; their operations are among the ids. */
  reportTypes: readonly FoundReportType[];
}

/** Builds the index once; the answer is the same for the same text. */
export function createSearch(
  entries: readonly ListedOperation[],
  operations: readonly Operation[],
): (text: string) => SearchResult {
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const index = indexEntries(entries.map((entry) => operationEntry(entry, byId.get(entry.id))));
  const findReports = createReportSearch();
  return (text) => {
    const hints = findOtherAnswers(text);
    const named = namedBy(entries, text.trim());
    if (named.length > 0 && isIdentifier(text.trim()))
      return { ids: named, unknown: [], hints, reportTypes: [] };
    const { matches, unknown, isAction } = index.search(text);
    const { reportTypes, isNamed, unknown: unknownToReports } = findReports(text, { isAction, unknown });
    const found = isNamed ? [] : [...named, ...matches.map(({ id }) => id)];
    const ids = withOperations([...new Set(found)], reportTypes);
    const nothing = unknown.filter((word) => unknownToReports.includes(word) || reportTypes.length === 0);
    return { ids, unknown: ids.length === 0 || isNamed ? [] : nothing, hints, reportTypes };
  };
}

/** The operation that gets the best report is listed where it is seen, whatever its own words are. */
function withOperations(ids: readonly string[], [best]: readonly FoundReportType[]): string[] {
  if (best === undefined || ids.slice(0, SEEN).includes(best.operation)) return [...ids];
  const others = ids.filter((id) => id !== best.operation);
  return [...others.slice(0, SEEN - 1), best.operation, ...others.slice(SEEN - 1)];
}

/** Lines that are sure to be read. */
const SEEN = 5;

/** `getOrder`, `orders/getOrder`, `supply-sources`, `/feeds/2021-06-30`: nobody means words by them. */
function isIdentifier(text: string): boolean {
  return /^\S+$/.test(text) && /[a-z][A-Z]|[-/@_]/.test(text);
}

/** The very name or id first, then what begins with the text or, after a capital, holds it. */
function namedBy(entries: readonly ListedOperation[], text: string): string[] {
  const joined = simplify(text.replace(/\s+/g, ''));
  if (joined === '') return [];
  const exact = entries.filter(({ id, name }) => simplify(name) === joined || simplify(id) === joined);
  if (!isIdentifier(text)) return exact.map(({ id }) => id);
  const begun = entries.filter(
    ({ id, name, path }) =>
      simplify(name).startsWith(joined) ||
      simplify(id).startsWith(joined) ||
      (/^[A-Z]/.test(text) && name.includes(text)) ||
      (text.includes('/') && simplify(path ?? '').includes(joined)),
  );
  return [...new Set([...exact, ...begun])].map(({ id }) => id);
}

/** Both spellings of the same word meet. */
function simplify(text: string): string {
  return text.toLowerCase().replaceAll('fulfillment', 'fulfilment');
}

/** Searches the operations: exact ids, names and paths first, then by what sellers call things. */

import type { Operation } from '../facts/operation.ts';
import type { ListedOperation } from '../registry/find-entries.ts';
import { findOtherAnswers } from './other-answers.ts';
import { buildIndex } from './search-index.ts';

/** What a search finds, before anything is left out or cut into pages. */
export interface SearchResult {
  /** Ids, the best first. */
  ids: readonly string[];
  /** Words that nothing has; the others were found without them. */
  unknown: readonly string[];
  /** Where another tool, or something outside of this program, is the answer. */
  hints: readonly string[];
}

/** Builds the index once; the answer is the same for the same text. */
export function createSearch(
  entries: readonly ListedOperation[],
  operations: readonly Operation[],
): (text: string) => SearchResult {
  const index = buildIndex(entries, operations);
  return (text) => {
    const hints = findOtherAnswers(text);
    const named = namedBy(entries, text.trim());
    if (named.length > 0 && isIdentifier(text.trim())) return { ids: named, unknown: [], hints };
    const { matches, unknown } = index.search(text);
    const ids = new Set([...named, ...matches.map(({ id }) => id)]);
    return { ids: [...ids], unknown: ids.size === 0 ? [] : unknown, hints };
  };
}

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

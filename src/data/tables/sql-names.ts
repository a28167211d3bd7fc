/** Builds names of columns and tables that SQL accepts unquoted from the names in reports and operations. */

import { maskEmails } from '../../privacy/personal/free-text.ts';

/** Max length of a name, in characters. */
const MAX_NAME_CHARACTERS = 60;

/** Words that SQLite reserves where a name is possible. */
const RESERVED = new Set(
  `add all alter and as autoincrement between case check collate commit constraint create cross current_date
  current_time current_timestamp default deferrable delete distinct drop else escape except exists foreign from full
  group having if in index inner insert intersect into is isnull join left limit natural not nothing notnull null on or
  order outer primary raise references returning right rollback select set table then to transaction union unique
  update using values when where with`.split(/\s+/),
);

/**
 * Returns `purchase_date` for `purchaseDate`, `purchase-date` and `Purchase Date`; `order_` for `order`;
 * empty if nothing is left.
 */
export function toName(text: string): string {
  const words = joinByUnderscore(text).slice(0, MAX_NAME_CHARACTERS).replace(/_$/, '');
  if (/^\p{N}/u.test(words)) return `_${words}`;
  return RESERVED.has(words) ? `${words}_` : words;
}

/**
 * Names a nested member; if the full path is too long, it drops outer names, since the end is the most
 * specific.
 */
export function toPathName(path: readonly string[]): string {
  const [outer = '', ...inner] = path.map(withoutEmails);
  const isTooLong = joinByUnderscore(path.join(' ')).length > MAX_NAME_CHARACTERS;
  return isTooLong && inner.length > 0 ? toPathName(inner) : toName([outer, ...inner].join(' '));
}

function joinByUnderscore(text: string): string {
  return text
    .slice(0, 4 * MAX_NAME_CHARACTERS)
    .normalize('NFC')
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1_$2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1_$2')
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .toLowerCase()
    .replace(/^_/, '');
}

/** Removes an e-mail address from a member or heading, because a column's name appears in every statement. */
export function withoutEmails(name: string): string {
  return name.includes('@') ? maskEmails(name, () => 'e mail') : name;
}

/**
 * Returns one name for each, distinct regardless of case: `price`, `price_2`; `column_3` for an empty
 * heading.
 */
export function toNames(texts: readonly string[], taken: Iterable<string> = []): string[] {
  const used = new Set(taken);
  return texts.map((text, at) => uniqueName(toName(withoutEmails(text)) || `column_${at + 1}`, used));
}

/** Returns the name, with the first free number if needed, and marks it as used. */
export function uniqueName(name: string, used: Set<string>): string {
  let unique = name;
  for (let number = 2; used.has(unique); number++) unique = `${name}_${number}`;
  used.add(unique);
  return unique;
}

/**
 * Names the lists of a document by their paths: a single list has the document's name; the members beside the
 * lists (the empty path) get a table of their own.
 */
export function nameLists(table: string, paths: readonly string[], used: Set<string>): Map<string, string> {
  const lists = paths.filter((path) => path !== '');
  const about = lists.length === 0 ? undefined : uniqueName(`${table}_about`, used);
  return new Map(
    paths.map((path) => {
      if (path === '' && about !== undefined) return [path, about];
      const isOnly = path === '' || lists.length === 1;
      return [path, uniqueName(isOnly ? table : `${table}_${toName(path.replaceAll('.', ' '))}`, used)];
    }),
  );
}

/** Quotes a name for an SQL text. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

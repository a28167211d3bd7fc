/** Names of columns and tables as SQL takes them without quotes, made from what reports and operations call them. */

import { maskEmails } from '../../privacy/personal/free-text.ts';

/** Longest name kept, in characters. */
const LONGEST = 60;

/** Words that SQLite takes for itself where a name could stand. */
const RESERVED = new Set(
  `add all alter and as autoincrement between case check collate commit constraint create cross current_date
  current_time current_timestamp default deferrable delete distinct drop else escape except exists foreign from full
  group having if in index inner insert intersect into is isnull join left limit natural not nothing notnull null on or
  order outer primary raise references returning right rollback select set table then to transaction union unique
  update using values when where with`.split(/\s+/),
);

/** `purchaseDate`, `purchase-date` and `Purchase Date` -> `purchase_date`; `order` -> `order_`; empty where nothing is left. */
export function toName(text: string): string {
  const words = wordsOf(text).slice(0, LONGEST).replace(/_$/, '');
  if (/^\p{N}/u.test(words)) return `_${words}`;
  return RESERVED.has(words) ? `${words}_` : words;
}

/** Of a member inside others: where all of them are too long, without the outer ones, since the end says what it is. */
export function toPathName(path: readonly string[]): string {
  const [outer = '', ...inner] = path.map(withoutEmails);
  const isTooLong = wordsOf(path.join(' ')).length > LONGEST;
  return isTooLong && inner.length > 0 ? toPathName(inner) : toName([outer, ...inner].join(' '));
}

function wordsOf(text: string): string {
  return text
    .slice(0, 4 * LONGEST)
    .normalize('NFC')
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1_$2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1_$2')
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .toLowerCase()
    .replace(/^_/, '');
}

/** Of a member or heading, without an e-mail address: as the name of a column it would stand in every statement. */
export function withoutEmails(name: string): string {
  return name.includes('@') ? maskEmails(name, () => 'e mail') : name;
}

/** One name for each, different whatever their case: `price`, `price_2`; `column_3` where a heading is empty. */
export function toNames(texts: readonly string[], taken: Iterable<string> = []): string[] {
  const used = new Set(taken);
  return texts.map((text, at) => uniqueName(toName(withoutEmails(text)) || `column_${at + 1}`, used));
}

/** The name, or with the first number that is free behind it; it is taken from now on. */
export function uniqueName(name: string, used: Set<string>): string {
  let unique = name;
  for (let number = 2; used.has(unique); number++) unique = `${name}_${number}`;
  used.add(unique);
  return unique;
}

/**
 * Of the lists of a document, by their paths: the only one has the document's name; what stands beside them (the empty
 * path) is told about them.
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

/** For an SQL text. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** What is changed, and where, in the words of a seller: `Hamburg store (hh01)`, `LMP-1 "Table lamp", Germany`. */

import { byteLength } from '../../../base/json.ts';
import { escapeText, quoteText } from '../../../base/text/escape-text.ts';
import { nameWithin, quoteWithin } from '../../../base/text/quote-within.ts';
import { marketplaceById } from '../../../service/facts/marketplaces.ts';
import type { Change, Subject } from '../change.ts';

/** A name of a few plain words: it can neither end a sentence of ours nor begin another. */
const PLAIN_NAME = /^[\p{L}\p{N}][\p{L}\p{N}-]*(?: [\p{L}\p{N}-]+){0,4}$/u;
const LONGEST_PLAIN_NAME = 40;
/** Characters of a listing's title that are enough to know it by. */
const LONGEST_TITLE = 60;
/** Bytes of a marketplace that is not known. */
const LONGEST_PLACE = 100;
/** Countries that are named one by one. */
export const MOST_PLACES = 5;

/**
 * Undefined for what is told by its operation.
 * @param bytes for each name
 */
export function subjectWords(
  subject: Subject,
  bytes: number,
  longestTitle = LONGEST_TITLE,
): string | undefined {
  if (subject.kind === 'operation') return undefined;
  if (subject.kind === 'listing') {
    const title =
      subject.title === undefined ? '' : ` ${quoteWithin(cutTitle(subject.title, longestTitle), bytes)}`;
    return `${nameWithin(subject.sku, bytes)}${title}`;
  }
  const { id, alias, code } = subject;
  const called = nameWithin(code ?? id, bytes);
  if (alias === undefined || alias === '') return `store ${called}`;
  const name =
    PLAIN_NAME.test(alias) && alias.length <= LONGEST_PLAIN_NAME ? alias : quoteWithin(alias, bytes);
  return `${name} (${called})`;
}

/** Bytes of each name in a list. */
const MOST_LISTED_BYTES = 150;
/** Of a list of several, a title only tells which one is meant. */
const LONGEST_LISTED_TITLE = 40;

/** What a person knows one of several by; a call by its number. */
export function nameOf({ key, change }: { key: string; change: Pick<Change, 'subject'> }): string {
  return subjectWords(change.subject, MOST_LISTED_BYTES, LONGEST_LISTED_TITLE) ?? `call ${escapeText(key)}`;
}

/** `Germany`, `Germany, France`; empty where it counts everywhere. */
export function placesWords(places: readonly string[]): string {
  const named = places
    .slice(0, MOST_PLACES)
    .map((id) => marketplaceById(id)?.name ?? nameWithin(id, LONGEST_PLACE));
  const more = places.length - named.length;
  return [...named, ...(more > 0 ? [`and ${more} more marketplaces`] : [])].join(', ');
}

/** Each of them is named, and whole. */
export const arePlacesWhole = (places: readonly string[]) =>
  places.length <= MOST_PLACES && places.every((id) => byteLength(quoteText(id)) <= LONGEST_PLACE);

/** An inch mark behind a number becomes a double prime, so that quotes around the title need no backslash. */
function cutTitle(title: string, longest: number): string {
  const characters = [...title.replace(/(?<=\d)"/g, '\u2033')];
  return characters.length <= longest
    ? characters.join('')
    : `${characters.slice(0, longest - 3).join('')}...`;
}

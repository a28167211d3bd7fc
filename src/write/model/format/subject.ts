/**
 * Names the changed thing and its marketplaces in a seller's terms: `Hamburg store (hh01)`, `LMP-1 "Table
 * lamp", Germany`.
 */

import { byteLength } from '../../../base/json.ts';
import { escapeText, quoteText } from '../../../base/text/escape-text.ts';
import { nameWithin, quoteWithin } from '../../../base/text/quote-within.ts';
import { marketplaceById } from '../../../service/facts/marketplaces.ts';
import type { Change, Subject } from '../change.ts';

/** Matches a name of a few plain words, which can neither end a sentence of ours nor begin another. */
const PLAIN_NAME = /^[\p{L}\p{N}][\p{L}\p{N}-]*(?: [\p{L}\p{N}-]+){0,4}$/u;
const MAX_PLAIN_NAME = 40;
/** The max characters of a listing's title, enough to recognize it. */
const MAX_TITLE = 60;
/** The max bytes of an unknown marketplace. */
const MAX_MARKETPLACE = 100;
/** The max number of countries that are named. */
export const MAX_MARKETPLACES = 5;

/** Names the subject; undefined if its operation names it. @param bytes the limit for each name */
export function formatSubject(subject: Subject, bytes: number, maxTitle = MAX_TITLE): string | undefined {
  if (subject.kind === 'operation') return undefined;
  if (subject.kind === 'listing') {
    const title =
      subject.title === undefined ? '' : ` ${quoteWithin(cutTitle(subject.title, maxTitle), bytes)}`;
    return `${nameWithin(subject.sku, bytes)}${title}`;
  }
  const { id, alias, code } = subject;
  const called = nameWithin(code ?? id, bytes);
  if (alias === undefined || alias === '') return `store ${called}`;
  const name = PLAIN_NAME.test(alias) && alias.length <= MAX_PLAIN_NAME ? alias : quoteWithin(alias, bytes);
  return `${name} (${called})`;
}

/** The max bytes of each name in a list. */
const MAX_LISTED_BYTES = 150;
/** The max characters of a title in a list, where it only tells which one is meant. */
const MAX_LISTED_TITLE = 40;

/** Names one of several for the user; a call gets its number. */
export function nameOf({ key, change }: { key: string; change: Pick<Change, 'subject'> }): string {
  return formatSubject(change.subject, MAX_LISTED_BYTES, MAX_LISTED_TITLE) ?? `call ${escapeText(key)}`;
}

/** Names the marketplaces: `Germany`, `Germany, France`; empty if it applies everywhere. */
export function formatMarketplaceIds(places: readonly string[]): string {
  const named = places
    .slice(0, MAX_MARKETPLACES)
    .map((id) => marketplaceById(id)?.name ?? nameWithin(id, MAX_MARKETPLACE));
  const more = places.length - named.length;
  return [...named, ...(more > 0 ? [`and ${more} more marketplaces`] : [])].join(', ');
}

/** Returns true if each of them is named whole. */
export const areMarketplacesWhole = (places: readonly string[]) =>
  places.length <= MAX_MARKETPLACES && places.every((id) => byteLength(quoteText(id)) <= MAX_MARKETPLACE);

/**
 * Cuts a title. An inch sign behind a number becomes a double prime, so that the quoted title needs no
 * backslash.
 */
function cutTitle(title: string, max: number): string {
  const characters = [...title.replace(/(?<=\d)"/g, '\u2033')];
  return characters.length <= max ? characters.join('') : `${characters.slice(0, max - 3).join('')}...`;
}

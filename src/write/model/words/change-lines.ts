/** A change as lines, one for each thing that a person tells apart: the words depend on what it is a change of. */

import { formatPath, type Segments } from '../../../base/json-difference.ts';
import { showText } from '../../../base/text/escape-text.ts';
import type { Change, Warning } from '../change.ts';
import { attributeName, listingLines } from '../listing/attribute-lines.ts';
import { placeWords } from '../store/place.ts';
import { asPath, describeDifferences, type NamePlace } from './describe-difference.ts';
import type { Line } from './fit-lines.ts';
import { placesWords, subjectWords } from './subject.ts';
import type { Show } from './value.ts';

/** From what to what; empty where nothing changes or nothing is known. */
export function changeLines(change: Change): Line[] {
  const { subject, differences = [] } = change;
  if (subject.kind === 'listing') return listingLines(change);
  return describeDifferences(differences, placeNames(change));
}

/** What places inside the thing are called. */
export function placeNames({ subject }: Pick<Change, 'subject'>): NamePlace {
  if (subject.kind === 'operation') return asPath;
  return subject.kind === 'store' ? placeWords : listingPlace;
}

/** `bullet points`, `change 2, values`: what is deeper inside by its path. */
function listingPlace(segments: Segments, show: Show = showText): string {
  const [group, member, ...inner] = segments;
  const rest = inner.length === 0 ? '' : `, ${formatPath(inner, show)}`;
  if (group === 'attributes' && typeof member === 'string') return attributeName(member, show) + rest;
  if (group === 'patches' && typeof member === 'number') return `change ${member + 1}${rest}`;
  if (group === 'productType' && member === undefined) return 'product type';
  return group === 'marketplaceIds' && inner.length === 0 ? 'marketplace' : asPath(segments, show);
}

/** What is probably wrong, at its place; with what can be done about it where the reader is who makes the call. */
export function warningLine(
  change: Pick<Change, 'subject'>,
  { segments, message, how }: Warning,
  isForCaller = false,
): string {
  const place = placeNames(change)(segments);
  return `${place}: ${showText(message)}${isForCaller && how !== undefined ? `; ${showText(how)}` : ''}`;
}

/** Bytes of a name in what was done. */
export const MOST_NAME_BYTES = 100;

export function subjectLine({ subject, places }: Change): string {
  const words = [subjectWords(subject, MOST_NAME_BYTES) ?? 'State', placesWords(places)];
  return words.filter((word) => word !== '').join(', ');
}

/** The whole change in one line; empty where nothing of it is known. */
export function changeWords(change: Change): string {
  if (change.differences === undefined) return '';
  const lines = changeLines(change).map(({ short }) => short);
  const isAll = change.isWhole && (change.sent ?? []).length === 0;
  if (lines.length === 0 && !isAll) return '';
  const end = isAll && lines.length > 0 ? ' Nothing else changes.' : '';
  const what = lines.length === 0 ? 'no changes' : lines.join('; ').replace(/\.$/, '');
  return `${subjectLine(change)}: ${what}.${end}`;
}

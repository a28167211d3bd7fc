/** Places inside a store in the words of sellers: `pickup, opening hours`; any other place as its path. */

import { formatPath, type Segments } from '../../../base/json-difference.ts';
import { showText } from '../../../base/text/escape-text.ts';
import { capital } from '../../../base/text/value-words.ts';
import { isDay, type Show } from '../words/value.ts';
import { DAYS } from './hours.ts';
import words from './place-words.json' with { type: 'json' };

/** Members of the configuration of a store (section 2.4); an empty word is left out. */
const WORDS: Readonly<Record<string, string>> = words;
/** A number within a member that is told as one. */
const PARTS: Readonly<Record<string, string>> = { value: 'amount', timeUnit: 'unit' };

/** Whether all of these names are known, so that words of ours can stand for them. */
function isKnown(name: string | number): boolean {
  return typeof name === 'string' && (Object.hasOwn(WORDS, name) || Object.hasOwn(PARTS, name));
}

/** The day of opening hours, capitalised; undefined for any other place. */
export function dayOf(segments: Segments): string | undefined {
  const day = DAYS.find((known) => known === segments.at(-1));
  return day === undefined || !isDay(segments) ? undefined : capital(day);
}

/** `pickup, opening hours` where every name on the way is known; the path otherwise, each odd name in quotes. */
export function placeWords(segments: Segments, show: Show = showText): string {
  // `outbound` only says that something leaves the store, which its channels say too.
  const names = segments.filter((name, at) => !(name === 'outbound' && at === 1 && hasChannel(segments)));
  // What groups others has no word of its own: as a whole it is told by its path.
  const isGroup = WORDS[String(segments.at(-1))] === '';
  if (isGroup || !segments.every(isKnown)) return formatPath(segments, show) || 'the whole';
  const words = names
    .map((name) => WORDS[String(name)] ?? PARTS[String(name)] ?? '')
    .filter((word) => word !== '');
  return words.join(', ') || 'the whole';
}

function hasChannel(segments: Segments): boolean {
  return (
    segments[2] === 'deliveryChannel' || segments[2] === 'pickupChannel' || segments[2] === 'returnLocation'
  );
}

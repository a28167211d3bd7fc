/** Names paths inside a store in sellers' terms: `pickup, opening hours`; any other path stays a path. */

import { formatPath, type Segments } from '../../../base/json-difference.ts';
import { showText } from '../../../base/text/escape-text.ts';
import { capital } from '../../../base/text/format-value.ts';
import { isDay, type ShowText } from '../format/value.ts';
import { DAYS } from './hours.ts';
import words from './path-terms.json' with { type: 'json' };

/** The members of the configuration of a store (section 2.4); an empty word is left out. */
const WORDS: Readonly<Record<string, string>> = words;
/** The members of a number that is shown as one. */
const PARTS: Readonly<Record<string, string>> = { value: 'amount', timeUnit: 'unit' };

/** Returns true if our own words can replace this name. */
function isKnown(name: string | number): boolean {
  return typeof name === 'string' && (Object.hasOwn(WORDS, name) || Object.hasOwn(PARTS, name));
}

/** Returns the day of opening hours, capitalized; undefined for any other path. */
export function dayOf(segments: Segments): string | undefined {
  const day = DAYS.find((known) => known === segments.at(-1));
  return day === undefined || !isDay(segments) ? undefined : capital(day);
}

/**
 * Names a path: `pickup, opening hours` if every name on the way is known; else the path, each odd name in
 * quotes.
 */
export function describeStorePath(segments: Segments, show: ShowText = showText): string {
  // `outbound` only means that goods leave the store, which its channels say too.
  const names = segments.filter((name, at) => !(name === 'outbound' && at === 1 && hasChannel(segments)));
  // A group has no word of its own, so the whole of it is named by its path.
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

/** After a write: whether the service now says what was sent. */

import { isJsonObject, type JsonObject } from '../json.ts';
import { describeValue, type Show } from './describe-difference.ts';
import { type Difference, findDifferences } from './difference.ts';
import { isOperatingHours } from './hours.ts';
import { dropNulls, formatPath } from './json.ts';
import { canonicalJson } from './normalise.ts';

/** Members whose values the service has been seen to answer in another case (`Order` as `ORDER`). */
const CASELESS = ['timeUnit', 'throughputUnit', 'parkingCostType', 'parkingSpotIdentificationType'];

/**
 * What differs between the body sent and the state read back, both without members that can only be read
 * (`toWritableSupplySource`); `before` is what was sent, `after` what was found. Not told, because it means the
 * same: the order of the openings within one day, the order of members, null against absent, the case of units.
 */
export function compareReadBack(sent: unknown, found: unknown): Difference[] {
  const expected = dropNulls(sent);
  return findDifferences(expected, align(dropNulls(found), expected, undefined));
}

/** One sentence per difference; an empty list means that the service has what was sent. */
export function describeReadBack(differences: readonly Difference[], show: Show): string[] {
  return differences.map((difference) => {
    const path = formatPath(difference.segments, show) || 'the whole';
    const sent = describeValue(difference.before, difference.segments, show);
    const found = describeValue(difference.after, difference.segments, show);
    if (difference.kind === 'added') return `${path}: was not sent, yet the service has ${found}`;
    if (difference.kind === 'removed') return `${path}: ${sent} was sent, yet the service has nothing there`;
    return `${path}: ${sent} was sent, yet the service has ${found}`;
  });
}

/** `found`, with whatever only looks different replaced by its counterpart in `sent`. */
function align(found: unknown, sent: unknown, name: string | undefined): unknown {
  if (Array.isArray(found) && Array.isArray(sent)) {
    if (isOperatingHours(found) && sortedText(found) === sortedText(sent)) return sent;
    return found.map((item, at) => align(item, sent[at], undefined));
  }
  if (isJsonObject(found) && isJsonObject(sent)) {
    const members = Object.entries(found);
    return Object.fromEntries(members.map(([key, value]) => [key, align(value, own(sent, key), key)]));
  }
  if (typeof found !== 'string' || typeof sent !== 'string') return found;
  const isCaseless = CASELESS.some((caseless) => caseless === name);
  return isCaseless && found.toLowerCase() === sent.toLowerCase() ? sent : found;
}

function own(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function sortedText(hours: readonly unknown[]): string {
  return hours.map(canonicalJson).sort().join();
}

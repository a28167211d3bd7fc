/** Compares the state of a supply source with the body to send, and with the body that was sent. */

import { canonicalJson } from '../../../base/canonical-json.ts';
import { isJsonObject } from '../../../base/json.ts';
import { findDifferences, type JsonDifference } from '../../../base/json-difference.ts';
import { own } from '../../../service/facts/schema-parts.ts';
import { dropNulls } from './body.ts';
import { isOperatingHours } from './hours.ts';

/**
 * Finds the differences. Opening hours, lists of plain values and durations change as a whole, because a user
 * reads them as one.
 */
export function compareSupplySources(before: unknown, after: unknown): JsonDifference[] {
  return findDifferences(before, after, isReadAsOne);
}

function isReadAsOne(before: unknown, after: unknown): boolean {
  if (!Array.isArray(before) || !Array.isArray(after)) return isDuration(before) && isDuration(after);
  const both: unknown[] = [...before, ...after];
  return isOperatingHours(both) || both.every((item) => typeof item !== 'object' || item === null);
}

/** Returns true for a number with its unit, which are read together: `4 hours`. */
function isDuration(value: unknown): boolean {
  return isJsonObject(value) && Object.keys(value).sort().join() === 'timeUnit,value';
}

/** The members whose values the service sometimes returns in another case (`Order` as `ORDER`). */
const CASELESS = ['timeUnit', 'throughputUnit', 'parkingCostType', 'parkingSpotIdentificationType'];

/**
 * Finds the differences between the sent body (`before`) and the state read back (`after`), both without
 * read-only members (`toWritableSupplySource`). Equivalent forms are no differences: the order of the
 * openings within one day, the order of members, null against absent, the case of units.
 */
export function compareReadBack(sent: unknown, found: unknown): JsonDifference[] {
  const expected = dropNulls(sent);
  return compareSupplySources(expected, align(dropNulls(found), expected, undefined));
}

/** Returns `found`, with equivalent values replaced by their counterparts in `sent`. */
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

function sortedText(hours: readonly unknown[]): string {
  return hours.map(canonicalJson).sort().join();
}

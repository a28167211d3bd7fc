/**
 * Represents changed members as values rather than text, for the table of a batch's outcome, and for queries.
 */

import type { JsonDifference } from '../../base/json-difference.ts';
import type { NamePath } from './format/describe-difference.ts';
import { describeValue } from './format/value.ts';
import { isOperatingHours } from './store/hours.ts';
import { dayOf } from './store/store-path.ts';

/** A number if it is one, else text; null if the member did not exist, or no longer exists. */
export type PlainValue = string | number | null;

export interface MemberValue {
  /**
   * The name that the question uses: `price`, `sale price (business customers)`. It has names from outside:
   * escape it.
   */
  member: string;
  old: PlainValue;
  new: PlainValue;
  /** The currency of an amount. */
  currency?: string;
}

/** Returns the values of differences that are named by their paths. */
export function valuesByPath(differences: readonly JsonDifference[], place: NamePath): MemberValue[] {
  return differences.map(({ segments, before, after }) => {
    const day = dayOf(segments);
    const at = day === undefined ? segments : segments.slice(0, -1);
    const member = [place(at, identityText), ...(day === undefined ? [] : [day])].join(', ');
    const plain = (value: unknown) =>
      isOperatingHours(value) ? describeValue(value, segments, Infinity, identityText) : toPlain(value);
    return { member, old: plain(before), new: plain(after) };
  });
}

/**
 * Returns the change in percent, rounded to hundredths, but never to a wrong whole number: -24.996 is not 25
 * less.
 */
export function percentOf({ old, new: next }: Pick<MemberValue, 'old' | 'new'>): number | undefined {
  if (typeof old !== 'number' || typeof next !== 'number' || old <= 0) return undefined;
  const exact = ((next - old) / old) * 100;
  const rounded = Math.round(exact * 100) / 100;
  return Number.isInteger(rounded) ? Math.round(exact * 10_000) / 10_000 : rounded;
}

export const identityText = (text: string) => text;

export function toPlain(value: unknown): PlainValue {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value);
}

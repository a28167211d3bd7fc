/** What a change makes of a member, as values rather than words: for the table of what became of a list, and for queries. */

import type { Difference } from '../../base/json-difference.ts';
import { isOperatingHours } from './store/hours.ts';
import { dayOf } from './store/place-words.ts';
import type { NamePlace } from './words/describe-difference.ts';
import { describeValue } from './words/value.ts';

/** A number where it is one, else text; null where it was not there, or is not there afterwards. */
export type PlainValue = string | number | null;

export interface MemberValue {
  /** As the question calls it: `price`, `sale price (business customers)`. Holds names from outside: escape it. */
  member: string;
  old: PlainValue;
  new: PlainValue;
  /** Of an amount. */
  currency?: string;
}

/** Of what is told place by place. */
export function placeValues(differences: readonly Difference[], place: NamePlace): MemberValue[] {
  return differences.map(({ segments, before, after }) => {
    const day = dayOf(segments);
    const at = day === undefined ? segments : segments.slice(0, -1);
    const member = [place(at, asItIs), ...(day === undefined ? [] : [day])].join(', ');
    const plain = (value: unknown) =>
      isOperatingHours(value) ? describeValue(value, segments, Infinity, asItIs) : toPlain(value);
    return { member, old: plain(before), new: plain(after) };
  });
}

/** Rounded to hundredths, but never to a whole number that it is not: -24.996 is less than 25. */
export function percentOf({ old, new: next }: Pick<MemberValue, 'old' | 'new'>): number | undefined {
  if (typeof old !== 'number' || typeof next !== 'number' || old <= 0) return undefined;
  const exact = ((next - old) / old) * 100;
  const rounded = Math.round(exact * 100) / 100;
  return Number.isInteger(rounded) ? Math.round(exact * 10_000) / 10_000 : rounded;
}

export const asItIs = (text: string) => text;

export function toPlain(value: unknown): PlainValue {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value);
}

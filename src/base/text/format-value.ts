/** Formats counts and kinds of values. */

import { isJsonObject } from '../json.ts';

/** Formats the kind and size of a value: `object, 12 members`. */
export function describeKind(value: unknown): string {
  if (Array.isArray(value)) return `array, ${value.length} elements`;
  if (isJsonObject(value)) return `object, ${Object.keys(value).length} members`;
  return typeof value === 'string' ? `text, ${value.length} characters` : typeof value;
}

export const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Formats `1 issue`, `2 issues`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Formats `25,000`. */
export const count = (number: number) => number.toLocaleString('en-US');

/** Formats names and values on one line: `{ sku: A-1, price: 19.99 USD }`. */

import { isJsonObject } from '../../base/json.ts';
import { delimit, showText } from '../../base/text/escape-text.ts';
import { formatPageToken } from './page-token.ts';
import { SAME_MESSAGE, SAME_MESSAGE_TEXT } from './repeated-messages.ts';
import { totalOf } from './select/part.ts';

const PLAIN_NAME = /^[A-Za-z_$][\w$.-]{0,79}$/;

/** Formats a member name: as it is if it can only be a name, otherwise delimited. */
export function formatMemberName(name: string): string {
  return PLAIN_NAME.test(name) ? name : delimit(name);
}

/**
 * Formats a value on one line of at most `max`: `19.99 USD` for money, `A, B` for a list of plain
 * values, `{ value: 2, timeUnit: Hours }` for a small object. Returns undefined when it is longer.
 */
export function formatInline(value: unknown, max: number): string | undefined {
  const inline = writeInline(value, max, 0);
  return inline !== undefined && inline.length <= max ? inline : undefined;
}

function writeInline(value: unknown, max: number, depth: number): string | undefined {
  if (value === SAME_MESSAGE) return SAME_MESSAGE_TEXT;
  if (typeof value === 'string') return value.length > max ? undefined : showText(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (depth > 2) return undefined;
  if (Array.isArray(value)) return writeList(value, max, depth);
  return isJsonObject(value) ? (formatMoneyAmount(value) ?? writeObject(value, max, depth)) : undefined;
}

function writeList(value: readonly unknown[], max: number, depth: number): string | undefined {
  if (value.length > max) return undefined;
  const inline = joinAll(
    value.map((element) => () => writeInline(element, max, depth + 1)),
    max,
  );
  const simple =
    depth === 0 && value.length > 0 && value.every((each) => typeof each !== 'object' || each === null);
  if (inline === undefined) return undefined;
  const cut = value.length < totalOf(value) ? ` (${formatListCount(value)})` : '';
  return `${simple ? inline : `[${inline}]`}${cut}`;
}

function writeObject(value: Record<string, unknown>, max: number, depth: number): string | undefined {
  const names = Object.keys(value);
  if (names.length === 0) return '{}';
  const inline = joinAll(
    names.map((name) => () => {
      if (isEmptyList(value[name])) return `${formatMemberName(name)}: []`;
      const inner = formatPageToken(name, value[name]) ?? writeInline(value[name], max, depth + 1);
      return inner === undefined ? undefined : `${formatMemberName(name)}: ${inner}`;
    }),
    max,
  );
  return inline === undefined ? undefined : `{ ${inline} }`;
}

/** Joins texts with commas; returns undefined as soon as the result is longer than `max`. */
function joinAll(writers: readonly (() => string | undefined)[], max: number): string | undefined {
  let joined = '';
  for (const [i, write] of writers.entries()) {
    const next = write();
    if (next === undefined) return undefined;
    joined += i === 0 ? next : `, ${next}`;
    if (joined.length > max) return undefined;
  }
  return joined;
}

/**
 * Returns `19.99 USD` for an object of exactly a currency code and an amount, in any case; the amount is as
 * sent.
 */
export function formatMoneyAmount(value: Record<string, unknown>): string | undefined {
  const members = Object.entries(value);
  const find = (wanted: string) => members.find(([name]) => name.toLowerCase() === wanted)?.[1];
  const [code, amount] = [find('currencycode'), find('amount')];
  if (members.length !== 2 || typeof code !== 'string') return undefined;
  if (typeof amount !== 'number' && typeof amount !== 'string') return undefined;
  return `${typeof amount === 'string' ? showText(amount) : amount} ${showText(code)}`;
}

export const isEmptyList = (value: unknown) => Array.isArray(value) && totalOf(value) === 0;

/** Returns `50`, or `28 of 50` if some elements were omitted. */
export function formatListCount(list: readonly unknown[]): string {
  const total = totalOf(list);
  return list.length < total ? `${list.length} of ${total}` : `${total}`;
}

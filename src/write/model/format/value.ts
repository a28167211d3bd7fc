/**
 * Renders one value on one line: hours, durations, money and marketplaces in words, every text in quotes,
 * long ones cut and counted.
 */

import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import type { Segments } from '../../../base/json-difference.ts';
import { hasHidden, quoteText, showText } from '../../../base/text/escape-text.ts';
import { isMarketplaceName } from '../../../service/facts/marketplace-members.ts';
import { decimalsOf, marketplaceLabel } from '../../../service/facts/marketplaces.ts';
import { isOperatingHours } from '../store/hours.ts';

/** The max characters of one value where not all have room. */
export const MAX_VALUE = 240;

/** Makes text that came from the service or the caller safe to show where the result goes. */
export type ShowText = (text: string) => string;

/**
 * Returns true for a text whose characters are all visible, and none of which ends its quotes or looks like a
 * delimiter.
 */
function isPlainText(value: string): boolean {
  return !/["\\«»\p{Cc}]/u.test(value) && !hasHidden(value);
}

/**
 * Renders a value on one line; beyond `most` characters it is cut, and the missing characters are counted.
 */
export function describeValue(
  value: unknown,
  segments: Segments,
  most = MAX_VALUE,
  show: ShowText = showText,
): string {
  const own = formatOwn(value, segments);
  if (own !== undefined && own.length <= most) return own;
  const text = own ?? write(value, segments);
  if (typeof value === 'string' && text.length <= most && isPlainText(value)) return text;
  if (text.length <= most) return show(text);
  const characters = [...text];
  const rest = characters.length - most;
  if (rest <= 0) return show(text);
  return `${show(characters.slice(0, most).join(''))}... (${rest} more characters)`;
}

/**
 * Returns our own words for a value. They need no delimiters, because text from outside enters them only by
 * narrow patterns.
 */
function formatOwn(value: unknown, segments: Segments): string | undefined {
  if (value === undefined) return 'nothing';
  if (isPlainHours(value) && (value.length > 0 || isDay(segments))) return writeHours(value);
  const items = Array.isArray(value) ? value : [value];
  const names = items.flatMap((item) => writeMarketplace(item, segments) ?? []);
  if (names.length > 0 && names.length === items.length) {
    return Array.isArray(value) ? `[${names.join(', ')}]` : names[0];
  }
  if (typeof value === 'string') return writeIsoDuration(value);
  return isJsonObject(value) ? (writeDuration(value) ?? writeMoney(value)) : undefined;
}

/** Names a known marketplace without quotes, because no text from outside can look like it. */
function writeMarketplace(value: unknown, segments: Segments): string | undefined {
  const name = segments.findLast((segment) => typeof segment === 'string');
  if (typeof value !== 'string' || typeof name !== 'string' || !isMarketplaceName(name)) return undefined;
  return marketplaceLabel(value);
}

function write(value: unknown, segments: Segments): string {
  const own = formatOwn(value, segments);
  if (own !== undefined) return own;
  if (Array.isArray(value)) {
    return value.length === 0
      ? 'an empty list'
      : `[${value.map((item) => write(item, [...segments, 0])).join(', ')}]`;
  }
  if (isJsonObject(value)) return writeObject(value, segments);
  return typeof value === 'string' ? quoteText(value) : (JSON.stringify(value) ?? String(value));
}

function writeObject(value: JsonObject, segments: Segments): string {
  const members = Object.entries(value).map(
    ([name, inner]) => `${quoteText(name)}: ${write(inner, [...segments, name])}`,
  );
  return members.length === 0 ? 'an empty object' : `{ ${members.join(', ')} }`;
}

/** Matches a unit that needs no quotes, because it can be nothing else. */
const PLAIN_UNIT = /^[A-Za-z]{1,20}$/;

/** Renders exactly a number and its unit: `2 days`. */
function writeDuration(value: JsonObject): string | undefined {
  const { value: amount, timeUnit } = value;
  if (typeof amount !== 'number' || Object.keys(value).length !== 2) return undefined;
  return typeof timeUnit === 'string' && PLAIN_UNIT.test(timeUnit) ? countUnits(amount, timeUnit) : undefined;
}

const ISO_DURATION =
  /^P(?!$)(?:(\d{1,4})Y)?(?:(\d{1,4})M)?(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?!$)(?:(\d{1,4})H)?(?:(\d{1,4})M)?(?:(\d{1,4})S)?)?$/;
const ISO_UNITS = ['year', 'month', 'week', 'day', 'hour', 'minute', 'second'];

/** Renders `P2D` as `2 days`. */
function writeIsoDuration(text: string): string | undefined {
  const [whole, ...counts] = ISO_DURATION.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const parts = counts.flatMap((count, at) =>
    count === undefined ? [] : [countUnits(Number(count), ISO_UNITS[at] ?? '')],
  );
  return parts.join(' ');
}

/** Formats a count with its unit, however the service spells it: `1 day`, `2 days`. */
export function countUnits(count: number, unit: string): string {
  const one = unit.toLowerCase().replace(/s$/, '');
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}

const PLAIN_AMOUNT = /^-?\d{1,15}(?:\.\d{1,6})?$/;
const CURRENCY = /^[A-Z]{3}$/;

/**
 * Formats money with the decimals of the currency: `73.50 EUR`, `1200 JPY`; undefined unless amount and
 * currency can be nothing else.
 */
export function formatMoney(amount: unknown, currency: unknown): string | undefined {
  const isAmount = typeof amount === 'number' || (typeof amount === 'string' && PLAIN_AMOUNT.test(amount));
  if (!isAmount || typeof currency !== 'string' || !CURRENCY.test(currency)) return undefined;
  return `${typeof amount === 'number' ? formatAmount(amount, currency) : amount} ${currency}`;
}

/**
 * Pads an amount to the decimals of the currency; it is never rounded, because the shown value is the sent
 * one.
 */
function formatAmount(amount: number, currency: string): string {
  const text = String(amount);
  const [, whole, decimals = ''] = /^(-?\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const padded = decimals.padEnd(decimalsOf(currency), '0');
  return whole === undefined || padded === '' ? text : `${whole}.${padded}`;
}

/** Renders an object of exactly an amount and a currency, however they are called. */
function writeMoney(value: JsonObject): string | undefined {
  const members = Object.entries(value);
  const [currency] = members.filter(([name]) => /^currency(?:code)?$/i.test(name));
  const [amount] = members.filter(([name]) => /^(?:amount|currencyAmount)$/i.test(name));
  return members.length === 2 ? formatMoney(amount?.[1], currency?.[1]) : undefined;
}

interface PlainHour {
  startTime?: string;
  endTime?: string;
}

const PLAIN_TIME = /^\d{1,2}:\d{2}(?::\d{2})?$/;

/** Returns true for plain opening hours; any other value is written out in full. */
function isPlainHours(value: unknown): value is PlainHour[] {
  const isPlain = (time: unknown) =>
    time === undefined || (typeof time === 'string' && PLAIN_TIME.test(time));
  return (
    isOperatingHours(value) && value.every(({ startTime, endTime }) => isPlain(startTime) && isPlain(endTime))
  );
}

function writeHours(hours: readonly PlainHour[]): string {
  if (hours.length === 0) return 'closed';
  return hours.map(({ startTime, endTime }) => `${startTime ?? '?'}-${endTime ?? '?'}`).join(', ');
}

/** Returns true for the list of one day: `...operatingHoursByDay.sunday`. */
export function isDay(segments: Segments): boolean {
  return segments.at(-2) === 'operatingHoursByDay';
}

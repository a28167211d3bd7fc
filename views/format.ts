/** Numbers, money, days and foreign text as a reader has them: in the reader's own locale, and harmless. */

import type { Money } from './data.ts';

const numbers = new Intl.NumberFormat();
const percents = new Intl.NumberFormat(undefined, {
  style: 'percent',
  maximumFractionDigits: 0,
});
/** Percentages keep two decimals, because a price of 0.01 is not 100 % less. */
const changes = new Intl.NumberFormat(undefined, {
  style: 'percent',
  maximumFractionDigits: 2,
  signDisplay: 'exceptZero',
});
const times = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const currencies = new Map<string, Intl.NumberFormat | undefined>();

export const formatNumber = (value: number): string => numbers.format(value);
export const formatPercent = (part: number): string => percents.format(part);
/** Formats a change, such as `+4.5%` or `-99.95%`. @param share of what there was before */
export const formatChangeShare = (share: number): string => changes.format(share);

/** `15 listings`, `1 listing`. */
export const plural = (number: number, one: string, many = `${one}s`): string =>
  `${formatNumber(number)} ${number === 1 ? one : many}`;

export function formatMoney({ amount, currency }: Money): string {
  if (currency === null) return formatNumber(amount);
  return currencyFormat(currency)?.format(amount) ?? `${formatNumber(amount)} ${visible(currency)}`;
}

/** One sum for each currency, in the order in which they come. */
export function sumOf(all: readonly Money[]): Money[] {
  const sums = new Map<string | null, number>();
  for (const { amount, currency } of all) sums.set(currency, (sums.get(currency) ?? 0) + amount);
  return [...sums].map(([currency, amount]) => ({ amount, currency }));
}

/** Undefined for what is no currency. */
function currencyFormat(currency: string): Intl.NumberFormat | undefined {
  if (!currencies.has(currency)) {
    const isCode = /^[A-Z]{3}$/.test(currency);
    currencies.set(
      currency,
      isCode ? new Intl.NumberFormat(undefined, { style: 'currency', currency }) : undefined,
    );
  }
  return currencies.get(currency);
}

/** ISO 8601; a day alone stays the day that it is, a moment is told in the reader's zone. */
export function formatTime(iso: string): string {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return visible(iso);
  return /^\d{4}-\d\d-\d\d$/.test(iso) ? days.format(time) : times.format(time);
}

/** Characters that are not seen, or turn others around, are spelled out: nothing hides, nothing pretends. Joiners stay. */
const HIDDEN = /(?!\u200d|[\t\n\u200c\u0600-\u0605\u06dd\u070f])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

export const visible = (text: string): string =>
  text.replace(
    HIDDEN,
    (character) => `[U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`,
  );

/** Compares text in the reader's alphabet and numbers by size; missing values come last. */
const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

export type Sortable = string | number | null;

export function compare(one: Sortable, other: Sortable): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return collator.compare(String(one), String(other));
}

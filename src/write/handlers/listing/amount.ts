/**
 * Reads an amount of money from a seller or a query: a number, `17.99` or `17.99 EUR`. It rejects a text that
 * could be read in two ways.
 */

import { quoteText } from '../../../base/text/escape-text.ts';
import { decimalsOf } from '../../../service/facts/marketplaces.ts';

export interface PriceAmount {
  value: number;
  /** Present only where it was given with the amount. */
  currency?: string;
}

const TEXT = /^(?:([A-Z]{3})\s*)?(-?\d{1,15}(?:\.\d{1,12})?)(?:\s*([A-Z]{3}))?$/;
/** A currency before or after an amount. */
const CURRENCY = /^(?:[A-Za-z]{3}|\p{Sc})|(?:[A-Za-z]{3}|\p{Sc})$/gu;
const DIGITS = /^[\d.,' -]+$/;
/** Matches the decimal separator of `1.299,00` and `1,299.00`. */
const LAST_SEPARATOR = /[.,](?=\d{1,2}\D*$)/;
/** The maximum length to quote, because a text that is no amount can be long. */
const MAX_SHOWN = 40;

/** @returns the amount, or a problem that continues a sentence after the member's name */
export function readAmount(given: unknown): PriceAmount | string {
  if (typeof given === 'number') {
    return Number.isFinite(given) ? { value: given } : 'must be a number such as 17.99';
  }
  if (typeof given !== 'string') return 'must be a number such as 17.99';
  const text = given.trim();
  const [, before, digits, behind] = TEXT.exec(text) ?? [];
  if (digits === undefined) return notAnAmount(text);
  const currency = before ?? behind;
  if (before !== undefined && behind !== undefined && before !== behind) return notAnAmount(text);
  return { value: Number(digits), currency };
}

function notAnAmount(text: string): string {
  const shown = quoteText(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text);
  const isAmount = DIGITS.test(text.replace(CURRENCY, '').trim()) && text.includes(',') && /\d/.test(text);
  if (!isAmount) return `must be a number such as 17.99, or "17.99 EUR"; ${shown} is neither`;
  const at = LAST_SEPARATOR.exec(text)?.index;
  const digits = (part: string) => part.replace(/\D/g, '');
  const meant = at === undefined ? undefined : `${digits(text.slice(0, at))}.${digits(text.slice(at))}`;
  return `must be a number with a point, without a comma: ${meant === undefined ? `1299.00 rather than "1,299.00"; ${shown} can be read two ways` : `write ${meant} instead of ${shown}`}`;
}

/**
 * A difference up to this size comes from the arithmetic of a query, not from a decimal that someone gave.
 */
const TOLERANCE = 1e-6;

/** Returns the amount in the decimals of its currency, or the problem with it. */
export function checkAmount(value: number, currency: string): number | string {
  if (!(value > 0)) return `must be more than 0, not ${value}`;
  const decimals = decimalsOf(currency);
  const factor = 10 ** decimals;
  const rounded = Math.round(value * factor) / factor;
  // A value that would round to zero is no rounding error.
  if (Math.abs(value - rounded) < TOLERANCE && rounded > 0) return rounded;
  const allowed = decimals === 0 ? 'no decimals' : `at most ${decimals} decimals`;
  return `has too many decimals: amounts in ${currency} have ${allowed}, and ${value} has more (in a query: round(price * 0.9, ${decimals}))`;
}

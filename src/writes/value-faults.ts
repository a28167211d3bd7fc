/** Single values of a supply source that are probably wrong: numbers, e-mail addresses, phone numbers. */

import type { Segments } from './json.ts';

/** One thing that is probably wrong, and where. */
export interface Fault {
  segments: Segments;
  message: string;
}

/** JSON-quoted, cut after 80 characters: a message names a value, it does not repeat a document. */
export function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 80 ? text : `${text.slice(0, 80)}...`;
}

/** Every number of a supply source counts something: hours, orders, parking spots. */
export function checkNumber(value: number, segments: Segments): Fault[] {
  if (value < 0) return [{ segments, message: `${value} is negative` }];
  if (!Number.isInteger(value)) {
    return [
      { segments, message: `${value} is not a whole number; the public definition takes whole numbers only` },
    ];
  }
  return [];
}

/** Two grades: no mail could arrive there, or the public definition's own pattern does not take it. */
export function checkEmail(value: string, segments: Segments): Fault[] {
  if (value === '') return [];
  const quoted = quote(value);
  if (!/^[^\s@<>,;:"()]+@[^\s@.]+(\.[^\s@.]+)+$/.test(value)) {
    return [{ segments, message: `${quoted} cannot be an e-mail address` }];
  }
  if (!/^[\w.-]+@[\w.-]+\.[a-z]{2,5}$/i.test(value)) {
    const reason = 'before the @ only letters, digits, _ . - and at the end 2 to 5 letters';
    return [{ segments, message: `${quoted} may be refused: the public definition takes ${reason}` }];
  }
  return [];
}

/** 5 to 15 digits (E.164's longest) with the usual separators, and perhaps an extension. */
export function checkPhone(value: string, segments: Segments): Fault[] {
  if (value === '') return [];
  const number = value.trim().replace(/\s{0,2}(?:x|ext\.?|#)\s{0,2}\d{1,6}$/i, '');
  const digits = number.replace(/\D/g, '').length;
  if (/^\+?[\d\s().\-/]+$/.test(number) && digits >= 5 && digits <= 15) return [];
  return [{ segments, message: `${quote(value)} cannot be a phone number (5 to 15 digits)` }];
}

/** Reads the response headers: request id, rate limit, retry time (sections 4.2 and 8). */

import { ServiceText } from '../../base/text/service-text.ts';

type Headers = Readonly<Record<string, string>>;

/** The documented name first, then the one that SP-API uses. */
const REQUEST_ID = ['x-svc-requestid', 'x-amzn-requestid'];
const RATE_LIMIT = ['x-svc-ratelimit-limit', 'x-amzn-ratelimit-limit'];

export function requestIdOf(headers: Headers): ServiceText | undefined {
  return wordsOf(firstOf(headers, REQUEST_ID));
}

/** Returns the rate limit as it was sent. */
export function rateLimitOf(headers: Headers): ServiceText | undefined {
  return wordsOf(firstOf(headers, RATE_LIMIT));
}

/** Requests per second when the header holds a positive number (`0.0167`; the first of `5, 5`). */
export function requestsPerSecondOf(headers: Headers): number | undefined {
  const rate = Number.parseFloat(firstOf(headers, RATE_LIMIT) ?? '');
  return Number.isFinite(rate) && rate > 0 ? rate : undefined;
}

/** A longer wait is not believed: one wrong answer would close an operation until the process ends. */
export const MAX_RETRY_AFTER_MS = 3_600_000;

/**
 * Milliseconds to wait, from Retry-After in seconds or as a date; never negative, never more than an hour.
 * A date is read against the service's own Date header where there is one, since clocks differ.
 */
export function retryAfterMsOf(headers: Headers, wallClock: number): number | undefined {
  const value = headers['retry-after']?.trim();
  if (value === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Math.min(MAX_RETRY_AFTER_MS, Number(value) * 1000);
  // Date.parse takes almost anything for a date; a real one names its month.
  const until = /[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  const serverNow = Date.parse(headers.date ?? '');
  const ms = until - (Number.isNaN(serverNow) ? wallClock : serverNow);
  return Math.min(MAX_RETRY_AFTER_MS, Math.max(0, ms));
}

/** The host that a redirect names, where it names one. */
export function redirectHostOf({ location }: Headers): ServiceText | undefined {
  return location !== undefined && URL.canParse(location) ? wordsOf(new URL(location).host) : undefined;
}

function wordsOf(text: string | undefined): ServiceText | undefined {
  return text === undefined || text === '' ? undefined : new ServiceText(text);
}

function firstOf(headers: Headers, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = headers[name];
    if (value !== undefined && value !== '') return value;
  }
  return undefined;
}

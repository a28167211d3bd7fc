import { describe, expect, it } from 'vitest';
import {
  requestIdOf,
  requestsPerSecondOf,
  retryAfterMsOf,
} from '../../../src/call/transport/response-headers.ts';
import { words } from '../../helpers/words.ts';

const noon = Date.parse('Fri, 20 Nov 2026 12:00:00 GMT');

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['7', 7000],
    ['1.5', 1500],
    ['Fri, 20 Nov 2026 12:00:30 GMT', 30_000],
    ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
    ['soon', undefined],
    ['-5', undefined],
    ['', undefined],
  ])('%j is %s ms', (value, ms) => expect(retryAfterMsOf({ 'retry-after': value }, noon)).toBe(ms));

  it('is read against the clock of the service where it tells its time', () => {
    const headers = { 'retry-after': 'Fri, 20 Nov 2026 12:00:30 GMT', date: 'Fri, 20 Nov 2026 12:00:20 GMT' };
    expect(retryAfterMsOf(headers, noon - 3_600_000)).toBe(10_000);
  });
});

describe('the rate header', () => {
  it.each([
    ['0.0167', 0.0167],
    ['5.0', 5],
    ['5, 5', 5],
    ['0', undefined],
    ['-1', undefined],
    ['unlimited', undefined],
  ])('%j is %s per second', (value, rate) => {
    expect(requestsPerSecondOf({ 'x-svc-ratelimit-limit': value })).toBe(rate);
    expect(requestsPerSecondOf({ 'x-amzn-ratelimit-limit': value })).toBe(rate);
  });

  it('prefers the documented names', () => {
    expect(requestIdOf({ 'x-svc-requestid': 'a', 'x-amzn-requestid': 'b' })).toEqual(words('a'));
    expect(requestIdOf({})).toBeUndefined();
  });
});

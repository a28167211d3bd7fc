/** Days and moments of a sale, as a calendar knows them. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkSale, readMoment } from '../../../../src/write/model/listing/sale-dates.ts';

const HOUR_MS = 3_600_000;
const moment = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2099, 11) });
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

it('every day is one, and every moment in every usual spelling', () => {
  fc.assert(
    fc.property(moment, fc.integer({ min: -12, max: 12 }), (at, hours) => {
      const whole = at - (at % 1_000);
      expect(readMoment(dayOf(at))).toBe(Date.parse(dayOf(at)));
      const text = new Date(whole).toISOString();
      expect(readMoment(text)).toBe(whole);
      expect(readMoment(text.replace('.000Z', 'Z'))).toBe(whole);
      expect(readMoment(`${text.slice(0, 16)}Z`)).toBe(whole - (whole % 60_000));
      const local = new Date(whole + hours * HOUR_MS).toISOString().slice(0, 19);
      const zone = `${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}`;
      expect(readMoment(`${local}${zone}:00`)).toBe(whole);
      expect(readMoment(`${local}${zone}00`)).toBe(whole);
    }),
  );
});

it.each([
  '2026-02-30',
  '2026-13-01',
  '2026-00-10',
  '2026-02-30T08:00:00Z',
  '2026-1-1',
  ' 2026-01-01',
  '2026-01-01 ',
  '2026-01-01T08:00:00',
  '2026-01-01T8:00Z',
  '2026-01-01T08Z',
  '2026-01-01T25:00Z',
  '2026-01-01T08:00:00+1',
  '2026-01-01T08:00:00.1234567Z',
  '',
])('%j is none', (text) => {
  expect(readMoment(text)).toBeUndefined();
});

describe('a sale', () => {
  it('ends after it begins, and not before now; a day is over when it is over everywhere', () => {
    fc.assert(
      fc.property(moment, moment, moment, (a, b, now) => {
        const [from, to] = [dayOf(a), dayOf(b)];
        const problem = checkSale(from, to, now);
        if (to < from) expect(problem).toBe(`is before the sale begins: it would run from ${from} to ${to}`);
        else if (Date.parse(to) + 36 * HOUR_MS < now)
          expect(problem).toBe(`has passed: the sale would have ended on ${to}`);
        else expect(problem).toBeUndefined();
      }),
    );
  });
  it('to the moment', () => {
    const [from, to] = ['2026-01-01', '2026-01-02'];
    const end = Date.parse(to) + 36 * HOUR_MS;
    expect(checkSale(from, to, end)).toBeUndefined();
    expect(checkSale(from, to, end + 1)).toMatch(/^has passed/);
    expect(checkSale(from, `${to}T00:00:00Z`, Date.parse(to))).toBeUndefined();
    expect(checkSale(from, `${to}T00:00:00Z`, Date.parse(to) + 1)).toMatch(/^has passed/);
    expect(checkSale(from, from, 0)).toBeUndefined();
  });
  it('in another form is not judged', () => {
    expect(checkSale('2026-01-01', 'odd', 0)).toBeUndefined();
    expect(checkSale('odd', '1999-01-01', Date.now())).toBeUndefined();
  });
});

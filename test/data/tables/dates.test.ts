/** Dates of reports: a day that there is, in the order that its zone and its numbers say. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dateReader, looksLikeDate, newDayOrder } from '../../../src/data/tables/dates.ts';

const read = (text: string, type = 'GET_MERCHANT_LISTINGS_ALL_DATA') => dateReader(type)(text, newDayOrder());

it.each([
  ['2026-02-28T10:00:00+02:00', '2026-02-28T08:00:00Z'],
  ['2026-02-31T10:00:00+02:00', undefined],
  ['2026-02-31T10:00:00+00:00', undefined],
  ['2028-02-29', '2028-02-29'],
  ['2026-02-29', undefined],
  ['2026-02-31 10:00:00 PST', undefined],
  ['12/25/2025 12:30:00 PM PST', '2025-12-25T20:30:00Z'],
  ['12/25/2025 12:30:00 AM PST', '2025-12-25T08:30:00Z'],
  ['12/25/2025 1:30:00 PM PST', '2025-12-25T21:30:00Z'],
])('%s is read as %s', (text, moment) => {
  expect(read(text)).toBe(moment);
});

it.each([
  ['12/13/2026 10:00:00 PST', '2026-12-13T18:00:00Z'],
  ['13/12/2026 10:00:00 PST', '2026-12-13T18:00:00Z'],
  ['13/12/2026 10:00:00 GMT', '2026-12-13T10:00:00Z'],
  ['12/13/2026 10:00:00 GMT', '2026-12-13T10:00:00Z'],
])('the twelfth month in front of a day, or behind it: %s is read as %s', (text, moment) => {
  expect(read(text)).toBe(moment);
});

it('the first number tells the order only above 12: 12/05 may be either, and is told as that', () => {
  const order = newDayOrder();
  expect(dateReader('GET_MERCHANT_LISTINGS_ALL_DATA')('12/05/2026 10:00:00 PST', order)).toBe(
    '2026-05-12T18:00:00Z',
  );
  expect(order).toMatchObject({ day: false, month: false, isLoose: true });
});

const pad = (number: number) => String(number).padStart(2, '0');
const anyMoment = fc.record({
  year: fc.integer({ min: 1990, max: 2035 }),
  month: fc.integer({ min: 0, max: 13 }),
  day: fc.integer({ min: 0, max: 32 }),
  time: fc.constantFrom('00:00:00', '10:20:30', '23:59:59'),
});

/** The moment, with an offset in hours; undefined where no calendar has the day. */
function utcOf(year: number, month: number, day: number, time: string, hours: number): string | undefined {
  const midnight = new Date(Date.UTC(year, month - 1, day));
  if (midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day) return undefined;
  const [hour = 0, minute = 0, second = 0] = time.split(':').map(Number);
  const ms = midnight.getTime() + ((hour - hours) * 3_600 + minute * 60 + second) * 1_000;
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

it('every day that a calendar has is read with its offset, and no other', () => {
  const offset = fc.constantFrom(['Z', 0], ['+00:00', 0], ['-0000', 0], ['+02:00', 2], ['-0800', -8]);
  fc.assert(
    fc.property(anyMoment, offset, fc.constantFrom('T', ' '), (given, [sign, hours], between) => {
      const { year, month, day, time } = given;
      const date = `${year}-${pad(month)}-${pad(day)}`;
      const expected = utcOf(year, month, day, time, Number(hours));
      expect(read(`${date}${between}${time}${sign}`)).toBe(expected);
      expect(read(`${date}${between}${time} ${sign}`)).toBe(expected);
      expect(read(date)).toBe(expected === undefined ? undefined : date);
    }),
    { numRuns: 300 },
  );
});

/** Hours from UTC of the names that reports write. */
const HOURS = {
  UTC: 0,
  GMT: 0,
  WET: 0,
  WEST: 1,
  BST: 1,
  CET: 1,
  MET: 1,
  MEZ: 1,
  CEST: 2,
  MEST: 2,
  MESZ: 2,
  JST: 9,
  PST: -8,
  PDT: -7,
  EST: -5,
  EDT: -4,
};

it('reads a date with the name of a zone in any of its forms, in any report', () => {
  fc.assert(
    fc.property(anyMoment, fc.constantFrom(...Object.entries(HOURS)), (given, [zone, hours]) => {
      const { year, month, day, time } = given;
      const expected = utcOf(year, month, day, time, hours);
      const [mm, dd] = [pad(month), pad(day)];
      expect(read(`${year}-${mm}-${dd} ${time} ${zone}`)).toBe(expected);
      expect(read(`${dd}.${mm}.${year} ${time} ${zone}`)).toBe(expected);
      const isAmerican = /^[PE][SD]T$/.test(zone);
      // Where the month may stand first, the day is told by being above 12.
      if (month <= 12 && (!isAmerican || day > 12))
        expect(read(`${dd}/${mm}/${year} ${time} ${zone}`)).toBe(expected);
      if (isAmerican && day > 12) expect(read(`${mm}/${dd}/${year} ${time} ${zone}`)).toBe(expected);
      expect(read(`${year}-${mm}-${dd} ${time} ${zone}`, 'GET_SALES_AND_TRAFFIC_REPORT')).toBe(expected);
    }),
    { numRuns: 300 },
  );
});

it('what was seen of the order is noted, and once it is decided it is read so', () => {
  const two = fc.integer({ min: 1, max: 28 });
  fc.assert(
    fc.property(
      two,
      two,
      fc.constantFrom(undefined, 'day' as const, 'month' as const),
      (one, other, decided) => {
        const order = { ...newDayOrder(), decided };
        const text = `${pad(one)}/${pad(other)}/2026 10:00:00 PST`;
        const isMonthFirst =
          other > 12 && one <= 12 ? true : one <= 12 && one !== other && decided === 'month';
        const [month, day] = isMonthFirst ? [one, other] : [other, one];
        expect(dateReader('GET_MERCHANT_LISTINGS_ALL_DATA')(text, order)).toBe(
          utcOf(2026, month, day, '10:00:00', -8),
        );
        expect(order).toEqual({
          day: one > 12,
          month: one <= 12 && other > 12,
          isLoose: one <= 12 && other <= 12 && one !== other,
          decided,
          hasDays: isMonthFirst ? one <= 12 : other <= 12,
          hasMonths: false,
        });
      },
    ),
    { numRuns: 300 },
  );
});

it.each([
  '',
  'x2026-11-20',
  '2026-11-20x',
  '2026-11-20T10:00:00',
  'x2026-11-20T10:00:00Z',
  '2026-11-20T10:00:00Zx',
  '2026-11-20T10:00:00.1234567890Z',
  '2026-11-20T25:00:00+01:00',
  '2026-11-20 10:00:00 XYZ',
  '2026-11-20 10:00:00 toString',
  'x2026-11-20 10:00:00 PST',
  '2026-11-20 10:00:00 PSTX',
  '2026-11-20  10:00:00 PST',
])('%j is no date', (text) => {
  expect(read(text)).toBeUndefined();
});

it.each([
  ['2026-11-20T10:00Z', '2026-11-20T10:00Z'],
  ['2026-11-20T10:00:00.5Z', '2026-11-20T10:00:00.5Z'],
  ['2026-11-20 10:00:00.5+00:00', '2026-11-20T10:00:00.5Z'],
  ['2026-11-20T10:00+0100', '2026-11-20T09:00:00Z'],
  ['2026-11-20T10:00:00.250+01:00', '2026-11-20T09:00:00.250Z'],
])('%s is %s', (text, moment) => {
  expect(read(text)).toBe(moment);
  expect(dateReader(undefined)(text, newDayOrder())).toBe(moment);
});

it('a reader keeps nothing of the value before, whatever came between', () => {
  const reader = dateReader('GET_MERCHANT_LISTINGS_ALL_DATA');
  const texts = ['', '2026-11-20', 'x', '2026-11-20', '2026-11-21', '2026-11-20 10:00:00 UTC', ''];
  expect(texts.map((text) => reader(text, newDayOrder()))).toEqual([
    undefined,
    '2026-11-20',
    undefined,
    '2026-11-20',
    '2026-11-21',
    '2026-11-20T10:00:00Z',
    undefined,
  ]);
});

it.each([
  ['20.11.2026', true],
  ['2026-11-20T10:00', true],
  ['11/20/26, 10:00', true],
  ['1/2/3 x', true],
  ['2026-11-20x', false],
  ['x2026-11-20', false],
  ['20261-11-20', false],
  ['2026-111-20', false],
  ['10-20', false],
])('%s looks like a date: %s', (text, looks) => {
  expect(looksLikeDate(text)).toBe(looks);
});

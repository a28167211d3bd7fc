/** Days, weeks and hours of a zone, held against what the platform says of the same moments. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLocalTime } from '../../../../src/data/tables/worker/sql-local-time.ts';
import { marketplaces } from '../../../../src/service/facts/marketplaces.ts';

const NOW = Date.parse('2026-03-29T00:59:59Z');
const { date, week, month, hour } = createLocalTime(() => NOW);

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Etc/GMT+5',
];
const clocks = new Map(
  ZONES.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
  ]),
);

/** The week that a Thursday is in, counted day by day. */
function weekOf(day: string): string {
  const thursday = new Date(`${day}T00:00:00Z`);
  while (thursday.getUTCDay() !== 1) thursday.setUTCDate(thursday.getUTCDate() - 1);
  thursday.setUTCDate(thursday.getUTCDate() + 3);
  const year = thursday.getUTCFullYear();
  let number = 0;
  while (thursday.getUTCFullYear() === year) {
    number += 1;
    thursday.setUTCDate(thursday.getUTCDate() - 7);
  }
  return `${year}-W${String(number).padStart(2, '0')}`;
}

const moment = fc.date({ min: new Date('1965-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });

it('any moment is on the day, in the week and the hour that its clock shows there', () => {
  fc.assert(
    fc.property(moment, fc.constantFrom(...ZONES), (when, zone) => {
      const shown = clocks.get(zone)?.format(when) ?? '';
      const text = when.toISOString();
      expect(date(text, zone)).toBe(shown.slice(0, 10));
      expect(hour(text, zone)).toBe(Number(shown.slice(11, 13)));
      expect(week(text, zone)).toBe(weekOf(shown.slice(0, 10)));
      expect(month(text, zone)).toBe(shown.slice(0, 7));
    }),
    { numRuns: 300 },
  );
});

it('a day stays the day that it is, in any zone', () => {
  fc.assert(
    fc.property(moment, fc.constantFrom(...ZONES), (when, zone) => {
      const day = when.toISOString().slice(0, 10);
      expect(date(day, zone)).toBe(day);
      expect(week(day, zone)).toBe(weekOf(day));
    }),
  );
});

it.each([
  ['2026-03-29T00:59:59Z', '2026-03-29', 1],
  ['2026-03-29T01:00:00Z', '2026-03-29', 3],
  ['2026-10-25T00:59:59Z', '2026-10-25', 2],
  ['2026-10-25T01:00:00Z', '2026-10-25', 2],
  ['2026-11-20 23:30:00.5+00:00', '2026-11-21', 0],
  ['2026-11-20T23:30Z', '2026-11-21', 0],
  ['2026-11-20T23:30:00-02:00', '2026-11-21', 2],
])('%s is in Berlin on %s at %i', (text, day, at) => {
  expect([date(text, 'Europe/Berlin'), hour(text, 'Europe/Berlin')]).toEqual([day, at]);
});

it('now is the clock of this computer, and nothing has no day', () => {
  expect([date('now', 'UTC'), hour('now', 'Europe/Berlin')]).toEqual(['2026-03-29', 1]);
  for (const none of [null, '']) {
    expect([date(none, 'UTC'), week(none, 'UTC'), hour(none, 'UTC')]).toEqual([null, null, null]);
  }
});

it.each([
  ['2026-01-01', '2026-W01'],
  ['2026-11-20', '2026-W47'],
  ['2027-01-03', '2026-W53'],
  ['2024-12-30', '2025-W01'],
  ['1969-12-28', '1969-W52'],
])('%s is in %s', (day, name) => {
  expect(week(day, 'UTC')).toBe(name);
});

describe('what is no day and no moment is told with the function and what to do', () => {
  it.each([
    '2026-11-20T10:00:00',
    '20.11.2026',
    'x2026-11-20',
    // The year 12026.
    '+012026-11-20',
    '+012026-11-20T10:00:00Z',
    '2026-11-20x',
    'x2026-11-20T10:00:00Z',
    '2026-11-20T10:00:00Zx',
    // JavaScript writes and reads its dates in this form.
    '2026-11-20T10:00:00Z (UTC)',
    '2026-13-01',
    '2026-13-01T10:00:00Z',
    '2026-11-20T10:00:00.Z',
    '2026-11-20T10:00+0100',
    'yesterday',
    5,
  ])('%s', (value) => {
    const words = `local_week: «${value}» is no day and no time with an offset (2026-11-20, 2026-11-20T10:00:00Z), so its day in a zone is not known. Leave such rows out, or take the day from the text with substr.`;
    expect(() => week(value, 'UTC')).toThrow(words);
    expect(() => hour(value, 'UTC')).toThrow('local_hour: ');
  });

  it('a day has no hour', () => {
    expect(() => hour('2026-11-20', 'UTC')).toThrow('local_hour: «2026-11-20» has no time.');
  });
});

it.each([
  ['Europe/Berln', 'Europe/Berlin'],
  ['+01:00', undefined],
  ['1Europe/Berlin', 'Europe/Berlin'],
  ['x'.repeat(500), undefined],
])('%s is no zone, even of no moment, and a name that is near is told', (zone, nearest) => {
  expect(() => date(null, zone)).toThrow(
    /^local_date: .* is no time zone\.(?: The nearest name is '[\w/+-]+'\.)? Zones are/,
  );
  if (nearest !== undefined)
    expect(() => date('2026-11-20', zone)).toThrow(`The nearest name is '${nearest}'`);
});

it('a marketplace is named by country, name or ID, and has one zone', () => {
  fc.assert(
    fc.property(moment, fc.constantFrom(...marketplaces()), (when, { id, country, name, timeZone }) => {
      const meant = date(when.toISOString(), timeZone);
      for (const one of [id, country, country.toLowerCase(), name])
        expect(date(when.toISOString(), one)).toBe(meant);
    }),
  );
});

it('without a zone, and without a marketplace of the account, it says how to name one', () => {
  expect(() => month('2026-11-20', null)).toThrow("Write local_month(value, 'Europe/Berlin')");
});

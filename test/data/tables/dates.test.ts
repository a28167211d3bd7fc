/** Dates of reports: a day that there is, in the order that its zone and its numbers say. */

import { expect, it } from 'vitest';
import { dateReader, newDayOrder } from '../../../src/data/tables/dates.ts';

const read = (text: string, type = 'GET_MERCHANT_LISTINGS_ALL_DATA') => dateReader(type)(text, newDayOrder());

it.each([
  ['2026-02-28T10:00:00+02:00', '2026-02-28T08:00:00Z'],
  ['2026-02-31T10:00:00+02:00', undefined],
  ['2026-02-31T10:00:00+00:00', undefined],
  ['2028-02-29', '2028-02-29'],
  ['2026-02-29', undefined],
  ['2026-02-31 10:00:00 PST', undefined],
])('%s is read as %s', (text, moment) => {
  expect(read(text)).toBe(moment);
});

it.each([
  ['12/13/2026 10:00:00 PST', '2026-12-13T18:00:00Z'],
  ['13/12/2026 10:00:00 PST', '2026-12-13T18:00:00Z'],
  ['13/12/2026 10:00:00 GMT', '2026-12-13T10:00:00Z'],
  ['12/13/2026 10:00:00 GMT', undefined],
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

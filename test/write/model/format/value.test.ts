/** One value on one line: in words of ours where it can be nothing else, quoted and marked where it is anything, cut and counted where it is long. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countUnits, describeValue, MAX_VALUE } from '../../../../src/write/model/format/value.ts';

const HOURS = ['outbound', 'operatingHoursByDay', 'monday'];
const format = (value: unknown, segments: readonly (string | number)[] = ['x']) =>
  describeValue(value, segments);

describe('in words of ours', () => {
  const UNITS = ['year', 'month', 'week', 'day', 'hour', 'minute', 'second'];
  const parts = fc.tuple(...UNITS.map(() => fc.option(fc.integer({ min: 0, max: 9_999 }))));
  it('durations, each part with its unit', () => {
    fc.assert(
      fc.property(parts, (counts) => {
        const [day, time] = [counts.slice(0, 4), counts.slice(4)];
        const spell = (some: typeof counts, letters: string) =>
          some.map((count, at) => (count === null ? '' : `${count}${letters[at]}`)).join('');
        const [days, times] = [spell(day, 'YMWD'), spell(time, 'HMS')];
        fc.pre(days + times !== '');
        const text = `P${days}${times === '' ? '' : `T${times}`}`;
        expect(format(text)).toBe(
          counts
            .flatMap((count, at) =>
              count === null ? [] : [`${count} ${UNITS[at]}${count === 1 ? '' : 's'}`],
            )
            .join(' '),
        );
      }),
    );
  });
  it.each(['P', 'PT', 'P1DT', 'P1H', 'PT1D', 'P12345D', 'p1d', ' P1D', 'P1D ', 'P1M1Y'])(
    'not %j, which is none',
    (text) => {
      expect(format(text)).toBe(`"${text}"`);
    },
  );
  it.each([
    [{ value: 4, timeUnit: 'Hours' }, '4 hours'],
    [{ value: 1, timeUnit: 'Days' }, '1 day'],
    [{ value: 4, timeUnit: 'a b' }, '«{ "value": 4, "timeUnit": "a b" }»'],
    [{ value: '4', timeUnit: 'Hours' }, '«{ "value": "4", "timeUnit": "Hours" }»'],
    [{ value: 4, timeUnit: 'Hours', more: 1 }, '«{ "value": 4, "timeUnit": "Hours", "more": 1 }»'],
    [{ amount: 5, currency: 'EUR' }, '5.00 EUR'],
    [{ Amount: '5', CurrencyCode: 'EUR' }, '5 EUR'],
    [{ currencyAmount: 5, currencyCode: 'EUR' }, '5.00 EUR'],
    [{ amount: 5, currency: 'EUR', tax: 1 }, '«{ "amount": 5, "currency": "EUR", "tax": 1 }»'],
    [{ amount: 5, currency: 'euro' }, '«{ "amount": 5, "currency": "euro" }»'],
    [undefined, 'nothing'],
    [null, '«null»'],
    [[], '«an empty list»'],
    [{}, '«an empty object»'],
    [true, '«true»'],
    [[1, 'a', { b: [] }], '«[1, "a", { "b": an empty list }]»'],
  ])('%j', (value, words) => {
    expect(format(value)).toBe(words);
  });
  it('hours of a day, and closed where there are none', () => {
    expect(format([{ startTime: '09:00', endTime: '12:00' }, { startTime: '13:00' }], HOURS)).toBe(
      '09:00-12:00, 13:00-?',
    );
    expect(format([{ endTime: '18:00:00' }], HOURS)).toBe('?-18:00:00');
    expect(format([], HOURS)).toBe('closed');
    expect(format([], ['operatingHoursByDay', 'monday', 'x'])).toBe('«an empty list»');
    expect(format([{ startTime: '9 am' }], HOURS)).toBe('«[{ "startTime": "9 am" }]»');
    expect(format([{ startTime: '09:00' }], ['hours'])).toBe('09:00-?');
  });
  it('marketplaces, at a place that holds some', () => {
    const [DE, FR] = ['A1PA6795UKMFR9', 'A13V1IB3VIYZZH'];
    expect(format(DE, ['marketplaceId'])).toMatch(/^[^"«]*Germany/);
    expect(format([DE, FR], ['marketplaceIds'])).toMatch(/^\[[^"]*Germany[^"]*, [^"]*France[^"]*\]$/);
    expect(format(DE, ['marketplaceIds', 0])).toMatch(/^[^"«]*Germany/);
    expect(format(DE, ['sku'])).toBe(`"${DE}"`);
    expect(format([DE, 'odd'], ['marketplaceIds'])).toContain('"odd"');
  });
});

describe('anything from outside', () => {
  it('stands in its quotes where every character is seen, and in marks else', () => {
    expect(format('Lamp')).toBe('"Lamp"');
    for (const odd of ['a"b', 'a\\b', 'a«b', 'a\nb', 'a\u200bb']) expect(format(odd)).toMatch(/^«/);
  });
  it('is cut behind so many characters, and the rest is counted', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 600 }), (length) => {
        const text = format('x'.repeat(length));
        const rest = length + 2 - MAX_VALUE;
        if (rest <= 0) expect(text).toBe(`"${'x'.repeat(length)}"`);
        else expect(text).toBe(`«"${'x'.repeat(MAX_VALUE - 1)}»... (${rest} more characters)`);
        expect(describeValue('x'.repeat(length), ['x'], Infinity)).toBe(`"${'x'.repeat(length)}"`);
      }),
    );
    // The limit counts characters, not halves of them.
    expect(format('😀'.repeat(MAX_VALUE - 2))).toBe(`«"${'😀'.repeat(MAX_VALUE - 2)}"»`);
  });
});

it('units are told in the plural, however they are spelled', () => {
  expect([
    countUnits(1, 'DAYS'),
    countUnits(2, 'day'),
    countUnits(0, 'Hours'),
    countUnits(2, 'Hours'),
  ]).toEqual(['1 day', '2 days', '0 hours', '2 hours']);
});

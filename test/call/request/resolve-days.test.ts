/** A plain day is the seller's own where the reviewed list says so, and goes as it was given everywhere else. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isDay, momentOfDay } from '../../../src/base/text/local-time.ts';
import { describeSentDays } from '../../../src/call/request/describe-request.ts';
import { resolveDays } from '../../../src/call/request/resolve-days.ts';
import { dayParameters } from '../../../src/service/facts/days.ts';
import { marketplaces } from '../../../src/service/facts/marketplaces.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';

const day = fc
  .date({ min: new Date('2025-01-01'), max: new Date('2027-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

it('begins and ends when the clocks there say so, over changes of summer time', () => {
  fc.assert(
    fc.property(day, fc.constantFrom(...marketplaces()), (given, { timeZone }) => {
      const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
      const [start, end] = [momentOfDay(given, timeZone, 'start'), momentOfDay(given, timeZone, 'end')];
      const dayAt = (time: number) => clock.format(time).slice(0, 10);
      expect([dayAt(Date.parse(start)), dayAt(Date.parse(end))]).toEqual([given, given]);
      expect(dayAt(Date.parse(start) - 1_000) < given).toBe(true);
      expect(dayAt(Date.parse(end) + 1_000) > given).toBe(true);
    }),
    { numRuns: 500 },
  );
});

it.each([
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29T21:59:59Z'],
  ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25T22:59:59Z'],
  ['2026-03-08', 'America/Los_Angeles', '2026-03-08T08:00:00Z', '2026-03-09T06:59:59Z'],
  // Its clocks go forward at midnight: the day begins at one o'clock.
  ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00Z', '2026-04-24T20:59:59Z'],
])('%s in %s', (given, zone, start, end) => {
  expect([momentOfDay(given, zone, 'start'), momentOfDay(given, zone, 'end')]).toEqual([start, end]);
});

it('every place of the list is a parameter of an operation that reads, beside one for the marketplace', async () => {
  const { operations } = await loadRegistry();
  const withDays = operations.filter(({ id }) => Object.keys(dayParameters(id)).length > 0);
  expect(withDays).toHaveLength(4);
  for (const { id, effect, parameters } of withDays) {
    const names = parameters.map(({ name }) => name);
    expect(effect).toBe('read');
    expect(
      names.some((name) => /^marketplaceIds?$/i.test(name)),
      id,
    ).toBe(true);
    for (const name of Object.keys(dayParameters(id))) expect(names, id).toContain(name);
  }
});

it('what is no day, of no marketplace or in no place of the list goes as it was given', () => {
  const DE = 'A1PA6795UKMFR9';
  const orders = { id: 'orders/searchOrders' };
  const given = { createdAfter: '2026-10-01', createdBefore: '2026-10-31T12:00:00Z', other: '2026-10-01' };
  const { parameters, days } = resolveDays(orders, given, DE);
  expect({ ...parameters }).toEqual({ ...given, createdAfter: '2026-09-30T22:00:00Z' });
  expect(describeSentDays(days)).toEqual([
    'Days are those of Germany (Europe/Berlin): sent were createdAfter 2026-10-01 as 2026-09-30T22:00:00Z.',
  ]);
  for (const [id, where] of [
    ['orders/searchOrders', undefined],
    ['orders/searchOrders', 'UNKNOWN'],
    ['finance/listFinancialEvents', DE],
  ] as const) {
    expect(resolveDays({ id }, given, where)).toEqual({ parameters: given, days: [] });
  }
  for (const wrong of ['2026-02-30', '2026-13-01', '20261001', ' 2026-10-01', ''])
    expect(isDay(wrong)).toBe(false);
});

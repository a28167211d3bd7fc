/** Which report of the service is the one that is asked for: no other time, no other options. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  canBeCompared,
  fits,
  isDone,
  isOfRange,
  reportSchema,
  type ServiceReport,
  timeOf,
} from '../../../src/data/collections/fitting-report.ts';
import type { ReportRequest } from '../../../src/data/collections/report-request.ts';
import { reportType } from '../../../src/service/facts/report-types.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const DE = 'A1PA6795UKMFR9';
const ORDERS = 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL';
const START = '2026-11-01T00:00:00Z';
const MADE = '2026-11-21T10:00:00Z';

const request = (more: Partial<ReportRequest> & { type?: string } = {}): ReportRequest => {
  const type = more.type ?? ORDERS;
  return { type, facts: reportType(type), marketplaces: [DE], notes: [], ...more };
};
const report = (dataStartTime?: string, dataEndTime?: string): ServiceReport => ({
  reportId: 'R',
  processingStatus: 'DONE',
  marketplaceIds: [DE],
  createdTime: MADE,
  ...(dataStartTime === undefined ? {} : { dataStartTime }),
  ...(dataEndTime === undefined ? {} : { dataEndTime }),
});

it.each<[string, Partial<ReportRequest>, ServiceReport, boolean]>([
  ['an open end, made up to then', { start: START }, report(START, '2026-11-21T09:59:58Z'), true],
  ['an open end, of the first week only', { start: START }, report(START, '2026-11-07T23:59:59Z'), false],
  ['an open end, that tells none', { start: START }, report(START), false],
  ['an end to come', { start: START, end: '2026-11-21T23:59:59Z' }, report(START, MADE), true],
  ['an end since it was made', { start: START, end: '2026-11-21T11:00:00Z' }, report(START, MADE), false],
  [
    'the same end',
    { start: START, end: '2026-11-07T23:59:59Z' },
    report(START, '2026-11-07T23:59:59.000Z'),
    true,
  ],
  [
    'an end a second later',
    { start: START, end: '2026-11-07T23:59:59Z' },
    report(START, '2026-11-08T00:00:00Z'),
    false,
  ],
  ['a start a second later', { start: START }, report('2026-11-01T00:00:01Z', MADE), false],
  ['another start', { start: START }, report('2026-11-02T00:00:00Z', MADE), false],
  ['an unknown type without times', { type: 'GET_NEW_V9' }, report(START, '2026-11-07T00:00:00Z'), false],
  ['an unknown type made up to then', { type: 'GET_NEW_V9', start: START }, report(START, MADE), true],
  ['an end alone', { end: '2026-11-07T23:59:59Z' }, report(undefined, '2026-11-07T23:59:59Z'), true],
  ['an end alone, up to its making', { end: '2026-11-07T23:59:59Z' }, report(undefined, MADE), false],
  ['an end alone, that tells none', { end: '2026-11-07T23:59:59Z' }, report(), false],
  ['no time, of one that tells an earlier start', { type: 'GET_NEW_V9' }, report(START, MADE), false],
  ['no time, of one that tells its making', { type: 'GET_NEW_V9' }, report(MADE, MADE), true],
  ['no time, of one that tells none', { type: 'GET_NEW_V9' }, report(), true],
  ['an end that is now', { start: START, end: '2026-11-21T12:00:00Z' }, report(START, MADE), false],
  [
    'another country of two',
    { start: START, marketplaces: [DE, 'A1F83G8C2ARO7P'] },
    { ...report(START, MADE), marketplaceIds: [DE, 'A13V1IB3VIYZZH'] },
    false,
  ],
  ['the moment', { type: 'GET_MERCHANT_LISTINGS_DATA' }, report(START, MADE), true],
  [
    'one country more',
    { start: START },
    { ...report(START, MADE), marketplaceIds: [DE, 'A13V1IB3VIYZZH'] },
    false,
  ],
])('a report of %s', (_what, asked, given, expected) => {
  expect(fits(given, request(asked), NOW)).toBe(expected);
});

it.each<[string, Partial<ReportRequest>, boolean]>([
  ['takes none', {}, true],
  ['takes some', { type: 'GET_SALES_AND_TRAFFIC_REPORT' }, false],
  ['must have some', { type: 'GET_BRAND_ANALYTICS_SEARCH_TERMS_REPORT' }, false],
  ['is unknown', { type: 'GET_NEW_V9' }, false],
  ['was given one', { options: { custom: 'true' } }, false],
])('options of reports are not listed, so a type that %s is compared: %j', (_what, asked, expected) => {
  expect(canBeCompared(request(asked))).toBe(expected);
});

const dayOf = (day: number | undefined) => (day === undefined ? undefined : `2026-11-0${day}T00:00:00Z`);
const span = fc
  .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 0, max: 3 }), fc.boolean(), fc.boolean())
  .map(([from, days, hasStart, hasEnd]) => ({
    start: hasStart ? from : undefined,
    end: hasEnd ? from + days : undefined,
  }));
const someMarketplaces = fc.uniqueArray(fc.constantFrom('A', 'B', 'C'), { minLength: 1 });

it('a report that nobody asks for is of a range that it has a moment and a marketplace in common with', () => {
  const world = fc.record({
    asked: span,
    told: span,
    made: fc.constantFrom(undefined, 1, 4, 8),
    marketplaces: someMarketplaces,
    own: fc.option(someMarketplaces, { nil: undefined }),
  });
  fc.assert(
    fc.property(world, ({ asked, told, made, marketplaces, own }) => {
      const given = {
        reportId: 'R',
        processingStatus: 'DONE',
        marketplaceIds: own,
        dataStartTime: dayOf(told.start),
        dataEndTime: dayOf(told.end),
        createdTime: dayOf(made),
      };
      const { start: first = made ?? 0, end: last = made ?? 9 } = told;
      const isWithin = (asked.start ?? 0) <= last && first <= (asked.end ?? 9);
      const isShared = own === undefined || own.some((id) => marketplaces.includes(id));
      const wanted = request({ marketplaces, start: dayOf(asked.start), end: dayOf(asked.end) });
      expect(isOfRange(given, wanted)).toBe(isWithin && isShared);
    }),
    { numRuns: 300 },
  );
});

it('what a report covers is told where it tells both ends, to the second', () => {
  const end = '2026-11-07T23:59:59.900+01:00';
  expect(timeOf(report(START, end))).toEqual({ start: START, end: '2026-11-07T22:59:59Z' });
  for (const one of [report(), report(START), report(undefined, end), report('soon', end)]) {
    expect(timeOf(one)).toBeUndefined();
  }
});

it('a report is done when it says so and has a document', () => {
  const done = { reportId: 'R', processingStatus: 'DONE', reportDocumentId: 'D' };
  expect(isDone(done)).toBe(true);
  expect(isDone({ ...done, processingStatus: 'FATAL' })).toBe(false);
  expect(isDone({ ...done, reportDocumentId: undefined })).toBe(false);
  for (const [wrong, isTaken] of [
    [{}, true],
    [{ other: 1 }, true],
    [{ reportDocumentId: undefined, dataStartTime: MADE, dataEndTime: MADE, createdTime: MADE }, true],
    [{ reportId: '' }, false],
    [{ reportId: undefined }, false],
    [{ processingStatus: undefined }, false],
    [{ reportDocumentId: '' }, false],
    [{ marketplaceIds: DE }, false],
    [{ marketplaceIds: [DE] }, true],
    [{ createdTime: 5 }, false],
  ] as const) {
    expect(reportSchema.safeParse({ ...done, ...wrong }).success).toBe(isTaken);
  }
});

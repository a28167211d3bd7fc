/** Which report of the service is the one that is asked for: no other time, no other options. */

import { expect, it } from 'vitest';
import { canBeCompared, fits, type ServiceReport } from '../../../src/data/collections/fitting-report.ts';
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
  ['is unknown', { type: 'GET_NEW_V9' }, false],
  ['was given one', { options: { custom: 'true' } }, false],
])('options of reports are not listed, so a type that %s is compared: %j', (_what, asked, expected) => {
  expect(canBeCompared(request(asked))).toBe(expected);
});

/** What is asked of a report: everything that is wrong is told at once, before anything is sent. */

import { expect, it } from 'vitest';
import { InputError } from '../../../src/base/errors.ts';
import { checkReport, type GivenReport } from '../../../src/data/collections/report-request.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const DE = 'A1PA6795UKMFR9';
const ORDERS = 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL';
const check = (given: GivenReport, account: string | undefined = DE) => checkReport(given, account, NOW);

function problems(given: GivenReport, account?: string): string {
  try {
    checkReport(given, account, NOW);
  } catch (error) {
    if (error instanceof InputError) return error.message;
  }
  return '';
}

it('a day as the end is the whole day; marketplaces are named by country, and are one set in any order', () => {
  const request = check({
    type: ORDERS,
    marketplaces: ['France', 'DE', 'de'],
    start: '2026-11-01',
    end: '2026-11-07',
  });
  expect(request).toMatchObject({
    marketplaces: ['A13V1IB3VIYZZH', DE],
    // Of the account's own marketplace, where it is one of them: Paris has the hours of Berlin.
    start: '2026-10-31T23:00:00Z',
    end: '2026-11-07T22:59:59Z',
  });
  expect(request.notes).toContain('Days are those of Germany (Europe/Berlin).');
  const elsewhere = { type: ORDERS, marketplaces: ['UK', 'France'], start: '2026-11-01', end: '2026-11-07' };
  expect(check(elsewhere)).toMatchObject({
    start: '2026-11-01T00:00:00Z',
    notes: [expect.stringContaining('the United Kingdom')],
  });
  const whole = { type: 'GET_SALES_AND_TRAFFIC_REPORT', start: '2026-11-01', end: '2026-11-07' };
  expect(check(whole)).toMatchObject({
    start: '2026-11-01T00:00:00Z',
    end: '2026-11-07T23:59:59Z',
    notes: [],
  });
  expect(check({ type: ORDERS, start: '2026-11-01T00:00:00+01:00' })).toMatchObject({
    marketplaces: [DE],
    start: '2026-10-31T23:00:00Z',
  });
});

it.each<[string, Partial<GivenReport>, RegExp]>([
  ['the wrong way round', { start: '2026-11-07', end: '2026-11-01' }, /wrong way round/],
  ['in the future', { start: '2027-01-01' }, /future/],
  ['that no calendar has', { start: '2026-02-30' }, /must be a day/],
  ['without an offset', { start: '2026-11-01T10:00' }, /offset/],
  ['that are words', { start: 'last week' }, /must be a day/],
  ['left out', {}, /is required: .* is about a time/],
  [
    'over the limit',
    { type: 'GET_AMAZON_FULFILLED_SHIPMENTS_DATA_GENERAL', start: '2026-01-01' },
    /at most 30 days/,
  ],
])('refuses times %s', (_what, times, words) => {
  expect(problems({ type: ORDERS, ...times }, DE)).toMatch(words);
});

it('times of a report that shows the moment do not count, which is told', () => {
  const request = check({ type: 'GET_MERCHANT_LISTINGS_ALL_DATA', start: '2020-01-01' });
  expect(request.start).toBeUndefined();
  expect(request.notes.join()).toContain('do not count');
});

it('a type nearly that of another is refused with it, a new one is sent as it is, a removed one has its successor', () => {
  expect(problems({ type: 'GET_MERCHANT_LISTING_ALL_DATA' }, DE)).toContain('GET_MERCHANT_LISTINGS_ALL_DATA');
  expect(problems({ type: 'GET_MERCHANT_LISTINGS_ALL_DATAS' }, DE)).toContain(
    'GET_MERCHANT_LISTINGS_ALL_DATA',
  );
  expect(problems({ type: 'all orders' }, DE)).toContain('no report type known');
  expect(check({ type: 'GET_ROBOT_FORECAST_V9' }).notes.join()).toContain('sent as it is');
  expect(problems({ type: 'GET_MERCHANT_LISTINGS_DEFECT_DATA' }, DE)).toContain(
    'GET_MERCHANTS_LISTINGS_FYP_REPORT',
  );
});

it('tells all that is wrong at once', () => {
  const words = problems({ type: ORDERS, marketplaces: ['Atlantis'], start: 'x' });
  expect(words).toMatch(/report\.marketplaces\.0/);
  expect(words).toMatch(/report\.start/);
  expect(problems({ type: ORDERS, start: '2026-11-01' })).toContain('report.marketplaces is required');
});

it('options that must be given are asked for with their values', () => {
  expect(
    problems({ type: 'GET_BRAND_ANALYTICS_SEARCH_TERMS_REPORT', start: '2026-11-01', end: '2026-11-07' }, DE),
  ).toMatch(/report\.options\.reportPeriod is required: .*WEEK/);
});

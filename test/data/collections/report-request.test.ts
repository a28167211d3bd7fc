/** Tests the arguments of a report request: all errors are reported at once, before anything is sent. */

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
    marketplaces: ['DE', 'France', 'de'],
    start: '2026-11-01',
    end: '2026-11-07',
  });
  expect(request).toMatchObject({
    marketplaces: ['A13V1IB3VIYZZH', DE],
    // The days are those of the account's own marketplace, where it is one of them: Paris has the hours of
    // Berlin.
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

const LEDGER = 'GET_LEDGER_SUMMARY_VIEW_DATA';

it.each([
  ['GET_LEDGERS_SUMMARYS_VIEW_DATA', true],
  ['GET_LEDGERED_SUMMARYED_VIEW_DATA', true],
  ['GET_LEDG_SUMMA_VIEW_DATA', true],
  ['GET_LEDGERINGS_SUMMARYING_VIEW_DATA', false],
  ['GET_XEDGER_XUMMARY_VIEW_DATA', false],
  ['GET_MYLEDGER_MYSUMMARY_VIEW_DATA', false],
  ['GET_LEDGER_DATA', false],
  ['GET_PENDING_ORDERS', true],
  ['GET_EASYSHIP_LABELS', false],
])('%s is a slip: %s', (type, isSlip) => {
  const times = { start: '2026-11-01T00:00:00Z', end: '2026-11-07T00:00:00Z' };
  if (isSlip) expect(problems({ type, ...times }, DE)).toContain('report.type is no report type known here');
  else expect(check({ type, ...times }).notes.join()).toMatch(/Near it are: .* It was sent as it is\./);
});

it('a type like no other is sent, and told', () => {
  expect(check({ type: 'GET_ROBOT_FORECAST_V9', options: { a: 'b' } })).toEqual({
    type: 'GET_ROBOT_FORECAST_V9',
    facts: undefined,
    marketplaces: [DE],
    options: { a: 'b' },
    notes: ['The type is no report type known here: GET_ROBOT_FORECAST_V9. It was sent as it is.'],
  });
});

it.each<[string, Partial<GivenReport>, string]>([
  [
    'both ends that are none, and nothing else of them',
    { type: 'GET_AMAZON_FULFILLED_SHIPMENTS_DATA_GENERAL', start: 'x', end: 'y' },
    'report.start must be a day (2026-11-01) or a time with its offset (2026-11-01T00:00:00+01:00); report.end must be a day (2026-11-01) or a time with its offset (2026-11-01T00:00:00+01:00)',
  ],
  [
    'an end that is none',
    { type: 'GET_AMAZON_FULFILLED_SHIPMENTS_DATA_GENERAL', start: '2026-01-01', end: 'y' },
    'report.end must be a day (2026-11-01) or a time with its offset (2026-11-01T00:00:00+01:00)',
  ],
  [
    'a start that is none',
    { type: 'GET_AMAZON_FULFILLED_SHIPMENTS_DATA_GENERAL', start: 'x', end: '2026-01-01' },
    'report.start must be a day (2026-11-01) or a time with its offset (2026-11-01T00:00:00+01:00)',
  ],
  [
    'no time at all',
    { start: '2026-11-07T00:00:00Z', end: '2026-11-07T00:00:00Z' },
    'report.end lies before start: the two are the wrong way round',
  ],
  ['a start to come', { start: '2026-11-21T12:00:01Z' }, 'report.start lies in the future'],
  [
    'no start, whether asked for or by a schedule',
    { type: 'GET_FLAT_FILE_PENDING_ORDERS_DATA', end: '2026-11-07' },
    'report.start is required: GET_FLAT_FILE_PENDING_ORDERS_DATA is about a time, such as the last 30 days',
  ],
  [
    'a second too much',
    { type: 'GET_AMAZON_FULFILLED_SHIPMENTS_DATA_GENERAL', start: '2026-10-22T11:59:59Z' },
    'report.start is 31 days before the end; GET_AMAZON_FULFILLED_SHIPMENTS_DATA_GENERAL covers at most 30 days: ask for several, one after the other',
  ],
  [
    'a type that is removed',
    { type: 'GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE' },
    'report.type GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE was removed on 2026-11-11. Use GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2 instead.',
  ],
])('of %s all is told', (_what, given, words) => {
  expect(problems({ type: ORDERS, ...given }, DE)).toBe(`The report was not asked for: ${words}`);
});

const DAYS = 'Days are those of Germany (Europe/Berlin).';
const NO_TIME = 'GET_MERCHANT_LISTINGS_ALL_DATA shows the state when it is made: start and end do not count.';

it.each<[string, Partial<GivenReport>, string[]]>([
  ['a moment until now', { start: '2026-11-21T12:00:00Z' }, []],
  ['a day', { start: '2026-11-01' }, [DAYS]],
  ['a day as its end alone', { start: '2026-11-01T00:00:00Z', end: '2026-11-07' }, [DAYS]],
  [
    'sixty days in which the clocks were set back',
    { type: 'GET_FLAT_FILE_RETURNS_DATA_BY_RETURN_DATE', start: '2026-09-23', end: '2026-11-21' },
    [DAYS],
  ],
  ['no time, of what the service makes', { type: 'GET_FLAT_FILE_SALES_TAX_DATA' }, []],
  ['no time, where it is about none', { type: 'GET_EPR_MONTHLY_REPORTS' }, []],
  ['no time, of a moment', { type: 'GET_MERCHANT_LISTINGS_ALL_DATA' }, []],
  ['an end, of a moment', { type: 'GET_MERCHANT_LISTINGS_ALL_DATA', end: '2026-11-07' }, [NO_TIME]],
  [
    'as many days as it covers',
    { type: 'GET_AMAZON_FULFILLED_SHIPMENTS_DATA_GENERAL', start: '2026-10-22T12:00:00Z' },
    [],
  ],
  [
    'as many of them as have come',
    {
      type: 'GET_AMAZON_FULFILLED_SHIPMENTS_DATA_GENERAL',
      start: '2026-10-25T00:00:00Z',
      end: '2027-03-01T00:00:00Z',
    },
    [],
  ],
  [
    'as many, long ago',
    {
      type: 'GET_AMAZON_FULFILLED_SHIPMENTS_DATA_GENERAL',
      start: '2026-01-01T00:00:00Z',
      end: '2026-01-20T00:00:00Z',
    },
    [],
  ],
  [
    'a type that will go',
    { type: 'GET_FBA_INVENTORY_AGED_DATA' },
    ['GET_FBA_INVENTORY_AGED_DATA is deprecated. Use GET_FBA_INVENTORY_PLANNING_DATA instead.'],
  ],
  [
    'what must be given',
    {
      type: 'GET_BRAND_ANALYTICS_SEARCH_TERMS_REPORT',
      start: '2026-11-01',
      end: '2026-11-07',
      options: { reportPeriod: 'WEEK' },
    },
    [],
  ],
])('%s is taken', (_what, given, notes) => {
  const { options, ...taken } = check({ type: ORDERS, ...given });
  expect(taken.notes).toEqual(notes);
  expect(options).toEqual(given.options);
});

it('a type is there until the day on which it goes', () => {
  const given = { type: 'GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE' };
  const gone = Date.parse('2026-11-11');
  expect(() => checkReport(given, DE, gone)).toThrow('was removed');
  const [note] = checkReport(given, DE, gone - 1).notes;
  expect(note).toContain('ends on 2026-11-11');
});

it('a marketplace that may be new is sent as it is, and days are those of one that is known', () => {
  const { marketplaces, notes } = check({
    type: ORDERS,
    marketplaces: ['A1NEWMARKET99', 'UK'],
    start: '2026-11-01',
  });
  expect(marketplaces).toEqual(['A1F83G8C2ARO7P', 'A1NEWMARKET99']);
  expect(notes).toEqual([
    expect.stringContaining('A1NEWMARKET99'),
    expect.stringContaining('the United Kingdom'),
  ]);
  expect(check({ type: LEDGER, start: '2026-11-01' }).notes).toEqual([]);
});

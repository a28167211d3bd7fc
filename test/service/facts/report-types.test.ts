import { expect, test } from 'vitest';
import { mostUsedReportTypes, reportType, reportTypes } from '../../../src/service/facts/report-types.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';

const registry = await loadRegistry();

test('at least 60 that exist today, each once, each with what it holds', () => {
  expect(reportTypes.filter(({ ending }) => ending === undefined).length).toBeGreaterThanOrEqual(60);
  expect(new Set(reportTypes.map(({ id }) => id)).size).toBe(reportTypes.length);
  for (const { id, group, holds, dataset } of reportTypes) {
    expect(id).toMatch(dataset === undefined ? /^[A-Z][A-Z0-9_]+$/ : /^analytics_\w+_\d{4}_\d\d_\d\d$/);
    expect(group, id).not.toBe('');
    expect(holds.length, id).toBeLessThanOrEqual(120);
    expect(holds.endsWith('.'), id).toBe(false);
  }
});

test('the 15 most used exist and are current', () => {
  const most = mostUsedReportTypes();
  expect(most).toHaveLength(15);
  for (const { id, ending } of most) expect(ending, id).toBeUndefined();
});

test('a successor is a current report type or an operation', () => {
  for (const { id, ending } of reportTypes) {
    const successor = ending?.successor;
    if (successor === undefined) continue;
    const type = reportType(successor);
    if (type === undefined) expect(registry.find(successor).id, id).toBe(successor);
    else expect(type.ending, id).toBeUndefined();
  }
});

test('removal dates are dates, required options are options, and a longest range belongs to a range', () => {
  for (const { id, options = {}, requiredOptions = [], period, mostDays } of reportTypes) {
    for (const name of requiredOptions) expect(Object.keys(options), id).toContain(name);
    if (mostDays !== undefined) expect(period, id).toBe('range');
  }
});

test('what holds personal data is marked, what does not is not', () => {
  const restricted = reportTypes.filter((type) => type.restricted === true).map(({ id }) => id);
  expect(restricted.sort()).toEqual([
    'GET_AMAZON_FULFILLED_SHIPMENTS_DATA_INVOICING',
    'GET_AMAZON_FULFILLED_SHIPMENTS_DATA_TAX',
    'GET_EASYSHIP_DOCUMENTS',
    'GET_FLAT_FILE_ACTIONABLE_ORDER_DATA_SHIPPING',
    'GET_FLAT_FILE_ORDER_REPORT_DATA_INVOICING',
    'GET_FLAT_FILE_ORDER_REPORT_DATA_SHIPPING',
    'GET_FLAT_FILE_ORDER_REPORT_DATA_TAX',
    'GET_GST_MTR_B2B_CUSTOM',
    'GET_ORDER_REPORT_DATA_INVOICING',
    'GET_ORDER_REPORT_DATA_SHIPPING',
    'GET_ORDER_REPORT_DATA_TAX',
    'GET_VAT_TRANSACTION_DATA',
    'SC_VAT_TAX_REPORT',
  ]);
});

test('settlement reports are made by the service, scheduled ones only by a schedule', () => {
  expect(reportType('GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2')?.origin).toBe('service');
  expect(reportType('GET_ORDER_REPORT_DATA_SHIPPING')?.origin).toBe('schedule');
  expect(reportType('constructor')).toBeUndefined();
});

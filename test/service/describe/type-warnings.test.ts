import { describe, expect, test } from 'vitest';
import { describeOperation, reportLinesOf } from '../../../src/service/describe/describe-operation.ts';
import { describeReportType } from '../../../src/service/describe/report-lines.ts';
import { typeWarnings } from '../../../src/service/describe/type-warnings.ts';
import { notificationTypes } from '../../../src/service/facts/generated/notification-types.ts';
import {
  mostUsedReportTypes,
  nearestReportTypes,
  reportTypes,
} from '../../../src/service/facts/report-types.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';

const create = { id: 'reports/createReport' };
const schedule = { id: 'reports/createReportSchedule' };
const NOW = Date.parse('2026-11-29');
const messages = async ({ id }: { id: string }, body: unknown, parameters = {}, now = NOW) =>
  (await typeWarnings({ operation: id, parameters, body }, now)).map(({ message }) => message);

describe('a request for a report', () => {
  test.each([
    ['GET_SALES_TRAFFIC_REPORT', 'GET_SALES_AND_TRAFFIC_REPORT'],
    ['get_merchant_listings_all_data', 'GET_MERCHANT_LISTINGS_ALL_DATA'],
    ['GET_FBA_REIMBURSEMENT_DATA', 'GET_FBA_REIMBURSEMENTS_DATA'],
    ['_GET_FLAT_FILE_OPEN_LISTINGS_DATA_', 'GET_FLAT_FILE_OPEN_LISTINGS_DATA'],
  ])('%s is not known: %s is near', async (reportType, near) => {
    const [message = ''] = await messages(create, { reportType });
    expect(message).toContain('is not known here; it is sent as it is');
    expect(message).toContain(near);
  });

  test('nothing near is said of a name that shares nothing, and a long one is cut', async () => {
    expect(nearestReportTypes('XYZZY_PLUGH')).toEqual([]);
    const [message = ''] = await messages(create, { reportType: 'A'.repeat(100_000) });
    expect(message.length).toBeLessThan(300);
  });

  test('one that cannot be had this way, that is gone, or that lacks an option', async () => {
    const type = (reportType: string, reportOptions?: Record<string, string>) => ({
      reportType,
      ...(reportOptions && { reportOptions }),
    });
    expect(await messages(create, type('GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2'))).toEqual([
      expect.stringContaining('cannot be requested'),
    ]);
    expect(await messages(create, type('GET_ORDER_REPORT_DATA_SHIPPING'))).toEqual([
      expect.stringContaining('createReportSchedule'),
    ]);
    expect(await messages(schedule, type('GET_ORDER_REPORT_DATA_SHIPPING'))).toEqual([]);
    expect(await messages(schedule, type('GET_MERCHANT_LISTINGS_ALL_DATA'))).toEqual([
      expect.stringContaining('cannot be scheduled'),
    ]);
    expect(await messages(create, type('GET_FBA_SNS_FORECAST_DATA'))).toEqual([
      expect.stringContaining('removed on 2025-12-11'),
    ]);
    const baskets = 'GET_BRAND_ANALYTICS_MARKET_BASKET_REPORT';
    expect(await messages(create, type(baskets))).toEqual([expect.stringContaining('reportPeriod (DAY,')]);
    expect(await messages(create, type(baskets, { reportPeriod: 'WEEK' }))).toEqual([]);
  });

  test('nothing of what is in order, of other operations, or of bodies that are none', async () => {
    expect(await messages(create, { reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA' })).toEqual([]);
    expect(await messages({ id: 'feeds/createFeed' }, { reportType: 'NONE' })).toEqual([]);
    for (const body of [undefined, null, [], 'x', { reportType: 7 }])
      expect(await messages(create, body)).toEqual([]);
  });
});

describe('report types in text', () => {
  test('createReport lists the 15 most used with limits and restriction, within 2,000 tokens', async () => {
    const operation = (await loadRegistry()).find('reports/createReport');
    const description = describeOperation(operation, { reportLines: await reportLinesOf(operation) });
    for (const { id, holds } of mostUsedReportTypes()) expect(description.text).toContain(`${id}: ${holds}`);
    expect(description.text).toContain('seller://report-types');
    expect(description.text).toMatch(/ACTIONABLE_ORDER_DATA_SHIPPING: .*restricted: holds personal data/);
    expect(description.text).toMatch(/RETURN_DATE: .*at most 60 days/);
    expect(Buffer.byteLength(JSON.stringify(description)) / 3).toBeLessThanOrEqual(2000);
    expect(description.collapsed).toBe(false);
    expect(await reportLinesOf((await loadRegistry()).find('reports/getReport'))).toEqual([]);
  });

  test('each can be shown in full', () => {
    for (const type of reportTypes) {
      const shown = describeReportType(type);
      expect(shown).toContain(type.holds);
      for (const name of Object.keys(type.options ?? {})) expect(shown).toContain(`  ${name}`);
      expect(shown).not.toContain('undefined');
    }
  });
});

describe('a write that names a type which ends', () => {
  test.each([
    ['feeds/createFeed', { feedType: 'POST_PRODUCT_PRICING_DATA' }, {}, 'JSON_LISTINGS_FEED'],
    [
      'data-kiosk/createQuery',
      { query: '{ analytics_salesAndTraffic_2023_11_15 { x } }' },
      {},
      'analytics_salesAndTraffic_2024_04_24',
    ],
    [
      'notifications/createSubscription',
      { payloadVersion: '1.0' },
      { notificationType: 'ORDER_STATUS_CHANGE' },
      'ORDER_CHANGE',
    ],
    [
      'notifications/createSubscription',
      { payloadVersion: '1.0' },
      { notificationType: 'LISTINGS_ITEM_ISSUES_CHANGE' },
      '2023-12-13',
    ],
    [
      'notifications/createSubscription',
      { payloadVersion: '7' },
      { notificationType: 'ORDER_CHANGE' },
      'payloadVersion 1.0',
    ],
  ])('%s %j %j: it is told, with what takes its place', async (id, body, parameters, words) => {
    expect(await messages({ id }, body, parameters)).toEqual([expect.stringContaining(words)]);
  });

  test.each([
    ['feeds/createFeed', { feedType: 'JSON_LISTINGS_FEED' }, {}],
    ['data-kiosk/createQuery', { query: '{ analytics_salesAndTraffic_2024_04_24 { x } }' }, {}],
    ['notifications/createSubscription', { payloadVersion: '1.0' }, { notificationType: 'ORDER_CHANGE' }],
    ['notifications/createSubscription', { payloadVersion: '1.0' }, { notificationType: 'A_NEW_TYPE' }],
    ['listings-items/putListingsItem', { feedType: 'POST_PRODUCT_DATA' }, {}],
  ])('%s %j %j: nothing is told', async (id, body, parameters) => {
    expect(await messages({ id }, body, parameters)).toEqual([]);
  });

  test('createSubscription is described with what each destination gets, and what has to exist before', async () => {
    const { text, collapsed, tokens } = describeOperation(
      (await loadRegistry()).find('notifications/createSubscription'),
    );
    for (const [name, { versions = [] }] of Object.entries(notificationTypes))
      for (const part of [name, ...versions]) expect(text).toContain(part);
    expect(text).toMatch(/EventBridge: .*LISTINGS_ITEM_STATUS_CHANGE/);
    expect(text).toMatch(/SQS: .*ORDER_CHANGE/);
    expect(text.match(/createDestination/g)?.length).toBeGreaterThan(1);
    expect([collapsed, tokens <= 2000]).toEqual([false, true]);
  });
});

import { beforeAll, describe, expect, test } from 'vitest';
import { listOperations } from '../../../src/service/describe/list-operations.ts';
import { loadRegistry, type Registry } from '../../../src/service/registry/registry.ts';
import { furtherQuestions } from './further-questions.ts';
import { otherAnswers, sellerQuestions } from './seller-questions.ts';

/** How far down an assistant is sure to look. */
const FIRST = 5;

let registry: Registry;
beforeAll(async () => {
  registry = await loadRegistry();
});

async function find(search: string, limit = FIRST): Promise<string[]> {
  return (await registry.list({ search, limit })).operations.map(({ id }) => id);
}

test('60 different questions, each with operations that exist, or with none where another tool is the answer', () => {
  const ids = new Set(registry.operations.map(({ id }) => id));
  expect(new Set(sellerQuestions.map(([asked]) => asked.toLowerCase())).size).toBe(60);
  expect(sellerQuestions).toHaveLength(60);
  for (const [asked, ...means] of sellerQuestions) {
    expect(
      means.filter((id) => !ids.has(id)),
      asked,
    ).toEqual([]);
    expect(means.length > 0 || asked === 'undo', asked).toBe(true);
  }
});

test.each([
  ['60 questions', sellerQuestions, 57],
  ['80 further questions', furtherQuestions, 76],
])('of the %s, enough find what is meant among the first five', async (_, questions, least) => {
  const missed: string[] = [];
  for (const [asked, ...means] of questions) {
    const found = await find(asked);
    const isFound = means.length === 0 ? found.length === 0 : means.some((id) => found.includes(id));
    if (!isFound) missed.push(`${asked}: ${found.join(', ')}`);
  }
  const found = questions.length - missed.length;
  process.stdout.write(`${found} of ${questions.length} questions are answered among the first five\n`);
  expect(found, missed.join('\n')).toBeGreaterThanOrEqual(least);
});

test.each(otherAnswers)('%s: both forms of the answer name %s', async (asked, named) => {
  const { text, data } = await listOperations(registry, { search: asked });
  expect(text).toContain(named);
  expect(data).toMatchObject({ hints: [expect.stringContaining(named)] });
});

describe('what the words decide', () => {
  test('letters in the middle of a word find nothing', async () => {
    expect(await find('undo')).toEqual([]);
    expect(await find('late')).not.toContain('orders/getOrderRegulatedInfo');
  });

  test.each(['banana', 'xyzzy qwop', 'the', '???', 'constructor'])(
    '%s finds nothing, and the answer says so',
    async (asked) => {
      const { text, data } = await listOperations(registry, { search: asked });
      expect(text).toContain('No operation matches');
      expect(data).toMatchObject({ total: 0, next_step: expect.stringContaining('No operation matches') });
    },
  );

  test('a word that nothing has takes nothing away, and the answer names it', async () => {
    const { text, data } = await listOperations(registry, { search: 'zzyzx listing problems' });
    expect(data).toMatchObject({ unknown: ['zzyzx'] });
    expect(text).toContain('nothing has zzyzx');
    expect(await find('zzyzx listing problems')).toEqual(await find('listing problems'));
  });

  test.each([
    ['order', 'orders'],
    ['refund', 'refunds'],
    ['invetory levels', 'inventory levels'],
    ['catalogue search', 'catalouge search'],
    ['FULFILMENT preview', 'fulfillment preview'],
    ['change price', 'price change'],
  ])('%s finds what %s finds', async (one, other) => {
    expect(await find(one)).toEqual(await find(other));
  });

  test('the current operation stands before the deprecated one, sellers before vendors unless vendors are named', async () => {
    const orders = await find('orders', 100);
    expect(orders.indexOf('orders/searchOrders')).toBeLessThan(orders.indexOf('orders/getOrders'));
    expect((await find('catalog item', 3)).slice(0, 2)).not.toContain('catalog-v0/getCatalogItem');
    expect((await find('send an invoice'))[0]).not.toMatch(/^vendor/);
    expect((await find('vendor invoice'))[0]).toMatch(/^vendor/);
  });

  test('an id or a name comes first, as it is written or in words', async () => {
    for (const { id } of registry.operations) expect(await find(id, 1)).toEqual([id]);
    expect(await find('get order metrics', 1)).toEqual(['sales/getOrderMetrics']);
    expect(await find('getordermetrics', 1)).toEqual(['sales/getOrderMetrics']);
    expect(await find('/feeds/2021-06-30/documents', 2)).toEqual([
      'feeds/createFeedDocument',
      'feeds/getFeedDocument',
    ]);
  });

  test.each([
    ['settlement report', 'GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2', 'reports/getReports'],
    ['returns report', 'GET_FLAT_FILE_RETURNS_DATA_BY_RETURN_DATE', 'reports/createReport'],
    ['inventory ledger', 'GET_LEDGER_SUMMARY_VIEW_DATA', 'reports/createReport'],
    ['get_ledger_summary_view_data', 'GET_LEDGER_SUMMARY_VIEW_DATA', 'reports/createReport'],
  ])('%s: both forms name the report type and the operation that gets it', async (asked, type, operation) => {
    const { text, data } = await listOperations(registry, { search: asked });
    expect(text).toContain(`Report type ${type} (${operation}): `);
    const reportTypes = expect.arrayContaining([expect.objectContaining({ reportType: type, operation })]);
    expect(data).toMatchObject({ reportTypes });
    expect(await find(asked)).toContain(operation);
    const next = await registry.list({ search: asked, offset: 1 });
    expect(next.reportTypes).toBeUndefined();
  });

  test('a report is proposed where it may be meant, not where something is to be done', async () => {
    expect((await registry.list({ search: 'change price' })).reportTypes).toBeUndefined();
    expect((await registry.list({ search: 'late orders' })).reportTypes?.length).toBeGreaterThan(0);
  });

  test('a search within a group stays in it', async () => {
    const { operations } = await registry.list({ search: 'cancel', group: 'reports' });
    expect(operations.map(({ name }) => name).sort()).toEqual(['cancelReport', 'cancelReportSchedule']);
  });

  test('pages of a search follow each other without loss', async () => {
    const whole = await find('shipment', 400);
    const { total } = await registry.list({ search: 'shipment', limit: 0 });
    const pages = await Promise.all(
      [0, 10, 20].map((offset) => registry.list({ search: 'shipment', offset, limit: 10 })),
    );
    expect(whole).toHaveLength(total);
    expect(pages.flatMap(({ operations }) => operations.map(({ id }) => id))).toEqual(whole.slice(0, 30));
  });
});

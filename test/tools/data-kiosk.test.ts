/** Datasets of Data Kiosk as reports: the query fits the schema, its answer becomes typed tables, and what is not yet available is said. */

import fc from 'fast-check';
import { buildSchema, parse, validate } from 'graphql';
import { expect, it, onTestFinished } from 'vitest';
import { checkDatasetRequest } from '../../src/data/collections/dataset-request.ts';
import { fieldsOf } from '../../src/service/facts/dataset-fields.ts';
import { type Dataset, loadDataset, type Members } from '../../src/service/facts/datasets.ts';
import { reportTypes } from '../../src/service/facts/report-types.ts';
import { collectData } from '../../tools/collect-data.ts';
import { describeOperation } from '../../tools/describe-operation.ts';
import { queryData } from '../../tools/query-data.ts';
import { startKiosk } from '../helpers/kiosk-service.ts';
import { startToolRunner } from '../helpers/tool-runner.ts';

const SELLER = 'analytics_sellerAnalytics_2025_03_31';
const SALES = 'analytics_salesAndTraffic_2024_04_24';
const ECONOMICS = 'analytics_economics_2024_03_15';
const DATASETS = reportTypes.filter(({ dataset, ending }) => dataset && !ending).map(({ id }) => id);
const US = 'ATVPDKIKX0DER';
const NOW = Date.parse('2026-11-28T12:00:00Z');
const KEYS = ['startDate', 'endDate', 'marketplaceId', 'msku', 'sku', 'childAsin', 'parentAsin'];
const TIME = { start: '2026-11-01', end: '2026-11-20' };

async function open(pages: Parameters<typeof startKiosk>[0]) {
  const kiosk = await startKiosk(pages);
  onTestFinished(() => kiosk.runner.close());
  return kiosk;
}

async function datasetOf(name: string): Promise<Dataset> {
  const dataset = await loadDataset(name);
  if (dataset === undefined) throw new Error(`There is no ${name}`);
  return dataset;
}

/** The schema of a dataset, written anew, so that GraphQL's own library judges the queries. */
function schemaOf({ root, queries, types, inputs, enums }: Dataset) {
  const block = (members: Members) =>
    Object.entries(members)
      .map(([name, type]) => `${name}: ${type}`)
      .join('\n');
  const takes = Object.entries(queries).map(
    ([name, query]) => `${name}(${block(query.takes)}): [${query.gives}]`,
  );
  return buildSchema(
    [
      'scalar Date scalar Long',
      `type Query { ${root}: Root }`,
      `type Root { ${takes.join('\n')} }`,
      ...Object.entries(types).map(([name, members]) => `type ${name} { ${block(members)} }`),
      ...Object.entries(inputs).map(([name, members]) => `input ${name} { ${block(members)} }`),
      ...Object.entries(enums).map(([name, values]) => `enum ${name} { ${values.join(' ')} }`),
    ].join('\n'),
  );
}

/** Options that each query needs beside days and marketplaces. */
const NEEDED: Readonly<Record<string, Record<string, string>>> = {
  sellerAnalyticsView: { granularity: 'WEEK' },
  economics: {
    granularity: 'day',
    'aggregateBy.productId': 'MSKU',
    includeComponentsForFeeTypes: 'FBA_FULFILLMENT_FEE',
  },
  economicsPreview: { feeTypes: 'FBA_FULFILLMENT_FEES, REFERRAL_FEES' },
  economicsSimulation: {
    actionTypes: 'AWD',
    products: '[{"identifier":{"type":"MSKU","value":"A \\"1\\""},"inputContext":{"unitPerCarton":12}}]',
  },
  salesAndTrafficByDate: { granularity: 'MONTH' },
  salesAndTrafficByAsin: { aggregateBy: 'SKU' },
  salesAndTrafficTrends: {
    asinAggregation: 'CHILD',
    dateAggregation: 'DAY',
    filters: `[{"marketplaceId":"${US}","asins":["B0SBX00001"]}]`,
  },
  manufacturingView: { granularity: 'DAY', currencyCode: 'EUR' },
  sourcingView: { aggregateBy: 'DAY' },
};

it('asks for any fields of any query so that the schema takes it', async () => {
  const all = await Promise.all(DATASETS.map(async (type) => [type, await datasetOf(type)] as const));
  for (const [type, dataset] of all) {
    const schema = schemaOf(dataset);
    for (const [query, { gives, takes }] of Object.entries(dataset.queries)) {
      const paths = fieldsOf(dataset, gives).map(({ path }) => path.join('.'));
      const marketplaces = 'marketplaceId' in takes || 'marketplaceIds' in takes ? ['US'] : [];
      const chosen = fc.uniqueArray(fc.constantFrom(...paths), { minLength: 1, maxLength: 30 });
      fc.assert(
        fc.property(fc.option(chosen, { nil: undefined }), (fields) => {
          const options = { ...NEEDED[query], query, ...(fields && { fields: fields.join(', ') }) };
          // The default of one dataset is chosen by its facts, and some queries are too long with all fields.
          const request = checkDatasetRequest(
            { type, dataset, marketplaces, ...TIME, options },
            undefined,
            NOW,
          );
          expect(validate(schema, parse(request.query))).toEqual([]);
          const asked = request.fields.map(({ path }) => path.join('.'));
          for (const field of fields ?? []) expect(asked).toContain(field);
          // No row is left without the time, place and product that it is of.
          expect(asked).toEqual(expect.arrayContaining(KEYS.filter((key) => paths.includes(key))));
          expect(request.query.length).toBeLessThanOrEqual(8_000);
        }),
        { numRuns: 20 },
      );
    }
  }
});

it.each<[marketplaces: string[], options: Record<string, string>, currency: string | undefined]>([
  [['ES'], {}, 'EUR'],
  [['ES', 'FR'], {}, 'EUR'],
  [['ES', 'GB'], {}, undefined],
  [['JP'], {}, 'JPY'],
  [['ES'], { currencyCode: 'SEK' }, 'SEK'],
])('counts in the currency of %j, with the options %j', async (marketplaces, more, currency) => {
  const type = 'analytics_sellerAnalytics_2025_03_31';
  const options = { granularity: 'WEEK', ...more };
  const asked = { type, dataset: await datasetOf(type), marketplaces, ...TIME, options };
  const { query } = checkDatasetRequest(asked, undefined, NOW);
  expect(/currencyCode:"(\w+)"/.exec(query)?.[1]).toBe(currency);
});

it.each([
  ['a query that is not there', SALES, { options: { query: 'byDay' } }, 'options.query'],
  [
    'a field that is not there',
    SALES,
    { options: { granularity: 'DAY', fields: 'unitsSold' } },
    'options.fields',
  ],
  ['no granularity where one is needed', SALES, {}, 'options.granularity'],
  ['a granularity that is not there', SALES, { options: { granularity: 'YEAR' } }, 'options.granularity'],
  [
    'an option that is not taken',
    SALES,
    { options: { granularity: 'DAY', currency: 'EUR' } },
    'options.currency',
  ],
  ['no start', SALES, { start: undefined, options: { granularity: 'DAY' } }, 'start'],
  ['an end before the start', SALES, { end: '2026-10-01', options: { granularity: 'DAY' } }, 'end'],
  ['a moment', SALES, { start: '2026-11-01T10:00:00Z', options: { granularity: 'DAY' } }, 'start'],
  [
    'marketplaces of a vendor',
    'analytics_vendorAnalytics_2024_09_30',
    { marketplaces: ['US'], options: { granularity: 'DAY' } },
    'marketplaces',
  ],
  [
    'an unknown marketplace',
    SALES,
    { marketplaces: ['Atlantis'], options: { granularity: 'DAY' } },
    'marketplaces.0',
  ],
  [
    'an object with another member',
    ECONOMICS,
    { options: { aggregateBy: '{"day":"DAY"}' } },
    'options.aggregateBy.day',
  ],
  [
    'too many fields',
    SELLER,
    { options: { granularity: 'DAY', fields: 'totals, metrics' } },
    'options.fields',
  ],
])('refuses %s before anything is sent', async (_what, type, more, path) => {
  const { runner, queries } = await open([]);
  const report = { type, ...TIME, ...more };
  const refused = runner.run(collectData, { report });
  await expect(refused).rejects.toMatchObject({
    problems: expect.arrayContaining([expect.objectContaining({ path: `report.${path}` })]),
  });
  expect([queries, runner.calls()]).toEqual([[], []]);
});

const amount = (value: number | null) => (value === null ? null : { amount: value, currencyCode: 'USD' });
const day = (date: string, sales: number, refunds: number | null) => ({
  startDate: date,
  endDate: date,
  sales: { orderedProductSales: amount(sales), unitsRefunded: refunds, refundRate: null },
});
const FIELDS = 'orderedProductSales, unitsRefunded, refundRate';
const REPORT = { type: SALES, ...TIME, options: { granularity: 'DAY', fields: FIELDS } };

it('becomes a typed table, in which null stays NULL, and says what is missing from a sum', async () => {
  const { runner, queries } = await open([[day('2026-11-01', 10.5, 2), day('2026-11-02', 4.5, null)]]);
  const { structured } = await runner.run(collectData, { report: REPORT, as: 'days' });
  expect(queries).toHaveLength(1);
  expect(structured).toMatchObject({ complete: true, tables: [{ name: 'days', rows: 2 }] });
  const ask = async (sql: string) => {
    const { structured: answer, text } = await runner.run(queryData, { sql });
    return { rows: answer.rows, whole: JSON.stringify([text, answer]) };
  };
  const all = await ask(
    'SELECT start_date, sales_ordered_product_sales_amount, sales_units_refunded, sales_refund_rate FROM days ORDER BY 1',
  );
  expect(all.rows).toEqual([
    ['2026-11-01', 10.5, 2, null],
    ['2026-11-02', 4.5, null, null],
  ]);
  const sum = await ask('SELECT sum(sales_units_refunded) FROM days');
  expect(sum.rows).toEqual([[2]]);
  expect(sum.whole).toMatch(/sales_units_refunded.*\b1 of 2\b/);
  const none = await ask('SELECT total(sales_refund_rate) FROM days');
  expect(none.whole).toMatch(/sales_refund_rate.*\b2 of 2\b/);
  const whole = await ask('SELECT sum(sales_ordered_product_sales_amount) FROM days');
  expect(whole.rows).toEqual([[15]]);
  expect(whole.whole).not.toMatch(/\d of 2\b/);
});

it('joins the pages of a large answer, and is used again for some hours', async () => {
  const { runner, queries } = await open([[day('2026-11-01', 1, 1)], [day('2026-11-02', 2, 2)]]);
  const run = async (more: object) => (await runner.run(collectData, { report: REPORT, ...more })).structured;
  expect(await run({ as: 'days' })).toMatchObject({ tables: [{ name: 'days', rows: 2 }] });
  expect(queries).toHaveLength(2);
  await run({ as: 'days' });
  expect(queries).toHaveLength(2);
  await run({ as: 'days', fresh: true });
  expect(queries).toHaveLength(4);
});

it('uses an answer to the same query that is at the service, whatever its white space', async () => {
  const { runner, queries } = await open([[day('2026-11-01', 1, 1)]]);
  await runner.run(collectData, { report: REPORT, as: 'one' });
  const [sent = ''] = queries;
  const { runner: other, queries: again } = await startKiosk([[day('2026-11-01', 1, 1)]]);
  onTestFinished(() => other.close());
  // Sent by another program, with line breaks.
  const spaced = sent.replaceAll('{', ' {\n  ').replaceAll('}', '\n}').replaceAll('[', '[ ');
  await fetch(`${other.service.url}/dataKiosk/2023-11-15/queries`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: spaced }),
  });
  await other.run(collectData, { report: REPORT, as: 'one' });
  expect(again).toHaveLength(1);
});

it('says what the service says of a query that it cannot answer', async () => {
  const { runner } = await open('{"errors":["startDate is more than two years ago"]}');
  const failed = runner.run(collectData, { report: REPORT });
  await expect(failed).rejects.toThrow('startDate is more than two years ago');
});

it('names the datasets for one that is not known, and the successor of one that is gone', async () => {
  const { runner } = await open([]);
  const of = (type: string) => runner.run(collectData, { report: { type, ...TIME } });
  await expect(of('analytics_profit_2027_01_01')).rejects.toMatchObject({
    hint: expect.stringContaining(SELLER),
  });
  await expect(of('analytics_salesAndTraffic_2023_11_15')).rejects.toThrow(SALES);
});

it.each(DATASETS)('describes %s: its queries, what they take and the fields', async (type) => {
  const runner = await startToolRunner(() => ({ body: {} }));
  onTestFinished(() => runner.close());
  const dataset = await datasetOf(type);
  for (const operation of ['createQuery', 'createReport']) {
    const { text } = await runner.run(describeOperation, { operation, member: type });
    for (const [query, { takes }] of Object.entries(dataset.queries)) {
      for (const word of [query, ...Object.keys(takes)]) expect(text).toContain(word);
    }
    expect(Buffer.byteLength(text)).toBeLessThan(60_000);
  }
});

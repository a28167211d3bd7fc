/** Tests the period that rows cover: the loaded period is reported and compared with the requested one. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { coverageNotes } from '../../../src/data/collections/coverage.ts';
import { MONTHS } from '../../../src/data/tables/dates.ts';
import type { CollectionInfo, CollectionSource } from '../../../src/data/tables/table-types.ts';
import { collectItems, openTestTables } from '../../helpers/tables-worker.ts';

it('the first and the last of any dates are those of the rows', async () => {
  const tables = await openTestTables();
  const moment = fc.date({ min: new Date('2001-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(moment), { minLength: 1, maxLength: 30 }), async (moments) => {
      const texts = moments.map((one) => one?.toISOString() ?? null);
      const info = await collectItems(
        tables,
        'orders',
        texts.map((created_time, at) => ({ sku: `S${at}`, created_time })),
      );
      const column = info.tables[0]?.columns.find(({ name }) => name === 'created_time');
      const sorted = texts.filter((text) => text !== null).sort();
      expect([column?.first, column?.last]).toEqual([sorted[0], sorted.at(-1)]);
    }),
    { numRuns: 20 },
  );
  await tables.close();
});

const report = (start: string, end?: string, reportType = 'GET_ORDERS'): CollectionSource => ({
  kind: 'report',
  reportType,
  marketplaces: [],
  start,
  end,
});
const operation = (parameters: Record<string, unknown>): CollectionSource => ({
  kind: 'operation',
  operation: 'x',
  parameters,
});
const RANGE =
  'orders: purchase_date 2026-07-06T08:00Z to 2026-09-30T23:00Z, updated_date 2026-08-01 to 2026-10-30.';

it.each<[string, CollectionSource, string[]]>([
  ['all of it', report('2026-07-06', '2026-10-01'), []],
  [
    'it begins later',
    report('2026-07-01T00:00:00Z'),
    ['Asked from 2026-07-01T00:00Z; the first purchase_date is of 2026-07-06T08:00Z.'],
  ],
  [
    'it ends before',
    report('2026-07-06', '2026-10-05T00:00:00Z'),
    ['Asked to 2026-10-05T00:00Z; the last purchase_date is of 2026-09-30T23:00Z.'],
  ],
  [
    'it begins a day later',
    report('2026-07-05T08:00:00Z'),
    ['Asked from 2026-07-05T08:00Z; the first purchase_date is of 2026-07-06T08:00Z.'],
  ],
  ['it begins less than a day later', report('2026-07-05T08:00:01Z'), []],
  ['it ends a day before', report('2026-07-06', '2026-10-01T23:00:00Z'), []],
  [
    'it ends more than a day before',
    report('2026-07-06', '2026-10-01T23:01:00Z'),
    ['Asked to 2026-10-01T23:01Z; the last purchase_date is of 2026-09-30T23:00Z.'],
  ],
  ['an end that is to come', report('2026-07-06', '2027-01-01'), []],
  [
    'by another date',
    report('2026-07-06', undefined, 'GET_BY_LAST_UPDATE'),
    ['Asked from 2026-07-06; the first updated_date is of 2026-08-01.'],
  ],
  [
    'of an operation',
    operation({ createdAfter: '2026-07-01' }),
    ['Asked from 2026-07-01; the first purchase_date is of 2026-07-06T08:00Z.'],
  ],
  ['of an operation, by another date', operation({ lastUpdatedAfter: '2026-08-01' }), []],
  [
    'of an operation, by another date among other arguments',
    operation({ statuses: ['Shipped'], lastUpdatedAfter: '2026-07-20' }),
    ['Asked from 2026-07-20; the first updated_date is of 2026-08-01.'],
  ],
  [
    'of an operation, to an end',
    operation({
      Afters: '2026-07-01',
      createdBefore: '2026-10-09',
      endTime: 5,
      dataStartTimes: '2026-01-01',
    }),
    ['Asked to 2026-10-09; the last purchase_date is of 2026-09-30T23:00Z.'],
  ],
  ['of an operation, with words for days', operation({ createdAfter: 'x 2026-07-01', endDate: 'today' }), []],
  ['of a document', { kind: 'document', id: 'x', of: 'report' }, []],
])('%s', (_, source, words) => {
  const column = (name: string, first?: string, last?: string) => ({
    name,
    type: 'date' as const,
    first,
    last,
  });
  const columns = [
    column('sent_date'),
    column('purchase_date', '2026-07-06T08:00:00Z', '2026-09-30T23:00:00Z'),
    column('updated_date', '2026-08-01', '2026-10-30'),
  ];
  const tables = [
    { name: 'orders', rows: 9, columns, notes: [] },
    { name: 'items', parent: 'orders', rows: 9, columns, notes: [] },
  ];
  const info = { source, tables, collectedAt: '2026-11-21T11:00:00.000Z' } as unknown as CollectionInfo;
  expect(coverageNotes(info)).toEqual([RANGE, ...words]);
});

it('a month lasts to its last day', () => {
  const months = (end: string) =>
    coverageNotes({
      source: report('2026-07-15', end),
      tables: [
        {
          name: 'fees',
          rows: 9,
          columns: [
            { name: 'month_date', type: 'date', first: '2026-07-01', last: '2026-09-01', note: MONTHS },
          ],
        },
      ],
      collectedAt: '2026-11-21T11:00:00.000Z',
    } as unknown as CollectionInfo).slice(1);
  expect(months('2026-09-30')).toEqual([]);
  expect(months('2026-10-31')).toEqual(['Asked to 2026-10-31; the last month_date is of 2026-09.']);
});

it('a date of a buyer is never told, nor the state of things, which has no time; others by their names, two at most', () => {
  const column = (name: string, more: object = {}) => ({
    name,
    type: 'date' as const,
    first: '2026-07-06',
    last: '2026-07-07',
    ...more,
  });
  const of = (columns: object[], source: CollectionSource) =>
    coverageNotes({
      source,
      tables: [{ name: 'orders', rows: 9, columns, notes: [] }],
      collectedAt: '2026-11-21T11:00:00.000Z',
    } as unknown as CollectionInfo);
  const birthday = column('birth_date', { personal: 'buyer text' });
  expect(of([birthday], report('2026-07-01'))).toEqual([]);
  expect(
    of([column('half', { last: undefined }), column('other', { first: undefined })], report('2026-07-01')),
  ).toEqual([]);
  expect(of([birthday, column('a'), column('b'), column('c')], report('2026-07-01'))).toEqual([
    'orders: a 2026-07-06 to 2026-07-07, b 2026-07-06 to 2026-07-07.',
    'Asked from 2026-07-01; the first a is of 2026-07-06.',
  ]);
  const review: CollectionSource = { kind: 'operation', operation: 'review_listings', parameters: {} };
  expect(of([column('a')], review)).toEqual([]);
  const periods = [column('end_date'), column('start_date', { first: '2026-07-01', last: '2026-07-01' })];
  expect(of(periods, report('2026-07-01', '2026-07-07'))).toHaveLength(1);
});

/** A report is asked for, awaited and fetched for the seller whose collection it is, and one with buyers' data against a token of its own. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AccountProfile } from '../../../src/accounts/account.ts';
import { NetworkError } from '../../../src/base/errors.ts';
import type { CallInput } from '../../../src/call/client-types.ts';
import { planReport, type ReportOrder } from '../../../src/data/collections/collect-report.ts';
import type { CollectionSources } from '../../../src/data/collections/collection-plan.ts';
import type { CollectionInfo } from '../../../src/data/tables/table-types.ts';
import { reportTraits } from '../../../src/service/facts/generated/report-traits.ts';
import { marketplaces } from '../../../src/service/facts/marketplaces.ts';
import { reportType } from '../../../src/service/facts/report-types.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';
import { fakeClient } from '../../helpers/fake-client.ts';
import { fakeClock } from '../../helpers/fake-clock.ts';
import { memoryLoaders } from '../../helpers/memory-loader.ts';

const DE = 'A1PA6795UKMFR9';
const OWNER: AccountProfile = {
  name: 'default',
  baseUrl: 'https://service.example',
  authUrl: 'https://identity.example',
  sellerId: 'A1SELLER',
  marketplaceId: DE,
};
const ANSWERS: Readonly<Record<string, object>> = {
  getReports: { reports: [] },
  createReport: { reportId: 'R1' },
  getReport: { reportId: 'R1', processingStatus: 'DONE', reportDocumentId: 'D1' },
  getReportDocument: { url: 'https://documents.example/signed' },
};

/** The loaded documents, and what the collection says about itself. */
interface Loaded {
  documents: object[];
  info?: CollectionInfo;
}

/** Returns the operations that were called to collect the report, in order. */
async function collect(
  order: ReportOrder,
  answer: (name: string, calls: number) => object | undefined = (name) => ANSWERS[name],
  loaded: Loaded = { documents: [] },
  more: Partial<CollectionSources> = {},
): Promise<CallInput[]> {
  const { client, calls } = fakeClient(OWNER, ({ operation: { name } }) =>
    answer(name, calls.filter(({ operation }) => operation.name === name).length),
  );
  const { find } = await loadRegistry();
  const downloads = {
    download: async () => ({ bytes: 1, charset: undefined }),
    close: async () => undefined,
  };
  const loaders = memoryLoaders();
  const plan = await planReport(order, {
    client,
    downloads: async () => downloads,
    find,
    account: 'default',
    clock: fakeClock(),
    ...more,
  });
  loaded.info = await plan.work({
    async openLoader() {
      const loader = await loaders.open();
      return {
        ...loader,
        addDocument(table, document, { format, isRestricted }) {
          loaded.documents.push({ table, document, format, isRestricted });
          return loader.addDocument(table, document, { format, isRestricted });
        },
      };
    },
    signal: new AbortController().signal,
    tell: () => undefined,
    idle: (wait) => wait(),
  });
  return calls;
}

it.each([
  ['GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL', 'seller'],
  ['GET_FLAT_FILE_ACTIONABLE_ORDER_DATA_SHIPPING', 'restricted'],
])('%s: every call for its owner, the document with a %s token', async (type, kind) => {
  const calls = await collect({ type, marketplaces: ['DE'], start: '2023-11-01' });
  const asked = calls.map(({ operation }) => [operation.name, operation.auth.kind]);
  expect(asked.slice(-3)).toEqual([
    ['createReport', 'seller'],
    ['getReport', 'seller'],
    ['getReportDocument', kind],
  ]);
  for (const { owner } of calls) expect(owner).toBe(OWNER);
});

it.each([
  ['has passed', '2023-11-10', { dataEndTime: '2023-11-10T22:59:59Z' }],
  ['is yet to come', '2023-12-24', {}],
])('an end that %s', async (_what, end, sent) => {
  const type = 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL';
  const calls = await collect({ type, marketplaces: ['DE'], start: '2023-11-01', end });
  const asked = calls.find(({ operation }) => operation.name === 'createReport');
  expect(asked?.body).toEqual({
    reportType: type,
    marketplaceIds: [DE],
    dataStartTime: '2023-10-31T23:00:00Z',
    ...sent,
  });
});

it.each([
  ['is taken for it', undefined, 'THERE'],
  ['may have others', { dateGranularity: 'DAY' }, 'R1'],
])(
  'where nobody knows whether it was asked for, one that is there %s (options: %j)',
  async (_what, options, id) => {
    const order = {
      type: 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL',
      marketplaces: ['DE'],
      start: '2023-11-01',
      end: '2023-11-10',
      fresh: true,
      options,
    };
    const there = {
      reportId: 'THERE',
      reportType: order.type,
      processingStatus: 'IN_QUEUE',
      marketplaceIds: [DE],
      dataStartTime: '2023-10-31T23:00:00Z',
      dataEndTime: '2023-11-10T22:59:59Z',
      createdTime: '2023-11-14T22:13:20Z',
    };
    const calls = await collect(order, (name, times) => {
      if (name === 'createReport' && times === 1) return new NetworkError('ECONNRESET', 'unknown', 'reset');
      return name === 'getReports' ? { reports: [there] } : ANSWERS[name];
    });
    const asked = calls.find(({ operation }) => operation.name === 'createReport');
    expect(asked?.body).toHaveProperty('reportType', order.type);
    expect(Object(asked?.body).reportOptions).toEqual(options);
    const awaited = calls.find(({ operation }) => operation.name === 'getReport');
    expect(awaited?.parameters).toEqual({ reportId: id });
    expect(calls.filter(({ operation }) => operation.name === 'createReport')).toHaveLength(
      id === 'R1' ? 2 : 1,
    );
  },
);

it('reports that a schedule makes are taken from every page of the list', async () => {
  const made = (reportId: string, marketplaceIds: string[]) => ({
    reportId,
    reportDocumentId: `D-${reportId}`,
    processingStatus: 'DONE',
    marketplaceIds,
    createdTime: '2023-11-10T00:00:00Z',
  });
  const type = 'GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2';
  const calls = await collect({ type, marketplaces: ['DE'], start: '2023-11-01' }, (name, times) => {
    if (name !== 'getReports') return ANSWERS[name];
    return times === 1
      ? { reports: [made('FIRST', [DE])], nextToken: 'more' }
      : { reports: [made('SECOND', [DE])] };
  });
  const documents = calls.filter(({ operation }) => operation.name === 'getReportDocument');
  expect(documents.map(({ parameters }) => parameters.reportDocumentId)).toEqual(['D-FIRST', 'D-SECOND']);
});

it.each([
  [1, [DE]],
  [11, undefined],
])(
  'a list of reports is asked for the type, the time and up to ten marketplaces: of %d',
  async (count, marketplaceIds) => {
    const all = marketplaces()
      .map(({ id }) => id)
      .filter((id) => id !== DE);
    const type = 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL';
    const calls = await collect({
      type,
      marketplaces: [DE, ...all.slice(0, count - 1)],
      start: '2023-11-01',
      end: '2023-11-10',
    });
    const [listed] = calls.filter(({ operation }) => operation.name === 'getReports');
    expect(listed?.parameters).toEqual({
      reportTypes: [type],
      processingStatuses: ['DONE', 'IN_QUEUE', 'IN_PROGRESS'],
      marketplaceIds,
      createdSince: expect.any(String),
      pageSize: 100,
    });
  },
);

it.each([
  ['GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL', 'tab', false],
  ['GET_FLAT_FILE_ACTIONABLE_ORDER_DATA_SHIPPING', 'tab', true],
  ['SC_VAT_TAX_REPORT', 'csv', true],
  ['GET_SALES_AND_TRAFFIC_REPORT', 'json', false],
  ['GET_XML_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL', 'xml', false],
  ['GET_EASYSHIP_DOCUMENTS', 'other', true],
  ['GET_EPR_MONTHLY_REPORTS', 'auto', false],
  ['GET_ROBOT_FORECAST_V9', 'auto', false],
])('%s is read as %s', async (type, format, isRestricted) => {
  const loaded: Loaded = { documents: [] };
  const times = { start: '2023-11-01T00:00:00Z', end: '2023-11-10T00:00:00Z' };
  await collect({ type, marketplaces: ['DE'], ...times }, undefined, loaded);
  expect(loaded.documents).toEqual([
    { table: type.replace('GET_', ''), document: '/nowhere/document', format, isRestricted },
  ]);
  expect(loaded.info?.notes[0]).toContain(
    'Germany (A1PA6795UKMFR9), 2023-11-01T00:00:00Z to 2023-11-10T00:00:00Z.',
  );
  expect(loaded.info?.source).toMatchObject({ kind: 'report', reportType: type, reportId: 'R1' });
});

it('of several reports each row has its own, and the collection says which time is meant', async () => {
  const made = (reportId: string, createdTime: string) => ({
    reportId,
    reportDocumentId: `D-${reportId}`,
    processingStatus: 'DONE',
    marketplaceIds: [DE],
    createdTime,
  });
  const reports = [made('NEW', '2023-11-10T00:00:00Z'), made('OLD', '2023-11-03T00:00:00Z')];
  const loaded: Loaded = { documents: [] };
  const order = {
    type: 'GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2',
    marketplaces: ['DE'],
    start: '2023-11-01T00:00:00Z',
    as: 'mine',
  };
  await collect(order, (name) => (name === 'getReports' ? { reports } : ANSWERS[name]), loaded);
  const documents = ['NEW', 'OLD'].map((label, at) => ({ file: `/nowhere/document-${at + 1}`, label }));
  expect(loaded.documents).toEqual([
    { table: 'mine', document: { column: 'report_id', documents }, format: 'tab', isRestricted: false },
  ]);
  expect(loaded.info?.source).not.toHaveProperty('reportId');
  expect(loaded.info?.notes[0]).toContain('Germany (A1PA6795UKMFR9), 2023-11-01T00:00:00Z to now.');
});

const HOUR_MS = 3_600_000;

it('to save a report, the one that its table was made of is taken, as long as a report of its type is new', async () => {
  // A new report of the second type is made once a day.
  const newFor = { GET_MERCHANT_LISTINGS_ALL_DATA: 4, GET_REFERRAL_FEE_PREVIEW_REPORT: 24 } as const;
  const mostly = fc.integer({ max: 4, min: 0 }).map((number) => number > 0);
  const world = fc.record({
    type: fc.constantFrom('GET_MERCHANT_LISTINGS_ALL_DATA', 'GET_REFERRAL_FEE_PREVIEW_REPORT'),
    ageMs: fc
      .tuple(fc.constantFrom(0, 1, 4, 5, 24, 25), fc.constantFrom(-1, 0, 1))
      .map(([hours, ms]) => Math.max(0, hours * HOUR_MS + ms)),
    reportId: mostly.map((has) => (has ? 'KEPT' : undefined)),
    isKept: mostly,
    isSaved: mostly,
    fresh: mostly.map((not) => !not),
  });
  await fc.assert(
    fc.asyncProperty(world, async ({ type, ageMs, reportId, isKept, isSaved, fresh }) => {
      const clock = fakeClock();
      const calls = await collect({ type, marketplaces: ['DE'], fresh }, undefined, undefined, {
        clock,
        // It fails, which costs nothing but the file.
        saving: isSaved
          ? { name: 'report.tsv', files: () => Promise.reject(new NetworkError('EIO', 'unknown', 'no')) }
          : undefined,
        kept: async (source) => {
          if (!isKept || source.kind !== 'report') return undefined;
          const collectedAt = new Date(clock.wallClock() - ageMs).toISOString();
          const about = { id: 'id', account: 'default', complete: true, tables: [], notes: [], bytes: 0 };
          return { ...about, collectedAt, source: { ...source, reportId } };
        },
      });
      const isTaken =
        isSaved && isKept && !fresh && reportId !== undefined && ageMs <= newFor[type] * HOUR_MS;
      const ids = calls.flatMap(({ parameters }) => parameters.reportId ?? []);
      expect(ids).toEqual([isTaken ? reportId : 'R1']);
      expect(calls.some(({ operation }) => operation.name === 'createReport')).toBe(!isTaken);
    }),
    { numRuns: 100 },
  );
});

// The language of the headings.

const LOCALE = 'preferredReportDocumentLocale';
const optionsSent = (calls: readonly CallInput[]) => {
  const asked = calls.find(({ operation }) => operation.name === 'createReport');
  return Object(asked?.body).reportOptions ?? {};
};
const takesLocale = (type: string) => reportTraits[type]?.locale === true;
const requested = Object.keys(reportTraits).filter((type) => {
  const { origin = '', requiredOptions = [], ending } = reportType(type) ?? {};
  return /request|both/.test(origin) && requiredOptions.length === 0 && ending === undefined;
});

it('asks for English headings of exactly the report types that take a language', async () => {
  expect(requested.filter(takesLocale).length).toBeGreaterThan(5);
  for (const type of requested) {
    const calls = await collect({ type, marketplaces: ['DE'], start: '2023-11-01', end: '2023-11-10' });
    expect([type, optionsSent(calls)]).toEqual([type, takesLocale(type) ? { [LOCALE]: 'en_US' } : {}]);
  }
});

it('leaves the language to whoever names one, and their other options as they are', async () => {
  const type = 'GET_MERCHANT_LISTINGS_ALL_DATA';
  const sent = async (options: Record<string, string>) =>
    optionsSent(await collect({ type, marketplaces: ['DE'], options }));
  expect(await sent({ [LOCALE]: 'de_DE' })).toEqual({ [LOCALE]: 'de_DE' });
  expect(await sent({ custom: 'true' })).toEqual({ [LOCALE]: 'en_US', custom: 'true' });
});

it('uses a report or a collection that is there whatever its language is', async () => {
  const type = 'GET_MERCHANT_LISTINGS_DATA';
  const there = {
    reportId: 'THERE',
    reportType: type,
    processingStatus: 'DONE',
    reportDocumentId: 'D-THERE',
    marketplaceIds: [DE],
    createdTime: '2023-11-14T22:00:00Z',
  };
  const loaded: Loaded = { documents: [] };
  const calls = await collect(
    { type, marketplaces: ['DE'] },
    (name) => (name === 'getReports' ? { reports: [there] } : ANSWERS[name]),
    loaded,
  );
  expect(calls.map(({ operation }) => operation.name)).not.toContain('createReport');
  // The wish is no part of the source, by which a collection is found again.
  expect(loaded.info?.source).toMatchObject({ reportId: 'THERE' });
  expect(JSON.stringify(loaded.info?.source)).not.toContain(LOCALE);
});

it.each<[string, string[] | undefined, string | undefined]>([
  ['GET_MERCHANT_LISTINGS_ALL_DATA', [DE], 'France'],
  ['GET_MERCHANT_LISTINGS_ALL_DATA', [DE, 'A13V1IB3VIYZZH'], undefined],
  ['GET_MERCHANT_LISTINGS_ALL_DATA', undefined, undefined],
  // This report leaves no marketplace out, since each stands for all.
  ['GET_LEDGER_DETAIL_VIEW_DATA', [DE], undefined],
])(
  'tells which marketplaces Amazon left out of a report: %s for %j',
  async (type, marketplaceIds, leftOut) => {
    const loaded: Loaded = { documents: [] };
    const order = { type, marketplaces: ['DE', 'FR'], start: '2023-11-01', end: '2023-11-10' };
    const report = { ...ANSWERS.getReport, marketplaceIds };
    await collect(order, (name) => (name === 'getReport' ? report : ANSWERS[name]), loaded);
    const leftOutNotes = (loaded.info?.notes ?? []).filter((note) => note.includes('left out'));
    expect(leftOutNotes).toHaveLength(leftOut === undefined ? 0 : 1);
    expect(leftOutNotes.join()).toContain(leftOut ?? '');
  },
);

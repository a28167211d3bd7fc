import { describe, expect, test } from 'vitest';
import { listOperations } from '../../../src/service/describe/list-operations.ts';
import { reportTypes } from '../../../src/service/facts/report-types.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';
import { knownQuestions } from '../../../src/service/search/generated/known-questions.ts';
import { wordClasses } from '../../../src/service/search/generated/word-classes.ts';
import { furtherQuestions } from './further-questions.ts';
import { heldOutQuestions, laterQuestions, tunedQuestions, unseenQuestions } from './plain-questions.ts';
import { otherAnswers, sellerQuestions } from './seller-questions.ts';

/** How far down an assistant is sure to look. */
const FIRST = 5;

const registry = await loadRegistry();

async function find(search: string, limit = FIRST): Promise<string[]> {
  return (await registry.list({ search, limit })).operations.map(({ id }) => id);
}

/** Ids of the operations and report types that are shown first, and what the answer tells to do. */
async function answerTo(search: string): Promise<{ ids: string[]; hints: string }> {
  const { operations, reportTypes = [], hints = [] } = await registry.list({ search });
  const ids = [...operations.map(({ id }) => id), ...reportTypes.map(({ reportType }) => reportType)];
  return { ids, hints: hints.join(' ') };
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
    const { ids, hints } = await answerTo(asked);
    const isFound =
      means.length === 0 ? ids.length === 0 : means.some((one) => ids.includes(one) || hints.includes(one));
    if (!isFound) missed.push(`${asked}: ${ids.join(', ')}`);
  }
  const found = questions.length - missed.length;
  process.stdout.write(`${found} of ${questions.length} questions are answered among the first five\n`);
  expect(found, missed.join('\n')).toBeGreaterThanOrEqual(least);
});

test.each([
  [
    'support/listCases',
    ['which support cases are open', 'my tickets with Amazon', 'cases waiting for my answer'],
  ],
  [
    'support/getCase',
    ['status of support case 123', 'is my case resolved', 'when does Amazon call me about my case'],
  ],
  [
    'support/listContacts',
    ['what did support write in my case', 'has Amazon replied to my case', 'chat with seller support'],
  ],
  ['promotions/searchPromotions', ['which coupons are running', 'my lightning deals', 'failed promotions']],
  ['promotions/getPromotion', ['budget of my coupon', 'discount of a promotion', 'why did my deal fail']],
  [
    'promotions/getSelection',
    ['which products are in my promotion', 'ASINs of a deal', 'SKUs with a coupon'],
  ],
  [
    'vendor-remittances/getRemittanceHeaders',
    ['payments from Amazon to a vendor', 'remittance advice', 'remittances of last month'],
  ],
  [
    'vendor-remittances/getRemittance',
    ['which invoices did the remittance pay', 'lines of a remittance', 'one vendor payment in detail'],
  ],
  [
    'external-fulfilment/createSandboxLocation',
    [
      'test location for an external warehouse',
      'make a sandbox location',
      'create a location to test external fulfillment',
    ],
  ],
  [
    'a-plus-content/createMedia',
    ['upload a video for premium A+ content', 'add a picture to A+ media', 'A+ content media upload'],
  ],
  [
    'a-plus-content/getMedia',
    ['state of a video in A+ content', 'one picture of A+ media', 'where is this A+ picture used'],
  ],
  [
    'a-plus-content/updateMedia',
    ['change the title of an A+ video', 'description of an A+ picture', 'rename A+ media'],
  ],
  [
    'external-fulfilment/createSandboxShipment',
    [
      'make a test shipment of external fulfillment',
      'create sandbox shipment',
      'external fulfillment test shipment',
    ],
  ],
  [
    'external-fulfilment/updateSandboxShipment',
    [
      'change a test shipment in the sandbox',
      'update sandbox shipment',
      'next status of a test shipment in the sandbox',
    ],
  ],
  [
    'analytics_sellerAnalytics_2025_03_31',
    [
      'page views and conversion per SKU by week',
      'which products lost sessions last week',
      'sales and returns by brand',
    ],
  ],
  [
    'analytics_economics_2024_03_15',
    ['net proceeds per ASIN after fees and ads', 'unit economics of my products', 'profit per SKU'],
  ],
  [
    'analytics_salesAndTraffic_2024_04_24',
    ['buy box percentage of my products', 'sessions per day', 'what did I sell each day'],
  ],
  [
    'analytics_vendorAnalytics_2024_09_30',
    ['vendor ordered revenue by week', 'vendor sales and inventory by week', 'vendor forecast and net PPM'],
  ],
] as const)('%s is found by three questions of a seller', async (id, questions) => {
  for (const asked of questions) expect((await answerTo(asked)).ids, asked).toContain(id);
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
    for (const { id, ending } of registry.operations) {
      // A successor comes before an operation that has a day of removal.
      const expected = ending?.removed === undefined ? [id] : [ending.successor, id];
      expect(await find(id, expected.length)).toEqual(expected);
    }
    expect(await find('get order metrics', 1)).toEqual(['sales/getOrderMetrics']);
    expect(await find('getordermetrics', 1)).toEqual(['sales/getOrderMetrics']);
    expect(await find('/feeds/2021-06-30/documents', 2)).toEqual([
      'feeds/createFeedDocument',
      'feeds/getFeedDocument',
    ]);
  });

  test.each([
    ['settlement report', 'GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2', '{type, start, end}'],
    ['returns report', 'GET_FLAT_FILE_RETURNS_DATA_BY_RETURN_DATE', '{type, start, end}'],
    ['sales and traffic', 'GET_SALES_AND_TRAFFIC_REPORT', '{type, start, end}'],
    ['stranded inventory', 'GET_STRANDED_INVENTORY_UI_DATA', '{type}'],
    ['what is bought together', 'GET_BRAND_ANALYTICS_MARKET_BASKET_REPORT', 'options: {reportPeriod}'],
    ['get_ledger_summary_view_data', 'GET_LEDGER_SUMMARY_VIEW_DATA', '{type, start, end}'],
  ])(
    '%s: both forms name the report type and the call that collects it',
    async (asked, reportType, takes) => {
      const { text, data } = await listOperations(registry, { search: asked });
      expect(text.split('\n').find((line) => line.includes(`${reportType}:`))).toContain(
        'collect_data report: ',
      );
      const collect = expect.stringContaining(takes);
      const reportTypes = expect.arrayContaining([expect.objectContaining({ reportType, collect })]);
      expect(data).toMatchObject({ reportTypes });
    },
  );

  test('of every report type the line says how collect_data gets it', async () => {
    for (const { id, origin, ending } of reportTypes) {
      const { data } = await listOperations(registry, { search: id });
      const collect = expect.stringMatching(
        origin === 'schedule'
          ? /^collect_data report: .*createReportSchedule/
          : /^collect_data report: \{type/,
      );
      const { removed, successor = '' } = ending ?? {};
      expect(data, id).toMatchObject({ best: removed === undefined ? id : successor });
      const own = expect.objectContaining({ reportType: id, collect });
      expect(data, id).toMatchObject({ reportTypes: expect.arrayContaining([own]) });
    }
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
    const idsOf = async (page: { offset?: number; limit?: number }) => {
      const { operations, reportTypes = [] } = await registry.list({ search: 'shipment', ...page });
      return [...operations.map(({ id }) => id), ...reportTypes.map(({ reportType }) => reportType)];
    };
    const whole = await idsOf({ limit: 400 });
    const { total } = await registry.list({ search: 'shipment', limit: 0 });
    const pages = await Promise.all([0, 10, 20].map((offset) => idsOf({ offset, limit: 10 })));
    expect(whole).toHaveLength(total);
    expect(pages.map(({ length }) => length)).toEqual([10, 10, 10]);
    expect(new Set(pages.flat()).size).toBe(30);
    expect(pages.flat().filter((id) => !whole.includes(id))).toEqual([]);
    expect(await idsOf({})).toHaveLength(5);
  });

  test('of a long sentence the results stand alone, and the answer counts what is left out', async () => {
    const asked = 'how is the delivery of boxes with labels to the warehouse getting along';
    const { data, text } = await listOperations(registry, { search: asked });
    expect(data).toMatchObject({ leftOut: expect.any(Number) });
    const left = data.kind === 'operations' ? (data.leftOut ?? 0) : 0;
    const total = data.kind === 'operations' ? data.total : 0;
    expect(left).toBeGreaterThan(total);
    expect(text).toContain(`${left} that match far less are left out`);
  });

  test.each([
    ['FBA inventory restock sales and traffic units ordered', 'GET_SALES_AND_TRAFFIC_REPORT'],
    ['sales and traffic', 'GET_SALES_AND_TRAFFIC_REPORT'],
    ['what did I sell last month', 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL'],
    ['best sellers last month', 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL'],
    ['what sold best', 'GET_SALES_AND_TRAFFIC_REPORT'],
    ['all orders', 'orders/searchOrders'],
    ['orders of last month', 'orders/searchOrders'],
    ['issue a refund', 'POST_PAYMENT_ADJUSTMENT_DATA'],
    ['refund a buyer', 'POST_PAYMENT_ADJUSTMENT_DATA'],
    ['vacation mode', 'quantity 0'],
    ['pause a listing', 'quantity 0'],
  ])('%s leads to %s, among five results or fewer', async (asked, meant) => {
    const { text, data } = await listOperations(registry, { search: asked });
    const { ids, hints } = await answerTo(asked);
    expect(ids.length).toBeLessThanOrEqual(FIRST);
    expect([...ids, hints].join(' ')).toContain(meant);
    for (const form of [text, JSON.stringify(data)]) expect(form).toContain(meant);
  });

  test.each([
    ['tuned for', [...tunedQuestions, ...heldOutQuestions, ...laterQuestions], 0.95],
    ['not tuned for', unseenQuestions, 0.85],
  ])(
    'of the questions in plain words that were %s, enough are answered by five results',
    async (_, questions, least) => {
      const missed: string[] = [];
      for (const [asked, ...means] of questions) {
        const { ids, hints } = await answerTo(asked);
        if (!means.some((one) => ids.includes(one) || hints.includes(one))) missed.push(asked);
      }
      const rate = 1 - missed.length / questions.length;
      process.stdout.write(
        `${Math.round(rate * 100)} % of ${questions.length} questions in plain words are answered\n`,
      );
      expect(rate, missed.join('\n')).toBeGreaterThanOrEqual(least);
    },
  );

  test('every answer that a known question names is an operation or a report type', () => {
    const known = new Set([...registry.operations, ...reportTypes].map(({ id }) => id));
    const means = knownQuestions.flatMap((question) => question.means ?? []);
    expect(means.filter((id) => !known.has(id))).toEqual([]);
    const classes = knownQuestions.flatMap(({ asked }) => asked.join(' ').match(/(?<=\{)\w+(?=\})/g) ?? []);
    expect(classes.filter((name) => wordClasses[name] === undefined)).toEqual([]);
    expect(Object.keys(wordClasses).filter((name) => !classes.includes(name))).toEqual([]);
  });
});

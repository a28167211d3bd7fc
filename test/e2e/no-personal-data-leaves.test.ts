/** The proof: forty personal values through everything that a model can call; then all that went to the host is searched. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HttpService } from '../helpers/http-service.ts';
import { RUNS_ALL } from '../helpers/launch.ts';
import { createLeakSearch, type Leak } from '../helpers/leak-search.ts';
import { homeEnvironment } from '../helpers/outside-service.ts';
import {
  ORDER,
  OWN,
  PEOPLE,
  SHIPMENT,
  SHOP_ORDER,
  startPeopleService,
  TOWN,
} from '../helpers/planted-people.ts';
import { type RawServer, startRawServer } from '../helpers/raw-server.ts';
import { runProgram } from '../helpers/run-program.ts';

/** A query can turn a text about: each of these would be read back at once. */
const turned = (value: string): [string, string][] => [
  ['', value],
  [' in capitals', value.toUpperCase()],
  [' in small letters', value.toLowerCase()],
  [' backwards', [...value].reverse().join('')],
  [' letter by letter', [...value].join(',')],
];
const search = createLeakSearch(
  new Map(
    Object.entries(PEOPLE).flatMap(([name, value]) =>
      turned(value).map(([how, text]): [string, string] => [`${name}${how}`, text]),
    ),
  ),
);

const read = (operation: string, parameters: object, more: object = {}) => ({
  name: 'read_operation',
  arguments: { operation, parameters, ...more },
});
const write = (operation: string, parameters: object, more: object = {}) => ({
  name: 'write_operation',
  arguments: { operation, parameters, ...more },
});
const query = (sql: string) => ({ name: 'query_data', arguments: { sql } });
const orderId = { orderId: ORDER };
const SEARCH = { MarketplaceIds: ['DE'], CreatedAfter: '2026-11-01T00:00:00Z' };
const NEW_SEARCH = {
  marketplaceIds: ['DE'],
  createdAfter: '2026-11-01T00:00:00Z',
  includedData: ['BUYER', 'RECIPIENT'],
};
const RETURNS = 'GET_FBA_FULFILLMENT_CUSTOMER_RETURNS_DATA';
const SHIPPING = 'GET_FLAT_FILE_ORDER_REPORT_DATA_SHIPPING';
const range = { marketplaces: ['DE'], start: '2026-11-01', end: '2026-11-14' };
const collect = (given: object) => ({ name: 'collect_data', arguments: given });

const READS = [
  read('orders/getOrders', SEARCH),
  read('orders/getOrders', SEARCH, {
    select: ['payload.Orders.0.ShippingAddress', 'Orders.BuyerInfo.BuyerName'],
  }),
  read('orders/getOrders', SEARCH, { select: ['payload.Orders.0.BuyerInfo.BuyerEmail'] }),
  read('orders/getOrder', orderId),
  read('orders/getOrder', orderId, { select: ['payload.BuyerTaxInformation', 'BuyerTaxInfo'] }),
  read('orders/getOrderBuyerInfo', orderId),
  read('orders/getOrderAddress', orderId),
  read('orders/getOrderItems', orderId),
  read('orders/getOrderItemsBuyerInfo', orderId),
  read('orders/getOrderRegulatedInfo', orderId),
  read('orders/searchOrders', NEW_SEARCH),
  read('orders/searchOrders', NEW_SEARCH, { select: ['orders.0.recipient'] }),
  read('orders/getOrder@2026-01-01', { ...orderId, includedData: ['BUYER', 'RECIPIENT'] }),
  read('merchant-fulfillment/getShipment', { shipmentId: SHIPMENT }),
  read(
    'merchant-fulfillment/getShipment',
    { shipmentId: SHIPMENT },
    { select: ['payload.Label.FileContents.Contents'] },
  ),
  read('outbound-fulfilment/listAllFulfillmentOrders', {}),
  read('outbound-fulfilment/getFulfillmentOrder', { sellerFulfillmentOrderId: SHOP_ORDER }),
  read('messaging/getMessagingActionsForOrder', { amazonOrderId: ORDER, marketplaceIds: ['DE'] }),
  read('getSupplySources', {}),
  read('getSupplySource', { supplySourceId: 'X-1' }),
];
const COLLECTS = [
  collect({ operation: 'orders/getOrders', parameters: SEARCH, as: 'old_orders' }),
  collect({ operation: 'orders/searchOrders', parameters: NEW_SEARCH, as: 'new_orders' }),
  collect({ operation: 'outbound-fulfilment/listAllFulfillmentOrders', as: 'shop_orders' }),
  collect({ report: { type: SHIPPING, ...range }, as: 'labels' }),
  collect({ report: { type: RETURNS, ...range }, as: 'sent_back' }),
  collect({ document: { id: 'nothing-known' }, as: 'unknown' }),
];
const SAVES = [
  read('merchant-fulfillment/getShipment', { shipmentId: SHIPMENT }, { save_as: 'label.pdf' }),
  read('invoices/getInvoicesDocument', { invoicesDocumentId: 'D-1' }),
  read('invoices/getInvoicesDocument', { invoicesDocumentId: 'D-1' }, { save_as: 'invoice' }),
  collect({ report: { type: SHIPPING, ...range }, as: 'labels', save_as: 'report' }),
  { name: 'query_data', arguments: { sql: 'SELECT * FROM labels', save_as: 'labels.csv' } },
];
const TABLES = ['old_orders', 'new_orders', 'shop_orders', 'labels', 'sent_back', 'unknown'];
const NAME = 'buyer_name';
const EXPRESSIONS = [
  `substr(${NAME}, 1, 4) || substr(${NAME}, 5)`,
  `hex(${NAME})`,
  `quote(${NAME})`,
  `upper(${NAME})`,
  `group_concat(${NAME}, '')`,
  `json_quote(${NAME})`,
  `json_object('a', ${NAME}, 'b', recipient_name)`,
  `printf('%s', ${NAME})`,
  `replace(${NAME}, 'z', 'z')`,
  `cast(cast(${NAME} AS BLOB) AS TEXT)`,
  `max(${NAME})`,
  `coalesce(NULL, ${NAME})`,
  `iif(1, ${NAME}, 0)`,
  `buyer_email || ' ' || buyer_phone_number`,
  `first_value(${NAME}) OVER ()`,
];
const TRICKS = [
  ...TABLES.flatMap((table) => [`SELECT * FROM ${table}`, `SELECT count(*) FROM ${table}`]),
  ...['columns', 'tables', 'changes'].map((table) => `SELECT * FROM ${table}`),
  ...EXPRESSIONS.map((expression) => `SELECT ${expression} AS x FROM labels`),
  ...['main', 'temp', 'c0', 'c1', 'c2', 'c3', 'c4', 'c5'].flatMap((schema) => [
    `SELECT * FROM ${schema}.labels`,
    `SELECT * FROM "${schema}"."labels"`,
    `SELECT sql FROM ${schema}.sqlite_master`,
    `SELECT * FROM ${schema}.sqlite_schema`,
  ]),
  'SELECT * FROM sqlite_temp_master',
  'WITH labels AS (SELECT * FROM labels) SELECT * FROM labels',
  'WITH x AS (SELECT * FROM labels) SELECT x.* FROM x NATURAL JOIN labels',
  `WITH RECURSIVE c(i, t) AS (SELECT 1, (SELECT ${NAME} FROM labels) UNION ALL SELECT i + 1, t FROM c WHERE i < 40) SELECT group_concat(substr(t, i, 1), ',') FROM c`,
  `SELECT group_concat(char(unicode(substr(${NAME}, 1, 1))), '') FROM labels`,
  'SELECT a.recipient_name, b.* FROM labels a JOIN unknown b ON a.recipient_name = b.recipient_name',
  'SELECT recipient_name FROM labels UNION SELECT recipient_name FROM unknown ORDER BY 1 COLLATE NOCASE',
  'SELECT key, value, fullkey FROM new_orders, json_tree(new_orders.buyer)',
  'SELECT * FROM old_orders, json_each(old_orders.BuyerInfo)',
  "SELECT json_extract(item, '$.BuyerInfo.BuyerName'), item ->> '$.ShippingAddress.Phone' FROM old_orders",
  "SELECT json_extract(item, '$.buyer.buyerName') FROM new_orders",
  'SELECT item FROM old_orders',
  'SELECT item FROM new_orders',
  'SELECT rowid, * FROM labels',
  'SELECT l.* FROM labels AS l WHERE rowid = 1',
  'SELECT (SELECT customer_comments FROM sent_back LIMIT 1)',
  `SELECT json(${NAME}) FROM labels`,
  `SELECT abs(${NAME}), json_extract(${NAME}, '$.a') FROM labels`,
  `SELECT json_extract('{}', ${NAME}) FROM labels`,
  `SELECT local_date(${NAME}, ${NAME}) FROM labels`,
  `SELECT ${NAME} AS "${PEOPLE.reportBuyer.slice(0, 4)}" FROM labels`,
  `SELECT load_extension(${NAME}) FROM labels`,
  `SELECT strftime(${NAME}, ${NAME}) FROM labels`,
  'EXPLAIN SELECT * FROM labels',
  "SELECT * FROM pragma_table_info('labels')",
  'PRAGMA database_list',
  "ATTACH DATABASE 'a.db' AS a",
  'SELECT no_such_column FROM labels',
];
/** Refused in the worst way: every value in every spelling. */
const FAILURES = Array.from({ length: 20 }, (_, at) => [
  read('orders/getOrder', { orderId: `FAIL-${at}` }),
  write('outbound-fulfilment/cancelFulfillmentOrder', { sellerFulfillmentOrderId: `FAIL-${at}` }),
]).flat();
const WRITES = [
  write(
    'outbound-fulfilment/updateFulfillmentOrder',
    { sellerFulfillmentOrderId: SHOP_ORDER },
    { body: { displayableOrderComment: 'Thanks' } },
  ),
  write(
    'outbound-fulfilment/updateFulfillmentOrder',
    { sellerFulfillmentOrderId: SHOP_ORDER },
    { body: { displayableOrderComment: 'Thanks' }, dryRun: true },
  ),
  write('merchant-fulfillment/createShipment', {}, { body: purchase() }),
];
const undo = (given: object) => ({ name: 'undo_change', arguments: given });
const HANDLING = {
  configuration: { operationalConfiguration: { handlingTime: { value: 2, timeUnit: 'Days' } } },
};
/** Lists, with marks among their values, and what takes them back; ids and marks are known once the session runs. */
const lists = (marks: readonly string[]) => [
  { name: 'update_supply_source', arguments: { supplySourceId: 'all', changes: HANDLING } },
  ...[{ dryRun: true }, {}].map((more) => ({
    name: 'write_operation',
    arguments: {
      operation: 'outbound-fulfilment/updateFulfillmentOrder',
      calls: marks.map((mark) => ({
        parameters: { sellerFulfillmentOrderId: SHOP_ORDER },
        body: { displayableOrderComment: `For ${mark}` },
      })),
      ...more,
    },
  })),
  ...marks.flatMap((mark) => [
    {
      name: 'change_listings',
      arguments: { items: [{ sku: 'SKU-1', set: { title: mark } }], marketplace: 'DE' },
    },
    { name: 'update_supply_source', arguments: { supplySourceId: 'X-1', changes: { alias: `At ${mark}` } } },
    undo({ id: mark }),
  ]),
  undo({}),
  undo({ id: '../../etc/passwd' }),
  undo({ id: PEOPLE.reportTax.slice(0, 2) }),
];

function purchase() {
  return {
    ShippingServiceId: 'SBX',
    ShipmentRequestDetails: {
      AmazonOrderId: ORDER,
      ItemList: [{ OrderItemId: '1', Quantity: 1 }],
      ShipFromAddress: {
        Name: OWN.name,
        AddressLine1: OWN.street,
        Email: OWN.contact,
        City: 'Berlin',
        PostalCode: '10115',
        CountryCode: 'DE',
        Phone: '+49 30 1',
      },
      PackageDimensions: { Length: 1, Width: 1, Height: 1, Unit: 'inches' },
      Weight: { Value: 1, Unit: 'oz' },
      ShippingServiceOptions: { DeliveryExperience: 'NoTracking', CarrierWillPickUp: false },
    },
  };
}

interface Seen {
  /** All of stdout. */
  lines: readonly string[];
  /** The lines by the call that they answered. */
  answers: ReadonlyMap<string, string>;
  stderr: string;
  /** The output of `history --json` for the same journal. */
  history: string;
  journal: Leak[];
}

/** One session that calls everything, and what was seen of it. */
async function observe(service: HttpService, mode: 'mask' | 'show'): Promise<Seen> {
  const folder = await mkdtemp(join(tmpdir(), 'seller-people-'));
  const state = join(folder, 'state');
  const env = {
    ...homeEnvironment(folder),
    SELLER_BASE_URL: service.url,
    SELLER_AUTH_URL: service.url,
    SELLER_PERSONAL_DATA: mode,
    SELLER_CLIENT_ID: 'id-1',
    SELLER_CLIENT_SECRET: 'a-client-secret',
    SELLER_REFRESH_TOKEN: 'Atzr|one',
    SELLER_ID: 'A1SELLER',
    SELLER_MARKETPLACE_ID: 'A1PA6795UKMFR9',
  };
  const folders = ['state', 'data', 'files'].map((name) => `--${name}-dir=${join(folder, name)}`);
  const server = startRawServer([...folders, '--log-level=debug', '--writes=allow'], env);
  const answers = new Map<string, string>();
  const call = async (given: { name: string; arguments: object }) => {
    const answer = await server.request('tools/call', { ...given, _meta: { progressToken: answers.size } });
    answers.set(JSON.stringify(given), JSON.stringify(answer));
  };
  try {
    // The user is asked about writes with placeholders, and alone sees the values.
    await server.initialize(true);
    for (const given of [...READS, ...COLLECTS]) await call(given);
    // The tables hide nothing in the mode that shows everything, so tricks are left out there.
    if (mode === 'mask') for (const sql of TRICKS) await call(query(sql));
    for (const given of [...SAVES, ...WRITES, ...FAILURES]) await call(given);
    const answerText = [...answers.values()].join('\n');
    const marks = [...new Set(answerText.match(/«(?:buyer name|name|e-mail) [0-9a-z]{8}»/g))].slice(0, 3);
    for (const given of lists(marks)) await call(given);
    const written = [...answers.values()].join('\n');
    const ids = new Set(
      [...written.matchAll(/\\?"(?:journal_id|batch_id|id)\\?":\\?"([0-9a-f-]{8,36})/g)].map(([, id]) => id),
    );
    for (const id of ids) await call(undo({ id, force: true }));
    await call(undo({}));
    await call(query('SELECT *, local_time, what, id, parameters, body, differences FROM changes'));
    await readAround(server, answers);
  } finally {
    await server.stop();
  }
  const { stdout, stderr } = await runProgram(['history', '--json', '--limit=all', `--state-dir=${state}`], {
    env,
  });
  const journal = await search.inFolder(state);
  await rm(folder, { recursive: true, force: true });
  return { lines: server.lines, answers, stderr: server.stderr(), history: stdout + stderr, journal };
}

/** Resources that were named, everything that can be completed, and the prompts. */
async function readAround(server: RawServer, answers: Map<string, string>): Promise<void> {
  const ask = async (method: string, params: object = {}) => {
    const answer = JSON.stringify(await server.request(method, params));
    answers.set(`${method} ${JSON.stringify(params)}`, answer);
    return answer;
  };
  const named = [...server.lines, await ask('resources/list'), await ask('resources/templates/list')].join(
    '\n',
  );
  const uris = new Set(named.match(/seller:\/\/(?:answers|files|tables)\/[\w.-]+/g));
  for (const uri of uris) await ask('resources/read', { uri });
  await ask('prompts/list');
  const argument = { name: 'supplySourceId', value: '' };
  await ask('completion/complete', { ref: { type: 'ref/prompt', name: 'edit_supply_source' }, argument });
  for (const start of ['', 'J', PEOPLE.reportRecipient.slice(0, 1)]) {
    for (const uri of [
      'seller://answers/{id}',
      'seller://items/{sku}',
      'seller://report-types/{type}',
      'seller://files/{name}',
    ]) {
      const parts = { name: /\{(\w+)\}/.exec(uri)?.[1] ?? '', value: start };
      await ask('completion/complete', { ref: { type: 'ref/resource', uri }, argument: parts });
    }
  }
}

/** One line per door, with what went through it. */
function describeLeaks(leaks: readonly Leak[]): string[] {
  const doors = new Map<string, Set<string>>();
  for (const { where, secret } of leaks) {
    doors.set(where, (doors.get(where) ?? new Set()).add(secret.split(' ')[0] ?? ''));
  }
  return [...doors].map(([door, values]) => `${door}: ${[...values].join(', ')}`);
}

let service: HttpService;
beforeAll(async () => {
  service = await startPeopleService();
});
afterAll(() => service.close());

describe('with personal data masked', () => {
  let seen: Seen;
  beforeAll(async () => {
    seen = await observe(service, 'mask');
  }, 120_000);

  it('every value was within reach: the service gave forty of them', () => {
    expect(new Set(Object.values(PEOPLE)).size).toBe(40);
    expect(service.requests.map(({ path }) => path.split('?')[0])).toEqual(
      expect.arrayContaining([
        '/orders/v0/orders',
        `/orders/v0/orders/${ORDER}`,
        '/orders/2026-01-01/orders',
        '/mfn/v0/shipments',
        `/mfn/v0/shipments/${SHIPMENT}`,
        `/messaging/v1/orders/${ORDER}`,
        `/signed/${SHIPPING}`,
        `/signed/${RETURNS}`,
        '/signed/unknown',
      ]),
    );
  });

  it('none is in an answer, in either form', () => {
    expect(describeLeaks([...seen.answers].flatMap(([call, answer]) => search.inText(answer, call)))).toEqual(
      [],
    );
  });

  it('none is in anything else on stdout: questions, progress, log messages', () => {
    expect(describeLeaks(seen.lines.flatMap((line) => search.inText(line, line.slice(0, 60))))).toEqual([]);
  });

  it('none is in stderr at debug level, in the journal or in what history prints', () => {
    expect(seen.stderr).not.toBe('');
    expect(seen.history).toContain('updateFulfillmentOrder');
    expect(
      describeLeaks([...search.inText(seen.stderr, 'stderr'), ...search.inText(seen.history, 'history')]),
    ).toEqual([]);
    expect(describeLeaks(seen.journal)).toEqual([]);
  });

  it('full answers and saved files were read as resources', () => {
    const uris = [...seen.answers.keys()].filter((key) => key.startsWith('resources/read'));
    expect(uris).toContainEqual(expect.stringContaining('seller://answers/'));
    expect(uris).toContainEqual(expect.stringContaining('seller://files/labels.csv'));
  });

  it('the tables were queried, and show marks', () => {
    const answered = (sql: string) => seen.answers.get(JSON.stringify(query(sql))) ?? '';
    for (const table of TABLES) {
      expect(answered(`SELECT count(*) FROM ${table}`)).toContain('"rows":[[');
      expect(answered(`SELECT * FROM ${table}`)).toMatch(/"rows":.*«(buyer name|e-mail) [0-9a-z]{8}»/);
    }
  });

  it('lists with marks were written, and taken back was tried', () => {
    const asked = [...seen.answers];
    expect(asked.filter(([call]) => /calls.*For «/.test(call)).map(([, answer]) => answer)).toEqual(
      expect.arrayContaining([expect.stringMatching(/batch_id/)]),
    );
    expect(asked.filter(([call]) => /undo_change.*"force":true/.test(call)).length).toBeGreaterThan(2);
  });

  it('towns and countries stay, and what is the seller’s own', () => {
    const all = seen.lines.join('\n');
    for (const value of [TOWN, ...Object.values(OWN)]) expect(all).toContain(value);
  });
});

// That they are there to be masked; the masked session tells its own requests.
if (RUNS_ALL)
  describe('with personal data shown', () => {
    it('all forty are there', { timeout: 120_000 }, async () => {
      const { lines } = await observe(service, 'show');
      const all = lines.join('\n');
      const missing = Object.entries(PEOPLE).filter(
        ([, value]) => !all.includes(JSON.stringify(value).slice(1, -1)),
      );
      expect(missing).toEqual([]);
    });
  });

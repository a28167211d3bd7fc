/** collect_data with save_as: what the service sent, in the person's folder beside the tables. */

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { collectData } from '../../tools/collect-data.ts';
import { queryData } from '../../tools/query-data.ts';
import type { Handler } from '../helpers/http-service.ts';
import { tablesWorker } from '../helpers/tables-worker.ts';
import { startToolRunner, type ToolRunner } from '../helpers/tool-runner.ts';

let runner: ToolRunner;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seller-files-'));
});
afterEach(async () => {
  await runner.close();
  await rm(folder, { recursive: true, force: true });
});

async function start(handler: Handler, settings: Readonly<Record<string, string>> = {}) {
  const worker = tablesWorker;
  const entryFile = worker.replace('tables-worker.mjs', 'main.mjs');
  runner = await startToolRunner(handler, { SELLER_FILES_DIR: folder, ...settings }, { entryFile });
}

async function rows(sql: string): Promise<unknown> {
  return (await runner.run(queryData, { sql })).structured.rows;
}

const TSV = Buffer.from(
  'seller-sku\tprice\titem-name\r\nA\t12,50\t19" rack\r\nB\t9,99\tLampe für Kinder\r\n',
  'latin1',
);

/** A service that makes one report, at once. */
function reportService(content: Buffer): Handler {
  return ({ path, method, headers }) => {
    if (path.startsWith('/signed')) return { body: content };
    if (path.includes('/documents/')) return { body: { url: `http://${headers.host}/signed` } };
    if (method === 'POST') return { status: 202, body: { reportId: 'R1' } };
    if (!path.includes('/reports/R1')) return { body: { reports: [] } };
    return { body: { reportId: 'R1', processingStatus: 'DONE', reportDocumentId: 'D1' } };
  };
}

const LISTINGS = { report: { type: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaces: ['Germany'] } };
const posted = () => runner.calls().filter(({ method }) => method === 'POST').length;

it('saves a report unpacked, byte for byte, beside its table', async () => {
  await start(reportService(gzipSync(TSV)));
  const { text, structured, links } = await runner.run(collectData, { ...LISTINGS, save_as: 'listings' });
  const path = join(folder, 'listings.tsv');
  expect(await readFile(path)).toEqual(TSV);
  expect(text).toContain(`Saved ${path} (TSV, ${TSV.length} B), as the service sent it.`);
  expect(structured).not.toHaveProperty('real_values');
  expect(structured).toMatchObject({
    tables: [{ rows: 2 }],
    saved: [{ path, kind: 'TSV', bytes: TSV.length, uri: 'seller://files/listings.tsv' }],
  });
  expect(links).toMatchObject([{ uri: 'seller://files/listings.tsv' }]);
  expect(await rows('SELECT count(*) FROM merchant_listings_all_data')).toEqual([[2]]);
});

it('saves one that is collected already, without asking for another report', async () => {
  await start(reportService(gzipSync(TSV)));
  await runner.run(collectData, LISTINGS);
  const { text } = await runner.run(collectData, { ...LISTINGS, save_as: 'listings.tsv' });
  expect(await readFile(join(folder, 'listings.tsv'))).toEqual(TSV);
  expect(text).toContain('Report R1, of which the table was made.');
  expect(posted()).toBe(1);
});

it('says that a file holds real values where a column is about buyers', async () => {
  const content = gzipSync('order-id\tbuyer-email\n028-1\tanna@example.com\n');
  await start(reportService(content));
  const type = 'GET_FLAT_FILE_ORDERS_RECONCILIATION_DATA_TSV';
  const { text, structured } = await runner.run(collectData, {
    report: { type, marketplaces: ['DE'], start: '2026-10-01' },
    save_as: 'orders',
  });
  expect(text).toContain('It holds the real values, those of buyers included.');
  expect(structured).toHaveProperty('real_values');
});

it.each([
  ['a PDF', Buffer.from(`%PDF-1.4\n${'x'.repeat(100)}`), 'pdf'],
  ['XML', Buffer.from('<?xml version="1.0"?><a><b/></a>'), 'xml'],
])('saves a document that is no table: %s', async (_what, content, ending) => {
  await start(({ path, headers }) =>
    path.startsWith('/signed')
      ? { body: gzipSync(content) }
      : { body: { url: `http://${headers.host}/signed` } },
  );
  const { text } = await runner.run(collectData, { document: { id: 'D7' }, save_as: 'invoice' });
  expect(await readFile(join(folder, `invoice.${ending}`))).toEqual(content);
  expect(text).toContain(`Saved ${join(folder, `invoice.${ending}`)}`);
});

/** Listings in pages of 20, by tokens. */
function pagesOf(total: number, item: (number: number) => unknown): Handler {
  return ({ path }) => {
    const query = new URL(path, 'http://x').searchParams;
    const from = Number(query.get('pageToken') ?? '0');
    const size = Number(query.get('pageSize') ?? '10');
    const items = Array.from({ length: Math.max(0, Math.min(size, total - from)) }, (_, i) => item(from + i));
    const next = from + size < total ? { nextToken: String(from + size) } : {};
    return { body: { numberOfResults: total, pagination: next, items } };
  };
}

const SEARCH = { operation: 'searchListingsItems', parameters: { marketplaceIds: ['DE'] } };

it('saves the items of all pages as lines of JSON, each as it came', async () => {
  const item = (number: number) => ({
    sku: `SKU-${number}`,
    summaries: [{ itemName: `Lamp "${number}"\n` }],
  });
  await start(pagesOf(45, item));
  const { text } = await runner.run(collectData, { ...SEARCH, save_as: 'listings.json' });
  const lines = (await readFile(join(folder, 'listings.jsonl'), 'utf8')).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(Array.from({ length: 45 }, (_, at) => item(at)));
  expect(text).toMatch(/Saved .*listings\.jsonl \(JSON lines, /);
  expect(await rows('SELECT count(*) FROM listings_items')).toEqual([[45]]);
});

it('a file of pages with personal data in a text is told as one, and its content stays on the computer', async () => {
  const orders = [{ orderId: '1', remark: 'please write to anna@example.de' }];
  await start(() => ({ body: { orders } }));
  const args = { operation: 'searchOrders', parameters: { createdAfter: '2026-10-01T00:00:00Z' } };
  const { text } = await runner.run(collectData, { ...args, save_as: 'orders' });
  expect(text).toContain('It holds the real values, those of buyers included.');
  expect((await (await runner.session.files()).open('orders.jsonl')).personal).toBe(true);
});

it('so is a report with an address in a column that no heading tells', async () => {
  await start(reportService(Buffer.from('seller-sku\tremark\nA\tfor anna@example.de\n')));
  const { text } = await runner.run(collectData, { ...LISTINGS, save_as: 'listings' });
  expect(text).toContain('It holds the real values, those of buyers included.');
});

it('a table holds no labels: what they are stands there, and the file has them', async () => {
  const content = Buffer.from('^XA^FO50,50^FDlabel^FS^XZ').toString('base64');
  await start(pagesOf(2, (number) => ({ sku: `S${number}`, content })));
  await runner.run(collectData, { ...SEARCH, save_as: 'labels' });
  expect(await rows('SELECT DISTINCT content FROM listings_items')).toEqual([
    ['ZPL document, 25 B; read_operation with save_as saves it'],
  ]);
  expect(await readFile(join(folder, 'labels.jsonl'), 'utf8')).toContain(content);
});

it.each(['../x', 'x.exe', 'NUL'])(
  'a wrong name is refused before a report is asked for: %s',
  async (save_as) => {
    await start(reportService(TSV));
    await expect(runner.run(collectData, { ...LISTINGS, save_as })).rejects.toThrow('cannot be used');
    expect(runner.calls()).toEqual([]);
  },
);

it('where the file cannot be written, the table is there all the same, and the reason is told', async () => {
  await start(reportService(TSV), { SELLER_FILES_DIR: join(folder, 'file', 'x') });
  await writeFile(join(folder, 'file'), '');
  const { text, structured } = await runner.run(collectData, { ...LISTINGS, save_as: 'listings' });
  expect(text).toMatch(/NOT SAVED: /);
  expect(structured).toMatchObject({ state: 'done', tables: [{ rows: 2 }], not_saved: expect.any(String) });
  expect(await rows('SELECT count(*) FROM merchant_listings_all_data')).toEqual([[2]]);
});

it('a long one goes on in the background, and the same call gets its file once', async () => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const pages = pagesOf(40, (number) => ({ sku: `S${number}` }));
  await start(async (request, response) => {
    if (request.path.includes('pageToken=20')) await opened;
    return pages(request, response);
  });
  const args = { ...SEARCH, save_as: 'all' };
  const signal = new AbortController().signal;
  const call = { signal, deadline: performance.now() + 6_000, onProgress: () => undefined };
  expect((await runner.run(collectData, args, { call })).structured).toMatchObject({ state: 'under way' });
  open();
  expect((await runner.run(collectData, args)).structured).toMatchObject({ state: 'done', saved: [{}] });
  expect(await readdir(folder)).toEqual(['all.jsonl']);
  expect(runner.calls()).toHaveLength(2);
});

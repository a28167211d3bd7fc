/** Tests that a raw file is readable by its owner alone wherever its content can be about a buyer. */

import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, inject, it } from 'vitest';
import { captureItems, mayBePersonal, saveRaw } from '../../../src/data/collections/save-raw.ts';
import type { TableInfo } from '../../../src/data/tables/table-types.ts';
import { openFilesFolder } from '../../../src/store/files/files-folder.ts';
import { memoryLoaders } from '../../helpers/memory-loader.ts';

const table = (...names: string[]): TableInfo => ({
  name: 't',
  rows: 1,
  columns: names.map((name) => ({ name, type: 'text' as const })),
  notes: [],
});
const LISTINGS = { reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA' };
const named: TableInfo = {
  ...table('sku'),
  columns: [{ name: 'who', type: 'text', personal: 'buyer name' }],
};

it.each<[string, Parameters<typeof mayBePersonal>, boolean]>([
  ['of a known type, with columns of things alone', [LISTINGS, false, [table('sku', 'price')]], false],
  ['given against a token of its own', [LISTINGS, true, [table('sku', 'price')]], true],
  ['of no known type', [{}, false, [table('sku', 'price')]], true],
  ['in one column', [LISTINGS, false, [table('sku')]], true],
  ['in several tables', [LISTINGS, false, [table('sku', 'price'), table('sku', 'price')]], true],
  ['without any', [LISTINGS, false, []], true],
  ['with a column about buyers, by its name', [LISTINGS, false, [table('sku', 'buyer-name')]], true],
  ['with a column in which one was found', [LISTINGS, false, [table('sku', 'price'), named]], true],
])('a document %s', (_what, [source, isRestricted, tables], isPersonal) => {
  expect(mayBePersonal(source, isRestricted, tables)).toBe(isPersonal);
});

/** @param pages by the table that each is of */
async function capturePages(operation: string, pages: readonly (readonly [string, object[]])[]) {
  const folder = await mkdtemp(join(inject('scratch'), 'save-raw-'));
  const loaders = memoryLoaders();
  const open = async () => ({ ...(await loaders.open()), folder });
  const capture = captureItems(open, 'orders', operation);
  const loader = await capture.open();
  for (const [table, items] of pages) await loader.addItems(table, items, 'id');
  const files = openFilesFolder({ find: async () => join(folder, 'files') });
  const saving = { name: 'orders.jsonl', files: async () => files };
  const saved = await capture.save(saving, new AbortController().signal);
  const { personal, read } = await files.open('orders.jsonl');
  expect(saved.personal).toBe(personal);
  let text = '';
  for await (const piece of read()) text += Buffer.from(piece).toString('utf8');
  return { personal, text };
}

const ADA = { BuyerInfo: { BuyerName: 'Ada Lovelace' } };
const STORE = { address: { name: 'Ada Lovelace', phone: '+49 30 1234567' } };

it.each<[string, string, object[][], boolean]>([
  ['with a buyer on none', 'orders/getOrders', [[{ a: '1' }], [{ a: '2' }]], false],
  ['with a buyer on the first', 'orders/getOrders', [[ADA], [{ a: '2' }]], true],
  ['with a buyer on the last', 'orders/getOrders', [[{ a: '1' }], [ADA]], true],
  ["with the seller's own people", 'supply-sources/getSupplySources', [[STORE]], false],
])('pages %s', async (_what, operation, pages, isPersonal) => {
  const given = pages.map((items) => ['orders', items] as const);
  expect((await capturePages(operation, given)).personal).toBe(isPersonal);
});

it('items are lines as they came, each once, those of another list with its name', async () => {
  const { text } = await capturePages('orders/getOrders', [
    ['orders', [{ id: 1 }, { id: 2, of: { a: [] } }]],
    ['orders_holds', [{ id: 3 }]],
    ['orders', [{ id: 2 }, { no: 4 }, { no: 4 }]],
  ]);
  expect(text.split('\n').map((line) => (line === '' ? '' : JSON.parse(line)))).toEqual([
    { id: 1 },
    { id: 2, of: { a: [] } },
    { list: 'orders_holds', item: { id: 3 } },
    { no: 4 },
    { no: 4 },
    '',
  ]);
});

it('documents are saved one by one under numbered names, unpacked, each told with its kind and whose it is', async () => {
  const folder = await mkdtemp(join(inject('scratch'), 'save-raw-'));
  const documents = await Promise.all(
    ['sku\tprice\nA\t1\n', '{"a":1}'].map(async (text, at) => {
      const file = join(folder, `document ${at}`);
      await writeFile(file, at === 0 ? gzipSync(text) : text);
      return { file, label: at === 0 ? 'R1' : undefined };
    }),
  );
  const files = openFilesFolder({ find: async () => join(folder, 'files') });
  const { signal } = new AbortController();
  const saved = await saveRaw({ name: 'report', files: async () => files }, documents, true, signal);
  expect(saved.files.map(({ label, kind }) => [label, kind.ending])).toEqual([
    ['R1', 'tsv'],
    [undefined, 'json'],
  ]);
  expect(new Set(saved.files.map(({ name }) => name)).size).toBe(2);
  const texts: string[] = [];
  for (const { name } of saved.files) {
    const { personal, read } = await files.open(name);
    expect(personal).toBe(true);
    let text = '';
    for await (const piece of read()) text += Buffer.from(piece).toString('utf8');
    texts.push(text);
  }
  expect(texts).toEqual(['sku\tprice\nA\t1\n', '{"a":1}']);
});

/** Items and documents become one database, whole and in their order; nothing is written beside it once it is closed. */

import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import sqlite from 'node-sqlite3-wasm';
import { expect, it } from 'vitest';
import { quoteIdentifier } from '../../../../src/data/tables/sql-names.ts';
import type { LoadOptions } from '../../../../src/data/tables/table-types.ts';
import { createBuilder } from '../../../../src/data/tables/worker/build-collection.ts';
import { COUNTS } from '../../../../src/data/tables/worker/messages.ts';
import { personalOfMember } from '../../../../src/data/tables/worker/personal-columns.ts';
import type { ValueSource } from '../../../../src/privacy/personal/kinds.ts';
import { makeTestFolder } from '../../../helpers/tables-worker.ts';

async function begin(source: ValueSource = { operation: 'x/get' }) {
  const folder = await makeTestFolder();
  const shared = new SharedArrayBuffer(COUNTS.length * Float64Array.BYTES_PER_ELEMENT);
  const ask = createBuilder({ do: 'begin', folder, counts: shared, source });
  return { folder, ask, counts: new Float64Array(shared) };
}

const ITEMS = { do: 'items', table: 'things', items: [{ sku: 'A' }], key: undefined, at: [] } as const;

/** Closes it under these names, and returns the collection with each table's rows. */
async function close({ folder, ask }: Awaited<ReturnType<typeof begin>>, names: Record<string, string> = {}) {
  await ask({ do: 'close', names });
  const database = new sqlite.Database(join(folder, 'data.db'));
  const tables = database.all("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid");
  const all: Record<string, Record<string, unknown>[]> = {};
  for (const name of tables.map((table) => String(table.name))) {
    all[name] = database.all(`SELECT * FROM ${quoteIdentifier(name)}`).map((row) => ({ ...row }));
  }
  database.close();
  return all;
}

async function loadDocument(content: string | Uint8Array, options: LoadOptions, source: ValueSource = {}) {
  const building = await begin(source);
  const document = join(building.folder, 'document');
  await writeFile(document, content);
  const outcome = await building.ask({ do: 'document', table: 't', document, options });
  const tables = building.ask({ do: 'build' });
  return { outcome, tables, counts: [...building.counts], rows: await close(building) };
}

const itemOf = (id: unknown, at: number) => ({ id, at, text: `${at}\n"ü` });
const numbered = (items: readonly { id: unknown; at: number; text: string }[]) =>
  items.map(({ id, ...rest }, at) => ({ item: at + 1, id: id ?? null, ...rest }));

it('items of any pages are rows in their order, those with a key that came before left out, each table by itself', async () => {
  const page = fc.record({
    table: fc.constantFrom('a', 'b'),
    ids: fc.array(fc.constantFrom('A', 'B', 'ü', '1', null, undefined), { maxLength: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(page, { minLength: 1, maxLength: 5 }), fc.boolean(), async (pages, hasKey) => {
      const building = await begin();
      const expected = new Map<string, ReturnType<typeof itemOf>[]>();
      let number = 0;
      for (const { table, ids } of pages) {
        const items = ids.map((id) => itemOf(id, number++));
        const kept = expected.get(table) ?? [];
        expected.set(table, kept);
        const before = kept.length;
        for (const item of items) {
          if (!hasKey || item.id === null || item.id === undefined || !kept.some(({ id }) => id === item.id))
            kept.push(item);
        }
        const rows = kept.length - before;
        const request = { do: 'items', table, items, key: hasKey ? 'id' : undefined, at: [] } as const;
        expect(building.ask(request)).toEqual({ rows, repeated: items.length - rows });
        expect([...building.counts]).toEqual([[...expected.values()].flat().length, 0, 0]);
      }
      expect(building.ask({ do: 'build' })).toMatchObject(
        [...expected].map(([name, all]) => ({ name, rows: all.length })),
      );
      const rows = await close(building);
      expect(await readdir(building.folder)).toEqual(['data.db']);
      for (const [table, items] of expected) {
        if (items.some(({ id }) => typeof id === 'string')) expect(rows[table]).toEqual(numbered(items));
        else expect(rows[table]).toHaveLength(items.length);
      }
    }),
  );
});

it('a key is any value at its path, and an item may be longer than what is read at once', async () => {
  const building = await begin();
  const long = 'ü'.repeat(700_000);
  const lines = Array.from({ length: 1_500 }, (_, at) => ({ a: { b: `${at}` }, long: 'x'.repeat(700) }));
  const items = [
    { a: { b: [1, 2] } },
    { a: { b: '[1,2]' }, long },
    { a: { b: [1, 2] } },
    { a: { b: 1 }, long: 'x' },
    { a: 1 },
    ...lines,
  ];
  const added = { rows: 1_504, repeated: 1 };
  expect(building.ask({ do: 'items', table: 't', items, key: 'a.b', at: [] })).toEqual(added);
  building.ask({ do: 'build' });
  const { t } = await close(building);
  expect(t?.map((row) => row.long)).toEqual([null, long, 'x', null, ...lines.map((line) => line.long)]);
});

it('tables get new names though one of them is that of another until it has its own', async () => {
  const building = await begin();
  for (const table of ['t', 't_2', 't_2_2']) building.ask({ ...ITEMS, table, items: [{ sku: table }] });
  building.ask({ do: 'build' });
  const rows = await close(building, { t: 't_2', t_2: 't_2_2', t_2_2: 't_2_2_2' });
  expect(Object.entries(rows).map(([name, [row]]) => [name, row?.sku])).toEqual([
    ['t_2', 't'],
    ['t_2_2', 't_2'],
    ['t_2_2_2', 't_2_2'],
  ]);
});

it('items of a document are the same rows as a list, as lines, and as a list in anything', async () => {
  const items = fc.array(
    fc.constantFrom('A', 'B').map((id) => itemOf(id, 7)),
    { minLength: 2, maxLength: 5 },
  );
  await fc.assert(
    fc.asyncProperty(items, fc.boolean(), async (given, isAuto) => {
      const lines = given.map((item) => JSON.stringify(item)).join('\n');
      for (const [format, content] of [
        ['json', JSON.stringify(given)],
        ['jsonl', lines],
        ['json', JSON.stringify({ list: given })],
      ] as const) {
        const { outcome, tables, counts, rows } = await loadDocument(content, {
          format: isAuto ? 'auto' : format,
        });
        expect(outcome).toMatchObject({ rows: given.length, tables });
        expect(tables).toMatchObject([{ name: 't', rows: given.length, notes: [] }]);
        expect(rows.t).toEqual(numbered(given));
        const bytes = Buffer.byteLength(content);
        expect(counts).toEqual([given.length, bytes, bytes]);
      }
    }),
    { numRuns: 5 },
  );
});

it('several lists are tables by their paths, personal as these say, and what stands beside them is one row about them', async () => {
  const content = {
    n: 1,
    ShippingAddress: { list: [{ Name: 'A' }] },
    product: { list: [{ Name: 'B' }, { Name: 'C' }] },
  };
  const orders = { operation: 'orders/getOrders' };
  const { outcome, tables, rows } = await loadDocument(JSON.stringify(content), { format: 'json' }, orders);
  const personal = personalOfMember(orders, ['ShippingAddress', 'list', 'Name'], true);
  expect(personal).toBeDefined();
  expect(tables).toMatchObject([
    { name: 't_shipping_address_list', rows: 1, columns: [{ personal }] },
    { name: 't_product_list', rows: 2, columns: [{ name: 'name' }] },
    { name: 't_about', rows: 1 },
  ]);
  expect(personalOfMember(orders, ['product', 'list', 'Name'], true)).not.toBe(personal);
  expect(outcome).toMatchObject({ rows: 1, tables });
  expect(rows.t_product_list?.map(({ name }) => name)).toEqual(['B', 'C']);
  expect(rows.t_about).toHaveLength(1);
});

it('of several documents the rows are those of their list, though one without any comes first', async () => {
  const building = await begin();
  const documents = [{ n: 1 }, { n: 2, list: [{ x: 1 }, { x: 2 }, { x: 3 }] }].map((content, at) => ({
    content: JSON.stringify(content),
    file: join(building.folder, `${at}`),
    label: `D${at}`,
  }));
  for (const { file, content } of documents) await writeFile(file, content);
  const document = { column: 'of', documents };
  const outcome = await building.ask({ do: 'document', table: 't', document, options: { format: 'json' } });
  expect(outcome).toMatchObject({ rows: 3 });
  building.ask({ do: 'build' });
  expect(await close(building)).toMatchObject({
    t: [
      { of: 'D1', x: 1 },
      { of: 'D1', x: 2 },
      { of: 'D1', x: 3 },
    ],
    t_about: [
      { of: 'D0', n: 1 },
      { of: 'D1', n: 2 },
    ],
  });
});

it('an empty list is a table without rows, and one object a table with one', async () => {
  const { outcome, tables, rows } = await loadDocument('[]', { format: 'json' });
  expect(outcome).toEqual({ rows: 0, tables, notes: [] });
  expect(tables).toEqual([{ name: 't', rows: 0, columns: [], notes: [] }]);
  expect(rows).toEqual({ t: [] });
  expect((await loadDocument('{"a":1}', { format: 'json' })).outcome).toMatchObject({
    rows: 1,
    tables: [{ name: 't' }],
  });
});

it('columns that stay as sent are told together where the reason is one', async () => {
  const lines = ['price;fee;tax;id;at', 'free;none;1,5;x;31.12.2026 8 pm', '1;2;2.5;y;2026-01-01'];
  const { outcome, tables } = await loadDocument(lines.join('\n'), { format: 'csv' });
  const notes = [
    'Left as text: price, fee (not all values are numbers).',
    'Left as text: tax (some values have a comma before their decimals, others a point).',
    'Left as text: at (their format or offset is not known).',
  ];
  expect(outcome).toMatchObject({ rows: 2, tables, notes });
  expect(tables).toMatchObject([{ name: 't', rows: 2, notes }]);
});

it.each<[string, string, LoadOptions, object]>([
  ['XML', '<a>1</a>', { format: 'xml' }, { members: [] }],
  [
    'XML about buyers',
    '<a>1</a>',
    { format: 'xml', isRestricted: true },
    { personal: 'buyer text', members: [] },
  ],
  ['other text', 'one\ntwo', { format: 'other' }, { personal: 'free text' }],
  [
    'other text about buyers',
    'one\ntwo',
    { format: 'other', isRestricted: true },
    { personal: 'buyer text' },
  ],
])('%s is kept as it is, and searched or masked', async (_what, content, options, personal) => {
  const { outcome, tables, rows } = await loadDocument(content, options);
  expect(rows).toEqual({ t: [{ item: 1, content }] });
  const kept = `It holds no rows (format: ${options.format}): its text is in the column content, in pieces of about 1000000 characters.`;
  const table = {
    name: 't',
    rows: 1,
    columns: [{ name: 'content', type: 'text', ...personal }],
    notes: [kept],
  };
  expect(tables).toEqual([table]);
  expect(outcome).toEqual({ rows: 0, tables, notes: [kept] });
});

it('long text is cut behind an element, else behind a line, else anywhere, and is all there', async () => {
  for (const [unit, end] of [
    ['<a>x y</a>\n', '>'],
    ['x y z\n', '\n'],
    ['xyz ü', undefined],
  ] as const) {
    const content = `${unit.repeat(Math.ceil(2_300_000 / unit.length))}\0`;
    const { rows } = await loadDocument(content, { format: 'other' });
    const pieces = (rows.t ?? []).map((row) => String(row.content));
    expect(pieces.join('')).toBe(content.replace('\0', '\uFFFD'));
    expect(pieces.length).toBeGreaterThan(1);
    for (const piece of pieces.slice(0, -1)) {
      expect(piece.length).toBeGreaterThan(900_000);
      expect(piece.length).toBeLessThan(1_200_000);
      if (end !== undefined) expect(piece.endsWith(end)).toBe(true);
    }
  }
});

it('bytes that are no text are counted, and no table holds them', async () => {
  const { outcome, rows } = await loadDocument(Buffer.from([0, 255, 1, 254, 0, 3]), { format: 'other' });
  expect(rows).toEqual({ t: [] });
  expect(outcome).toMatchObject({
    notes: ['It holds 6 bytes that are no text, and no table holds them: save_as saves them.'],
  });
});

it('where no items come, or their lists are empty, tables are as was expected', async () => {
  const expected = [{ Name: 'A', lines: [{ x: 1 }] }];
  for (const [items, columns, rows] of [
    [[], [{ name: 'name' }], 0],
    [[{ id: 1, lines: [] }], [{ name: 'id' }], 1],
  ] as const) {
    const building = await begin({ operation: 'orders/getOrders' });
    building.ask({ do: 'expect', table: 't', items: expected });
    building.ask({ ...ITEMS, table: 't', items });
    expect(building.ask({ do: 'build' })).toMatchObject([
      { name: 't', rows, columns },
      { name: 't_lines', rows: 0, columns: [{ name: 'item' }, { name: 'n' }, { name: 'x' }] },
    ]);
    expect((await close(building)).t_lines).toEqual([]);
  }
});

/** Items of any shape become tables that hold all of them: flat members as columns, lists as tables, the rest as JSON. */

import fc from 'fast-check';
import sqlite from 'node-sqlite3-wasm';
import { expect, it } from 'vitest';
import { dateReader } from '../../../../src/data/tables/dates.ts';
import { createShapeReader } from '../../../../src/data/tables/worker/item-shape.ts';
import { writeItemTables } from '../../../../src/data/tables/worker/load-items.ts';

/** Into a database of their own, under the name `t`. */
function load(items: readonly unknown[], key?: string) {
  const reader = createShapeReader(dateReader(undefined));
  for (const item of items) reader.see(item);
  const database = new sqlite.Database();
  const parts = { key, source: { operation: 'orders/x' }, at: [], tables: new Set(['t']) };
  const writer = writeItemTables(database, 't', reader.root, parts);
  for (const item of items) writer.add(item);
  const tables = writer.finish();
  const rows = new Map(
    tables.map(({ name }) => [name, database.all(`SELECT * FROM "${name}"`).map((row) => ({ ...row }))]),
  );
  database.close();
  const columns = tables.map(({ columns: all }) => all.map(({ name, type, note }) => [name, type, note]));
  return { tables, rows, columns };
}

const JSON_NOTE = 'JSON: use json_extract or json_each';
const MIXED = 'text: not all values are of one type';

it.each<[string, unknown[], unknown[]]>([
  ['texts', ['a', '', 'b'], ['text', undefined, 'a', null, 'b']],
  ['numbers', [1, 2.5, -3], ['number', undefined, 1, 2.5, -3]],
  ['truths', [true, false, 7], ['number', '1 is true, 0 is false', 1, 0, 7]],
  ['truths alone', [true, false], ['number', '1 is true, 0 is false', 1, 0]],
  ['days', ['2026-11-20', '2026-11-21'], ['date', undefined, '2026-11-20', '2026-11-21']],
  [
    'moments',
    ['2026-11-20T10:00:00+01:00', '2026-11-20T10:00:00Z'],
    ['date', undefined, '2026-11-20T09:00:00Z', '2026-11-20T10:00:00Z'],
  ],
  ['days and numbers', ['2026-11-20', 5], ['text', MIXED, '2026-11-20', '5']],
  ['days and truths', ['2026-11-20', true], ['text', MIXED, '2026-11-20', 'true']],
  ['texts and numbers', ['a', 5], ['text', MIXED, 'a', '5']],
  ['texts and truths', ['a', true], ['text', MIXED, 'a', 'true']],
  ['plain lists', [['a', 1], ['b']], ['json', JSON_NOTE, '["a",1]', '["b"]']],
  ['lists and texts', [['a'], 'b'], ['json', JSON_NOTE, '["a"]', '"b"']],
  ['empty lists', [[], []], ['json', JSON_NOTE, '[]', '[]']],
  ['objects and texts', [{ a: 1 }, 'b'], ['json', JSON_NOTE, '{"a":1}', '"b"']],
  ['objects and lists of some', [{ a: 1 }, [{ a: 2 }]], ['json', JSON_NOTE, '{"a":1}', '[{"a":2}]']],
  ['lists of objects and others', [[{ a: 1 }], ['x']], ['json', JSON_NOTE, '[{"a":1}]', '["x"]']],
  ['empty objects', [{}, {}], ['json', JSON_NOTE, '{}', '{}']],
])('of %s a column is what all of them are', (_what, values, [type, note, ...stored]) => {
  const { columns, rows } = load([...values.map((x) => ({ x })), { x: null }, {}]);
  expect(columns).toEqual([[['x', type, note]]]);
  expect(rows.get('t')).toEqual([...stored, null, null].map((x, at) => ({ item: at + 1, x })));
});

it('of any two sorts: objects alone are columns, lists of objects alone a table, and whatever else holds one of them JSON as sent', () => {
  const sorts = {
    object: { a: 1 },
    objects: [{ a: 2 }, { a: 3 }],
    plain: ['x', 1],
    none: [],
    text: 'q',
    number: 5,
    truth: true,
  } as const;
  const names = ['object', 'objects', 'plain', 'none', 'text', 'number', 'truth'] as const;
  for (const given of names.flatMap((one) => names.map((other) => [one, other, one]))) {
    const { rows, columns } = load(given.map((name) => ({ x: sorts[name] })));
    const are = (...some: string[]) => given.every((name) => some.includes(name));
    const has = (...some: string[]) => given.some((name) => some.includes(name));
    const stored = rows.get('t') ?? [];
    if (are('object')) expect(stored).toEqual(given.map((_, at) => ({ item: at + 1, x_a: 1 })));
    else if (are('objects', 'none') && has('objects')) {
      const lists = given.flatMap((name) => (name === 'objects' ? [2, 3] : []));
      expect(rows.get('t_x')?.map(({ a }) => a)).toEqual(lists);
    } else if (has('object', 'objects', 'plain', 'none')) {
      expect(columns).toEqual([[['x', 'json', JSON_NOTE]]]);
      expect(stored.map(({ x }) => JSON.parse(String(x)))).toEqual(given.map((name) => sorts[name]));
    } else expect(stored.map(({ x }) => x === null)).toEqual(given.map(() => false));
  }
});

it('amounts are numbers by the name of their column, unless some are none', () => {
  const of = (...prices: unknown[]) => load(prices.map((price) => ({ price })));
  expect(of('12.50', 3).rows.get('t')).toEqual([
    { item: 1, price: 12.5 },
    { item: 2, price: 3 },
  ]);
  expect(of('12.50', 'free').columns).toEqual([
    [['price', 'text', 'text as sent: not all values are numbers']],
  ]);
  for (const [price, fee] of [
    ['1.234', '5,50'],
    ['5,50', '1.234'],
  ]) {
    // The decimal signs of a list also apply to its items, and the other way round.
    const { rows } = load([{ price, lines: [{ fee }] }]);
    expect([rows.get('t')?.[0]?.price, rows.get('t_lines')?.[0]?.fee].sort()).toEqual([1234, 5.5]);
  }
  expect(of('12.50', true).columns).toEqual([[['price', 'text', MIXED]]]);
});

it('members of objects are columns by their path, and names that meet get numbers', () => {
  const { columns, rows } = load([{ a: { b: 1, c: { d: 2 } }, 'a b': 3, item: 4, n: 5 }]);
  expect(columns).toEqual([
    [
      ['a_b', 'number', undefined],
      ['a_c_d', 'number', undefined],
      ['a_b_2', 'number', undefined],
      ['item_2', 'number', undefined],
      ['n', 'number', undefined],
    ],
  ]);
  expect(rows.get('t')).toEqual([{ item: 1, a_b: 1, a_c_d: 2, a_b_2: 3, item_2: 4, n: 5 }]);
});

it('lists of objects are tables, each row with its item, its number and the row that holds it', () => {
  const { tables, rows } = load(
    [
      {
        id: 'A',
        lines: [{ n: 1, parts: [{ p: 'x' }, { p: 'y' }] }, { n: 2 }, { n: 3, parts: [{ p: 'z' }] }],
      },
      { id: 'B', lines: [] },
      { id: 'C', lines: [{ n: 4, parts: [{ p: 'w' }] }] },
    ],
    'id',
  );
  expect(tables.map(({ name, rows: count, parent }) => [name, count, parent])).toEqual([
    ['t', 3, undefined],
    ['t_lines', 4, 't'],
    ['t_lines_parts', 4, 't_lines'],
  ]);
  expect(rows.get('t')).toEqual(['A', 'B', 'C'].map((id, at) => ({ item: at + 1, id })));
  const line = (item: number, n: number, id: string, own: number) => ({ item, n, item_id: id, n_2: own });
  expect(rows.get('t_lines')).toEqual([
    line(1, 1, 'A', 1),
    line(1, 2, 'A', 2),
    line(1, 3, 'A', 3),
    line(3, 1, 'C', 4),
  ]);
  const part = (item: number, n: number, parent: number, id: string, p: string) => ({
    item,
    n,
    parent_n: parent,
    item_id: id,
    p,
  });
  expect(rows.get('t_lines_parts')).toEqual([
    part(1, 1, 1, 'A', 'x'),
    part(1, 2, 1, 'A', 'y'),
    part(1, 3, 3, 'A', 'z'),
    part(3, 1, 1, 'C', 'w'),
  ]);
});

it('the columns of a nested table say what joins it, and items that are no objects are values', () => {
  const [, lines] = load([{ a: { id: 'A' }, lines: [{ x: 1 }] }], 'a.id').tables;
  expect(lines?.columns.map(({ name, note }) => [name, note])).toEqual([
    ['item', expect.any(String)],
    ['n', expect.any(String)],
    ['item_a_id', 'of the item'],
    ['x', undefined],
  ]);
  expect(load(['a', 'b']).rows.get('t')).toEqual([
    { item: 1, value: 'a' },
    { item: 2, value: 'b' },
  ]);
  expect(load([[{ a: 1 }, { a: 2 }]]).rows.get('t_list')).toEqual([
    { item: 1, n: 1, a: 1 },
    { item: 1, n: 2, a: 2 },
  ]);
});

const members = (count: number, value: unknown = 1) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`m${i}`, value]));

it.each<[string, object, number]>([
  ['fifty members', { x: members(50) }, 50],
  ['more, whose names are data', { x: members(51) }, 1],
  ['more, of the items themselves', members(51), 51],
  ['attributes, which the product type names', { x: { attributes: { a: 1, b: 2 } } }, 1],
  ['seven levels', { a: { b: { c: { d: { e: { f: { g: 1, h: 2 } } } } } } }, 2],
  ['eight levels', { a: { b: { c: { d: { e: { f: { g: { h: 1, i: 2 } } } } } } } }, 1],
  ['five hundred members', members(500), 500],
  ['more than a table has columns', members(501), 1],
  ['five hundred, some of them of an object', { ...members(480), x: members(20) }, 500],
  ['a member too many, which stays JSON', { ...members(480), x: members(21) }, 481],
])('of %s as many columns are made as a table can bear', (_what, item, count) => {
  const { columns, rows } = load([item]);
  expect(columns[0]).toHaveLength(count);
  const [row] = rows.get('t') ?? [];
  if (count === 1) expect(columns[0]?.[0]?.[1]).toBe('json');
  expect(Object.keys(row ?? {})).toHaveLength(count + 1);
});

it('thirty lists are tables, and further ones JSON', () => {
  const { tables, columns } = load([members(32, [{ a: 1 }])]);
  expect(tables).toHaveLength(31);
  expect(columns[0]).toEqual([
    ['m30', 'json', JSON_NOTE],
    ['m31', 'json', JSON_NOTE],
  ]);
});

const plain = fc.oneof(
  fc.constantFrom('a', 'ü"', '2026-11-20', '12'),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    plain,
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('tree'), { maxKeys: 3 }),
  ),
}));

/** Every plain value that is not null, as text, in any order. */
function leaves(value: unknown): string[] {
  if (value === null || value === undefined || value === '') return [];
  return typeof value === 'object' ? Object.values(value).flatMap(leaves) : [String(value)];
}

it('nothing of any items is lost, and nothing is there that was not', () => {
  const asText = (text: string) => (text === 'true' ? '1' : text === 'false' ? '0' : text);
  fc.assert(
    fc.property(
      fc.array(fc.dictionary(fc.constantFrom('x', 'y'), tree), { minLength: 1, maxLength: 4 }),
      (items) => {
        const { tables, rows } = load(items);
        const stored = tables.flatMap(({ name, columns, parent }) => {
          const own = parent === undefined ? ['item'] : ['item', 'n', 'parent_n'];
          const isJson = new Set(columns.filter(({ type }) => type === 'json').map((column) => column.name));
          return (rows.get(name) ?? []).flatMap((row) =>
            Object.entries(row)
              .filter(([column]) => !own.includes(column))
              .flatMap(([column, value]) =>
                leaves(isJson.has(column) && value !== null ? JSON.parse(String(value)) : value),
              ),
          );
        });
        expect(stored.map(asText).sort()).toEqual(leaves(items).map(asText).sort());
        expect(rows.get('t')).toHaveLength(items.length);
        for (const { name, rows: count } of tables) expect(rows.get(name)).toHaveLength(count);
      },
    ),
    { numRuns: 60 },
  );
});

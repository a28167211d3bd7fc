/**
 * Tests that each table of nested items knows its path, its key and its personal columns, by the whole path
 * in the answer.
 */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dateReader } from '../../../../src/data/tables/dates.ts';
import {
  columnsOf,
  type ItemTable,
  type LayoutParts,
  layOut,
} from '../../../../src/data/tables/worker/item-layout.ts';
import { createShapeReader, type Shape } from '../../../../src/data/tables/worker/item-shape.ts';
import { personalOfMember, personalOfShape } from '../../../../src/data/tables/worker/personal-columns.ts';

const NAMES = ['BuyerInfo', 'Name', 'Phone', 'address', 'n', 'item', 'parent n', 'item_sku', 'sku', 'x'];
const { members } = fc.letrec<{ members: object; value: unknown }>((tie) => ({
  members: fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 4 }),
  value: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'tree' },
    fc.constantFrom('a', 'call 0170 1234567', 'a@example.com now', 5, true, [], ['b']),
    tie('members'),
    fc.array(tie('members'), { minLength: 1, maxLength: 2, depthIdentifier: 'tree' }),
  ),
}));
const world = fc.record({
  items: fc.array(members, { minLength: 1, maxLength: 3 }),
  at: fc.constantFrom([], ['payload', 'Orders'], ['buyers']),
  key: fc.constantFrom(undefined, 'sku', 'Name', 'BuyerInfo.Name'),
  source: fc.constantFrom({ operation: 'orders/getOrders' }, { operation: 'catalog-v0/x' }, {}),
});

/** Returns the shape at a path. */
function shapeAt(shape: Shape, path: readonly string[]): Shape {
  const found = path.reduce((above: Shape | undefined, name) => above?.members.get(name), shape);
  if (found === undefined) throw new Error(`nothing at ${path.join('.')}`);
  return found;
}

interface Level {
  shape: Shape;
  /** The path from the item to the shape. */
  path: string[];
  depth: number;
}

function check(table: ItemTable, { shape, path, depth }: Level, parts: LayoutParts): string[] {
  const { source, at, key } = parts;
  const columns = columnsOf(table);
  for (const column of table.columns) {
    const { personal, members: below } = column.info;
    const whole = [...at, ...path, ...column.path];
    expect({ personal, members: below }).toEqual(personalOfShape(source, shapeAt(shape, column.path), whole));
  }
  const joins = columns.slice(0, columns.length - table.columns.length);
  const ofKey =
    key === undefined
      ? []
      : [{ note: 'of the item', personal: personalOfMember(source, [...at, ...key.split('.')], true) }];
  const above = depth > 1 ? [{ name: 'parent_n', type: 'number' }] : [];
  expect(joins).toMatchObject(depth === 0 ? [] : [{ name: 'item' }, { name: 'n' }, ...above, ...ofKey]);
  expect(table.parentColumn).toBe(depth > 1 ? 'parent_n' : undefined);
  const names = [...(depth === 0 ? ['item'] : []), ...columns.map(({ name }) => name)];
  expect(new Set(names).size).toBe(names.length);
  const inside = table.lists.flatMap((list) => {
    expect(list.table).toMatchObject({ parent: table.name, path: [...path, ...list.path] });
    expect(list.table.name.startsWith(`${table.name}_`)).toBe(true);
    const element = shapeAt(shape, list.path).element ?? shape;
    return check(list.table, { shape: element, path: [...path, ...list.path], depth: depth + 1 }, parts);
  });
  return [table.name, ...inside];
}

it('each table is where its list is, its columns are personal as their whole path says, and no two have one name', () => {
  let deepest = 0;
  fc.assert(
    fc.property(world, ({ items, ...about }) => {
      const reader = createShapeReader(dateReader(undefined));
      for (const item of items) reader.see(item);
      const tables = new Set(['t', 't_x']);
      const parts = { ...about, tables };
      const top = layOut('t', reader.root, parts);
      expect(top).toMatchObject({ name: 't', path: undefined, parent: undefined, keyColumn: undefined });
      const names = check(top, { shape: reader.root, path: [], depth: 0 }, parts);
      expect(tables).toEqual(new Set(['t_x', ...names]));
      expect(tables.size).toBe(names.length + 1);
      for (const { path } of top.lists.flatMap(({ table }) => table.lists.map((list) => list.table))) {
        deepest = Math.max(deepest, path?.length ?? 0);
      }
    }),
    { numRuns: 100 },
  );
  expect(deepest).toBeGreaterThan(1);
});

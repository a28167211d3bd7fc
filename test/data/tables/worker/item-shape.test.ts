/** Tests that the shape of items is counted over all of them, member by member, within bounds. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dateReader } from '../../../../src/data/tables/dates.ts';
import {
  joinDecimals,
  newColumn,
  readText,
  settleColumn,
} from '../../../../src/data/tables/worker/column-values.ts';
import {
  createShapeReader,
  fillEmptyLists,
  follow,
  type Shape,
} from '../../../../src/data/tables/worker/item-shape.ts';

function shapeOf(...items: unknown[]) {
  const reader = createShapeReader(dateReader(undefined));
  for (const item of items) reader.see(item);
  expect(reader.seen()).toBe(items.length);
  return reader.root;
}

const COUNTS = [
  'objects',
  'objectLists',
  'otherLists',
  'emptyLists',
  'texts',
  'numbers',
  'booleans',
] as const;
const countsOf = (shape: Shape | undefined) =>
  shape && Object.fromEntries(COUNTS.flatMap((name) => (shape[name] > 0 ? [[name, shape[name]]] : [])));

it('each value is counted where it stands, the objects of lists as one element', () => {
  const root = shapeOf(
    { a: 'x', b: [] },
    { a: 1, b: [{ c: true }, { c: 'y' }] },
    { a: null, b: [1, { c: 1 }] },
    { a: '' },
  );
  expect(countsOf(root)).toEqual({ objects: 4 });
  expect(countsOf(root.members.get('a'))).toEqual({ texts: 2, numbers: 1 });
  const list = root.members.get('b');
  expect(countsOf(list)).toEqual({ objectLists: 1, emptyLists: 1, otherLists: 1 });
  expect(countsOf(list?.element)).toEqual({ objects: 2 });
  expect(countsOf(list?.element?.members.get('c'))).toEqual({ booleans: 1, texts: 1 });
});

it('of more than five thousand places what holds the next is open', () => {
  const members = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, 1]));
  // The items themselves are a place too.
  expect(shapeOf(members(4_999)).isOpen).toBe(false);
  const root = shapeOf(members(4_998), { x: { y: 1 } }, { m0: 1 });
  expect([root.isOpen, root.members.get('x')?.isOpen, root.members.get('x')?.members.size]).toEqual([
    false,
    true,
    0,
  ]);
  expect(root.members.get('m0')?.numbers).toBe(2);
  expect(shapeOf(members(5_000)).isOpen).toBe(true);
});

it('a list that was empty everywhere is that of what was expected, at any depth; one that was anything else stays', () => {
  const expected = shapeOf({
    a: [{ x: 1 }],
    b: { c: [{ y: 1 }] },
    d: [{ e: [{ z: 1 }] }],
    f: [1],
    g: [{ w: 1 }],
    i: [{ v: 1 }],
  });
  const root = shapeOf(
    { a: [], b: { c: [] }, d: [{ e: [] }], f: [], g: [], h: [], i: 'x' },
    { a: [], g: ['x'] },
  );
  fillEmptyLists(root, expected);
  const at = (...path: string[]) =>
    path.reduce<Shape | undefined>(
      (shape, name) => (name === '' ? shape?.element : shape?.members.get(name)),
      root,
    );
  expect(countsOf(at('a'))).toEqual({ objectLists: 2 });
  expect([...(at('a', '')?.members.keys() ?? [])]).toEqual(['x']);
  expect([...(at('b', 'c', '')?.members.keys() ?? [])]).toEqual(['y']);
  expect([...(at('d', '', 'e', '')?.members.keys() ?? [])]).toEqual(['z']);
  expect(countsOf(at('d'))).toEqual({ objectLists: 1 });
  expect(countsOf(at('f'))).toEqual({ emptyLists: 1 });
  expect(countsOf(at('g'))).toEqual({ emptyLists: 1, otherLists: 1 });
  expect(countsOf(at('h'))).toEqual({ emptyLists: 1 });
  expect(at('i', '')).toBeUndefined();
});

it('a path is followed over own members of objects alone', () => {
  const item = { a: { b: 1 }, c: 'text', d: [1] };
  expect(follow(item, [])).toBe(item);
  expect(follow(item, ['a', 'b'])).toBe(1);
  for (const path of [['a', 'x'], ['toString'], ['c', 'length'], ['d', '0'], ['x', 'y']]) {
    expect(follow(item, path)).toBeUndefined();
  }
});

// A text of JSON is typed by the service already: only its name makes it an amount.
it('the texts of a named member are of the kind that they would be as a column of a report', () => {
  const text = fc.constantFrom(
    '',
    '5',
    '1.50',
    '1,234',
    'free',
    '2026-01-31',
    '31.01.2026',
    'call 0170 1234567',
  );
  const readDate = dateReader(undefined);
  fc.assert(
    fc.property(
      fc.constantFrom('price', 'x'),
      fc.array(text, { minLength: 1, maxLength: 5 }),
      (name, texts) => {
        fc.pre(name === 'price' || !texts.some((each) => /^\d[\d.,]*$/.test(each) && !/2026/.test(each)));
        const column = newColumn(name);
        for (const each of texts) readText(column, each, readDate);
        const values =
          shapeOf(...texts.map((each) => ({ [name]: each }))).members.get(name)?.values ?? newColumn('');
        const [expected, found] = [column, values].map(
          (each) => settleColumn(each, joinDecimals([each])).column,
        );
        expect([found?.kind, found?.note]).toEqual([expected?.kind, expected?.note]);
        expect(values.hasContact).toBe(column.hasContact);
      },
    ),
    { numRuns: 400 },
  );
});

/** Tests that large members that are seldom wanted are set aside, with their size and names. */

import { expect, test } from 'vitest';
import { setAside } from '../../../../src/render/value/select/aside.ts';
import { createMeasure, shownValue } from '../../../../src/render/value/select/part.ts';

function aside(value: unknown, ...paths: string[]) {
  const found = setAside(value, paths, createMeasure());
  return { ...found, value: shownValue(found.part) };
}

test('members go, wherever they stand, and are told', () => {
  const whole = { payload: { sku: 'A', attributes: { brand: [1], size: 2 }, images: ['x'] }, text: 'abc' };
  const found = aside(whole, 'payload.attributes', 'payload.images', 'text');
  expect(found.value).toEqual({ payload: { sku: 'A' } });
  expect(found.aside).toEqual([
    { select: ['payload.attributes'], what: 'object, 2 members', bytes: 24, names: ['brand', 'size'] },
    { select: ['payload.images'], what: 'array, 1 elements', bytes: 6, names: [] },
    { select: ['text'], what: 'text, 3 characters', bytes: 5, names: [] },
  ]);
});

test.each([['nothing'], ['payload.nothing'], ['payload.sku.x'], ['list.0']])(
  'what is not there is not told: %s',
  (path) => {
    const whole = { payload: { sku: 'A' }, list: [1] };
    const found = aside(whole, path);
    expect(found).toMatchObject({ value: whole, aside: [], part: { kind: 'whole' } });
  },
);

test('very long names are left out, and names beyond 2,000 bytes', () => {
  const named = (length: number, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i}`.padStart(length, 'n'), 1]));
  expect(aside({ a: { ['x'.repeat(80)]: 1, ['y'.repeat(81)]: 1 } }, 'a').aside[0]?.names).toEqual([
    'x'.repeat(80),
  ]);
  expect(aside({ a: named(17, 200) }, 'a').aside[0]?.names).toHaveLength(100);
  expect(aside({ a: named(17, 100) }, 'a').aside[0]?.names).toHaveLength(100);
});

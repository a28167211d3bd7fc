/** A path that leads nowhere is told with the place up to which it led, and what could follow there. */

import { expect, test } from 'vitest';
import { explainUnknownPath } from '../../../../src/render/value/select/unknown-path.ts';

const whole = {
  payload: {
    sku: 'A-1',
    empty: {},
    none: [],
    text: '',
    issues: [{ code: '1' }, { code: '2', message: 'm' }],
    numbers: [1, 2, 3],
    mixed: [{ a: { b: 1 } }, 5, { a: { c: 2 } }],
    'odd name': 1,
    summaries: { itemName: 1 },
  },
};

test.each<[string, object]>([
  ['paylod', { at: '', valid: ['payload'], nearest: 'payload' }],
  ['x', { at: '', valid: ['payload'] }],
  ['payload.sku.x', { at: 'payload.sku', valid: ['0-2'] }],
  ['payload.empty.x', { at: 'payload.empty', valid: [] }],
  ['payload.none.0', { at: 'payload.none', valid: [] }],
  ['payload.none.x', { at: 'payload.none', valid: [] }],
  ['payload.text.x', { at: 'payload.text', valid: [] }],
  [
    'payload.issues.codes',
    { at: 'payload.issues', valid: ['code', 'message'], nearest: 'payload.issues.code' },
  ],
  ['payload.issues.9.code', { at: 'payload.issues', valid: ['code', 'message'] }],
  ['payload.issues.0.message', { at: 'payload.issues.0', valid: ['code'] }],
  [
    'payload.issues.0-1.mesage',
    { at: 'payload.issues.0-1', valid: ['code', 'message'], nearest: 'payload.issues.0-1.message' },
  ],
  ['payload.issues.*.x', { at: 'payload.issues.*', valid: ['code', 'message'] }],
  ['payload.numbers.7', { at: 'payload.numbers', valid: ['0-2'] }],
  ['payload.numbers.x', { at: 'payload.numbers', valid: ['0-2'] }],
  ['payload.mixed.a.d', { at: 'payload.mixed.a', valid: ['b', 'c'], nearest: 'payload.mixed.a.b' }],
  ['payload.*.x', { at: 'payload.*', nearest: 'payload.*.a' }],
  ['payload.odd nam', { at: 'payload', nearest: 'payload."odd name"' }],
  ['payload.summaries.ItemName.x', { at: 'payload.summaries', nearest: 'payload.summaries.itemName.x' }],
  ['payload..x', { at: '', valid: ['payload'] }],
])('%s', (path, expected) => {
  const explained = explainUnknownPath(whole, path);
  expect(explained).toMatchObject({ path, ...expected });
  expect('nearest' in explained).toBe('nearest' in expected);
  expect(explained).not.toHaveProperty('more');
});

test('a name that differs much is no near one; in case it may', () => {
  const near = (wrong: string) => explainUnknownPath({ abcdef: 1 }, wrong).nearest;
  expect(near('abcd')).toBe('abcdef');
  expect(near('abc')).toBeUndefined();
  expect(near('xxxdef')).toBeUndefined();
  expect(near('abcdefgh')).toBe('abcdef');
  expect(near('abcdefghi')).toBe('abcdef');
  expect(near('abcdefghij')).toBeUndefined();
  expect(near('ABCDEF')).toBe('abcdef');
});

test('thirty names, the others counted; long ones left out', () => {
  const named = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`n${i}`, 1]));
  expect(explainUnknownPath(named(30), 'x')).not.toHaveProperty('more');
  expect(explainUnknownPath(named(32), 'x')).toMatchObject({ valid: { length: 30 }, more: 2 });
  const long = { ['a'.repeat(100)]: 1, ['b'.repeat(101)]: 1 };
  expect(explainUnknownPath(long, 'x').valid).toEqual(['a'.repeat(100)]);
  expect(explainUnknownPath(long, 'a'.repeat(99)).nearest).toBe('a'.repeat(100));
  expect(explainUnknownPath(long, 'a'.repeat(201)).nearest).toBeUndefined();
});

test('no more than 300 characters of a path are repeated', () => {
  const name = 'n'.repeat(90);
  const value = { [name]: { [name]: { [name]: { [name]: 1 } } } };
  const path = [name, name, name, name].join('.');
  expect(explainUnknownPath(value, `${path}.x`)).toMatchObject({
    path: path.slice(0, 300),
    at: path.slice(0, 300),
  });
  expect(explainUnknownPath(value, `${path.slice(0, -1)}x`)).toMatchObject({
    path: path.slice(0, 300),
    at: [name, name, name].join('.'),
  });
  expect(explainUnknownPath(value, `${path}..x`).path).toBe(path.slice(0, 300));
});

test('the names of the first 50 elements are told', () => {
  const list = (at: number) => Array.from({ length: 60 }, (_, i) => (i === at ? { late: 1 } : { a: 1 }));
  expect(explainUnknownPath({ list: list(49) }, 'list.x').valid).toEqual(['a', 'late']);
  expect(explainUnknownPath({ list: list(50) }, 'list.x').valid).toEqual(['a']);
});

test('of what a star leads to, the first 50 are followed', () => {
  const rows = Array.from({ length: 60 }, (_, i) => ({ inner: i < 50 ? { a: 1 } : { b: 1 } }));
  expect(explainUnknownPath({ rows }, 'rows.*.inner.x').valid).toEqual(['a']);
  expect(explainUnknownPath({ rows }, 'rows.inner.x').valid).toEqual(['a']);
});

test('of a path that leads somewhere, what follows there', () => {
  expect(explainUnknownPath({ a: { b: 1 } }, 'a')).toEqual({ path: 'a', at: 'a', valid: ['b'] });
});

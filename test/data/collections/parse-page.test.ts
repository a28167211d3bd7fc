/** Tests how one answer is parsed: its lists by name, the next page, and the total where it states one. */

import { expect, it } from 'vitest';
import { memberAt, readPage, withMember } from '../../../src/data/collections/parse-page.ts';
import type { Paging } from '../../../src/service/facts/operation.ts';

const BY_TOKEN: Paging = {
  by: 'token',
  input: { in: 'query', name: 'pageToken' },
  output: 'pagination.nextToken',
  list: 'payload.items',
};
const BY_OFFSET: Paging = { ...BY_TOKEN, by: 'offset', output: 'found.all' };

const read = (body: unknown, paging: Partial<Paging> = {}) =>
  readPage(body, { ...BY_TOKEN, ...paging } as Paging);
const body = (items: unknown, more: object = {}) => ({ payload: { items }, ...more });

it('one list is told with its place, and counted', () => {
  expect(read(body([1, 2], { pagination: { nextToken: 't' } }))).toEqual({
    lists: [{ items: [1, 2], at: ['payload', 'items'] }],
    count: 2,
    next: 't',
  });
  for (const odd of [body('x'), body(undefined), {}, null, 'x', [1]])
    expect(read(odd)).toEqual({ lists: [{ items: [], at: ['payload', 'items'] }], count: 0 });
});

it('of several lists each is told by its member, those without items not at all', () => {
  const several = { payload: { a: [1], b: [], c: 'x', d: [2, 3] } };
  expect(read(several, { list: 'payload.*' })).toEqual({
    lists: [
      { name: 'a', items: [1], at: ['payload', 'a'] },
      { name: 'd', items: [2, 3], at: ['payload', 'd'] },
    ],
    count: 3,
  });
  for (const odd of [{ payload: [1] }, {}, null])
    expect(read(odd, { list: 'payload.*' })).toEqual({ lists: [], count: 0 });
});

it.each(['', 5, null, undefined, {}])('%j is no token', (nextToken) => {
  expect(read(body([], { pagination: { nextToken } }))).not.toHaveProperty('next');
});

it('by offset there is no token, and where it stands says how many there are', () => {
  const page = read(body([1], { found: { all: 7 }, pagination: { nextToken: 't' } }), BY_OFFSET);
  expect(page).toMatchObject({ total: 7 });
  expect(page).not.toHaveProperty('next');
  expect(read(body([1], { found: { all: 't' } }), { ...BY_OFFSET, by: 'token' })).toMatchObject({
    next: 't',
  });
});

it.each([
  ['numberOfResults', 4, 4],
  ['totalResults', 0, 0],
  ['totalCount', 3, 3],
  ['pagination.totalResults', 4, 4],
  ['pagination.total', 4, 4],
  ['payload.totalResultSetSize', 4, 4],
  ['payload.pagination.total', 4, 4],
  ['total', 4, undefined],
  ['numberOfResults', -1, undefined],
  ['numberOfResults', 1.5, undefined],
  ['numberOfResults', '4', undefined],
])('%s of %j counts %s in all', (path, value, total) => {
  expect(read(withMember(body([1]), path, value)).total).toBe(total);
});

it('a count that is none leaves the next one that is', () => {
  expect(read({ numberOfResults: 'x', totalCount: 9 }).total).toBe(9);
});

it('a member that is set is there, and everything else as it was', () => {
  const given = { a: { b: 1, c: 2 }, d: 3 };
  expect(withMember(given, 'a.b', 9)).toEqual({ a: { b: 9, c: 2 }, d: 3 });
  expect(withMember(given, 'x.y.z', 9)).toEqual({ ...given, x: { y: { z: 9 } } });
  expect(withMember(undefined, 'a', 9)).toEqual({ a: 9 });
  expect(given).toEqual({ a: { b: 1, c: 2 }, d: 3 });
  expect(memberAt(withMember(given, 'a.c', 'x'), 'a.c')).toBe('x');
});

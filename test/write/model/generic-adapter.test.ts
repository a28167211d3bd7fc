/** Tests the generic adapter: a write's members are compared with what is read, and misspelled ones are found. */

import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/base/errors.ts';
import type { CallInput, Client } from '../../../src/call/client-types.ts';
import type { Operation } from '../../../src/service/facts/operation.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';
import { readStateAndDiff } from '../../../src/write/plan/write-diff.ts';

const registry = await loadRegistry();
/** A write whose state is read by an operation of its own. */
const reading = registry.operations.find(({ id }) => id === 'supply-sources/getSupplySource');
const base = registry.find('supply-sources/updateSupplySourceStatus');
const OTHER: Operation = { ...base, id: 'things/updateThing', group: 'things', body: undefined };

async function plan(body: unknown, state: unknown, { operation = OTHER, later = state as unknown } = {}) {
  const asked: CallInput[] = [];
  const client = {
    async call(input: CallInput) {
      asked.push(input);
      const answer = asked.length === 1 ? state : later;
      if (answer instanceof Error) throw answer;
      return { status: 200, headers: {}, body: answer, bytes: 1, filledIn: {}, owner: {} };
    },
  } as unknown as Client;
  const written = { operation, account: 'a', parameters: { supplySourceId: 'ss-1' }, body };
  return { asked, planned: await readStateAndDiff(written, { client, registry, now: Date.now }, {}) };
}

it('is compared with the part of the answer that has most of its names', async () => {
  const state = { note: 'x', payload: { name: 'A', size: 1, other: true, inner: { name: 'B', size: 1 } } };
  const { planned, asked } = await plan({ name: 'B', size: 1, extra: [1] }, state);
  expect(asked.map(({ operation }) => operation.id)).toEqual([reading?.id]);
  expect(planned.change).toMatchObject({
    subject: { kind: 'operation' },
    before: { name: 'A', size: 1 },
    after: { name: 'B', size: 1 },
    differences: [{ path: 'name', segments: ['name'], kind: 'changed', before: 'A', after: 'B' }],
    sent: [{ segments: ['extra'], value: [1] }],
    isWhole: false,
  });
  expect(planned.isAbsent).toBe(false);
});

it('the yes is good for the values that it was compared with, and for no others', async () => {
  const stateDigest = async (state: object) => (await plan({ name: 'B' }, state)).planned.stateDigest;
  const first = await stateDigest({ name: 'A', other: 1 });
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  expect(await stateDigest({ name: 'A', other: 2 })).toBe(first);
  expect(await stateDigest({ name: 'C', other: 1 })).not.toBe(first);
});

it('what is shown beside what is sent is not removed by it, an item of a list is; a plain list is one value', async () => {
  const state = { list: [{ a: 1 }, { a: 2 }], plain: [1, 2], object: { a: 1, b: 2 }, gone: { a: 1 } };
  const { planned } = await plan({ list: [{ a: 1 }], plain: [1], object: { a: 3 }, gone: {} }, state);
  expect(planned.change.differences?.map(({ path, kind }) => [path, kind])).toEqual([
    ['list[1]', 'removed'],
    ['plain', 'changed'],
    ['object.a', 'changed'],
    ['gone', 'changed'],
  ]);
});

it.each([undefined, {}, 'text'])(
  'with nothing to compare (%j) it is about the plain values that are there',
  async (body) => {
    const state = { payload: { name: 'A', size: 1, is: true, list: [1], none: null } };
    const { planned } = await plan(body, state);
    expect(planned.change).toMatchObject({ before: { name: 'A', size: 1, is: true } });
    expect(planned.change.before).not.toHaveProperty('list');
    expect(planned.change.differences).toBeUndefined();
    const other = await plan(body, { name: 'B', payload: 5 });
    expect(other.planned.change.before).toEqual({ name: 'B', payload: 5 });
    expect(other.planned.stateDigest).not.toBe(planned.stateDigest);
    expect((await plan(body, 'odd')).planned.change.before).toEqual({});
  },
);

it.each<[string, unknown, string]>([
  ['it is not there', new ApiError({ status: 404 }, 'gone'), 'finds nothing there yet'],
  ['it cannot be read', new ApiError({ status: 500 }, 'down'), 'down'],
  ['it shows nothing of it', { other: 1 }, 'shows nothing of the same names'],
  ['it shows no object', 'odd', 'shows nothing of the same names'],
])('where %s, that is said and no values', async (_what, state, words) => {
  const { planned } = await plan({ name: 'B' }, state);
  expect(planned.change.noDifferences).toContain(words);
  expect(planned.change.differences).toBeUndefined();
  expect(planned.stateDigest).toBeUndefined();
  expect(planned.isAbsent).toBe(state instanceof ApiError && state.status === 404);
});

it.each<[string, unknown, number, number]>([
  ['as it was sent, with more', { name: 'B', size: 1, more: 2 }, 0, 0],
  ['as it was', { name: 'A', size: 1 }, 0, 1],
  ['something else', { name: 'C', size: 1 }, 1, 0],
])('read back it is %s', async (_what, later, differ, notYet) => {
  const { planned } = await plan({ name: 'B', size: 1 }, { name: 'A', size: 1 }, { later });
  const back = await planned.readBack?.({});
  expect([back?.differences.length, back?.notYet.length]).toEqual([differ, notYet]);
});

describe('members that the definition does not name', () => {
  const schema = {
    type: 'object',
    properties: {
      name: { type: 'string' },
      open: { type: 'object', additionalProperties: true },
      typed: { type: 'object', additionalProperties: { type: 'object', properties: { inner: {} } } },
      list: { type: 'array', items: { type: 'object', properties: { size: {} } } },
      free: {},
    },
  };
  const operation = { ...OTHER, body: { schema, required: false } } as unknown as Operation;
  const warned = async (body: unknown) =>
    (await plan(body, { name: 'A' }, { operation })).planned.change.warnings.map(
      ({ path, message }) => `${path} ${message}`,
    );

  it('are told at their places, with the name that was probably meant', async () => {
    const is = 'is not a member that the definition names';
    expect(
      await warned({
        nam: 1,
        completely: 1,
        open: { x: 1 },
        free: { x: 1 },
        typed: { any: { iner: 1, inner: 2 } },
        list: [{ size: 1 }, { sise: 1 }],
      }),
    ).toEqual([
      `nam ${is}; did you mean "name"?`,
      `completely ${is}`,
      `typed.any.iner ${is}; did you mean "inner"?`,
      `list[1].sise ${is}; did you mean "size"?`,
    ]);
    expect(await warned({ name: 'x' })).toEqual([]);
    expect(await warned(undefined)).toEqual([]);
  });

  it('are twenty at most: a body of another kind is one mistake', async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`x${at}`, 1]));
    expect(await warned(many)).toHaveLength(20);
    const deep = { list: Array.from({ length: 30 }, () => ({ y: 1 })) };
    expect(await warned(deep)).toHaveLength(20);
  });
});

it('for a request nothing is read', async () => {
  const { planned, asked } = await plan({ a: 1 }, {}, { operation: { ...OTHER, effect: 'request' } });
  expect([asked, planned.change.differences]).toEqual([[], undefined]);
});

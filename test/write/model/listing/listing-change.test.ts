/**
 * Tests how a write changes a listing by the interface's rules: whole attributes, in the named marketplaces,
 * and everything sent is reported.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError, NetworkError } from '../../../../src/base/errors.ts';
import type { Operation } from '../../../../src/service/facts/operation.ts';
import { loadRegistry } from '../../../../src/service/registry/registry.ts';
import {
  compareAttributes,
  compareListing,
  marketplacesOutsideCall,
  planListing,
  stateDigestOfListing,
} from '../../../../src/write/model/listing/listing-change.ts';
import type { ReadState } from '../../../../src/write/model/read-state.ts';
import type { OtherMarketplaces } from '../../../../src/write/model/subject-adapter.ts';
import { DE, FR } from '../../handlers/listing/helpers.ts';

const registry = await loadRegistry();

const NOW = Date.parse('2026-11-22T12:00:00Z');
const named = (name: string): Operation => registry.find(`listings-items/${name}`);
const entry = (value: unknown, marketplace_id = DE) => ({ value, marketplace_id });
const shown = (attributes: object, more: object = {}): ReadState => ({
  state: {
    sku: 'S',
    summaries: [{ marketplaceId: DE, itemName: 'Lamp', productType: 'LAMP' }],
    attributes,
    ...more,
  },
  numbersAsText: [],
});
const reading = (...answers: readonly ReadState[]) => {
  const left = [...answers];
  return {
    operation: 'listings-items/getListingsItem',
    parameters: {},
    now: Date.now,
    read: async () => left.shift() ?? shown({}),
  };
};
const call = { signal: new AbortController().signal };

interface Asked {
  name?: string;
  body?: unknown;
  state?: ReadState;
  /** The state that is read afterwards. */
  later?: ReadState;
  places?: string[];
  elsewhere?: OtherMarketplaces;
}
const plan = ({
  name = 'putListingsItem',
  body,
  state = shown({}),
  later,
  places = [DE],
  elsewhere,
}: Asked) =>
  planListing(
    {
      operation: named(name),
      account: 'a',
      parameters: { sku: 'S', sellerId: 'X', marketplaceIds: places },
      body,
    },
    state,
    reading(...(later === undefined ? [] : [later])),
    elsewhere,
  );
const patch = (...patches: unknown[]) => ({ productType: 'LAMP', patches });
const replace = (name: string, ...value: unknown[]) => ({
  op: 'replace',
  path: `/attributes/${name}`,
  value,
});

const attributes = fc.dictionary(
  fc.constantFrom('a', 'b', 'c'),
  fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 2 }),
);
const inMarketplace = (side: Readonly<Record<string, number[]>>) =>
  Object.fromEntries(
    Object.entries(side).map(([name, values]) => [name, values.map((value) => entry(value))]),
  );

describe('a listing that is put', () => {
  it('is what is sent: the rest of it is gone, and each attribute that differs is told', () => {
    fc.assert(
      fc.property(attributes, attributes, (was, is) => {
        const body = { productType: 'LAMP', requirements: 'LISTING', attributes: inMarketplace(is) };
        const { change, stateDigest } = plan({ body, state: shown(inMarketplace(was)) });
        const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
        const differing = names.filter((name) => JSON.stringify(was[name]) !== JSON.stringify(is[name]));
        expect(change.differences?.map(({ path }) => path).sort()).toEqual(
          differing.map((name) => `attributes.${name}`).sort(),
        );
        for (const { path, kind } of change.differences ?? []) {
          const name = path.slice('attributes.'.length);
          expect(kind).toBe(
            was[name] === undefined ? 'added' : is[name] === undefined ? 'removed' : 'changed',
          );
        }
        expect(change.after).toEqual(inMarketplace(is));
        expect(change).toMatchObject({
          isWhole: true,
          subject: { kind: 'listing', sku: 'S', title: 'Lamp' },
          places: [DE],
        });
        expect(change.sent).toEqual([{ segments: ['requirements'], value: 'LISTING' }]);
        expect(stateDigest).toBe(plan({ body, state: shown(inMarketplace(was)) }).stateDigest);
      }),
    );
  });
  it('as an offer alone leaves the other attributes', () => {
    const body = { productType: 'LAMP', requirements: 'LISTING_OFFER_ONLY', attributes: { a: [entry(2)] } };
    const { change } = plan({ body, state: shown({ a: [entry(1)], b: [entry(1)] }) });
    expect(change.differences?.map(({ path }) => path)).toEqual(['attributes.a']);
    expect(change.isWhole).toBe(false);
    expect(plan({ body: { attributes: {} }, state: shown({}) }).change.isWhole).toBe(true);
  });
  it('where there was none is new; where it cannot be read nothing of it is known', () => {
    const body = { productType: 'LAMP', attributes: { a: [entry(1)] } };
    const absent = new ApiError({ status: 404 }, 'none');
    expect(plan({ body, state: { absent } }).change.differences).toMatchObject([
      { path: 'attributes.a', kind: 'added' },
    ]);
    expect(plan({ name: 'patchListingsItem', body: patch(), state: { absent } }).change.noDifferences).toBe(
      'none',
    );
    const problem = new NetworkError('X', 'not-sent', 'broken');
    expect(plan({ body, state: { problem } }).change).toMatchObject({
      noDifferences: 'broken',
      isWhole: false,
    });
    expect(plan({ body, state: { state: 'odd', numbersAsText: [] } }).change.noDifferences).toBeDefined();
    expect(plan({ body: 'odd' }).change.noDifferences).toBe('The body is no object.');
  });
  it('tells what is no list of entries as it is sent, and that it cannot be taken back', () => {
    const body = { attributes: { a: [entry(1)], b: 'odd', c: [], d: [{ marketplace_id: 7 }] } };
    const { change } = plan({ body });
    expect(change.sent).toEqual([
      { segments: ['attributes', 'b'], value: 'odd' },
      { segments: ['attributes', 'c'], value: [] },
      { segments: ['attributes', 'd'], value: [{ marketplace_id: 7 }] },
    ]);
    expect(change.cannotUndo).toBe('not all that it sends is known here, nor what it does.');
    expect(plan({ body: { attributes: { a: [entry(1)] } } }).change.cannotUndo).toBeUndefined();
    expect(plan({ body: { attributes: 'odd' } }).change).toMatchObject({
      sent: [{ segments: ['attributes'], value: 'odd' }],
    });
  });
});

describe('a listing that is patched', () => {
  it('changes in what the patches name; what no difference tells is told as it is sent', () => {
    const state = shown({ a: [entry(1)], b: [entry(1)] });
    const odd = { op: 'replace', path: '/attributes/c', value: [{}] };
    const { change, stateDigest } = plan({
      name: 'patchListingsItem',
      body: patch(replace('a', entry(2)), odd),
      state,
    });
    expect(change.before).toEqual({ a: [entry(1)] });
    expect(change.sent).toEqual([{ segments: ['patches', 1], value: odd }]);
    expect(change.isWhole).toBe(true);
    const { state: item } = { state: undefined, ...state };
    expect(stateDigestOfListing(item, patch(replace('a', entry(2)), odd).patches, [DE], NOW)).toBe(
      stateDigest,
    );
    expect(stateDigestOfListing(item, 'odd', [DE], NOW)).toBeUndefined();
    expect(stateDigestOfListing(undefined, [], [DE], NOW)).toBeUndefined();
    expect(plan({ name: 'patchListingsItem', body: { patches: 7 }, state }).change.noDifferences).toBe(
      'the patches are no list.',
    );
  });
  it('of another product type says so, and of a name that nearly is one', () => {
    const body = { productType: 'SHIRT', patches: [replace('Bullet_Points', entry(1))] };
    const { change } = plan({ name: 'patchListingsItem', body, state: shown({ bullet_point: [entry(1)] }) });
    expect(change.warnings).toEqual([
      {
        path: 'productType',
        segments: ['productType'],
        message: 'is "SHIRT", while the listing is a "LAMP"',
      },
      {
        path: 'attributes.Bullet_Points',
        segments: ['attributes', 'Bullet_Points'],
        message: 'is new; did you mean "bullet_point"?',
      },
    ]);
    expect(change.sent).toEqual([{ segments: ['productType'], value: 'SHIRT' }]);
    const fine = plan({
      name: 'patchListingsItem',
      body: patch(replace('sbullet_point', entry(1))),
      state: shown({ bullet_point: [entry(1)] }),
    });
    expect(fine.change).toMatchObject({ warnings: [], sent: [] });
    // The product type is no other one where the service states none.
    const withoutType = plan({
      name: 'patchListingsItem',
      body: { ...body, patches: [replace('bullet_point', entry(2))] },
      state: shown(
        { bullet_point: [entry(1)] },
        { summaries: [{ marketplaceId: DE }], productTypes: [{ productType: 5 }] },
      ),
    });
    expect(withoutType.change.warnings).toEqual([]);
    expect(withoutType.change.sent).toEqual([{ segments: ['productType'], value: 'SHIRT' }]);
  });
});

describe('places that the body names beside those of the call', () => {
  it('are each named once, in their order', () => {
    const written = (name: string, body: unknown) => ({
      operation: named(name),
      account: 'a',
      parameters: { marketplaceIds: [DE] },
      body,
    });
    expect(
      marketplacesOutsideCall(
        written('putListingsItem', {
          attributes: { a: [entry(1), entry(1, FR)], b: [entry(2, FR), entry(1, 'A')] },
        }),
      ),
    ).toEqual([FR, 'A'].toSorted());
    expect(
      marketplacesOutsideCall(
        written('patchListingsItem', patch(replace('a', entry(1, FR)), replace('b', entry(1)))),
      ),
    ).toEqual([FR]);
    expect(marketplacesOutsideCall(written('putListingsItem', 'odd'))).toEqual([]);
  });
  it('are read beside them; where they cannot be, what names them is told as it is sent', async () => {
    const body = patch(replace('a', entry(2), entry(3, FR)));
    const state = shown({ a: [entry(1)] });
    const there = (read: ReadState, later: ReadState): OtherMarketplaces => ({
      places: [FR],
      reader: reading(later),
      read,
    });
    const french = shown({ a: [entry(1, FR)] });
    const now = shown({ a: [entry(2)] });
    const known = plan({
      name: 'patchListingsItem',
      body,
      state,
      later: now,
      elsewhere: there(french, shown({ a: [entry(3, FR)] })),
    });
    expect(known.change).toMatchObject({
      places: [DE, FR],
      before: { a: [entry(1), entry(1, FR)] },
      sent: [],
    });
    expect(known.change.cannotUndo).toBeUndefined();
    expect(await known.readBack?.(call)).toMatchObject({ differences: [], notYet: [] });
    const broken: ReadState = { problem: new NetworkError('X', 'not-sent', 'broken') };
    const unknown = plan({
      name: 'patchListingsItem',
      body,
      state,
      later: now,
      elsewhere: there(broken, french),
    });
    expect(unknown.change).toMatchObject({
      before: { a: [entry(1)] },
      after: { a: [entry(2)] },
      sent: [{ segments: ['patches', 0] }],
    });
    expect(unknown.change.cannotUndo).toBe('what is there in France could not be read, so it is not known.');
    expect(unknown.stateDigest).not.toBe(known.stateDigest);
    const other = plan({
      name: 'patchListingsItem',
      body,
      state: shown({ a: [entry(4)] }),
      elsewhere: there(broken, french),
    });
    expect(other.stateDigest).not.toBe(unknown.stateDigest);
    await expect(unknown.readBack?.(call)).rejects.toThrow(
      'It is not known what became of it: what is there in France could not be read.',
    );
  });
});

describe('what is read back', () => {
  const body = patch(replace('a', entry(2)), { op: 'delete', path: '/attributes/b' });
  const back = (later: ReadState) =>
    plan({
      name: 'patchListingsItem',
      body,
      state: shown({ a: [entry(1)], b: [entry(1)] }),
      later,
    }).readBack?.(call);
  it('is as sent, as before, or something else', async () => {
    expect(await back(shown({ a: [entry(2)], c: [entry(9)] }))).toEqual({
      differences: [],
      notYet: [],
      found: { a: [entry(2)] },
    });
    expect(await back(shown({ a: [entry(1)], b: [entry(1)] }))).toMatchObject({
      differences: [],
      notYet: [{ path: 'attributes.a' }, { path: 'attributes.b' }],
    });
    expect(await back(shown({ a: [entry(3)] }))).toMatchObject({
      differences: [{ path: 'attributes.a[0].value' }],
      notYet: [],
    });
    await expect(back({ problem: new NetworkError('X', 'not-sent', 'broken') })).rejects.toThrow('broken');
    expect(await back({ absent: new ApiError({ status: 404 }, 'none') })).toMatchObject({
      differences: [{ kind: 'removed' }],
    });
  });
  it('of a deletion is that nothing is there', async () => {
    const deleted = (later: ReadState) =>
      plan({ name: 'deleteListingsItem', state: shown({ a: [entry(1)] }), later });
    const { change } = deleted(shown({}));
    expect(change).toMatchObject({
      differences: [{ path: '', kind: 'removed', before: { a: [entry(1)] } }],
      isWhole: true,
    });
    expect(await deleted({ absent: new ApiError({ status: 404 }, 'none') }).readBack?.(call)).toEqual({
      differences: [],
      notYet: [],
    });
    expect(await deleted(shown({})).readBack?.(call)).toMatchObject({
      differences: [],
      notYet: [{ kind: 'added' }],
    });
    await expect(
      deleted({ problem: new NetworkError('X', 'not-sent', 'broken') }).readBack?.(call),
    ).rejects.toThrow('broken');
  });
  it('in a list is told in one word', () => {
    const sides = { before: { a: [entry(1)], b: [entry(1)] }, after: { a: [entry(2)], b: [entry(2)] } };
    const word = (a: number, b: number) =>
      compareListing({ sku: 'S', attributes: { a: [entry(a)], b: [entry(b)] } }, sides, [DE], NOW);
    expect([word(2, 2), word(1, 2), word(3, 2), word(3, 1)]).toEqual([
      'same',
      'not_yet',
      'differs',
      'not_yet',
    ]);
  });
});

it('attributes that are equal are no difference, whatever the order of their members', () => {
  expect(compareAttributes({ a: [{ x: 1, y: 2 }] }, { a: [{ y: 2, x: 1 }] })).toEqual([]);
});

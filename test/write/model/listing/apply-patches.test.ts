/** Tests how patches change a listing's attributes, as the service applies them. */

import { describe, expect, it } from 'vitest';
import { applyPatches, attributeOfPatch } from '../../../../src/write/model/listing/apply-patches.ts';

const DE = 'A1PA6795UKMFR9';
const offer = (audience: string, price: number, more: object = {}) => ({
  marketplace_id: DE,
  audience,
  currency: 'EUR',
  our_price: [{ schedule: [{ value_with_tax: price }] }],
  ...more,
});
const before = {
  bullet_point: [
    { value: 'a', marketplace_id: DE, language_tag: 'de_DE' },
    { value: 'b', marketplace_id: DE, language_tag: 'de_DE' },
  ],
  purchasable_offer: [offer('ALL', 20, { discounted_price: [1] }), offer('B2B', 18)],
};
const apply = (...patches: object[]) => applyPatches(before, patches, [DE]);

describe('applyPatches', () => {
  it.each(['add', 'replace'])('%s puts the value in the place of the whole attribute', (op) => {
    const value = [{ value: 'c' }];
    expect(apply({ op, path: '/attributes/bullet_point', value })).toEqual({
      after: { ...before, bullet_point: value },
      touched: ['bullet_point'],
      untold: [],
      isOdd: false,
    });
  });

  it('merge changes the members that are named, of the entry that is meant', () => {
    const value = [{ marketplace_id: DE, our_price: [{ schedule: [{ value_with_tax: 19 }] }] }];
    expect(apply({ op: 'merge', path: '/attributes/purchasable_offer', value })).toMatchObject({
      after: { purchasable_offer: [offer('ALL', 19, { discounted_price: [1] }), offer('B2B', 18)] },
    });
  });

  it.each(['merge', 'delete'])('%s without a place means the places of the call alone', (op) => {
    const elsewhere = offer('B2B', 17, { marketplace_id: 'A13V1IB3VIYZZH' });
    const offers = [...before.purchasable_offer, elsewhere];
    const patch = {
      op,
      path: '/attributes/purchasable_offer',
      value: [{ audience: 'B2B', currency: 'EUR' }],
    };
    expect(applyPatches({ ...before, purchasable_offer: offers }, [patch], [DE])).toMatchObject({
      after: { purchasable_offer: op === 'merge' ? offers : [before.purchasable_offer[0], elsewhere] },
    });
  });

  it('merge of an entry that is not there adds it', () => {
    const value = [offer('B2X', 5)];
    expect(apply({ op: 'merge', path: '/attributes/purchasable_offer', value })).toMatchObject({
      after: { purchasable_offer: { length: 3 } },
    });
  });

  it('merge is not told where its selectors mean more than one', () => {
    const value = [{ marketplace_id: DE, value: 'x' }];
    expect(apply({ op: 'merge', path: '/attributes/bullet_point', value })).toEqual({
      problem: 'what patch 1 does cannot be told: its selectors mean more than one entry',
    });
  });

  it('delete removes the entries that are meant, and all without a value', () => {
    const value = [{ marketplace_id: DE, audience: 'B2B' }];
    expect(apply({ op: 'delete', path: '/attributes/purchasable_offer', value })).toMatchObject({
      after: { purchasable_offer: [offer('ALL', 20, { discounted_price: [1] })] },
    });
    const both = ['ALL', 'B2B'].map((audience) => ({ marketplace_id: DE, audience }));
    expect(apply({ op: 'delete', path: '/attributes/purchasable_offer', value: both })).toMatchObject({
      after: { bullet_point: before.bullet_point },
      touched: ['purchasable_offer'],
      untold: [],
    });
    expect(apply({ op: 'delete', path: '/attributes/bullet_point' })).toEqual({
      after: { purchasable_offer: before.purchasable_offer },
      touched: ['bullet_point'],
      untold: [],
      isOdd: false,
    });
  });

  it.each([
    ['/attributes/a', 'a'],
    ['/a', 'a'],
    ['/attributes/a~1b~0c', 'a/b~c'],
    ['/a~01', 'a~1'],
    ['/attributes/attributes', 'attributes'],
    ['/attributes', undefined],
    ['/attributes/', undefined],
    ['/', undefined],
    ['', undefined],
    ['a', undefined],
    ['attributes/a', undefined],
    ['/attributes/a/0', undefined],
    ['/a/0', undefined],
    ['//a', undefined],
  ])('%s names the attribute %s', (path, name) => expect(attributeOfPatch({ path })).toBe(name));

  it.each([
    [{ op: 'replace', path: '/attributes/a/0/b', value: [] }, 'is not known here: its path is not'],
    [{ op: 'replace', path: ['/attributes/a'], value: [] }, 'is not known here: its path is not'],
    [{ op: 'move', path: '/attributes/a', value: [] }, 'cannot be told: its op is none of'],
    [{ path: '/attributes/a' }, 'is not known here: it has no op'],
    ['text', 'is not known here: it is no object'],
    [
      { op: 'merge', path: '/attributes/a', value: ['text'] },
      'cannot be told: an entry to merge is no object',
    ],
  ])('what is not known is not told as known: %j', (patch, why) => {
    const known = { op: 'delete', path: '/attributes/title' };
    const problem = expect.stringContaining(`what patch 2 does ${why}`);
    expect(applyPatches(before, [known, patch], [DE])).toEqual({ problem });
  });

  it.each<[string, object, boolean]>([
    ['one that is known', {}, false],
    ['a member beside those of a patch', { from: '/attributes/a' }, true],
    ['no value', { value: undefined }, true],
    ['a value that is no list', { value: { value: 'c' } }, true],
    ['an empty list', { value: [] }, true],
    ['a text among the entries', { value: [{ value: 'c' }, 'd'] }, true],
    ['an entry without members', { value: [{ value: 'c' }, {}] }, true],
    ['a selector that is no text', { value: [{ value: 'c', marketplace_id: 7 }] }, true],
    ['a deletion of all', { op: 'delete', value: undefined }, false],
    [
      'a deletion by selectors',
      { op: 'delete', value: [{ language_tag: 'de_DE', marketplace_id: DE }] },
      false,
    ],
    ['a deletion by more', { op: 'delete', value: [{ language_tag: 'de_DE', value: 'a' }] }, true],
    [
      'a deletion of which one is by more',
      { op: 'delete', value: [{ language_tag: 'de_DE' }, { value: 'a' }] },
      true,
    ],
  ])('%s: whether it may do more than can be told', (_, differs, isOdd) => {
    const known = { op: 'replace', path: '/attributes/title', value: [{ value: 'Lamp' }] };
    const patch = { op: 'replace', path: '/attributes/bullet_point', value: [{ value: 'c' }], ...differs };
    expect(apply(known, patch)).toMatchObject({ isOdd, untold: isOdd ? [1] : [] });
    expect(apply(patch, known)).toMatchObject({ isOdd, untold: isOdd ? [0] : [] });
  });

  const on = (op: string, ...value: object[]) => ({ op, path: '/attributes/purchasable_offer', value });
  it.each<[string, object[], number[]]>([
    ['is overwritten', [on('replace', offer('ALL', 5)), on('replace', offer('ALL', 6))], [0]],
    [
      'is overwritten in part',
      [on('replace', offer('ALL', 5), offer('B2B', 5)), on('replace', offer('ALL', 5))],
      [0],
    ],
    ['is changed in one member', [on('replace', offer('ALL', 5)), on('merge', offer('ALL', 6))], [0]],
    ['is given twice', [on('replace', offer('ALL', 5)), on('merge', offer('ALL', 5))], []],
    [
      'was put there and taken away again',
      [on('merge', offer('B2X', 5)), on('delete', { audience: 'B2X' })],
      [0, 1],
    ],
    ['is deleted twice', [on('delete', { audience: 'B2B' }), on('delete', { audience: 'B2B' })], [1]],
    ['is deleted and not there', [on('delete', { audience: 'B2X' })], [0]],
    ['is deleted of which one is not there', [on('delete', { audience: 'B2B' }, { audience: 'B2X' })], [0]],
    ['is deleted and only there elsewhere', [on('delete', { audience: 'ELSE' })], [0]],
    ['is deleted as a whole and not there', [{ op: 'delete', path: '/attributes/title' }], [0]],
  ])('what %s does not stand in what changes, and is told by itself', (_, patches, untold) => {
    const elsewhere = offer('ELSE', 7, { marketplace_id: 'A13V1IB3VIYZZH' });
    const there = { purchasable_offer: [...before.purchasable_offer, elsewhere] };
    expect(applyPatches(there, patches, [DE])).toMatchObject({ untold, isOdd: false });
  });

  it('a value goes in the place of what counts there, and leaves what other places have; where nothing was it begins', () => {
    const french = offer('ALL', 30, { marketplace_id: 'A13V1IB3VIYZZH' });
    const offers = [...before.purchasable_offer, { ...french, currency: 'USD' }, { audience: 'OTHER' }];
    const there = { purchasable_offer: offers };
    expect(applyPatches(there, [on('replace', french)], ['A13V1IB3VIYZZH'])).toMatchObject({
      after: { purchasable_offer: [french, ...before.purchasable_offer] },
    });
    expect(
      applyPatches(there, [{ op: 'delete', path: on('delete').path }], ['A13V1IB3VIYZZH']),
    ).toMatchObject({
      after: { purchasable_offer: before.purchasable_offer },
    });
    const named = on('delete', { marketplace_id: DE, audience: 'B2B' });
    expect(applyPatches(there, [named], ['A13V1IB3VIYZZH'])).toMatchObject({
      after: { purchasable_offer: [offers[2], offers[3], offers[0]] },
    });
    const merged = { op: 'merge', path: '/attributes/title', value: [{ value: 'Lamp' }] };
    expect(apply(merged)).toMatchObject({ after: { title: [{ value: 'Lamp' }] } });
  });
});

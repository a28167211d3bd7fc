/** What patches make of a listing's attributes, as the service applies them. */

import { describe, expect, it } from 'vitest';
import { applyPatches } from '../../../../src/write/model/listing/apply-patches.ts';

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
    [{ op: 'replace', path: '/attributes/a/0/b', value: [] }],
    [{ op: 'move', path: '/attributes/a', value: [] }],
    [{ path: '/attributes/a' }],
    ['text'],
  ])('what is not known is not told as known: %j', (patch) => {
    expect(applyPatches(before, [patch], [DE])).toHaveProperty('problem');
  });
});

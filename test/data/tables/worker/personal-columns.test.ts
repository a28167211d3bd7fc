/** Which columns of a list are a buyer's: what looks like a person's counts everywhere but in what is the seller's own. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dateReader } from '../../../../src/data/tables/dates.ts';
import { createShapeReader, type Shape } from '../../../../src/data/tables/worker/item-shape.ts';
import { personalOfShape } from '../../../../src/data/tables/worker/personal-columns.ts';
import { maskValue } from '../../../../src/privacy/personal/mask-value.ts';
import { type MemberRule, rulesOf } from '../../../../src/privacy/personal/members.ts';

const CONTACT = 'write to li.wei@example.com';

it.each([
  ['reviewed-by-nobody/getThings', ['things', 'remark'], { personal: 'free text' }],
  ['supply-sources/getSupplySource', ['remark'], {}],
  ['supply-sources/getSupplySource', ['address', 'email'], {}],
  ['reviewed-by-nobody/getThings', ['seller', 'email'], {}],
])('%s, %j', (operation, path, expected) => {
  const reader = createShapeReader(dateReader(undefined));
  reader.see(path.reduceRight<unknown>((below, name) => ({ [name]: below }), CONTACT));
  const shape = path.reduce<Shape | undefined>((at, name) => at?.members.get(name), reader.root);
  if (shape === undefined) throw new Error('the member was not seen');
  expect(personalOfShape({ operation }, shape, path)).toEqual(expected);
});

it('a list of objects is looked through below, but not below what is the seller’s own', () => {
  const reader = createShapeReader(dateReader(undefined));
  reader.see({ notes: [{ line: CONTACT }] });
  const of = (operation: string) => personalOfShape({ operation }, reader.root, []);
  expect(of('reviewed-by-nobody/getThings')).toMatchObject({ personal: 'free text' });
  expect(of('supply-sources/getSupplySource')).toEqual({});
});

it.each<[unknown, string[], object]>([
  ['Main Street 1', ['buyer', 'address'], { personal: 'address' }],
  // A number under that name is none.
  [5, ['buyer', 'address'], {}],
  [{ line: 'Main Street 1' }, ['buyer', 'address'], { personal: 'address', members: ['buyer', 'address'] }],
  [['Main Street 1'], ['buyer', 'address'], { personal: 'address', members: ['buyer', 'address'] }],
  [[], ['buyer', 'phones'], { personal: 'phone', members: ['buyer', 'phones'] }],
  [[{ name: 'Ada' }], ['buyers'], { personal: 'buyer name', members: ['buyers'] }],
  [[1, 2], ['things'], { members: ['things'] }],
  [[], ['things'], {}],
  [{}, ['things'], {}],
])('%j at %j is personal as its name says it, alone or member by member', (value, path, expected) => {
  const reader = createShapeReader(dateReader(undefined));
  reader.see(path.reduceRight<unknown>((below, name) => ({ [name]: below }), value));
  const shape = path.reduce<Shape | undefined>((at, name) => at?.members.get(name), reader.root);
  if (shape === undefined) throw new Error('the member was not seen');
  expect(personalOfShape({ operation: 'reviewed-by-nobody/getThings' }, shape, path)).toEqual(expected);
});

it('what an answer would mask is masked in its column too, and what is personal by its name counts as that', () => {
  const name = fc.constantFrom('name', 'buyer', 'phone', 'address', 'note', 'sku', 'title', 'seller', 'city');
  const text = fc.constantFrom(
    'Ada Lovelace',
    'Main Street 1',
    CONTACT,
    'call +49 30 1234567 now',
    'A-1',
    '',
  );
  // A list of both texts and objects is one of whatever: it is looked through when it is queried.
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.constantFrom(null, true),
      fc.array(text, { maxLength: 2 }),
      fc.array(tie('object'), { maxLength: 2 }),
      tie('object'),
    ),
    object: fc.dictionary(name, tie('value'), { maxKeys: 3 }),
  }));
  const source = { operation: 'reviewed-by-nobody/getThings' };
  const isNamed = (rule: MemberRule, given: unknown): boolean => {
    if (typeof given === 'string') return given !== '' && ![undefined, 'free text'].includes(rule.ofText);
    if (Array.isArray(given)) return given.some((one) => isNamed(rule, one));
    return Object.entries(Object(given)).some(([member, below]) => isNamed(rule.child(member), below));
  };
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 2 }), value, (path, given) => {
      const reader = createShapeReader(dateReader(undefined));
      const answer = path.reduceRight<unknown>((below, one) => ({ [one]: below }), given);
      reader.see(answer);
      const shape = path.reduce<Shape | undefined>((at, one) => at?.members.get(one), reader.root);
      if (shape === undefined) return;
      const { personal, members } = personalOfShape(source, shape, path);
      const rule = rulesOf(source);
      // Known by its name, it ends with the process, and lies with the person's own.
      const own = path.reduce<MemberRule>((above, one) => above.child(one), rule);
      if (isNamed(own, given)) expect([undefined, 'free text']).not.toContain(personal);
      if (members !== undefined) expect(members).toEqual(path);
      else if (personal === undefined) expect(maskValue(answer, { rule, mark: () => '' }).count).toBe(0);
    }),
    { numRuns: 300 },
  );
});

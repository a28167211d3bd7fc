/** Values as SQL may see them: what is personal is a mark wherever it stands, and everything else is as it was. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createValueMasker, type KnownValue } from '../../../../src/data/tables/worker/mask-values.ts';
import { createRecentPairs } from '../../../../src/data/tables/worker/placeholder-cache.ts';
import { resolveMarks } from '../../../../src/data/tables/worker/placeholders.ts';

const pairs = createRecentPairs(Buffer.alloc(32, 1), 'default');
const masker = createValueMasker(pairs);
const NAME = 'Ada Maria Lovelace';
const mark = pairs.mark('buyer name', NAME);
const known: KnownValue[] = [{ kind: 'buyer name', value: NAME }];

describe('a whole value', () => {
  it('is one mark, which stands for it alone, whatever its type', () => {
    for (const value of ['Ada', 7, 7n]) {
      const found = String(masker.whole('buyer name', value));
      expect(found).toMatch(/^«buyer name [^«»]+»$/);
      expect(pairs.resolve(found)).toBe(value);
      expect(masker.whole('buyer name', value)).toBe(found);
    }
    expect(pairs.resolve(String(masker.whole('buyer name', Uint8Array.from([1, 255]))))).toBe('01ff');
  });

  it('that is nothing stays nothing', () => {
    expect([masker.whole('buyer name', null), masker.whole('buyer name', '')]).toEqual([null, '']);
  });
});

describe('what is personal in the same row', () => {
  it.each([
    ['for Ada Maria Lovelace!', `for ${mark}!`],
    ['for ADA MARIA LOVELACE!', `for ${mark}!`],
    ['ada maria lovelace, ada maria lovelace', `${mark}, ${mark}`],
    ['Lovelace, Ada Maria', mark],
    ['lovelace Ada maria', mark],
    ['Lovelace', 'Lovelace'],
    ['Ada', 'Ada'],
    [`${mark} is Ada Maria Lovelace`, `${mark} is ${mark}`],
    ['', ''],
  ])('in %j is a mark', (text, masked) => {
    expect(masker.known(text, known)).toBe(masked);
  });

  it('that is longer in lower case is found as it is written', () => {
    const turkish = pairs.mark('buyer name', 'İpek Yılmaz');
    const row: KnownValue[] = [{ kind: 'buyer name', value: 'İpek Yılmaz' }];
    expect(masker.known('xİ an İpek Yılmaz.', row)).toBe(`xİ an ${turkish}.`);
  });

  it('is looked for in texts only, and only where it is a text that is worth finding', () => {
    expect(masker.known(7, known)).toBe(7);
    expect(masker.known(null, known)).toBeNull();
    expect(
      masker.known('7 and a', [
        { kind: 'buyer name', value: 7 },
        { kind: 'buyer name', value: null },
      ]),
    ).toBe('7 and a');
    expect(masker.known('7 and a', [{ kind: 'buyer name', value: 'a' }])).toBe('7 and a');
    expect(masker.text(7, known)).toBe(7);
    expect(masker.text(null, known)).toBeNull();
  });

  it('goes with addresses and numbers of what people write, in JSON and markup too', () => {
    const email = pairs.mark('e-mail', 'li@example.com');
    expect(masker.text(`Ada Maria Lovelace, li@example.com`, known)).toBe(`${mark}, ${email}`);
    // A signer's name is hidden also where no other column has it.
    expect(masker.text('Too small. Ben, li@example.com', known)).toBe(`Too small. [name], ${email}`);
    expect(masker.text('{"note":"Ada Maria Lovelace"}', known)).toBe(`{"note":"${mark}"}`);
    expect(masker.text('<note>li@example.com</note>', [])).toBe(`<note>${email}</note>`);
    expect(masker.known('li@example.com', known)).toBe('li@example.com');
  });

  it('is remembered for as many values as there are', () => {
    for (let at = 0; at < 1_100; at++) {
      const value = `Person Number${at}`;
      const own = pairs.mark('buyer name', value);
      expect(masker.known(`an ${value}.`, [{ kind: 'buyer name', value }])).toBe(`an ${own}.`);
    }
    expect(masker.known(NAME, known)).toBe(mark);
  });
});

describe('a column of members', () => {
  const orders = { operation: 'orders/getOrders' };
  const ofName = masker.members(orders, ['payload', 'Orders', 'BuyerInfo', 'BuyerName']);
  const ofBuyer = masker.members(orders, ['payload', 'Orders', 'BuyerInfo']);

  it('is masked member by member, JSON staying JSON', () => {
    expect(ofBuyer(JSON.stringify({ BuyerName: NAME, IsGift: true }))).toBe(
      JSON.stringify({ BuyerName: mark, IsGift: true }),
    );
    expect(ofBuyer('{}')).toBe('{}');
    expect([ofBuyer(null), ofName(null)]).toEqual([null, null]);
  });

  it('is one mark where it is no JSON, or no text', () => {
    expect(ofName(NAME)).toBe(mark);
    expect(ofName('')).toBe('');
    expect(pairs.resolve(String(ofName(8)))).toBe(8);
    expect(ofName(7)).toMatch(/^«buyer name /);
    expect(masker.members(orders, ['x'])(7)).toMatch(/^«buyer text /);
  });

  it('deeper than can be walked is no JSON', () => {
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    expect(ofName(deep)).toMatch(/^«buyer name /);
  });
});

it('whatever was masked stands for what was there', () => {
  const word = fc.constantFrom('Ada Maria Lovelace', 'lamp', 'li@example.com', '"', 'ß', '5', '(', '\n');
  fc.assert(
    fc.property(fc.array(word, { maxLength: 8 }), (words) => {
      const text = words.join(' ');
      const masked = String(masker.text(text, known));
      expect(masked).not.toMatch(/Lovelace|@example/);
      expect(resolveMarks(masked, pairs)).toMatchObject({ value: text, unresolved: 0 });
    }),
  );
});

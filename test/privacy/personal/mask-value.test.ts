import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { encodeMarkup } from '../../../src/privacy/personal/mask-markup.ts';
import { type MaskOptions, maskValue } from '../../../src/privacy/personal/mask-value.ts';
import { rulesOf } from '../../../src/privacy/personal/members.ts';

/** The same value has the same mark: its number among those that were asked for. */
function walk(value: unknown, options: Partial<MaskOptions> = {}) {
  const letters = new Map<string, number>();
  const own: unknown[] = [];
  const mark: MaskOptions['mark'] = (kind, original) => {
    const key = String(original);
    if (!letters.has(key)) letters.set(key, letters.size);
    return `«${kind} 0aaaaaa${letters.get(key)}»`;
  };
  const rule = rulesOf({ operation: 'made-up-api/getThings' });
  const made = maskValue(value, { rule, mark, noteOwn: (one) => own.push(one), ...options });
  return { ...made, own, originals: [...letters.keys()] };
}

const NAME = '«buyer name 0aaaaaa0»';

it.each<[string, unknown, unknown]>([
  ['a member', { buyerName: 'Anna Li' }, { buyerName: NAME }],
  ['in a list', { buyerName: ['Anna Li', null, ''] }, { buyerName: [NAME, null, ''] }],
  ['a number', { phone: 4_930_123, count: 1 }, { phone: '«phone 0aaaaaa0»', count: 1 }],
  [
    'wherever else it stands',
    { buyerName: 'Anna Li', memo: 'for ANNA LI!' },
    { buyerName: NAME, memo: `for ${NAME}!` },
  ],
  ['before it too', { memo: 'for Anna Li', buyerName: 'Anna Li' }, { memo: `for ${NAME}`, buyerName: NAME }],
  ['alone in another member', { buyerName: 'Anna', memo: 'anna' }, { buyerName: NAME, memo: NAME }],
  [
    'in an address',
    { buyerName: 'Jö Li', url: 'x?n=J%C3%B6%20Li+J%c3%b6+Li' },
    { buyerName: NAME, url: `x?n=${NAME}+${NAME}` },
  ],
  ['not in a code', { buyerName: 'Anna', code: 'x-Anna-1' }, { buyerName: NAME, code: 'x-Anna-1' }],
  [
    'not in a town or a thing',
    { buyerName: 'Anna', city: 'Anna', itemName: 'for Anna' },
    { buyerName: NAME, city: 'Anna', itemName: 'for Anna' },
  ],
  ['not where it is too short', { buyerName: 'Ann', memo: 'for Ann' }, { buyerName: NAME, memo: 'for Ann' }],
  ['a name that is an address', { 'anna@x.de': 1, b: 2 }, { '«e-mail 0aaaaaa0»': 1, b: 2 }],
  ['a name like a mark', { '«phone 1aaaaaaa»': 1 }, { '‹phone 1aaaaaaa›': 1 }],
  [
    'prose, by what it is called',
    { comment: '0171 1234567', id: '0171 1234568' },
    { comment: '«phone 0aaaaaa0»', id: '0171 1234568' },
  ],
  [
    'addresses alone in what names a thing',
    { title: 'call 0171 1234567, a@b.de' },
    { title: 'call 0171 1234567, «e-mail 0aaaaaa0»' },
  ],
  ['what looks like a mark', { a: 'x «phone 1aaaaaaa»' }, { a: 'x ‹phone 1aaaaaaa›' }],
  ['in JSON', { a: '{"buyerName":"Anna Li","n":1}' }, { a: `{"buyerName":"${NAME}","n":1}` }],
  [
    'in JSON in words',
    { a: 'x {"buyerName": "Anna Li"} Anna Li' },
    { a: `x {"buyerName":"${NAME}"} ${NAME}` },
  ],
  [
    'in JSON in words in JSON',
    { a: JSON.stringify({ b: 'x {"buyerName":"Anna Li"} y' }) },
    { a: JSON.stringify({ b: `x {"buyerName":"${NAME}"} y` }) },
  ],
  [
    'in words that are a text of JSON in words',
    { a: `x ${JSON.stringify('y {"buyerName":"Anna Li"} z')}` },
    { a: `x ${JSON.stringify(`y {"buyerName":"${NAME}"} z`)}` },
  ],
  [
    'in a piece of a text of JSON',
    { a: String.raw`x {\"n\": \"\\\"}\\\\\",\"b\": [{\"buyerName\":\"Anna Li\"}]} y` },
    { a: String.raw`x {\"n\":\"\\\"}\\\\\",\"b\":[{\"buyerName\":\"${NAME}\"}]} y` },
  ],
  [
    'in a piece of a text of a text of JSON',
    { a: String.raw`x {\\\"buyerName\\\":\\\"Anna Li\\\"} y` },
    { a: String.raw`x {\\\"buyerName\\\":\\\"${NAME}\\\"} y` },
  ],
  [
    'in words that are a text of JSON',
    { a: JSON.stringify('x {"buyerName":"Anna Li"}') },
    { a: JSON.stringify(`x {"buyerName":"${NAME}"}`) },
  ],
  [
    'in markup',
    { a: '<o><buyerName>Anna Li</buyerName></o>' },
    { a: `<o><buyerName>${NAME}</buyerName></o>` },
  ],
  ['in attributes', { a: '<o buyerName="Anna Li" n="1"/>' }, { a: `<o buyerName="${NAME}" n="1"/>` }],
  [
    'in markup in words',
    { a: 'x <buyerName>Anna Li</buyerName> y' },
    { a: `x <buyerName>${NAME}</buyerName> y` },
  ],
  [
    'in JSON in markup',
    { a: '<o>{"buyerName":"Anna Li"}</o>' },
    { a: `<o>{&quot;buyerName&quot;:&quot;${NAME}&quot;}</o>` },
  ],
  [
    'in markup, an address in brackets',
    { a: '<o>by <a@b.de></o>' },
    { a: '<o>by &lt;«e-mail 0aaaaaa0»&gt;</o>' },
  ],
  ['JSON whose member is there twice', { a: '{"comment":"a@b.de","comment":""}' }, { a: '{"comment":""}' }],
  ['a text of a kind is masked whole, whatever is in it', { buyerName: '{"a":"b"}' }, { buyerName: NAME }],
])('what is personal is masked: %s', (_what, value, masked) => {
  expect(walk(value).value).toEqual(masked);
});

it.each([
  { a: 'x {"b": 1,  "c":[2]} <d>e</d>' },
  { a: '{"b" : 1 }', c: [null, true, 1, [{ d: '<e f="g"/>' }]] },
  { buyer: { note: '', phone: '  ', name: null } },
])('%j has nothing personal, and is the same object', (value) => {
  expect(walk(value).value).toBe(value);
  expect(walk(value).count).toBe(0);
});

it('how many were masked is counted, those found elsewhere too', () => {
  expect(walk({ buyerName: 'Anna Li', more: [{ phone: 4_930_123 }], memo: 'Anna Li', b: 1 }).count).toBe(3);
});

it('what was put there by us stays, as a text and as a number', () => {
  const value = { buyerName: 'Anna Li', phone: 12, comment: 'a@b.de', more: { buyerName: 'Bert Ho' } };
  expect(walk(value, { ours: new Set(['Anna Li', '12', 'a@b.de']) }).value).toEqual({
    ...value,
    more: { buyerName: NAME },
  });
});

it('in a record marks stay, and what is left of values', () => {
  const kept = {
    buyerName: '«buyer name 1aaaaaaa»',
    phone: '[masked]',
    memo: 'for «phone 1aaaaaaa»',
    a: '{"buyerName":"«buyer name 1aaaaaaa»"}',
    b: 'x {"buyerName":"«buyer name 1aaaaaaa»"} «phone 1aaaaaaa»',
  };
  expect(walk(kept, { keepsMarks: true }).value).toEqual(kept);
  expect(walk({ memo: '«phone 1aaaaaaa» a@b.de' }, { keepsMarks: true }).value).toEqual({
    memo: '«phone 1aaaaaaa» «e-mail 0aaaaaa0»',
  });
});

it("the seller's own stays, and is told once, with all below it, but not what stands in words", () => {
  const seller = { phone: '0171 1234567', contact: { email: 'a@b.de' } };
  const made = walk({ seller, b: JSON.stringify({ warehouse: { phone: 'x' } }), buyerName: 'Anna Li' });
  expect(made.value).toMatchObject({ seller });
  expect(new Set(made.own)).toEqual(new Set(['0171 1234567', 'a@b.de', 'x']));
  expect(walk({ memo: 'x {"seller":{"phone":"y"}}' }).own).toEqual([]);
  // A mark of nobody does not look like one there either.
  expect(walk({ seller: '«phone 1aaaaaaa»' }).value).toEqual({ seller: '‹phone 1aaaaaaa›' });
  expect(walk({ buyerName: 'Anna Li', seller: { name: 'Anna Li' } }).value).toEqual({
    buyerName: NAME,
    seller: { name: 'Anna Li' },
  });
});

it.each([
  ['see «phone 1aaaaaaa»', 'see ‹phone 1aaaaaaa›'],
  ['["\\u00abphone 1aaaaaaa\\u00bb"]', '["‹phone 1aaaaaaa›"]'],
  ['x {"a":"\\u00abphone 1aaaaaaa\\u00bb"}', 'x {"a":"‹phone 1aaaaaaa›"}'],
  ['"{\\"a\\":\\"\\u00abphone 1aaaaaaa\\u00bb\\"}"', '"{\\"a\\":\\"‹phone 1aaaaaaa›\\"}"'],
  ['<a>&#171;phone 1aaaaaaa&#187;</a>', '<a>‹phone 1aaaaaaa›</a>'],
])("in the seller's own too, what looks like a mark is shown in other quotes: %s", (text, shown) => {
  expect(walk({ seller: { note: [text, 'words'] } }).value).toEqual({ seller: { note: [shown, 'words'] } });
  const rule = rulesOf({ operation: 'listings-items/getListingsItem' });
  expect(walk({ note: text }, { rule }).value).toEqual({ note: shown });
});

it('texts in texts in texts are followed 16 levels, so that no answer goes on for ever', () => {
  const within = (levels: number): unknown =>
    levels === 0 ? { buyerName: 'Anna Li' } : [`<a>${encodeMarkup(JSON.stringify(within(levels - 1)))}</a>`];
  expect(walk(within(8)).originals).toEqual(['Anna Li']);
  expect(walk(within(9)).originals).toEqual([]);
});

it('of any number of texts each is looked into', () => {
  const texts = Array.from({ length: 40 }, (_, at) => JSON.stringify({ buyerName: `Anna ${at}` }));
  expect(walk(texts).originals).toHaveLength(40);
});

const someText = fc.string({ unit: fc.constantFrom(...'ab ,.'), maxLength: 6 });
const wrap = fc.constantFrom<(value: unknown, words: string) => unknown>(
  (value) => JSON.stringify(value),
  (value, words) => `${words} ${JSON.stringify({ value })} ${words}`,
  (value, words) => `${words} ${JSON.stringify(JSON.stringify(value))}`,
  (value) => [{ data: value }],
  (value, words) => ({ [`x${words.length}`]: value, words }),
  (value) => ({ a: `<o>${JSON.stringify(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</o>` }),
);

it('whatever a personal member is wrapped into, its value is masked, and nothing else is asked for', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(wrap, someText), { maxLength: 4 }), (wraps) => {
      const inner: unknown = { recipientName: 'Zq "Zqlast" \\', sku: 'LAMP' };
      const value = wraps.reduce((made, [into, words]) => into(made, words), inner);
      const { value: masked, originals } = walk([value]);
      expect(originals).toEqual(['Zq "Zqlast" \\']);
      expect(JSON.stringify(masked)).not.toContain('Zqlast');
      expect(JSON.stringify(masked)).toContain('LAMP');
    }),
    { numRuns: 100 },
  );
});

it('a buyer within what is the seller’s own is masked, and is not taken for the seller', () => {
  const operation = 'vendor-orders/getPurchaseOrders';
  const party = (email: string) => ({ partyId: 'X', address: { name: 'Anna Li', email } });
  const made = walk(
    {
      orders: [
        {
          sellingParty: party('shop@own.example'),
          shipToParty: party('anna@buyer.example'),
        },
      ],
    },
    { rule: rulesOf({ operation }) },
  );
  expect(made.originals).toEqual(['Anna Li', 'anna@buyer.example']);
  expect(made.own).toContain('shop@own.example');
  expect(made.own).not.toContain('anna@buyer.example');
});

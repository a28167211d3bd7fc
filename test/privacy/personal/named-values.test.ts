/** A value behind its name is masked in texts that no parser takes, in an answer and in a table alike. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { maskFreeText, maskMessage, maskProse } from '../../../src/privacy/personal/free-text.ts';
import { maskValue } from '../../../src/privacy/personal/mask-value.ts';
import { rulesOf } from '../../../src/privacy/personal/members.ts';

const NAMES = [
  'buyerName',
  'recipient-name',
  'ship_address_1',
  'AddressLine1',
  'Postal Code',
  'Empfängername',
  'telefonnummer',
];

type Pair = readonly [name: string, value: string];
const members = (pairs: readonly Pair[]) =>
  pairs.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`).join(', ');

/** Each holds names and values as some program writes or cuts them. */
const FORMS: Readonly<Record<string, (pairs: readonly Pair[]) => string>> = {
  'JSON that ends too early': (pairs) => `{"order": {${members(pairs)}`,
  'JSON without its beginning': (pairs) => `x", "a": 1}, {${members(pairs)}]`,
  'JSON that is cut within the last value': (pairs) => `{${members(pairs).slice(0, -1)}`,
  'JSON escaped twice': (pairs) => `{\\"a\\": 1, ${JSON.stringify(members(pairs)).slice(1, -1)}`,
  'loose quotes': (pairs) => `{${pairs.map(([name, value]) => `${name}: '${value}'`).join(', ')}}`,
  'no quotes': (pairs) => `{${pairs.map(([name, value]) => `${name}: ${value}`).join(', ')}}`,
  'a list in it': (pairs) => pairs.map(([name, value]) => `"${name}": [${JSON.stringify(value)}]`).join(', '),
  'escaped markup': (pairs) =>
    pairs.map(([name, value]) => `&lt;${name.replace(' ', '')}&gt;${value}&lt;/${name}&gt;`).join(''),
  'markup escaped twice': (pairs) =>
    pairs.map(([name, value]) => `&amp;lt;${name.replace(' ', '')}&amp;gt;${value}&amp;lt;/`).join(''),
  'pairs with semicolons': (pairs) => pairs.map(([name, value]) => `${name}=${value}`).join(';'),
  'pairs with commas': (pairs) => pairs.map(([name, value]) => `${name}=${value}`).join(', '),
  'a query of an address': (pairs) =>
    `?${pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`,
  'lines of a form': (pairs) => pairs.map(([name, value]) => `${name}: ${value}`).join('\n'),
  'a sentence': (pairs) =>
    `Please send it again, ${pairs.map(([name, value]) => `${name}: ${value}`).join('; ')}. Thanks`,
};

const values = fc.constantFrom(
  'Quirin Zabelthau',
  'Zwetschgenweg 7',
  'Ośmiałowski',
  '86971 Hx',
  'Ümit Kvz-Zöglin',
  '山田太郎',
  'Anna "Nuri" Vexl',
);
const pairs = fc.array(fc.tuple(fc.constantFrom(...NAMES), values), { minLength: 1, maxLength: 4 });
const around = fc.constantFrom('', 'Gift for ', `${'words '.repeat(40)}`);

it.each(Object.entries(FORMS))('%s', (_form, write) => {
  fc.assert(
    fc.property(pairs, around, (all, before) => {
      const text = before + write(all);
      const texts = [
        maskFreeText(text, () => '[masked]'),
        maskProse(text, () => '[masked]'),
        String(maskValue(text, { rule: rulesOf({}), mark: () => '[masked]' }).value),
      ];
      for (const masked of texts) {
        for (const [, value] of all) {
          // The end of a value that was cut is another one.
          for (const form of [value, encodeURIComponent(value)]) {
            for (const word of form.split(/[ "]/).filter(({ length }) => length > 3)) {
              expect(masked).not.toContain(word.slice(0, -1));
            }
          }
        }
      }
    }),
  );
});

it.each([
  'Color: red; size: L, material=oak',
  'https://example.com/listing?sku=LAMP-1&color=red',
  'Delivery: 2 days; carrier: DHL; warehouse=FRA3',
  '{"sku": "LAMP-1", "quantity": 3, "condition": "new"',
  'shipFromAddress: 1 Road; sellerName=Shop & Co',
  'buyerName=; recipientName: null',
])('nothing else is masked: %s', (text) => {
  expect(maskProse(text, () => '[masked]')).toBe(text);
});

it('a message about a member says what is wrong with it', () => {
  const text = 'AddressLine1: must not be empty. buyerName=is required';
  expect(maskMessage(text, () => '[masked]')).toBe(text);
});

it('takes time in proportion to the text', () => {
  const hostile = [
    'buyerName='.repeat(20_000),
    '{"buyerName":'.repeat(15_000),
    `${'a '.repeat(50_000)}:`,
    '\\'.repeat(100_000),
    ', a'.repeat(60_000),
    '&lt;a&gt;'.repeat(20_000),
    `buyerName: ${', a'.repeat(60_000)}`,
  ];
  for (const text of hostile) expect(maskProse(text, () => '[masked]').length).toBeGreaterThan(0);
});

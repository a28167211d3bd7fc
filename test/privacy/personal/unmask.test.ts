import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { PERSONAL_KINDS } from '../../../src/privacy/personal/kinds.ts';
import {
  containsPlaceholders,
  rejectPlaceholders,
  unmaskPlaceholders,
} from '../../../src/privacy/personal/unmask.ts';
import { createVault } from '../../../src/privacy/personal/vault.ts';

const vault = createVault();
for (const kind of PERSONAL_KINDS) vault.add('default', `«${kind} 3f2ak9xq»`, `the ${kind}`);
vault.add('default', '«phone 4aaaaaaa»', 4_930_123);
vault.add('default', '«postcode SW1A.. 3f2ak9xq»', 'SW1A 1AA');
const resolve = (value: unknown) => unmaskPlaceholders('default', value, vault);

const NOT_WHOLE = 'is not the whole of a mark';
const NO_MARK = 'is no mark as it was given';
const LOST = 'has lost the « and » of its mark';

/** The kinds that a model may invent a placeholder of, instead of copying one. */
const someKind = fc.constantFrom(...PERSONAL_KINDS);
const perKind = (check: (kind: string) => void) => fc.assert(fc.property(someKind, check));

it.each<[string, (kind: string) => string]>([
  ['as it is', (kind) => `«${kind} 3f2ak9xq»`],
  ['in capitals', (kind) => `«${kind.toUpperCase()} 3F2AK9XQ»`],
  ['escaped in JSON', (kind) => String.raw`\u00ab${kind} 3f2ak9xq\u00BB`],
  ['escaped as texts are', (kind) => String.raw`\u{ab}${kind} 3f2ak9xq\u{00bb}`],
  ['in entities', (kind) => `&laquo;${kind} 3f2ak9xq&raquo;`],
  ['in several of these', (kind) => String.raw`&laquo;${kind} 3f2ak9xq\u00bb`],
])('a mark %s is its value, alone and between words, and shows it', (_how, spell) => {
  perKind((kind) => {
    const mark = spell(kind);
    const replaced = [{ mark: `«${kind} 3f2ak9xq»`, original: `the ${kind}` }];
    expect(resolve(mark)).toEqual({ value: `the ${kind}`, replaced });
    expect(resolve({ [`x ${mark}`]: [`a ${mark} b ${mark}`] })).toEqual({
      value: { [`x the ${kind}`]: [`a the ${kind} b the ${kind}`] },
      replaced,
    });
    expect(containsPlaceholders([{ a: `x ${mark}` }])).toBe(true);
    expect(containsPlaceholders({ [mark]: 1 })).toBe(true);
    expect(() => rejectPlaceholders('find_things', { a: [`x ${mark}`] })).toThrow(
      /^find_things takes no marks.*nothing was sent\.$/,
    );
  });
});

it.each<[string, string, (kind: string) => string]>([
  ['cut at the end', NOT_WHOLE, (kind) => `«${kind} 3f2`],
  ['cut before its last sign', NOT_WHOLE, (kind) => `«${kind} 3f2ak9xq`],
  ['cut with dots', NOT_WHOLE, (kind) => `see «${kind} 3... there`],
  ['cut with an ellipsis', NOT_WHOLE, (kind) => `see «${kind} 3f2ak… there`],
  ['escaped and cut', NOT_WHOLE, (kind) => String.raw`\u00AB${kind} 3f2`],
  ['an entity and cut', NOT_WHOLE, (kind) => `&laquo;${kind} 101.. 3f2`],
  ['other signs in its name', NO_MARK, (kind) => `«${kind.replace(/\W/g, '_')}: 3f2ak9xo»`],
  ['other letters', NO_MARK, (kind) => `x «${kind} 3f2aoilu» y`],
  ['other blanks', NO_MARK, (kind) => `« ${kind}\u00a0 3f2ak9xq »`],
  ['wide letters', NO_MARK, (kind) => `«${kind.toUpperCase()} ３f2ak9xo»`],
  ['an area that it has not', NO_MARK, (kind) => `«${kind} 1-2-3-4 3f2ak9xq»`],
  ['only its name', NO_MARK, (kind) => `«${kind} ...»`],
  ['its name and an ellipsis', NO_MARK, (kind) => `x «${kind}… » y`],
  ['URL-encoded', NO_MARK, (kind) => encodeURIComponent(`«${kind} 3f2ak9xq»`)],
  ['URL-encoded in small letters', NO_MARK, (kind) => `%c2%ab${kind}%C2%A03f2ak9xq%c2%bb`],
])('what is %s is refused: %s', (_how, why, spell) => {
  perKind((kind) => {
    for (const text of [spell(kind), [{ a: spell(kind) }], { [spell(kind)]: 1 }]) {
      expect(() => resolve(text)).toThrow(why);
      expect(() => rejectPlaceholders('find_things', text)).toThrow('takes no marks');
      expect(containsPlaceholders(text)).toBe(false);
    }
  });
});

it('the letters of a known mark are refused between « and » alone, and behind its name without them', () => {
  expect(() => resolve('x «3f2ak9xq»')).toThrow(`«3f2ak9xq»" ${NO_MARK}`);
  perKind((kind) => {
    expect(() => resolve(`the ${kind} 3f2ak9xq`)).toThrow(LOST);
    expect(() => resolve(`the ${kind.toUpperCase()} 3F2AK9XQ`)).toThrow(LOST);
  });
  expect(() => resolve('postcode sw1a.. 3f2ak9xq')).toThrow(LOST);
});

it.each([
  '«»',
  '«e-mail»',
  '«Grünhalm»',
  '«12345678»',
  '«phone holder 2»',
  '«phone 1234567»',
  '«phone 1234567890123»',
  '«phone abcdefgh »',
  '«post 1234567890»',
  '«phone',
  '«buyer name ',
  'phone 3f2ak9xz',
  '3f2ak9xq',
  'the phone 5aaaaaaa',
  '100 %C2%AB',
  '«phone %41 3f2ak9xq»',
  '«a «b» c»',
  '«phone «3f2ak9xo»',
  'buyer, address, e-mail, phone, tax number, postcode',
])('%s is no mark', (text) => {
  expect(resolve({ text })).toEqual({ value: { text }, replaced: [] });
  expect(() => rejectPlaceholders('find_things', { text })).not.toThrow();
});

it('words between « and » are looked at up to 60 characters', () => {
  const text = (length: number) => `«phone${' '.repeat(length - 13)}3f2ak9xq»`;
  expect(() => resolve(text(60))).toThrow(NO_MARK);
  expect(resolve(text(61)).value).toBe(text(61));
});

it('a number is one where nothing stands beside it', () => {
  expect(resolve(['«phone 4aaaaaaa»', 'tel. «phone 4aaaaaaa»', '«phone 4aaaaaaa»«phone 4aaaaaaa»'])).toEqual({
    value: [4_930_123, 'tel. 4930123', '49301234930123'],
    replaced: [{ mark: '«phone 4aaaaaaa»', original: '4930123' }],
  });
  const others = [12, null, true, { a: undefined }];
  expect(resolve(others).value).toEqual(others);
});

it('the area of a postcode is in capitals, however it is written', () => {
  for (const area of ['SW1A', 'sw1a'])
    expect(resolve(`«postcode ${area}.. 3f2ak9xq»`).value).toBe('SW1A 1AA');
});

it('a refusal says what is refused, and what to do', () => {
  expect(() => resolve('see «phone 9aaaaaaa»')).toThrow(
    '"«phone 9aaaaaaa»" stands for nothing that is known of account default; nothing was sent.',
  );
  expect(() => resolve({ 'the phone': 1, a: 'the phone', '«phone 3f2ak9xq»': 2 })).toThrow(
    'Two members have the same name once their marks are replaced; nothing was sent.',
  );
});

it('what only looked like a mark where it was read is sent as it was there, and told as that', () => {
  expect(resolve({ note: ['a ‹buyer name 9zzzzzzz› b', 'plain'] })).toEqual({
    value: { note: ['a «buyer name 9zzzzzzz» b', 'plain'] },
    replaced: [{ mark: '‹buyer name 9zzzzzzz›', original: '«buyer name 9zzzzzzz»' }],
  });
});

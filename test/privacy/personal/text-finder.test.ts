import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTextFinder } from '../../../src/privacy/personal/text-finder.ts';
import { growsLinearly } from '../../helpers/growth.ts';

const finderOf = (texts: Readonly<Record<string, string>>) => {
  const finder = createTextFinder();
  for (const [text, replacement] of Object.entries(texts)) finder.add(text, replacement);
  return finder;
};

it('finds whole words in any case, the longest first', () => {
  const finder = finderOf({ Anna: '1', 'Anna Schmidt': '2', 'Ö. Yılmaz': '3' });
  expect(finder.replaceIn('ANNA SCHMIDT, anna, Annabel, (Anna) ö. yılmaz')).toBe('2, 1, Annabel, (1) 3');
});

it('a word ends where no letter, digit or accent of a script with blanks goes on, of any character', () => {
  const finder = finderOf({ anna: 'x' });
  const inWord = /[\p{L}\p{N}\p{M}]/u;
  const without = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u;
  const odd = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter((one) => {
    const isFound = finder.replaceIn(`${one}anna${one}`) === `${one}x${one}`;
    return isFound === (inWord.test(one) && !without.test(one));
  });
  expect(odd).toEqual([]);
});

it('scripts without blanks between words have no borders', () => {
  expect(finderOf({ 田中太郎: 'x' }).replaceIn('注文者は田中太郎様です')).toBe('注文者はx様です');
});

it('a character whose lower case is two is found, and moves nothing else', () => {
  expect(finderOf({ schmidt: 'x' }).replaceIn('İİİ SCHMIDT')).toBe('İİİ x');
  expect(finderOf({ 'İbrahim Yılmaz': 'x' }).replaceIn('İ für İBRAHIM Yılmaz')).toBe('İ für x');
  expect(finderOf({ İbrahim: 'x' }).exactly('İBRAHIM')).toBe('x');
});

it('forgets the older half beyond its bound, and keeps what was added last', () => {
  const finder = createTextFinder(4);
  for (const name of ['aaaa', 'bbbb', 'cccc', 'dddd', 'eeee']) finder.add(name, 'x');
  expect(finder.size()).toBeLessThanOrEqual(4);
  expect(finder.replaceIn('aaaa dddd eeee')).toBe('aaaa x x');
});

it('takes the longest also where a shorter one was added long before, or after', () => {
  for (const names of [
    ['anna', 'anna schmidt'],
    ['anna schmidt', 'anna'],
  ]) {
    const finder = createTextFinder(4);
    for (const name of [names[0] ?? '', 'bbbb', 'cccc', names[1] ?? ''])
      finder.add(name, name.length > 4 ? 'y' : 'x');
    expect(finder.replaceIn('anna schmidt, anna')).toBe('y, x');
  }
});

it('looks into words where it is told to', () => {
  const finder = createTextFinder(10, { anywhere: true });
  finder.add('QW5uYQ', 'x');
  expect(finder.replaceIn('zzQW5uYQzz')).toBe('zzxzz');
});

describe('whatever is added and searched, in any order', () => {
  /** Few characters, so that texts begin alike, overlap and hold each other; accents composed or not, halves of characters. */
  const characters = fc.constantFrom(...'aab Bü-.1田中', 'u\u0308', '👤', '\ud83d', 'ß');
  const texts = fc.oneof(
    fc.string({ unit: characters, maxLength: 12 }),
    fc.string({ unit: fc.constantFrom('a', 'a ', 'b'), maxLength: 30 }),
  );
  const steps = fc.array(fc.record({ added: fc.array(texts, { maxLength: 4 }), searched: texts }), {
    maxLength: 12,
  });

  it.each([
    { anywhere: false, most: 1_000 },
    { anywhere: true, most: 1_000 },
    { anywhere: false, most: 6 },
  ])('it finds what a look at every place for every text finds: $anywhere, $most', ({ anywhere, most }) => {
    fc.assert(
      fc.property(steps, (all) => {
        const finder = createTextFinder(most, { anywhere });
        const plain = createPlainFinder(most, anywhere);
        for (const [at, { added, searched }] of all.entries()) {
          for (const text of added) {
            finder.add(text, `<${at}>`);
            plain.add(text, `<${at}>`);
          }
          const long = [searched, ...added, searched.toUpperCase()].join('');
          expect(finder.replaceIn(long)).toBe(plain.replaceIn(long));
          expect(finder.size()).toBe(plain.size());
          for (const text of added) expect(finder.exactly(text)).toBe(plain.exactly(text));
        }
      }),
    );
  });
});

/** Implements the finder's promise in the plainest way. */
function createPlainFinder(most: number, anywhere: boolean) {
  let [young, old] = [new Map<string, string>(), new Map<string, string>()];
  const replacementOf = (text: string) => young.get(text) ?? old.get(text);
  const inWord = (character: string) =>
    /[\p{L}\p{N}\p{M}]/u.test(character) && !/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/u.test(character);
  const isBorder = (text: string, at: number) =>
    anywhere || !(inWord(text.charAt(at - 1)) && inWord(text.charAt(at)));
  return {
    size: () => young.size + old.size,
    exactly: (text: string) => replacementOf(text.toLowerCase()),
    add(text: string, replacement: string) {
      const lower = text.toLowerCase();
      if (lower.length < 2 || young.get(lower) === replacement) return;
      if (young.size >= most / 2) [young, old] = [new Map(), young];
      young.set(lower, replacement);
    },
    replaceIn(text: string) {
      const lower = text.toLowerCase();
      let clean = '';
      for (let at = 0; at < text.length; ) {
        const longest = [...young.keys(), ...old.keys()]
          .filter(
            (known) =>
              lower.startsWith(known, at) && isBorder(lower, at) && isBorder(lower, at + known.length),
          )
          .reduce((one, other) => (other.length > one.length ? other : one), '');
        clean += replacementOf(longest) ?? text.charAt(at);
        at += Math.max(1, longest.length);
      }
      return clean;
    },
  };
}

describe('its work grows with texts and values, not with their product', () => {
  const added =
    (values: readonly string[], text: string, anywhere = false) =>
    () => {
      const finder = createTextFinder(Number.POSITIVE_INFINITY, { anywhere });
      for (const value of values) finder.add(value, 'x');
      return finder.replaceIn(text);
    };
  const many = (count: number, make: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => make(at));

  it.each<[string, (size: number) => () => unknown]>([
    [
      'values that begin alike',
      (size) =>
        added(
          many(size, (i) => `Mustermann ${i} x`),
          'Mustermann '.repeat(size),
        ),
    ],
    [
      'a street',
      (size) =>
        added(
          many(size, (i) => `Hauptstraße ${i}`),
          many(size, (i) => `in Hauptstraße ${i}`).join(),
        ),
    ],
    [
      'ü',
      (size) =>
        added(
          many(size, (i) => `üüüüüüüü${i}`),
          'üüüüüüüü '.repeat(size),
        ),
    ],
    ['values that nearly end', (size) => added([`${'a '.repeat(size)}b`], 'a '.repeat(2 * size))],
    [
      'the same in words',
      (size) =>
        added(
          many(Math.sqrt(size), (i) => `${'a'.repeat(i + 1)}b`),
          'a'.repeat(size),
          true,
        ),
    ],
    [
      'long words of one length',
      (size) =>
        added(
          many(size / 40, (i) => `${'a'.repeat(17_000)}${1_000 + i}`),
          '',
        ),
    ],
    [
      'a value added before each search',
      (size) => () => {
        const finder = createTextFinder(size);
        for (let i = 0; i < size; i += 1) {
          finder.add(`Mustermann ${i} x`, 'x');
          finder.replaceIn(`for Mustermann ${i}`);
        }
      },
    ],
  ])('%s', (_name, prepare) => {
    expect(growsLinearly(400, prepare)).toBe(true);
  });
});

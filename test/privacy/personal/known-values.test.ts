import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { PersonalKind } from '../../../src/privacy/personal/kinds.ts';
import {
  createKnownValues,
  findOwnContacts,
  isFindable,
} from '../../../src/privacy/personal/known-values.ts';

const MARK = '«buyer text 1aaaaaaa»';

function knowing(kind: PersonalKind, value: string) {
  const known = createKnownValues();
  known.add(kind, value, MARK);
  return known;
}

it.each<[PersonalKind, string, boolean, boolean]>([
  ['buyer name', 'Anna', true, false],
  ['buyer name', 'Ann', false, false],
  ['buyer name', 'Anna Li', true, true],
  ['buyer name', 'Anna 12', true, false],
  ['buyer name', '田中', true, false],
  ['buyer name', '田', false, false],
  ['buyer name', '田中太郎', true, true],
  ['postcode', '10115', false, false],
  ['postcode', '101 15-1234', false, false],
  ['postcode', 'SW1A 1AA', true, false],
  ['e-mail', 'a@bc.de', true, true],
  ['phone', '4930123', true, true],
  ['phone', '49 301', false, false],
  ['phone', '49.301-2', true, true],
  ['tax number', '12 34,5', true, false],
  ['tax number', 'DE123456', true, true],
  ['tax number', 'DE12345', true, false],
  ['address', 'Am Markt', true, false],
  ['address', 'Markt 12', true, true],
  ['address', 'Weg 123', true, false],
  ['buyer text', 'nineteen letters it', true, false],
  ['buyer text', 'twenty letters it is', true, true],
])(
  '%s: %s is found in a short text: %s; in an answer with words of ours: %s',
  (kind, value, isFound, isDistinct) => {
    const known = knowing(kind, value);
    expect(isFindable(kind, value)).toBe(isFound);
    expect(known.size()).toBe(isFound ? 1 : 0);
    expect(known.replaceEverywhere(`for ${value}!`)).toBe(isFound ? `for ${MARK}!` : `for ${value}!`);
    expect(known.replaceDistinct(`for ${value}!`)).toBe(isDistinct ? `for ${MARK}!` : `for ${value}!`);
  },
);

it('one that was used in a call is found however short it is, but only where an error is told', () => {
  const known = createKnownValues();
  known.addUsed('Li', MARK);
  expect(known.replaceEverywhere('Li is not right, LI neither, Lisa is invalid')).toBe(
    `${MARK} is not right, ${MARK} neither, Lisa is invalid`,
  );
  expect(known.replaceDistinct('Li')).toBe('Li');
});

it.each([
  ['in two arguments', 'Anna\nSchmidt', true],
  ['in an address', 'q=Anna%20Schmidt&x=%', true],
  ['with accents in an address', 'q=J%C3%BCrgen%20M%c3%bcller', true],
  ['with two blanks', 'Anna  Schmidt', true],
  ['in another case', 'for ANNA SCHMIDT', true],
  ['as another', 'Annabel Schmidt', false],
])('what a call brought %s: %s', (_how, text, isBrought) => {
  const known = knowing('buyer name', 'Anna Schmidt');
  known.add('buyer name', 'Jürgen Müller', MARK);
  const brought = known.broughtBy(text);
  expect([...brought]).toEqual(isBrought ? [MARK] : []);
  const answer = 'Anna Schmidt is unknown';
  const shown = isBrought ? answer : `${MARK} is unknown`;
  expect(known.replaceEverywhere(answer, brought)).toBe(shown);
  expect(known.replaceDistinct(answer, brought)).toBe(shown);
  // Nor in another spelling.
  expect(known.replaceEverywhere('Anna%20Schmidt', brought) === MARK).toBe(!isBrought);
});

it('a value is found whatever characters it, or the text, is made of', () => {
  const written = fc
    .record({
      form: fc.constantFrom('NFC', 'NFD'),
      blank: fc.constantFrom(' ', '  ', '\u00A0', '\u2009 '),
      inside: fc.constantFrom('', '\u200B', '\u00AD'),
    })
    .map(({ form, blank, inside }) => `Jür${inside}gen${blank}Müller`.normalize(form));
  fc.assert(
    fc.property(written, written, (value, text) => {
      const known = knowing('buyer name', value);
      expect(known.replaceEverywhere(`for ${text}!`)).toBe(`for ${MARK}!`);
      expect(known.replaceDistinct(`for ${text}!`)).toBe(`for ${MARK}!`);
    }),
    { numRuns: 100 },
  );
});

it('marks stay, and what stands in them', () => {
  const known = knowing('buyer name', 'buyer text');
  expect(known.replaceEverywhere(`buyer text ${MARK}`)).toBe(`${MARK} ${MARK}`);
  expect(known.replaceDistinct(`${MARK} buyer text`)).toBe(`${MARK} ${MARK}`);
});

it('a value of many pages is found in pieces cut between words, the first ten of them', () => {
  const word = 'abcdefghi';
  const pages = (name: string, count: number) => Array(count).fill(`${word}${name}`).join(' ');
  const value = Array.from({ length: 12 }, (_, page) => pages(String.fromCharCode(97 + page), 1_000)).join(
    ' ',
  );
  const known = knowing('buyer text', value);
  const clean = known.replaceEverywhere(value);
  expect(clean.split(MARK)).toHaveLength(11);
  // No word is cut in two, so that no blank goes with it.
  expect(clean.startsWith(`${MARK} ${MARK} `)).toBe(true);
  expect(clean).toContain(`${word}l`);
  const unbroken = 'x'.repeat(25_000);
  expect(
    knowing('buyer text', unbroken).replaceEverywhere(`${'x'.repeat(10_000)} ${'x'.repeat(5_000)}`),
  ).toBe(`${MARK} ${MARK}`);
});

it('one that is long is found as it is, and in no other spelling', () => {
  const short = `${'Grüße '.repeat(80)}an`;
  const long = `${'Grüße '.repeat(90)}an`;
  for (const [value, isSpelled] of [
    [short, true],
    [long, false],
  ] as const) {
    const known = knowing('buyer text', value);
    expect(known.replaceEverywhere(value)).toBe(MARK);
    expect(known.replaceEverywhere(encodeURIComponent(value)).includes(MARK)).toBe(isSpelled);
  }
});

it('of values that were never searched for the last 500 are found in every spelling, all as they are', () => {
  const known = createKnownValues();
  for (let at = 0; at <= 500; at += 1) known.add('buyer name', `Jürgen ${at} Müller`, `mark ${at}`);
  const spelled = (at: number) => known.replaceEverywhere(encodeURIComponent(`Jürgen ${at} Müller`));
  expect(spelled(0)).toContain('J%C3%BC');
  expect(spelled(1)).toBe('mark 1');
  expect(spelled(500)).toBe('mark 500');
  expect(known.replaceEverywhere('Jürgen 0 Müller')).toBe('mark 0');
});

it('one that is masked again counts as the last', () => {
  const known = createKnownValues();
  for (const at of [...Array(500).keys(), 0, 500])
    known.add('buyer name', `Jürgen ${at} Müller`, `mark ${at}`);
  expect(known.replaceEverywhere(encodeURIComponent('Jürgen 0 Müller'))).toBe('mark 0');
  expect(known.replaceEverywhere(encodeURIComponent('Jürgen 1 Müller'))).toContain('%20');
});

it('a line is left as it is written unless something is found in it', () => {
  const known = knowing('buyer name', 'Anna Schmidt');
  expect(known.replaceEverywhere('  two  blanks\n\tfor Anna\u00a0 Schmidt  now\n x  y')).toBe(
    `  two  blanks\n\tfor ${MARK} now\n x  y`,
  );
});

it("the seller's own are known one by one", () => {
  const known = createKnownValues();
  known.noteOwn('shop@own.example');
  expect([known.isOwn('shop@own.example'), known.isOwn('anna@own.example')]).toEqual([true, false]);
});

it.each([
  ['email', 'shop@own.example', ['shop@own.example', 'shop@own.example']],
  ['mobile', '030 1234567', ['030 1234567', '030 1234567']],
  ['mobile', 'x', ['x']],
  ['telephone', 'a b', ['a b']],
  ['note', 'write to shop@own.example', ['write to shop@own.example', 'shop@own.example']],
  ['note', 'call 030 1234567', []],
  ['intel', 'b', []],
  ['note', `${'long '.repeat(50)} shop@own.example`, []],
  ['', 'shop@own.example', ['shop@own.example', 'shop@own.example']],
])('of %s, %s, the contacts are %j', (name, text, contacts) => {
  expect(findOwnContacts(text, name)).toEqual(contacts);
});

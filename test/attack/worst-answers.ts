/** The worst answers within the limits of what is read, by kind: for the standing attack, and for the benchmark. */

import { MAX_READ_BYTES } from '../../src/call/read-bound.ts';
import { MAX_ANSWER_VALUES } from '../../src/call/transport/parse-answer.ts';

export interface WorstAnswer {
  kind: string;
  /** Makes a body of at most `MAX_READ_BYTES`. */
  make: () => string;
  select?: string[];
}

export const filled = (count: number, make: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => make(i)).join();
const V = MAX_ANSWER_VALUES;

/** Makes as many elements as both limits allow, with `values` values and `bytes` bytes each, commas included. */
const most = (values: number, bytes: number) =>
  Math.floor(Math.min((V - 2) / values, (MAX_READ_BYTES - 100) / bytes));

const hidden = '\u202e\u200b';

/** People who are masked, and a text in which each of them is looked for. */
const people = (names: readonly string[], note: string) =>
  JSON.stringify({ people: names.map((name) => ({ BuyerName: name })), note });
const many = (count: number, make: (i: number) => string) => Array.from({ length: count }, (_, i) => make(i));

export const WORST_ANSWERS: readonly WorstAnswer[] = [
  { kind: 'empty objects', make: () => `[${filled(V - 2, () => '{}')}]` },
  { kind: 'lists in lists', make: () => `[${filled(V / 4, () => '[[[]]]')}]` },
  { kind: 'zeros', make: () => `[${filled(V - 2, () => '0')}]` },
  { kind: 'long numbers', make: () => `[${filled(most(1, 21), () => '12345678901234567890')}]` },
  {
    kind: 'members of one object',
    make: () => `{${filled(most(2, 28), (i) => `"member number ${i}":${i}`)}}`,
  },
  {
    kind: 'objects with other names each',
    make: () => `[${filled(most(3, 17), (i) => `{"name${i}":"x"}`)}]`,
  },
  {
    kind: 'hidden characters everywhere',
    make: () => `[${filled(most(3, 24), (i) => `{"n${hidden}${i % 9}":"${hidden}"}`)}]`,
  },
  { kind: 'secrets everywhere', make: () => `[${filled(most(3, 28), () => '{"access_token":"abcdefgh"}')}]` },
  { kind: 'one text of 2 MB', make: () => JSON.stringify([`${hidden}«'"\\\n`.repeat(130_000)]) },
  {
    kind: 'escapes in what looks like a secret',
    make: () => JSON.stringify([`"access_token":"${'\\a'.repeat(600_000)}`]),
  },
  {
    kind: 'names of 4 KB, 60 deep',
    make: () =>
      `[${filled(8, () => `${'{"'.concat('n'.repeat(4_000), '":').repeat(60)}0${'}'.repeat(60)}`)}]`,
  },
  {
    kind: '50 paths over 2 MB',
    make: () => `[${filled(most(8, 234), (i) => `{"a":{"b":"${'x'.repeat(200)}","c":[${i}]}}`)}]`,
    select: Array.from({ length: 50 }, (_, i) => `*.a.b${i % 2 === 0 ? '' : i}`),
  },
  {
    kind: '50 paths that lead nowhere, among very many names',
    make: () => `{${filled(most(2, 28), (i) => `"member number ${i}":${i}`)}}`,
    select: Array.from({ length: 50 }, (_, i) => `${'member numbre '.repeat(6)}${i}`),
  },
  {
    kind: '50 paths of 200 stars',
    make: () => `${'['.repeat(60)}${filled(V / 2, () => '0')}${']'.repeat(60)}`,
    select: Array.from({ length: 50 }, (_, i) => `${'*.'.repeat(60)}${i}`),
  },
  {
    kind: '20,000 names that begin alike, and a text that repeats their beginning',
    make: () =>
      people(
        many(20_000, (i) => `Müller-${i}`),
        'Müller-'.repeat(5_000),
      ),
  },
  {
    kind: '40,000 names that begin alike, and a text of 700 kB that repeats their beginning',
    make: () =>
      people(
        many(40_000, (i) => `aaaaaaaa${i}`),
        'a'.repeat(700_000),
      ),
  },
  {
    kind: '3,000 streets of one name, and a text of them',
    make: () => {
      const streets = many(3_000, (i) => `Hauptstraße ${i}`);
      return people(streets, streets.join(', ').repeat(15));
    },
  },
  {
    kind: 'e-mail addresses in one text of 2 MB',
    make: () => JSON.stringify(['ab@example.de '.repeat(140_000)]),
  },
  { kind: 'what begins like e-mail addresses', make: () => JSON.stringify(['a.'.repeat(990_000)]) },
  { kind: 'what begins like telephone numbers', make: () => JSON.stringify(['(0)-'.repeat(490_000)]) },
];

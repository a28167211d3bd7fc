/** Which store is meant by what a person calls it. */

import { expect, it } from 'vitest';
import { storeOf } from '../../src/call/find-store.ts';

const store = (id: string, alias: string, code = id) => ({ id, alias, code });
const STORES = [
  store('s1', 'Hamburg Altona'),
  store('s2', 'Köln Süd, Ladenlokal'),
  store('s3', 'Berlin Mitte'),
  store('s4', 'Berlin'),
  store('s5', 'Lager Berlin-Tegel', 'Tegel'),
];

it.each([
  ['Hamburg', 's1'],
  ['altona hamburg', 's1'],
  ['süd', 's2'],
  ['Berlin', 's4'],
  ['berlin', 's4'],
  ['Berlin Tegel', 's5'],
  ['tegel', 's5'],
])('%s is the one of that name, or with these words', (given, id) => {
  expect(storeOf(given, STORES).id).toBe(id);
});

it.each([
  ['Lager Mitte', 'No store has the ID, alias or code'],
  ['Ham', 'No store has the ID, alias or code'],
  ['-', 'No store has the ID, alias or code'],
  ['', 'No store has the ID, alias or code'],
])('%j is none', (given, words) => {
  expect(() => storeOf(given, STORES)).toThrow(words);
});

it('a word of several is none of them, and they are named', () => {
  const stores = STORES.filter(({ id }) => id !== 's4');
  expect(() => storeOf('Berlin', stores)).toThrow('2 stores are called something with Berlin');
  expect(() => storeOf('Berlin', stores)).toThrow(
    expect.objectContaining({ hint: expect.stringMatching(/s3 .*s5/) }),
  );
});

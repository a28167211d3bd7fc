import { expect, it } from 'vitest';
import {
  createPlaceholderMaker,
  getPostcodeArea,
  kindOfPlaceholder,
} from '../../../src/privacy/personal/placeholders.ts';

it.each([
  ['10115', '101'],
  [' 10115 ', '101'],
  ['94103-1234', '941'],
  ['00-950', '00'],
  ['1000', '10'],
  ['100-0001', '10'],
  ['SW1A 1AA', 'SW1A'],
  ['m1-1ae', 'M1'],
  ['sw1a1aa', 'SW1'],
  ['K1A 0B1', 'K1A'],
  ['1012 AB', '10'],
  ['12', '12'],
  ['ABCDE 1', undefined],
  ['〒100', undefined],
  ['', undefined],
])('of the postcode %s the region is %s', (postcode, area) => {
  expect(getPostcodeArea(postcode)).toBe(area);
});

it('the same value has the same letters, a digit first; another key, account or value has others', () => {
  const of = (key: number, account: string, value: string) =>
    createPlaceholderMaker(new Uint8Array(32).fill(key), account).mark('buyer name', value);
  const all = [
    of(1, 'a', 'x'),
    of(2, 'a', 'x'),
    of(1, 'b', 'x'),
    of(1, 'a', 'y'),
    of(1, 'a', 'x'.repeat(300)),
  ];
  expect(new Set(all).size).toBe(5);
  for (const mark of all) expect(mark).toMatch(/^«buyer name \d[0-9a-hjkmnp-tv-z]{7}»$/);
  const marker = createPlaceholderMaker(new Uint8Array(32).fill(1), 'a');
  const letters = marker.mark('buyer name', '10115').slice(-9);
  expect(marker.mark('buyer name', '10115').slice(-9)).toBe(letters);
  expect(marker.mark('postcode', '10115')).toBe(`«postcode 101.. ${letters}`);
});

it.each([
  ['«tax number 3f2ak9xq»', 'tax number'],
  ['«postcode 101.. 3f2ak9xq»', 'postcode'],
  ['«postcode 10115.. 3f2ak9xq»', undefined],
  ['«name 3f2ak9xq»', undefined],
  ['«phone 3f2ak9xu»', undefined],
  ['phone 3f2ak9xq', undefined],
])('%s is of the kind %s', (mark, kind) => {
  expect(kindOfPlaceholder(mark)).toBe(kind);
});

import { expect, it } from 'vitest';
import { createTextFinder } from '../../src/personal/text-finder.ts';

const finderOf = (texts: Readonly<Record<string, string>>) => {
  const finder = createTextFinder();
  for (const [text, replacement] of Object.entries(texts)) finder.add(text, replacement);
  return finder;
};

it('finds whole words in any case, the longest first', () => {
  const finder = finderOf({ Anna: '1', 'Anna Schmidt': '2', 'Ö. Yılmaz': '3' });
  expect(finder.replaceIn('ANNA SCHMIDT, anna, Annabel, (Anna) ö. yılmaz')).toBe('2, 1, Annabel, (1) 3');
});

it('scripts without blanks between words have no borders', () => {
  expect(finderOf({ 田中太郎: 'x' }).replaceIn('注文者は田中太郎様です')).toBe('注文者はx様です');
});

it('a text whose lower case has other places is searched as it is', () => {
  expect(finderOf({ schmidt: 'x' }).replaceIn('İİİ schmidt')).toBe('İİİ x');
});

it('forgets the older half beyond its bound, and keeps what was added last', () => {
  const finder = createTextFinder(4);
  for (const name of ['aaaa', 'bbbb', 'cccc', 'dddd', 'eeee']) finder.add(name, 'x');
  expect(finder.size()).toBeLessThanOrEqual(4);
  expect(finder.replaceIn('aaaa dddd eeee')).toBe('aaaa x x');
});

it('looks into words where it is told to', () => {
  const finder = createTextFinder(10, { anywhere: true });
  finder.add('QW5uYQ', 'x');
  expect(finder.replaceIn('zzQW5uYQzz')).toBe('zzxzz');
});

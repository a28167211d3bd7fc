import { expect, test } from 'vitest';
import { type IndexEntry, indexEntries } from '../../../src/service/search/word-index.ts';
import { stemsOf } from '../../../src/service/search/words.ts';

function entry(id: string, words: string, facts: Partial<IndexEntry> = {}): IndexEntry {
  return {
    id,
    name: '',
    group: '',
    members: '',
    words: stemsOf(words),
    standing: 1,
    isRead: true,
    ...facts,
  };
}

const ids = (entries: readonly IndexEntry[], text: string) =>
  indexEntries(entries)
    .search(text, 0)
    .matches.map(({ id }) => id);

test('what has most of the words comes before what has the rarest one', () => {
  const common = Array.from({ length: 12 }, (_, i) => entry(`common-${i}`, i % 2 === 0 ? 'lamp' : 'chair'));
  const both = entry('both', 'lamp chair');
  const rare = entry('rare', 'violin');
  expect(ids([...common, rare, both], 'lamp chair violin')[0]).toBe('both');
});

test('the beginning of a word finds it, after the word itself; three letters are too few', () => {
  const entries = [entry('longer', 'replenishment'), entry('word', 'replen')];
  expect(ids(entries, 'replen')).toEqual(['word', 'longer']);
  expect(ids(entries, 'rep')).toEqual([]);
  expect(ids(entries, 'plenish')).toEqual([]);
});

test('a synonym finds what the word finds, after what has the word', () => {
  const entries = [entry('other', 'carrier'), entry('own', 'courier')];
  expect(ids(entries, 'courier')).toEqual(['own', 'other']);
  expect(ids([entry('offer', 'featured offer'), entry('none', 'offer')], 'buy box')).toEqual(['offer']);
});

test('one slip is put right in five letters, two in seven, none where something has the word', () => {
  const entries = [entry('lemon', 'lemon'), entry('melons', 'demon'), entry('saxophone', 'saxophone')];
  expect(ids(entries, 'lemmon')).toEqual(['lemon']);
  expect(ids(entries, 'saxaphon')).toEqual(['saxophone']);
  expect(ids(entries, 'lem')).toEqual([]);
  expect(ids(entries, 'lemmmn')).toEqual([]);
  expect(ids(entries, 'lemon')).toEqual(['lemon']);
});

test('equal matches keep their order, by standing first', () => {
  const entries = [entry('old', 'lamp', { standing: 0.5 }), entry('first', 'lamp'), entry('second', 'lamp')];
  expect(ids(entries, 'lamp')).toEqual(['first', 'second', 'old']);
});

test('what reads comes first where something is only named, what writes where something is to be done', () => {
  const entries = [entry('write', 'lamp', { isRead: false }), entry('read', 'lamp')];
  expect(ids(entries, 'lamp')).toEqual(['read', 'write']);
  expect(ids(entries, 'change lamp')).toEqual(['write', 'read']);
});

test('a match with far too little of the text is left out, and counted', () => {
  const entries = [entry('all', 'lamp chair violin'), entry('one', 'lamp'), entry('other', 'chair')];
  const { matches, weaker } = indexEntries(entries).search('lamp chair violin');
  expect(matches.map(({ id }) => id)).toEqual(['all']);
  expect(weaker).toBe(2);
});

test('a report type is no answer where something is to be done, unless the text says report', () => {
  const entries = [
    entry('write', 'lamp', { isRead: false }),
    entry('report', 'report lamp', { isReport: true }),
  ];
  expect(ids(entries, 'change lamp')).toEqual(['write']);
  expect(ids(entries, 'create the lamp report')[0]).toBe('report');
});

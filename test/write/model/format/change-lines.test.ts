/** A change in one line: what of it is known, and whether that is all. */

import { expect, it } from 'vitest';
import { type Change, unknownChange } from '../../../../src/write/model/change.ts';
import { formatChange } from '../../../../src/write/model/format/change-lines.ts';

const title = {
  path: 'title',
  segments: ['title'],
  kind: 'changed',
  before: 'Lamp',
  after: 'Desk lamp',
} as const;
const price = { ...title, path: 'price', segments: ['price'], before: 2, after: 3 } as const;

it.each<[string, Partial<Change>, string]>([
  ['nothing is known', {}, ''],
  ['everything is there already', { differences: [], isWhole: true }, 'State: no changes.'],
  ['nothing of what is known changes', { differences: [] }, ''],
  [
    'all of it',
    { differences: [title, price], isWhole: true },
    'State: title: "Lamp" -> "Desk lamp"; price: 2 -> 3. Nothing else changes.',
  ],
  ['a part of it', { differences: [title] }, 'State: title: "Lamp" -> "Desk lamp".'],
  [
    'what is sent beside it',
    { differences: [title], isWhole: true, sent: [{ segments: ['colour'], value: 'red' }] },
    'State: title: "Lamp" -> "Desk lamp".',
  ],
])('%s', (_what, parts, words) => {
  expect(formatChange({ ...unknownChange(), ...parts })).toBe(words);
});

/** Lists that were shown are kept for as long as a yes to them is good, and no longer; memory is bounded. */

import { expect, it } from 'vitest';
import { supplySourceWrite } from '../../../src/service/facts/documented-operations.ts';
import { createShownLists, type ShownList } from '../../../src/write/ask/shown-before.ts';
import { unknownChange } from '../../../src/write/model/change.ts';
import type { ListedWrite } from '../../../src/write/plan/listed-write.ts';
import { OWNER } from '../run/open-guard.ts';

const write = (key: string): ListedWrite => ({
  key,
  input: { operation: supplySourceWrite(), account: 'a', parameters: {} },
  request: { method: 'PUT', url: '', filledIn: {}, owner: OWNER },
  change: unknownChange(),
  shown: { parameters: {}, change: unknownChange() },
});
const shown = (count: number): ShownList => ({
  list: { writes: Array.from({ length: count }, (_, at) => write(String(at))) },
  digest: '',
  shownAt: 0,
  preview: undefined,
});

it('keeps a list for ten minutes', () => {
  let now = 0;
  const lists = createShownLists({ now: () => now });
  const list = shown(1);
  lists.keep('a', list);
  now = 599_999;
  expect(lists.find('a')).toBe(list);
  now = 600_000;
  expect(lists.find('a')).toBeUndefined();
});

it('lets the oldest go, by number and by size, never the newest', () => {
  const lists = createShownLists({ now: () => 0 });
  for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) lists.keep(key, shown(1));
  expect(['a', 'b', 'f'].map((key) => lists.find(key) !== undefined)).toEqual([false, true, true]);
  lists.keep('large', shown(25_000));
  lists.keep('larger', shown(25_001));
  expect(['f', 'large', 'larger'].map((key) => lists.find(key) !== undefined)).toEqual([false, false, true]);
  lists.keep('largest', shown(50_001));
  expect(['larger', 'largest'].map((key) => lists.find(key) !== undefined)).toEqual([false, true]);
});

it('forgets what is sent', () => {
  const lists = createShownLists({ now: () => 0 });
  lists.keep('a', shown(1));
  lists.forget('a');
  expect(lists.find('a')).toBeUndefined();
});

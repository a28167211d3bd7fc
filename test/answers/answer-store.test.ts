import { expect, it } from 'vitest';
import { createAnswerStore } from '../../src/answers/answer-store.ts';

it('gives an answer back whole, hidden characters spelled out, numbers as they are', () => {
  const store = createAnswerStore();
  const kept = store.keep('getOrders', { note: 'a\u202eb', price: 1.5 }, 30);
  expect(JSON.parse(store.read(kept?.uri ?? '') ?? '')).toEqual({ note: 'a\\u{202E}b', price: 1.5 });
  expect(store.list()).toEqual([{ uri: kept?.uri, name: 'getOrders', bytes: 30 }]);
  expect(store.read('seller://answers/other')).toBeUndefined();
});

it('lets the oldest go, by number and by size, and keeps nothing that is too large alone', () => {
  const store = createAnswerStore({ maxBytes: 100, maxAnswers: 3 });
  const uris = ['a', 'b', 'c', 'd'].map((name) => store.keep(name, name, 10)?.uri);
  expect(store.list().map(({ name }) => name)).toEqual(['d', 'c', 'b']);
  expect(store.read(uris[0] ?? '')).toBeUndefined();
  store.keep('e', 'e', 85);
  expect(store.list().map(({ name }) => name)).toEqual(['e', 'd']);
  expect(store.keep('f', 'f', 101)).toBeUndefined();
  expect(store.list()).toHaveLength(2);
});

it('remembers the supply sources of answers, the latest first', () => {
  const store = createAnswerStore();
  store.noteSupplySources({ supplySources: [{ supplySourceId: '1' }, { supplySourceId: '2' }] });
  store.noteSupplySources({ supplySourceId: '1', alias: 'x' });
  store.noteSupplySources({ nothing: true });
  expect(store.supplySources()).toEqual(['1', '2']);
});

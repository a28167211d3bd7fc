import { expect, it } from 'vitest';
import { createAnswerStore } from '../../src/render/answer-store.ts';
import { words } from '../helpers/words.ts';

it('gives an answer back whole, hidden characters spelled out, numbers as they are', async () => {
  const store = createAnswerStore();
  const kept = store.keep('getOrders', () => ({ note: 'a\u202eb', price: 1.5 }), 30);
  expect(JSON.parse(store.read(kept?.uri ?? '') ?? '')).toEqual({ note: 'a\\u{202E}b', price: 1.5 });
  expect(store.list()).toEqual([{ uri: kept?.uri, name: 'getOrders', bytes: 30 }]);
  expect(store.read('seller://answers/other')).toBeUndefined();
});

it('lets the oldest go, by number and by size, and keeps nothing that is too large alone', async () => {
  const store = createAnswerStore({ maxBytes: 100, maxAnswers: 3 });
  const uris = ['a', 'b', 'c', 'd'].map((name) => store.keep(name, () => name, 10)?.uri);
  expect(store.list().map(({ name }) => name)).toEqual(['d', 'c', 'b']);
  expect(store.read(uris[0] ?? '')).toBeUndefined();
  store.keep('e', () => 'e', 85);
  expect(store.list().map(({ name }) => name)).toEqual(['e', 'd']);
  expect(store.keep('f', () => 'f', 101)).toBeUndefined();
  expect(store.list()).toHaveLength(2);
});

it('remembers the supply sources of answers, the latest first', () => {
  const store = createAnswerStore();
  store.noteSupplySources({ supplySources: [{ supplySourceId: '1' }, { supplySourceId: '2' }] });
  store.noteSupplySources({ supplySourceId: '1', alias: 'x' });
  store.noteSupplySources({ nothing: true });
  expect(store.supplySources()).toEqual([words('1'), words('2')]);
});

it('the bounds are 32 MB and 20 answers', () => {
  const store = createAnswerStore();
  const half = 16 * 1024 * 1024;
  expect(store.keep('a', () => 1, 2 * half + 1)).toBeUndefined();
  store.keep('a', () => 1, half);
  store.keep('b', () => 1, half);
  expect(store.list()).toHaveLength(2);
  store.keep('c', () => 1, 1);
  expect(store.list().map(({ name }) => name)).toEqual(['c', 'b']);
  for (let i = 0; i < 25; i += 1) store.keep(`${i}`, () => i, 1);
  expect(store.list()).toHaveLength(20);
});

it('each address is new, and that of another store leads nowhere here', async () => {
  const [one, other] = [createAnswerStore(), createAnswerStore()];
  const uris = [one.keep('a', () => 1, 1), one.keep('a', () => 1, 1), other.keep('a', () => 2, 1)].map(
    (kept) => kept?.uri ?? '',
  );
  expect(new Set(uris).size).toBe(3);
  for (const uri of uris) expect(uri).toMatch(/^seller:\/\/answers\/[0-9a-f]{8}-[12]$/);
  expect(one.read(uris[2] ?? '')).toBeUndefined();
  expect(other.read(uris[2] ?? '')).toBe('2');
});

it('is indented by one space', async () => {
  const store = createAnswerStore();
  expect(store.read(store.keep('a', () => ({ b: 1 }), 1)?.uri ?? '')).toBe('{\n "b": 1\n}');
});

it('a hundred supply sources are remembered, those of answers that tell none are not', () => {
  const store = createAnswerStore();
  for (let i = 0; i < 101; i += 1) store.noteSupplySources({ supplySourceId: `${i}` });
  expect(store.supplySources()).toHaveLength(100);
  expect([store.supplySources()[0], store.supplySources().at(-1)]).toEqual([words('100'), words('1')]);
  store.noteSupplySources({ supplySources: [{ supplySourceId: 5 }] });
  store.noteSupplySources(undefined);
  expect(store.supplySources()[0]).toEqual(words('100'));
});

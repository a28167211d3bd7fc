import fc from 'fast-check';
import { isSafeNumber } from 'lossless-json';
import { describe, expect, test } from 'vitest';
import { JsonItems, JsonLines } from '../../../src/data/documents/json-items.ts';
import { DOCUMENT_LIMITS } from '../../../src/data/documents/limits.ts';
import { documentFolder, readWhole } from '../../helpers/document-file.ts';
import { growsLinearly } from '../../helpers/growth.ts';
import { RUNS_ALL } from '../../helpers/launch.ts';

const folder = documentFolder();
const read = (text: string, format: 'json' | 'jsonl' = 'json') => readWhole(folder.write(text), { format });

/** Items by list, read in pieces of the size. */
function itemsOf(text: string, size: number, limits = DOCUMENT_LIMITS): Record<string, unknown[]> {
  const reader = new JsonItems(limits);
  const items: Record<string, unknown[]> = {};
  const batches = [];
  for (let at = 0; at < text.length; at += size) batches.push(...reader.push(text.slice(at, at + size)));
  for (const batch of [...batches, ...reader.end()]) {
    if (batch.kind === 'items') items[batch.list] = [...(items[batch.list] ?? []), ...batch.items];
  }
  return items;
}

/** Revives JSON: a number that may have lost a digit is a text, on both sides of a comparison. */
const exact = (_: string, value: unknown) =>
  typeof value === 'number' && !isSafeNumber(String(value)) ? String(value) : value;

describe('lists and what stands around them', () => {
  test.each([
    ['[{"a":1},{"a":2}]', { '': [{ a: 1 }, { a: 2 }] }],
    ['[]', {}],
    ['{}', {}],
    ['', {}],
    [' \n', {}],
    ['[ ]', {}],
    ['null', { '': [null] }],
    ['""', { '': [''] }],
    ['5', { '': [5] }],
    ['{"":[{"a":""}]}', { '': [{ a: '' }] }],
    ['{"a":[1,{"x":2}],"b":{"c":[{"d":1}]}}', { 'b.c': [{ d: 1 }], '': [{ a: [1, { x: 2 }], b: {} }] }],
    ['[1,"two",null,[3]]', { '': [1, 'two', null, [3]] }],
    ['{"a":1}', { '': [{ a: 1 }] }],
    [
      '{"spec":{"ids":["A","B"]},"rows":[{"a":1}]}',
      { rows: [{ a: 1 }], '': [{ spec: { ids: ['A', 'B'] } }] },
    ],
    ['{"byDate":[{"d":1}],"byAsin":[{"x":2},{"x":3}]}', { byDate: [{ d: 1 }], byAsin: [{ x: 2 }, { x: 3 }] }],
    [
      '{"payload":{"orders":[{"items":[{"n":1}]}],"next":"t"}}',
      {
        'payload.orders': [{ items: [{ n: 1 }] }],
        '': [{ payload: { next: 't' } }],
      },
    ],
    ['{"rows":[]}', { '': [{ rows: [] }] }],
    ['{"a":{"rows":[{"x":1}]},"a":null,"b":1}', { 'a.rows': [{ x: 1 }], '': [{ a: null, b: 1 }] }],
    ['{"matrix":[[{"a":1}]],"s":["[{"]}', { '': [{ matrix: [[{ a: 1 }]], s: ['[{'] }] }],
    ['{"a\\"[{":[{"x":"]}\\\\"}]}', { 'a"[{': [{ x: ']}\\' }] }],
    [' { "rows" : [ { "a" : 1 } , { "a" : 2 } ] } \n', { rows: [{ a: 1 }, { a: 2 }] }],
  ])('%s', (text, expected) => {
    for (const size of [1, 2, 5, 1_000]) expect(itemsOf(text, size)).toEqual(expected);
  });

  test('any list of objects, in pieces of any size, is what JSON.parse makes of it', () => {
    const object = fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 3 }));
    fc.assert(
      fc.property(
        fc.array(object, { minLength: 1 }),
        fc.integer({ min: 1, max: 40 }),
        fc.nat(2),
        (rows, size, indent) => {
          const text = JSON.stringify({ rows }, undefined, indent);
          const read = JSON.parse(JSON.stringify(itemsOf(text, size)), exact);
          expect(read).toEqual({ rows: JSON.parse(JSON.stringify(rows), exact) });
        },
      ),
      { numRuns: RUNS_ALL ? 200 : 60, seed: 20261121 },
    );
  });

  test('a hundred lists are tables, further ones stay where they are', () => {
    const lists = Object.fromEntries(Array.from({ length: 103 }, (_, i) => [`list${i}`, [{ i }]]));
    const items = itemsOf(JSON.stringify(lists), 1_000);
    expect(Object.keys(items)).toHaveLength(101);
    expect(items['']).toEqual([{ list100: [{ i: 100 }], list101: [{ i: 101 }], list102: [{ i: 102 }] }]);
  });
});

test.each(['json', 'jsonl'] as const)('%s: no digit of a number is lost', async (format) => {
  const item = '{"id":12345678901234567890,"price":12.50,"small":0.1,"huge":1e999,"date":1763740800000}';
  const all = await read(format === 'json' ? `[${item}]` : `${item}\n${item}`, format);
  expect(all.items['']?.[0]).toEqual({
    id: '12345678901234567890',
    price: 12.5,
    small: 0.1,
    huge: '1e999',
    date: 1763740800000,
  });
});

describe('what is no whole JSON is refused', () => {
  test.each([
    '{"spec":{"ids":["A"]},"rows":[{"a":"x"},{"a":[1]}],"n":null}',
    '{"ids":["A","B"],"n":1}',
    '[{"a":1},{"b":[2]}]',
  ])('cut anywhere: %s', (whole) => {
    for (let length = 1; length < whole.length; length++) {
      expect(() => itemsOf(whole.slice(0, length), 7), whole.slice(0, length)).toThrow(/ends too early/);
    }
  });

  test.each([
    ['{"a":1}{"b":2}', 'what follows its end'],
    ['{"a":1}"b"', 'what follows its end'],
    ['[1]2', 'what follows its end'],
    ['[1,,2]', 'item 2 of a list'],
    ['[,1]', 'item 1 of a list'],
    ['[1,]', 'item 2 of a list'],
    ['[{"a":1} {"a":2}]', 'item 1 of a list'],
    ['[{"a":1}]]', 'what follows its end'],
    ['{"a" 1}', 'what stands outside its lists'],
    ['{"rows":[{"a":1]}', undefined],
    ['{a:[{"b":1}]}', 'the name of a member'],
    ['[{"a":1,}]', 'item 1 of a list'],
  ])('%s: at %s', (text, place) => {
    const message =
      place === undefined
        ? 'The JSON document ends too early.'
        : `The document is not valid JSON at ${place}.`;
    expect(() => itemsOf(text, 3)).toThrow(expect.objectContaining({ name: 'DocumentError', message }));
  });

  test('lines that are empty are none, and count', async () => {
    expect((await read('\n{"a":1}\n \n\t\n{"a":2}', 'jsonl')).items).toEqual({ '': [{ a: 1 }, { a: 2 }] });
    const lines = new JsonLines(DOCUMENT_LIMITS);
    expect(lines.push('\n \n')).toEqual([]);
    expect(() => lines.push('{}\nx\n')).toThrow('at line 4.');
  });

  test('lines: the line is told, and nothing of it', async () => {
    await expect(read('{"a":1}\n{"a":2}\n{"secret\n', 'jsonl')).rejects.toMatchObject({
      fault: 'damaged',
      message: 'The document is not valid JSON at line 3.',
    });
  });
});

describe('limits', () => {
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

  test('64 levels are read, 65 refused, wherever they are', async () => {
    for (const wrap of [
      (levels: number) => deep(levels),
      (levels: number) => `[{"a":${deep(levels - 2)}}]`,
      (levels: number) => `{"a":{"rows":[{"b":${deep(levels - 4)}}]}}`,
      (levels: number) => `{"x":1,"a":[1,${deep(levels - 2)}]}`,
    ]) {
      expect(() => itemsOf(wrap(64), 10)).not.toThrow();
      expect(() => itemsOf(wrap(65), 10)).toThrow('nests deeper than 64 levels');
    }
    const line = (levels: number) => `{"a":${deep(levels - 1)}}\n{"a":1}\n`;
    await expect(read(line(64), 'jsonl')).resolves.toBeDefined();
    await expect(read(line(65), 'jsonl')).rejects.toThrow('nests deeper than 64 levels');
    await expect(read(`{"a":1}\n${deep(2_000_000)}\n`, 'jsonl')).rejects.toThrow(
      'nests deeper than 64 levels',
    );
  });

  test('an item, and what stands outside lists, have as many characters as is stated', () => {
    const limits = { ...DOCUMENT_LIMITS, itemCharacters: 1_000 };
    const long = 'x'.repeat(1_000);
    expect(() => itemsOf(`[{"a":1},{"a":"${long}"}]`, 100, limits)).toThrow(
      'Item 2 of a list in the JSON document has more than 1000 characters, which is the limit.',
    );
    expect(() => itemsOf(`{"a":"${long}","rows":[{"a":1}]}`, 100, limits)).toThrow('outside the lists');
    for (const [head, tail] of [
      ['["', '"]'],
      ['{"a":"', '"}'],
    ] as const) {
      const outside = head === '["' ? 1 : 0;
      const sized = (length: number) =>
        `${head}${'x'.repeat(length + 2 * outside - head.length - tail.length)}${tail}`;
      expect(() => itemsOf(sized(1_000), 1_002, limits)).not.toThrow();
      expect(() => itemsOf(sized(1_001), 1_003, limits)).toThrow('has more than 1000 characters');
    }
    expect(() => itemsOf(`["${long}`, 100, limits)).toThrow('has more than 1000 characters');
  });

  test('many small members outside lists cost no more than reading them', () => {
    const isLinear = growsLinearly(8_000, (length) => {
      const text = `{${Array.from({ length }, (_, i) => `"k${i}":[{}]`).join(',')}}`;
      return () => expect(Object.keys(itemsOf(text, 65_536))).toHaveLength(101);
    });
    expect(isLinear).toBe(true);
  });
});

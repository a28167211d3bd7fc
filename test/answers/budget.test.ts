/** Every answer stays within its budget, and walking what was left out gives back the whole, exactly. */

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitToBudget, type Omission } from '../../src/answers/budget.ts';
import { parsePath } from '../../src/answers/path.ts';
import { selectMembers } from '../../src/answers/select.ts';
import { isJsonObject } from '../../src/json.ts';
import { tokensOf } from '../../src/text/shorten.ts';
import { AnswerCopy, canonical } from '../helpers/answer-copy.ts';

const SMALLEST = 500;

function bytesOf(answer: { value: unknown; omitted: Omission[] }): number {
  return tokensOf(JSON.stringify(answer));
}

/** Fetches the value answer by answer; every answer has to fit. */
function walk(whole: unknown, maxTokens: number): { copy: unknown; answers: number } {
  const copy = new AnswerCopy();
  const todo: string[] = [''];
  let answers = 0;
  for (let path = todo.shift(); path !== undefined; path = todo.shift()) {
    const selection = selectMembers(whole, [path]);
    expect(selection.unknown, path).toEqual([]);
    const answer = fitToBudget(selection.value, maxTokens, selection.part);
    expect(bytesOf(answer), path).toBeLessThanOrEqual(maxTokens);
    // An empty beginning brings nothing; its path begins at the same place again.
    const segments = parsePath(path) ?? [];
    const onlyJson = answer.value === null && answer.omitted[0]?.select[0] === '~json.0-';
    if (!onlyJson) copy.put(answer.value, segments);
    todo.unshift(...answer.omitted.flatMap((each) => each.select));
    answers += 1;
    if (answers > 5_000) throw new Error(`no end in sight at ${path}`);
  }
  return { copy: copy.finished(), answers };
}

const anyText = fc.oneof(
  { weight: 6, arbitrary: fc.string({ maxLength: 20 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 400, maxLength: 3000 }) },
  { weight: 1, arbitrary: fc.base64String({ minLength: 400, maxLength: 6000 }) },
);
const anyName = fc.oneof(
  { weight: 8, arbitrary: fc.string({ maxLength: 12 }) },
  { weight: 2, arbitrary: fc.stringMatching(/^[a-z]{1,10}$/) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '__proto__',
      'constructor',
      'toString',
      '0',
      '0-9',
      '#1',
      '*',
      '~json',
      '',
      'a.b',
      '"',
      '[0]',
    ),
  },
);
type Draw = <T>(arbitrary: () => fc.Arbitrary<T>) => T;

/** JSON of up to `nodes` values, drawn level by level. */
const anyLeaf = () =>
  fc.oneof(
    anyText,
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (n === 0 ? 0 : n)),
    fc.boolean(),
    fc.constant(null),
  );

function drawJson(draw: Draw, nodes: number, depth = 0): unknown {
  const kind =
    nodes < 2 || depth > 30
      ? 'leaf'
      : draw(() => fc.constantFrom('array', 'object', 'object', ...(depth < 2 ? [] : ['leaf'])));
  if (kind === 'leaf') return draw(anyLeaf);
  const many = draw(() =>
    fc.integer({
      min: depth === 0 ? 1 : 0,
      max: Math.min(
        nodes,
        draw(() => fc.constantFrom(1, 3, 25, 200)),
      ),
    }),
  );
  const each = Math.floor(nodes / Math.max(1, many));
  const values = Array.from({ length: many }, () => drawJson(draw, each, depth + 1));
  return kind === 'array' ? values : Object.fromEntries(values.map((value) => [draw(() => anyName), value]));
}

describe('fitToBudget', () => {
  test('a value that fits is unchanged and nothing is named', () => {
    const value = { payload: { sku: 'A-1' } };
    expect(fitToBudget(value, 500)).toEqual({ value, omitted: [] });
  });

  test('any JSON at all: within the budget, and the omissions lead to all of it', () => {
    fc.assert(
      fc.property(fc.gen(), fc.constantFrom(SMALLEST, 700, 2_000), (gen, maxTokens) => {
        const value = drawJson((arbitrary) => gen(arbitrary), 1500);
        const { copy } = walk(value, maxTokens);
        expect(canonical(copy)).toBe(canonical(value));
      }),
      { numRuns: 60, interruptAfterTimeLimit: 15_000, markInterruptAsFailure: true },
    );
  });

  const words = (length: number) => 'lorem ipsum '.repeat(Math.ceil(length / 12)).slice(0, length);
  const filled = (count: number, make: (i: number) => unknown) =>
    Array.from({ length: count }, (_, i) => make(i));
  const named = (count: number, make: (i: number) => unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`member${i}`, make(i)]));
  const nested = (depth: number, leaf: string): unknown =>
    JSON.parse(`${'{"a":['.repeat(depth / 2)}${JSON.stringify(leaf)}${']}'.repeat(depth / 2)}`);

  test.each<[string, unknown, number]>([
    ['one text of 200 KB', { document: words(60_000) }, SMALLEST],
    ['a text at the top', '\u{1F600}'.repeat(10_000), SMALLEST],
    ['lone surrogates', '\uD83D'.repeat(3_000), SMALLEST],
    ['a base64 label of 340 KB', { labels: [{ format: 'PDF', data: 'JVBERi0x'.repeat(42_500) }] }, 10_000],
    ['3,000 members', { attributes: named(3_000, (i) => [{ value: words(i % 90) }]) }, 2_000],
    [
      '5,000 elements',
      { payload: { Orders: filled(5_000, (i) => ({ id: i, buyer: { name: words(20) } })) } },
      2_000,
    ],
    ['numbers and blanks only', filled(6_000, (i) => (i % 3 === 0 ? null : i % 2 === 0)), SMALLEST],
    ['40 levels', nested(40, words(5_000)), SMALLEST],
    ['200 levels', nested(200, words(5_000)), SMALLEST],
    ['2,000 levels of small things', nested(2_000, 'x'), SMALLEST],
    ['names of 3 KB', { [words(3_000)]: { [words(3_000)]: words(3_000) }, b: words(3_000) }, SMALLEST],
    [
      'names of quotes and hidden characters',
      { ['"\u202E\\'.repeat(30)]: filled(300, () => words(30)) },
      SMALLEST,
    ],
    ['arrays in arrays', filled(12, () => filled(12, () => filled(12, (i) => words(i)))), SMALLEST],
  ])('walks %s', (_, value, maxTokens) => {
    const { copy, answers } = walk(value, maxTokens);
    expect(canonical(copy)).toBe(canonical(value));
    expect(answers).toBeGreaterThan(1);
  });

  test('walks what was selected, and no more than that', () => {
    const items = filled(400, (i) => ({ sku: `SKU-${i}`, secretNotes: words(500) }));
    const skus: unknown[] = [];
    const todo = ['items.sku'];
    for (let path = todo.shift(); path !== undefined; path = todo.shift()) {
      const { value, part } = selectMembers({ items }, [path]);
      const answer = fitToBudget(value, 600, part);
      expect(JSON.stringify(answer.value)).not.toContain('secretNotes');
      expect(bytesOf(answer)).toBeLessThanOrEqual(600);
      const shown: unknown = isJsonObject(answer.value) ? answer.value.items : [];
      skus.push(...(Array.isArray(shown) ? shown : []));
      todo.push(...answer.omitted.flatMap(({ select }) => select));
    }
    expect(skus).toEqual(filled(400, (i) => ({ sku: `SKU-${i}` })));
  });

  test('leaves out the largest members first, and fills what is left with the beginning of a list', () => {
    const payload = {
      asin: 'B0',
      attributes: named(300, () => words(1_000)),
      images: filled(500, () => words(90)),
      summaries: [1],
    };
    const { value, omitted } = fitToBudget({ payload }, 10_000);
    expect(omitted.map(({ select }) => select[0]?.replace(/\d+/, 'N'))).toEqual([
      'payload.attributes',
      'payload.images.N-499',
    ]);
    expect(value).toMatchObject({ payload: { asin: 'B0', summaries: [1] } });
    expect(tokensOf(JSON.stringify(value))).toBeGreaterThan(8_000);
    expect(omitted[0]).toMatchObject({
      what: 'object, 300 members',
      bytes: JSON.stringify(payload.attributes).length + 1,
    });
  });

  test('an encoded document keeps only its beginning, unless it is asked for', () => {
    const whole = { label: 'JVBERi0x'.repeat(10_000) };
    const first = fitToBudget(whole, 5_000);
    expect(first.value).toEqual({ label: whole.label.slice(0, 64) });
    expect(first.omitted).toMatchObject([
      { select: ['label.64-79999'], what: 'characters 64-79999 of 80000', bytes: 79_938 },
    ]);
    const asked = selectMembers(whole, ['label']);
    const { value } = fitToBudget(asked.value, 5_000, asked.part);
    expect(JSON.stringify(value).length).toBeGreaterThan(14_000);
  });

  test.each([0, 1, 5, 20, 60, 100, 200, 400])(
    'keeps to a budget of %i tokens even where nothing useful fits',
    (maxTokens) => {
      for (const value of [
        { a: words(9_000) },
        filled(900, () => [1]),
        nested(60, words(900)),
        named(90, () => words(90)),
      ]) {
        const answer = fitToBudget(value, maxTokens);
        const empty = tokensOf(JSON.stringify({ value: null, omitted: [] }));
        expect(bytesOf(answer)).toBeLessThanOrEqual(Math.max(maxTokens, empty));
      }
    },
  );

  test('the same value is always cut the same way', () => {
    const value = { payload: named(60, (i) => filled(i, (k) => words(k * 10))) };
    expect(fitToBudget(value, 900)).toEqual(fitToBudget(structuredClone(value), 900));
  });

  test('10 MB are cut without delay', () => {
    const value = { items: filled(20_000, (i) => ({ i, tags: filled(10, () => words(40)) })) };
    const start = performance.now();
    fitToBudget(value, 10_000);
    expect(performance.now() - start).toBeLessThan(8_000);
  });
});

/** Every answer stays within its budget, and walking what was left out gives back the whole, exactly. */

import { toUSVString } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJsonObject } from '../../../src/base/json.ts';
import { tokensOf } from '../../../src/base/text/shorten.ts';
import { fitToBudget } from '../../../src/render/value/fit-to-budget.ts';
import type { Omission } from '../../../src/render/value/omission.ts';
import { wholePart } from '../../../src/render/value/select/part.ts';
import { parsePath } from '../../../src/render/value/select/path.ts';
import { selectMembers } from '../../../src/render/value/select/select.ts';
import { AnswerCopy, canonical } from '../../helpers/answer-copy.ts';
import { anyCharacters } from '../../helpers/any-characters.ts';
import { growsLinearly } from '../../helpers/growth.ts';
import { RUNS_ALL } from '../../helpers/launch.ts';

const SMALLEST = 500;
const ONLY_IN_WHOLE = /; only in the whole answer, kept as a resource$/;

const cut = (value: unknown, maxTokens: number) => fitToBudget(wholePart(value), maxTokens);

function bytesOf(answer: { value: unknown; omitted: Omission[] }): number {
  return tokensOf(JSON.stringify(answer));
}

/** Fetches the value answer by answer; every answer has to fit, and what no path fetches has to say so. */
function walk(whole: unknown, maxTokens: number) {
  const copy = new AnswerCopy();
  const todo: string[] = [''];
  const outOfReach: Omission[] = [];
  let answers = 0;
  for (let path = todo.shift(); path !== undefined; path = todo.shift()) {
    const { part, unknown } = selectMembers(whole, [path]);
    expect(unknown, path).toEqual([]);
    const answer = fitToBudget(part, maxTokens);
    expect(bytesOf(answer), path).toBeLessThanOrEqual(maxTokens);
    copy.put(answer.value, parsePath(path) ?? []);
    for (const omission of answer.omitted) {
      const isNamed = omission.select.length > 0;
      expect(omission.what.match(ONLY_IN_WHOLE) === null, omission.what).toBe(isNamed);
      expect(omission.at === undefined).toBe(isNamed);
      if (!isNamed) outOfReach.push(omission);
    }
    todo.unshift(...answer.omitted.flatMap((each) => each.select));
    answers += 1;
    if (answers > 5_000) throw new Error(`no end in sight at ${path}`);
  }
  return { copy: copy.root, answers, outOfReach };
}

/** True where a copy holds nothing that the whole does not have at the same place: what is missing is null, cut or absent. */
function isPartOf(copy: unknown, whole: unknown): boolean {
  if (copy === null || copy === undefined) return true;
  if (typeof copy === 'string') return typeof whole === 'string' && whole.startsWith(copy);
  if (Array.isArray(copy)) {
    return Array.isArray(whole) && copy.every((element, i) => isPartOf(element, whole[i]));
  }
  if (!isJsonObject(copy)) return Object.is(copy, whole);
  return (
    isJsonObject(whole) &&
    Object.entries(copy).every(
      ([name, member]) => Object.hasOwn(whole, name) && isPartOf(member, whole[name]),
    )
  );
}

const anyText = fc.oneof(
  { weight: 6, arbitrary: fc.string({ maxLength: 20 }) },
  { weight: 2, arbitrary: anyCharacters({ maxLength: 30 }) },
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

interface Bounds {
  deepest: number;
  /** Most entries of one list. */
  widest: number;
}

function drawJson(draw: Draw, nodes: number, { deepest, widest }: Bounds, depth = 0): unknown {
  const kind =
    nodes < 2 || depth > deepest
      ? 'leaf'
      : draw(() => fc.constantFrom('array', 'object', 'object', ...(depth < 2 ? [] : ['leaf'])));
  if (kind === 'leaf') return draw(anyLeaf);
  const many = draw(() =>
    fc.integer({
      min: depth === 0 ? 1 : 0,
      max: Math.min(
        nodes,
        draw(() => fc.constantFrom(1, 3, 25, widest)),
      ),
    }),
  );
  const each = Math.floor(nodes / Math.max(1, many));
  const values = Array.from({ length: many }, () => drawJson(draw, each, { deepest, widest }, depth + 1));
  return kind === 'array' ? values : Object.fromEntries(values.map((value) => [draw(() => anyName), value]));
}

/** The first failure is told as it is, because to make a value of thousands of parts smaller takes hours. */
const RUNS = { numRuns: RUNS_ALL ? 60 : 20, endOnFailure: true };

describe('fitToBudget', () => {
  test('a value that fits is unchanged and nothing is named', () => {
    const value = { payload: { sku: 'A-1' } };
    expect(cut(value, 500)).toEqual({ value, omitted: [] });
  });

  test.each(['', 'a', 'a '])('a text that begins with %j is cut between two characters', (start) => {
    const shown = String(cut(start + '\u{1F600}'.repeat(10_000), SMALLEST).value);
    expect(shown.length).toBeGreaterThan(start.length);
    expect(toUSVString(shown)).toBe(shown);
  });

  test('any JSON at all: within the budget, and the omissions lead to all of it that has short names', () => {
    fc.assert(
      fc.property(fc.gen(), fc.constantFrom(SMALLEST, 700, 2_000), (gen, maxTokens) => {
        const value = drawJson((arbitrary) => gen(arbitrary), 1500, { deepest: 30, widest: 200 });
        const { copy, outOfReach } = walk(value, maxTokens);
        expect(isPartOf(copy, value)).toBe(true);
        if (outOfReach.length === 0) expect(canonical(copy)).toBe(canonical(value));
      }),
      RUNS,
    );
  });

  test('of an ordinary answer every byte is within reach', () => {
    fc.assert(
      fc.property(fc.gen(), fc.constantFrom(1_000, 2_000), (gen, maxTokens) => {
        const value = drawJson((arbitrary) => gen(arbitrary), 400, { deepest: 6, widest: 25 });
        const { copy, outOfReach } = walk(value, maxTokens);
        expect(outOfReach).toEqual([]);
        expect(canonical(copy)).toBe(canonical(value));
      }),
      RUNS,
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
    ['250 members', { attributes: named(250, (i) => [{ value: words(i % 90) }]) }, 4_000],
    [
      '1,000 elements',
      { payload: { Orders: filled(1_000, (i) => ({ id: i, buyer: { name: words(20) } })) } },
      2_000,
    ],
    ['numbers and blanks only', filled(2_000, (i) => (i % 3 === 0 ? null : i % 2 === 0)), SMALLEST],
    ['64 levels', nested(64, words(5_000)), SMALLEST],
    ['arrays in arrays', filled(12, () => filled(12, () => filled(12, (i) => words(i)))), SMALLEST],
  ])('walks %s', (_, value, maxTokens) => {
    const { copy, answers, outOfReach } = walk(value, maxTokens);
    expect(outOfReach).toEqual([]);
    expect(canonical(copy)).toBe(canonical(value));
    expect(answers).toBeGreaterThan(1);
  });

  const noPath = (at: string, what: string, bytes: number) => ({
    select: [],
    what: `${what}; only in the whole answer, kept as a resource`,
    bytes,
    at,
  });

  test('what has no short path says where it stood, and that it is only in the whole answer', () => {
    const odd = { ['"\u202E\\'.repeat(30)]: filled(300, () => words(30)), b: words(40) };
    expect(cut({ a: odd }, SMALLEST)).toMatchObject({
      value: { a: { b: odd.b } },
      omitted: [noPath('a', 'elements 32-299 of 300', 8_844)],
    });
    // Together with others it is left out as a whole, by a path that gives it more room.
    expect(cut({ a: odd, c: words(900) }, SMALLEST)).toMatchObject({
      value: { c: words(900) },
      omitted: [{ select: ['a'], what: 'object, 2 members' }],
    });
    const long = { [words(3_000)]: { [words(3_000)]: 1 }, b: words(3_000) };
    expect(cut(long, SMALLEST).omitted).toContainEqual(noPath('', 'object, 1 members', 3_007));
  });

  test('of very many members the smallest are shown, the others named, fifty at a time, the rest counted', () => {
    const attributes = named(300, (i) => words(100 + i));
    const { value, omitted } = cut({ attributes }, 6_000);
    const shown = isJsonObject(value) && isJsonObject(value.attributes) ? Object.keys(value.attributes) : [];
    expect(shown.length).toBeGreaterThan(60);
    expect(shown).toEqual(Object.keys(attributes).slice(0, shown.length));
    expect(omitted.flatMap(({ select }) => select)).toEqual(
      Object.keys(attributes)
        .slice(shown.length)
        .map((name) => `attributes.${name}`),
    );
    expect(omitted.map(({ select }) => select.length).slice(0, -1)).toEqual(omitted.slice(1).map(() => 50));
    expect(omitted[0]?.what).toBe('50 of 300 members');
    const { omitted: fewer } = cut({ attributes }, 1_000);
    const byName = fewer.flatMap(({ select }) => select);
    const counted =
      300 - byName.length - Object.keys(Object(Object(cut({ attributes }, 1_000).value).attributes)).length;
    expect(fewer.at(-1)).toMatchObject({
      select: [],
      what: `${counted} of 300 members; only in the whole answer, kept as a resource`,
      at: 'attributes',
    });
  });

  test('very many members beside others are left out as one, by its path', () => {
    const whole = { sku: 'A-1', attributes: named(3_000, () => words(90)) };
    expect(cut(whole, 1_000)).toMatchObject({
      value: { sku: 'A-1' },
      omitted: [{ select: ['attributes'], what: 'object, 3000 members' }],
    });
  });

  test('walks what was selected, and no more than that', () => {
    const items = filled(400, (i) => ({ sku: `SKU-${i}`, secretNotes: words(500) }));
    const skus: unknown[] = [];
    const todo = ['items.sku'];
    for (let path = todo.shift(); path !== undefined; path = todo.shift()) {
      const answer = fitToBudget(selectMembers({ items }, [path]).part, 600);
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
    const { value, omitted } = cut({ payload }, 10_000);
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
    const first = cut(whole, 5_000);
    expect(first.value).toEqual({ label: whole.label.slice(0, 64) });
    expect(first.omitted).toMatchObject([
      { select: ['label.64-79999'], what: 'characters 64-79999 of 80000', bytes: 79_938 },
    ]);
    const asked = selectMembers(whole, ['label']);
    const { value } = fitToBudget(asked.part, 5_000);
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
        const answer = cut(value, maxTokens);
        const empty = tokensOf(JSON.stringify({ value: null, omitted: [] }));
        expect(bytesOf(answer)).toBeLessThanOrEqual(Math.max(maxTokens, empty));
      }
    },
  );

  test('the same value is always cut the same way', () => {
    const value = { payload: named(60, (i) => filled(i, (k) => words(k * 10))) };
    expect(cut(value, 900)).toEqual(cut(structuredClone(value), 900));
  });

  test('10 MB are cut in time that grows no faster than they do', () => {
    const isLinear = growsLinearly(2_000, (size) => {
      const value = { items: filled(size, (i) => ({ i, tags: filled(10, () => words(40)) })) };
      return () => cut(value, 10_000);
    });
    expect(isLinear).toBe(true);
  });
});

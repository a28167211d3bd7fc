/** Both forms of an answer stay within the budget, tell the same, and say what is missing and how to fetch it. */

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJsonObject } from '../../../src/base/json.ts';
import { DATA_NOTE } from '../../../src/base/text/escape-text.ts';
import { tokensOf } from '../../../src/base/text/shorten.ts';
import { describeItem } from '../../../src/render/listing/item.ts';
import { fitValue } from '../../../src/render/value/fit-value.ts';
import { anyCharacters } from '../../helpers/any-characters.ts';
import { expectOnlyIn } from '../../helpers/only-in.ts';
import { item } from '../listing/sample-item.ts';

const options = {
  now: 0,
  marketplaceName: (id: string) => (id === 'ATVPDKIKX0DER' ? 'US' : undefined),
  complete: true,
};
const describePayload = (value: unknown, maxTokens: number) =>
  describeItem(isJsonObject(value) ? value.payload : value, {
    ...options,
    maxTokens,
    path: 'payload.issues',
  });

describe('fitValue', () => {
  test('sets attributes aside with their names and size, and gives them when selected', () => {
    const whole = { payload: item };
    const first = fitValue(whole, {
      maxTokens: 5_000,
      aside: ['payload.attributes'],
      describe: describePayload,
    });
    expect(JSON.stringify(first.value)).not.toContain('attributes"');
    expect(first.aside).toEqual([
      {
        select: ['payload.attributes'],
        what: 'object, 2 members',
        bytes: expect.any(Number),
        names: ['brand', 'item_name'],
      },
    ]);
    expect(first.text).toContain('- payload.attributes (object, 2 members; ');
    expect(first.text.startsWith(DATA_NOTE)).toBe(true);
    const asked = fitValue(whole, {
      maxTokens: 5_000,
      aside: ['payload.attributes'],
      select: ['payload.attributes.brand'],
    });
    expect(asked.value).toEqual({ payload: { attributes: { brand: [{ value: 'Acme' }] } } });
    expect(asked.aside).toEqual([]);
  });

  test('tells of a path that leads nowhere, with the nearest one', () => {
    const { text, unknown } = fitValue({ payload: item }, { maxTokens: 5_000, select: ['payload.isues'] });
    expect(unknown).toMatchObject([{ nearest: 'payload.issues' }]);
    expect(text).toContain('Nothing at payload.isues; did you mean payload.issues?');
  });

  test('any JSON, any budget: both forms fit', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(fc.jsonValue({ maxDepth: 5 }), anyCharacters({ minLength: 500, maxLength: 4_000 })),
          {
            maxLength: 30,
          },
        ),
        fc.constantFrom(500, 1_000, 3_000),
        fc.array(fc.string(), { maxLength: 8 }),
        (value, maxTokens, select) => {
          for (const whole of [{ payload: value }, { payload: { ...item, extra: value, issues: value } }]) {
            const { text, ...structured } = fitValue(whole, {
              maxTokens,
              select: value.length % 2 === 0 ? [] : select,
              describe: describePayload,
            });
            expect(tokensOf(text)).toBeLessThanOrEqual(maxTokens);
            expect(tokensOf(JSON.stringify(structured))).toBeLessThanOrEqual(maxTokens);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test('a text that would be longer than the JSON makes both forms shorter, not only one', () => {
    const whole = { rows: Array.from({ length: 3_000 }, (_, i) => [[[i]], { a: { b: [`x y ${i}`] } }]) };
    const { text, omitted, value } = fitValue(whole, { maxTokens: 1_000 });
    expect(tokensOf(text)).toBeLessThanOrEqual(1_000);
    const cut = fitValue({ a: 1 }, { maxTokens: 100, describe: () => 'line\n'.repeat(100) });
    expectOnlyIn('text cut here', cut.text, text);
    expect(omitted).not.toEqual([]);
    const rows: unknown = isJsonObject(value) ? value.rows : [];
    expect(text).toContain(`x y ${(Array.isArray(rows) ? rows.length : 0) - 1}`);
  });
});

test.each(['a b', 'some words of a text', '1', 'x, y: z'])(
  'texts like %j fit every budget to the token',
  (text) => {
    const whole = { list: Array.from({ length: 3_000 }, () => text) };
    for (let maxTokens = 500; maxTokens < 1_500; maxTokens += 37) {
      expect(tokensOf(fitValue(whole, { maxTokens }).text)).toBeLessThanOrEqual(maxTokens);
    }
  },
);

describe('the notes below an answer', () => {
  test('what was left out, with the paths and sizes, those of the service delimited', () => {
    const whole = { a: 'x '.repeat(5_000), 'odd «name»': [1, 'y '.repeat(4_000)], b: 1 };
    const { text, omitted } = fitValue(whole, { maxTokens: 1_000 });
    expect(omitted.length).toBeGreaterThan(1);
    const lines = text.split('\n');
    const start = lines.indexOf('Left out to stay within the budget; fetch with `select`:');
    expect(lines.slice(start + 1)).toEqual(
      omitted.map(({ select, what, bytes }) => {
        const path = select[0]?.startsWith('a')
          ? select[0]
          : `«${select[0]?.replace('«', '\\u{AB}').replace('»', '\\u{BB}')}»`;
        return `- ${path} (${what}; ${bytes} bytes)`;
      }),
    );
    expect(text.startsWith(`${DATA_NOTE}\n`)).toBe(true);
  });

  test('what no path fetches, with the place where it stood', () => {
    const name = 'n '.repeat(200);
    const only = '; only in the whole answer, kept as a resource; ';
    expect(fitValue({ [name]: 'x '.repeat(2_000) }, { maxTokens: 900 }).text).toContain(
      '- at the top (characters ',
    );
    expect(fitValue({ a: { [name]: 'x '.repeat(2_000) } }, { maxTokens: 900 }).text).toMatch(
      new RegExp(`\n- in a \\(characters \\d+-3999 of 4000${only}\\d+ bytes\\)$`),
    );
  });

  test('nothing is noted where nothing is missing, and no word about delimiters where there are none', () => {
    expect(fitValue({ a: 1 }, { maxTokens: 500 })).toEqual({
      value: { a: 1 },
      omitted: [],
      aside: [],
      unknown: [],
      text: 'a: 1',
    });
    expect(fitValue({ a: 'b c' }, { maxTokens: 500 }).text).toBe(`${DATA_NOTE}\na: «b c»`);
  });

  test('what was set aside, with its names where they take no more than a quarter', () => {
    const attributes = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`attribute ${i}`, i]));
    const build = (maxTokens: number) => fitValue({ attributes, a: 1 }, { maxTokens, aside: ['attributes'] });
    expect(build(2_000).text).toMatch(
      /^a: 1\nOnly on request, with `select`:\n- attributes \(object, 60 members; \d+ bytes\): «attribute 0», «attribute 1», /m,
    );
    const { text, aside } = build(600);
    expect(aside).toMatchObject([{ select: ['attributes'], names: [] }]);
    expect(text).toMatch(/\n- attributes \(object, 60 members; \d+ bytes\)$/);
  });

  test('paths that lead nowhere, with what could have been meant', () => {
    const whole = { payload: { issues: [1, 2], sku: 'A', 'odd name': 1 } };
    const notes = (path: string) =>
      fitValue(whole, { maxTokens: 900, select: [path] })
        .text.split('\n')
        .at(-1);
    expect(notes('payload.isues')).toBe(
      'Nothing at payload.isues; did you mean payload.issues? (in payload: issues, sku, «"odd name"»)',
    );
    expect(notes('x')).toBe('Nothing at x (at the top: payload)');
    expect(notes('payload.sku.x y')).toBe('Nothing at «payload.sku.x y» (in payload.sku: 0)');
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`n${i}`, 1]));
    expect(fitValue(many, { maxTokens: 900, select: ['zzz'] }).text).toMatch(/, n29, 10 more\)$/);
  });

  test('of many paths that lead nowhere as many are told as fit into a quarter', () => {
    const select = Array.from({ length: 50 }, (_, i) => `nothing-of-this-name-${i}`);
    const { unknown, text } = fitValue({ a: 1 }, { maxTokens: 900, select });
    expect(unknown.length).toBeGreaterThan(5);
    expect(unknown.length).toBeLessThan(50);
    expect(Buffer.byteLength(unknown.map((each) => `${JSON.stringify(each)},`).join(''))).toBeLessThanOrEqual(
      675,
    );
    expect(text.match(/Nothing at/g)).toHaveLength(unknown.length);
  });

  test('a path is delimited like any text of the service, and cut', () => {
    const select = [`${'n '.repeat(200)}«end»`];
    expect(fitValue({ a: 1 }, { maxTokens: 900, select }).text).toContain(`Nothing at «${'n '.repeat(150)}»`);
  });
});

describe('a text that is too long', () => {
  const long = Array.from({ length: 400 }, (_, i) => `line ${i} of a text`);

  test('is cut behind whole lines, and says so', () => {
    const { text } = fitValue({ a: 1 }, { maxTokens: 500, describe: () => long.join('\n') });
    const lines = text.split('\n');
    expect(lines.pop()).toBe('(text cut here; the structured content goes on)');
    expect(lines).toEqual(long.slice(0, lines.length));
    expect(tokensOf(text)).toBeLessThanOrEqual(500);
    expect(tokensOf(`${text}\n${long[lines.length]}`)).toBeGreaterThan(500);
  });

  test('its writer is told what room there is, less what stands below it', () => {
    const rooms: number[] = [];
    const describe = (_: unknown, room: number) => {
      rooms.push(room);
      return 'x';
    };
    fitValue({ a: 1 }, { maxTokens: 500, describe });
    fitValue({ a: 1, b: 2 }, { maxTokens: 500, describe, aside: ['b'] });
    expect(rooms[0]).toBe(500 - tokensOf(DATA_NOTE) - 1);
    expect(rooms[1]).toBe(
      500 - tokensOf(DATA_NOTE) - 1 - tokensOf('Only on request, with `select`:\n- b (number; 1 bytes)'),
    );
  });

  test('the value is made smaller until its text fits, five times at most', () => {
    let calls = 0;
    const describe = () => {
      calls += 1;
      return 'x\n'.repeat(3_000);
    };
    fitValue({ list: Array.from({ length: 900 }, (_, i) => i) }, { maxTokens: 1_000, describe });
    expect(calls).toBeGreaterThan(1);
    expect(calls).toBeLessThanOrEqual(6);
  });
});

test('hidden characters are spelled out in both forms, whether the JSON is given or not', () => {
  const whole = { 'a\u202e': 'b\u202ec' };
  for (const json of [undefined, JSON.stringify(whole)]) {
    const { value, text } = fitValue(whole, { maxTokens: 500, ...(json === undefined ? {} : { json }) });
    expect(value).toEqual({ 'a\\u{202E}': 'b\\u{202E}c' });
    expect(text).toContain('«b\\u{202E}c»');
  }
});

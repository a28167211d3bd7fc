/** Both forms of an answer stay within the budget, tell the same, and say what is missing and how to fetch it. */

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildAnswer } from '../../src/answers/answer.ts';
import { describeItem } from '../../src/answers/listing/item.ts';
import { isJsonObject } from '../../src/json.ts';
import { DATA_NOTE } from '../../src/text/escape-text.ts';
import { tokensOf } from '../../src/text/shorten.ts';
import { item } from './listing/sample-item.ts';

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

describe('buildAnswer', () => {
  test('sets attributes aside with their names and size, and gives them when selected', () => {
    const whole = { payload: item };
    const first = buildAnswer(whole, {
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
    const asked = buildAnswer(whole, {
      maxTokens: 5_000,
      aside: ['payload.attributes'],
      select: ['payload.attributes.brand'],
    });
    expect(asked.value).toEqual({ payload: { attributes: { brand: [{ value: 'Acme' }] } } });
    expect(asked.aside).toEqual([]);
  });

  test('tells of a path that leads nowhere, with the nearest one', () => {
    const { text, unknown } = buildAnswer({ payload: item }, { maxTokens: 5_000, select: ['payload.isues'] });
    expect(unknown).toMatchObject([{ nearest: 'payload.issues' }]);
    expect(text).toContain('Nothing at payload.isues; did you mean payload.issues?');
  });

  test('any JSON, any budget: both forms fit', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.jsonValue({ maxDepth: 5 }),
            fc.string({ unit: 'binary', minLength: 500, maxLength: 4_000 }),
          ),
          { maxLength: 30 },
        ),
        fc.constantFrom(500, 1_000, 3_000),
        fc.array(fc.string(), { maxLength: 8 }),
        (value, maxTokens, select) => {
          for (const whole of [{ payload: value }, { payload: { ...item, extra: value, issues: value } }]) {
            const { text, ...structured } = buildAnswer(whole, {
              maxTokens,
              select: value.length % 2 === 0 ? [] : select,
              describe: describePayload,
            });
            expect(tokensOf(text)).toBeLessThanOrEqual(maxTokens);
            expect(tokensOf(JSON.stringify(structured))).toBeLessThanOrEqual(maxTokens);
          }
        },
      ),
      { numRuns: 60, interruptAfterTimeLimit: 15_000, markInterruptAsFailure: true },
    );
  });

  test('a text that would be longer than the JSON makes both forms shorter, not only one', () => {
    const whole = { rows: Array.from({ length: 3_000 }, (_, i) => [[[i]], { a: { b: [`x y ${i}`] } }]) };
    const { text, omitted, value } = buildAnswer(whole, { maxTokens: 1_000 });
    expect(tokensOf(text)).toBeLessThanOrEqual(1_000);
    expect(text).not.toContain('text cut here');
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
      expect(tokensOf(buildAnswer(whole, { maxTokens }).text)).toBeLessThanOrEqual(maxTokens);
    }
  },
);

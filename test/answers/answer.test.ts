/** Both forms of an answer stay within the budget, tell the same, and say what is missing and how to fetch it. */

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildAnswer } from '../../src/answers/answer.ts';
import { describeItem } from '../../src/answers/listing/item.ts';
import { renderValue } from '../../src/answers/render.ts';
import { isJsonObject } from '../../src/json.ts';
import { DATA_NOTE } from '../../src/text/escape-text.ts';
import { tokensOf } from '../../src/text/shorten.ts';

const item = {
  sku: 'ACME-1',
  summaries: [
    {
      marketplaceId: 'ATVPDKIKX0DER',
      asin: 'B012345678',
      productType: 'WIDGET',
      conditionType: 'new_new',
      status: ['BUYABLE'],
      fnSku: 'X001',
      itemName: 'Blue widget',
      createdDate: '2024-01-02T03:04:05Z',
      lastUpdatedDate: '2024-02-02T03:04:05.006Z',
      mainImage: { link: 'https://img.example/1.png', height: 400, width: 500 },
      novelMember: { a: [1, 2] },
    },
  ],
  issues: [{ code: '1', message: 'Image too small', severity: 'WARNING', attributeNames: ['main_image'] }],
  offers: [
    {
      marketplaceId: 'ATVPDKIKX0DER',
      offerType: 'B2C',
      price: { currencyCode: 'USD', amount: '19.90' },
      points: { pointsNumber: 3, pointsMonetaryValue: { currencyCode: 'USD', amount: 1.5 } },
      audience: { value: 'ALL', displayName: 'All buyers' },
    },
  ],
  fulfillmentAvailability: [
    { fulfillmentChannelCode: 'DEFAULT', quantity: 4 },
    { fulfillmentChannelCode: 'AMAZON_NA' },
  ],
  procurement: [{ costPrice: { currencyCode: 'USD', amount: '1.00' } }],
  attributes: { brand: [{ value: 'Acme' }], item_name: [{ value: 'Blue widget' }] },
};
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

describe('describeItem', () => {
  test('reads like a person would write it, every value as sent', () => {
    const { attributes, ...rest } = item;
    expect(describeItem(rest, options)).toBe(
      [
        'SKU ACME-1',
        'US: ASIN B012345678, «Blue widget», product type WIDGET, condition new_new, FNSKU X001, created 2024-01-02T03:04:05Z, updated 2024-02-02T03:04:05.006Z, image «https://img.example/1.png» 500 x 400',
        '  novelMember: { a: [1, 2] }',
        '1 issue: 1 warning',
        'Status in US: BUYABLE',
        '1. WARNING 1',
        '   «Image too small»',
        '   attributes: main_image',
        'Price in US: 19.90 USD, B2C, audience ALL «All buyers», 3 points worth 1.5 USD',
        'Stock: DEFAULT 4, AMAZON_NA (quantity not sent)',
        'Cost price: 1.00 USD',
      ].join('\n'),
    );
  });

  test('any JSON in the place of its members: no exception, and no scalar is lost', () => {
    const member = fc.jsonValue({ maxDepth: 3, noUnicodeString: false });
    const odd = fc.record(
      {
        sku: member,
        summaries: fc.oneof(
          member,
          fc.array(fc.record({ asin: member, mainImage: member, marketplaceId: member })),
        ),
        offers: fc.oneof(member, fc.array(fc.record({ price: member, points: member }))),
        fulfillmentAvailability: member,
        procurement: member,
      },
      { requiredKeys: [] },
    );
    const numbers = (value: unknown): string[] =>
      typeof value === 'number'
        ? [String(value)]
        : typeof value === 'object' && value !== null
          ? Object.values(value).flatMap(numbers)
          : [];
    fc.assert(
      fc.property(odd, (value) => {
        const text = describeItem(value, options);
        for (const number of numbers(value)) expect(text).toContain(number);
      }),
    );
  });

  test('the status is told without the issues too, in whatever shape it came', () => {
    const { summaries } = item;
    expect(describeItem({ summaries }, { now: 0 })).toContain('Status in ATVPDKIKX0DER: BUYABLE');
    expect(describeItem({ summaries: [{ status: { odd: 'SHAPE' } }] }, { now: 0 })).toContain(
      'status: { odd: SHAPE }',
    );
  });

  test('an array or a text in the place of the item is shown', () => {
    expect(describeItem('not an item', options)).toBe('«not an item»');
    expect(describeItem([1, 2], options)).toContain('1');
  });
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

describe('renderValue', () => {
  test.each<[unknown, string[]]>([
    [
      { a: 1, b: 'two words', c: null, d: true, e: '' },
      ['a: 1', 'b: «two words»', 'c: null', 'd: true', 'e: «»'],
    ],
    [
      { price: { currencyCode: 'EUR', amount: '10.50' }, p2: { CurrencyCode: 'EUR', Amount: 3 } },
      ['price: 10.50 EUR', 'p2: 3 EUR'],
    ],
    [
      { status: ['BUYABLE', 'DISCOVERABLE'], none: [], empty: {} },
      ['status: BUYABLE, DISCOVERABLE', 'none: []', 'empty: {}'],
    ],
    [
      {
        rows: Array.from({ length: 3 }, (_, i) => ({
          id: i,
          name: 'a name of some length',
          price: { currencyCode: 'EUR', amount: `${i}` },
        })),
      },
      [
        'rows (3):',
        '  id | name | price',
        '  0 | «a name of some length» | 0 EUR',
        '  1 | «a name of some length» | 1 EUR',
        '  2 | «a name of some length» | 2 EUR',
      ],
    ],
    [{ 'odd name': 'x|y' }, ['«odd name»: «x|y»']],
    [
      { list: [{ a: 'long '.repeat(20) }, 'b c', 3] },
      ['list (3):', `  - a: «${'long '.repeat(20)}»`, '  - «b c»', '  - 3'],
    ],
    [
      { money: { currencyCode: 'EUR', amount: '1', tax: 2 } },
      ['money: { currencyCode: EUR, amount: 1, tax: 2 }'],
    ],
    ['text', ['text']],
    [[], ['[]']],
    [{}, ['{}']],
  ])('%j', (value, lines) => {
    expect(renderValue(value)).toEqual(lines);
  });

  test('a cell that is missing is a dash, and tables with too many gaps are none', () => {
    expect(renderValue([{ a: 1, b: 2 }, { a: 3 }])).toEqual(['a | b', '1 | 2', '3 | -']);
    expect(renderValue([{ a: 1 }, { b: 2 }, { c: 3 }])).toEqual(['- { a: 1 }', '- { b: 2 }', '- { c: 3 }']);
  });
});

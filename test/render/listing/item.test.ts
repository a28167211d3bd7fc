/** An item reads like a person would write it, and nothing that was sent is lost. */

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeItem } from '../../../src/render/listing/item.ts';
import { expectOnlyIn } from '../../helpers/only-in.ts';
import { item } from './sample-item.ts';

const options = {
  now: 0,
  marketplaceName: (id: string) => (id === 'ATVPDKIKX0DER' ? 'US' : undefined),
  complete: true,
};
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

  const issues = Array.from({ length: 30 }, (_, i) => ({ code: `${i}`, message: 'm', severity: 'ERROR' }));

  test('issues are counted and explained before the cut: from the whole item, not from what was left of it', () => {
    const cut = { sku: 'A', issues: issues.slice(0, 2) };
    const text = describeItem(cut, { now: 0, whole: { sku: 'A', issues }, complete: true });
    expect(text).toContain('30 issues: 30 errors');
    expect(text).toContain('30. ERROR 29');
    expect(describeItem({ sku: 'A' }, { now: 0, whole: { issues }, complete: true })).toContain(
      '30 issues: 30 errors',
    );
    expect(describeItem(cut, { now: 0 })).toContain('2 issues: 2 errors');
  });

  test('an item without issues is told to have none only where nothing was selected', () => {
    expect(describeItem({ sku: 'A' }, { now: 0, complete: true })).toBe(
      'SKU A\nWhether there are issues is not known (the answer has no `issues`)',
    );
    expect(describeItem({ sku: 'A' }, { now: 0, complete: false })).toBe('SKU A');
    expect(describeItem({ sku: 'A', issues: [] }, { now: 0 })).toBe('SKU A\nNo issues');
  });

  test('the issues leave room for the lines around them', () => {
    const notes = { note: 'x '.repeat(600) };
    const text = describeItem({ ...notes, issues }, { now: 0, maxTokens: 700 });
    expect(text).toContain('more issues left out to stay within the budget; select issues.');
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_100);
    expectOnlyIn('left out', text, describeItem({ issues }, { now: 0, maxTokens: 700 }));
  });

  test('sku, summaries and issues come first, the other members in the order in which they were sent', () => {
    const text = describeItem(
      { zeta: 1, issues: [], summaries: [{ asin: 'B1' }], sku: 'S', alpha: 2 },
      { now: 0 },
    );
    expect(text.split('\n')).toEqual(['SKU S', 'ASIN B1', 'No issues', 'zeta: 1', 'alpha: 2']);
    expect(describeItem({ sku: 5, toString: 'x' }, { now: 0 })).toBe('sku: 5\ntoString: x');
  });

  test.each<[object, string[]]>([
    [{ summaries: [] }, ['summaries: []']],
    [{ summaries: [{ asin: 'B1' }, 5] }, ['summaries: [{ asin: B1 }, 5]']],
    [{ summaries: [{}] }, []],
    [{ summaries: [{ marketplaceId: 'A' }] }, []],
    [{ summaries: [{ marketplaceId: 7, asin: 'B1' }] }, ['ASIN B1', '  marketplaceId: 7']],
    [{ summaries: [{ itemName: 5 }] }, ['  itemName: 5']],
    [{ summaries: [{ asin: 5, fnSku: 'F' }] }, ['FNSKU F', '  asin: 5']],
    [{ summaries: [{ status: 'BUYABLE' }] }, ['Status: BUYABLE']],
    [
      { summaries: [{ marketplaceId: 'A', asin: 'B1', status: [] }] },
      ['A: ASIN B1', 'Status in A: neither BUYABLE nor DISCOVERABLE'],
    ],
    [
      { summaries: [{ mainImage: { link: 'L', height: 1 } }, { mainImage: { link: 'L', width: 1 } }] },
      ['  mainImage: { link: L, height: 1 }', '  mainImage: { link: L, width: 1 }'],
    ],
    [{ summaries: [{ mainImage: { link: 'L' } }] }, ['image L']],
    [{ summaries: [{ mainImage: { link: 'L', height: 2, width: 3 } }] }, ['image L 3 x 2']],
    [{ summaries: [{ mainImage: { link: 5 } }] }, ['  mainImage: { link: 5 }']],
    [{ summaries: [{ mainImage: { link: 'L', alt: 'x' } }] }, ['  mainImage: { link: L, alt: x }']],
    [{ offers: [{ price: { currencyCode: 'EUR', amount: 5 } }] }, ['Price: 5 EUR']],
    [{ offers: [{ marketplaceId: 'A', offerType: 'B2C' }] }, ['Price in A: B2C']],
    [{ offers: [{ offerType: 5 }] }, ['Price:', '  offerType: 5']],
    [{ offers: { a: 1 } }, ['offers: { a: 1 }']],
    [{ offers: [{ audience: { value: 'ALL' } }] }, ['Price: audience ALL']],
    [{ offers: [{ audience: { value: 'ALL', displayName: 'a b' } }] }, ['Price: audience ALL «a b»']],
    [
      { offers: [{ audience: { value: 'ALL', displayName: 5 } }] },
      ['Price:', '  audience: { value: ALL, displayName: 5 }'],
    ],
    [{ offers: [{ audience: { value: 5 } }] }, ['Price:', '  audience: { value: 5 }']],
    [{ offers: [{ points: { pointsNumber: 3 } }] }, ['Price: 3 points']],
    [{ offers: [{ points: { pointsNumber: '3' } }] }, ['Price:', '  points: { pointsNumber: 3 }']],
    [
      { offers: [{ points: { pointsNumber: 3, pointsMonetaryValue: { currencyCode: 'EUR', amount: 1 } } }] },
      ['Price: 3 points worth 1 EUR'],
    ],
    [
      { offers: [{ points: { pointsNumber: 3, pointsMonetaryValue: 'x '.repeat(50) } }] },
      ['Price:', '  points:', '    pointsNumber: 3', `    pointsMonetaryValue: «${'x '.repeat(50)}»`],
    ],
    [{ offers: [{ points: 5 }] }, ['Price:', '  points: 5']],
    [{ fulfillmentAvailability: [] }, ['fulfillmentAvailability: []']],
    [{ fulfillmentAvailability: [{ fulfillmentChannelCode: 'D', quantity: 0 }] }, ['Stock: D 0']],
    [{ fulfillmentAvailability: [{ fulfillmentChannelCode: 'D' }] }, ['Stock: D (quantity not sent)']],
    [
      { fulfillmentAvailability: [{ fulfillmentChannelCode: 'D', quantity: '4' }] },
      ['fulfillmentAvailability: [{ fulfillmentChannelCode: D, quantity: 4 }]'],
    ],
    [
      { fulfillmentAvailability: [{ fulfillmentChannelCode: 5 }] },
      ['fulfillmentAvailability: [{ fulfillmentChannelCode: 5 }]'],
    ],
    [
      { fulfillmentAvailability: [{ fulfillmentChannelCode: 'D', other: 1 }] },
      ['fulfillmentAvailability: [{ fulfillmentChannelCode: D, other: 1 }]'],
    ],
    [{ procurement: [] }, ['procurement: []']],
    [
      { procurement: [{ costPrice: { currencyCode: 'EUR', amount: '1' } }, { costPrice: 2 }] },
      ['Cost price: 1 EUR, 2'],
    ],
    [
      { procurement: [{ costPrice: 1, more: 2 }, { costPrice: 2 }] },
      ['procurement: [{ costPrice: 1, more: 2 }, { costPrice: 2 }]'],
    ],
    [{ procurement: ['x'] }, ['procurement: x']],
    [
      { procurement: [{ costPrice: 'x '.repeat(41) }] },
      ['procurement (1):', `  - { costPrice: «${'x '.repeat(41)}» }`],
    ],
  ])('%j', (sent, lines) => {
    expect(
      describeItem(sent, { now: 0 })
        .split('\n')
        .filter((line) => line !== ''),
    ).toEqual(lines);
  });
});

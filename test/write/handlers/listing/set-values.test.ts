import { describe, expect, it } from 'vitest';
import { checkAmount, readAmount } from '../../../../src/write/handlers/listing/amount.ts';
import { readSet, SET_WORDS } from '../../../../src/write/handlers/listing/set-values.ts';

const problemOf = (given: Record<string, unknown>, isRow = false): string => {
  const read = readSet(given, { isRow });
  return 'problems' in read ? read.problems.map(({ path, message }) => `${path} ${message}`).join('\n') : '';
};

describe('amounts', () => {
  it.each([
    [17.99, { value: 17.99 }],
    ['17.99', { value: 17.99 }],
    [' 17.99 EUR ', { value: 17.99, currency: 'EUR' }],
    ['EUR 17.99', { value: 17.99, currency: 'EUR' }],
    ['1299', { value: 1299 }],
  ])('%j is one', (given, amount) => {
    expect(readAmount(given)).toEqual(amount);
  });

  it.each([
    ['19,99', 'write 19.99 instead of "19,99"'],
    ['19,9', 'write 19.9 instead'],
    ['1.299,00', 'write 1299.00 instead'],
    ['1,299.00', 'write 1299.00 instead'],
    ['1,299', 'can be read two ways'],
    ['19,99 EUR', 'write 19.99 instead'],
    ['€19,99', 'write 19.99 instead'],
    ['cheap', '"cheap" is neither'],
    ['USD 17.99 EUR', 'is neither'],
    [Number.NaN, 'must be a number'],
    [Number.POSITIVE_INFINITY, 'must be a number'],
    [null, 'must be a number'],
    [{ amount: 17 }, 'must be a number'],
    ['x'.repeat(500), `"${'x'.repeat(40)}..." is neither`],
  ])('%j is refused, saying how', (given, why) => {
    expect(readAmount(given)).toEqual(expect.stringContaining(why));
  });

  it.each([
    [17.990000000000002, 'EUR', 17.99],
    [0.1 + 0.2, 'USD', 0.3],
    [1299, 'JPY', 1299],
  ])('%d %s is %d: arithmetic is no decimal', (given, currency, value) => {
    expect(checkAmount(given, currency)).toBe(value);
  });

  it.each([
    [17.991, 'EUR', 'too many decimals: amounts in EUR have at most 2 decimals'],
    [1299.5, 'JPY', 'amounts in JPY have no decimals'],
    [0, 'EUR', 'more than 0'],
    [0.0000001, 'EUR', 'too many decimals'],
    [0.0000001, 'JPY', 'too many decimals'],
    [-3, 'EUR', 'more than 0, not -3'],
  ])('%d %s is refused', (given, currency, why) => {
    expect(checkAmount(given, currency)).toEqual(expect.stringContaining(why));
  });
});

describe('words of set', () => {
  it('each is read, and the values keep their form', () => {
    const given = {
      price: 17.99,
      sale_price: '15 EUR',
      sale_from: '2026-12-01',
      sale_to: '2026-12-24T23:59:59+01:00',
      minimum_price: null,
      maximum_price: 30,
      currency: 'eur',
      quantity: 0,
      handling_time: '2',
      title: 'Lampe',
      description: 'Hell.',
      bullet_points: ['a', 'b'],
      add_bullet_points: ['c'],
      images: ['https://images.example.com/1.jpg'],
      language: 'de-de',
    };
    expect(readSet(given)).toEqual({
      values: {
        ...given,
        price: { value: 17.99 },
        sale_price: { value: 15, currency: 'EUR' },
        maximum_price: { value: 30 },
        currency: 'EUR',
        handling_time: 2,
        language: 'de_DE',
      },
    });
  });

  it.each([
    [{ prize: 3 }, 'prize is not a word of set; did you mean price?'],
    [{ Price: 3 }, 'did you mean price?'],
    [{ discounted_price: 3 }, 'did you mean sale_price?'],
    [{ 'handling time': 3 }, 'did you mean handling_time?'],
    [{ min_price: 3 }, 'did you mean minimum_price?'],
    [{ color_of_the_shade: 'x' }, 'is not a word of set. Known: price, sale_price'],
    [{ ['x'.repeat(5000)]: 1 }, 'is not a word of set.'],
    [{ __proto__x: 1, constructor: 2 }, 'constructor is not a word of set'],
    [{}, 'sets nothing; give one of: price'],
    [{ currency: 'EUR' }, 'sets nothing'],
    [{ price: null }, 'price must be a number'],
    [{ quantity: -1 }, 'quantity must be a whole number of 0 or more'],
    [{ quantity: 1.5 }, 'quantity must be a whole number'],
    [{ quantity: '1,000' }, 'quantity must be a whole number'],
    [{ quantity: null }, 'quantity must be'],
    [{ title: '  ' }, 'title must be a text that is not empty'],
    [{ bullet_points: [] }, 'must be a list of 1 to 50 texts'],
    [{ bullet_points: ['a', ''] }, 'bullet_points number 2 must be a text that is not empty'],
    [{ images: ['ftp://x/y.jpg'] }, 'images number 1 must be the address of an image'],
    [{ images: Array.from({ length: 10 }, () => 'https://a.example/1.jpg') }, '1 to 9 texts'],
    [{ sale_from: '2026-02-30' }, 'sale_from must be the day or moment on which the sale begins'],
    [{ sale_to: '24.12.2026' }, 'sale_to must be the day or moment on which the sale ends'],
    [{ currency: 'Euro' }, 'currency must be three letters'],
    [{ language: 'German' }, 'must be a language with its country'],
  ])('%j is refused', (given, why) => {
    expect(problemOf(given)).toContain(why);
  });

  it('in a row, NULL leaves a value and lists are JSON', () => {
    expect(readSet({ price: 3, sale_price: null, bullet_points: '["a","b"]' }, { isRow: true })).toEqual({
      values: { price: { value: 3 }, bullet_points: ['a', 'b'] },
    });
    expect(problemOf({ price: null, title: null }, true)).toContain('sets nothing');
    expect(problemOf({ bullet_points: 'a; b' }, true)).toContain('json_array');
  });

  it('every word is told', () => {
    expect(SET_WORDS).toHaveLength(16);
  });
});

describe('a word that is none', () => {
  it.each([
    ['our_price', 'did you mean price?'],
    ['  Our-Price ', 'did you mean price?'],
    ['Item Name', 'did you mean title?'],
    ['prise', 'did you mean price?'],
    ['quantty', 'did you mean quantity?'],
    ['quantXXXX', ''],
    ['quanXXty', 'did you mean quantity?'],
    ['constructor', ''],
    ['something else altogether', ''],
  ])('%j: %s', (name, words) => {
    const meant = words === '' ? '.' : `; ${words}`;
    expect(problemOf({ [name]: 1 })).toContain(
      `${name} is not a word of set${meant} Known: ${SET_WORDS.join(', ')}.`,
    );
  });
});

describe('each word', () => {
  const valuesOf = (given: Record<string, unknown>, isRow = false) => {
    const read = readSet({ price: 1, ...given }, { isRow });
    return 'values' in read
      ? Object.fromEntries(
          Object.keys(given).map((name) => [
            name,
            Object.entries(read.values).find(([one]) => one === name)?.[1],
          ]),
        )
      : problemOf({ price: 1, ...given }, isRow);
  };
  it.each([
    [{ sale_from: ' 2026-12-01 ' }, { sale_from: '2026-12-01' }],
    [{ sale_to: '2026-12-01T08:00:00Z' }, { sale_to: '2026-12-01T08:00:00Z' }],
    [{ currency: ' eur ' }, { currency: 'EUR' }],
    [{ quantity: 0 }, { quantity: 0 }],
    [{ quantity: ' 12 ' }, { quantity: 12 }],
    [{ handling_time: '123456789' }, { handling_time: 123_456_789 }],
    [{ title: ' A lamp ' }, { title: ' A lamp ' }],
    [{ bullet_points: ['a', 'b'] }, { bullet_points: ['a', 'b'] }],
    [{ main_image: ' https://a.example/i.jpg ' }, { main_image: 'https://a.example/i.jpg' }],
    [
      { images: ['s3://bucket/i.jpg', 'http://a.example/j'] },
      { images: ['s3://bucket/i.jpg', 'http://a.example/j'] },
    ],
    [{ language: ' DE-de ' }, { language: 'de_DE' }],
  ])('%j is read as %j', (given, values) => expect(valuesOf(given)).toEqual(values));

  const DAY = 'must be the day or moment on which the sale';
  const WHOLE = 'must be a whole number of 0 or more, such as';
  const TEXT = 'must be a text that is not empty';
  const IMAGE = 'must be the address of an image: https://... that the service can read';
  it.each([
    [{ sale_from: 'soon' }, `sale_from ${DAY}`],
    [{ sale_from: 20_261_201 }, `sale_from ${DAY}`],
    [{ sale_to: ['2026-12-01'] }, `sale_to ${DAY}`],
    [{ currency: 'EURO' }, 'currency must be three letters, such as EUR'],
    [{ currency: ['EUR'] }, 'currency must be three letters, such as EUR'],
    [{ currency: 'xEUR' }, 'currency must be three letters, such as EUR'],
    [{ quantity: -1 }, `quantity ${WHOLE}`],
    [{ quantity: 1.5 }, `quantity ${WHOLE}`],
    [{ quantity: '1234567890' }, `quantity ${WHOLE}`],
    [{ quantity: '1x' }, `quantity ${WHOLE}`],
    [{ quantity: 'x1' }, `quantity ${WHOLE}`],
    [{ quantity: 2 ** 53 }, `quantity ${WHOLE}`],
    [{ title: '  ' }, `title ${TEXT}`],
    [{ title: 7 }, `title ${TEXT}`],
    [{ bullet_points: [] }, 'bullet_points must be a list of 1 to'],
    [{ bullet_points: 'a' }, 'bullet_points must be a list of 1 to'],
    [{ bullet_points: ['a', ' ', 7] }, `bullet_points number 2 ${TEXT}`],
    [{ main_image: 'ftp://a.example/i' }, `main_image ${IMAGE}`],
    [{ main_image: 'see https://a.example/i' }, `main_image ${IMAGE}`],
    [{ main_image: 'https://a.example/i j' }, `main_image ${IMAGE}`],
    [{ main_image: 'https://ab' }, `main_image ${IMAGE}`],
    [{ main_image: ['https://a.example/i'] }, `main_image ${IMAGE}`],
    [{ images: ['https://a.example/i', 'x'] }, `images number 2 ${IMAGE}`],
    [{ language: 'german' }, 'language must be a language with its country, such as de_DE; german is none'],
    [{ language: 'xde_DE' }, 'language must be'],
    [{ language: 'de_DEx' }, 'language must be'],
    [{ language: 'x'.repeat(60) }, `; ${'x'.repeat(40)} is none`],
  ])('%j is refused: %s', (given, words) => expect(valuesOf(given)).toContain(words));

  it.each([
    [{ bullet_points: '["a","b"]' }, { bullet_points: ['a', 'b'] }],
    [{ add_bullet_points: '["a"]' }, { add_bullet_points: ['a'] }],
    [{ title: '["a"]' }, { title: '["a"]' }],
    [{ images: '["s3://bucket/i"]' }, { images: ['s3://bucket/i'] }],
  ])('of a row, %j is read as %j', (given, values) => expect(valuesOf(given, true)).toEqual(values));
  it('may be as long as its bound, and no longer', () => {
    const text = (length: number) => 'x'.repeat(length);
    expect(valuesOf({ title: text(10_000) })).toEqual({ title: text(10_000) });
    expect(valuesOf({ title: text(10_001) })).toBe('title must have at most 10,000 characters');
    for (const [name, text, most] of [
      ['bullet_points', 'a', 50],
      ['images', 's3://bucket/i', 9],
    ] as const) {
      const all = (many: number) => ({ [name]: Array<string>(many).fill(text) });
      expect(valuesOf(all(most))).toEqual(all(most));
      expect(valuesOf(all(most + 1))).toContain(`${name} must be a list of 1 to ${most} texts`);
    }
  });
  it('of a row that is no list at all is refused as one', () => {
    expect(valuesOf({ bullet_points: 'a, b' }, true)).toContain('bullet_points must be a list of 1 to');
    expect(valuesOf({ bullet_points: '["a"]' })).toContain('bullet_points must be a list of 1 to');
  });
});

/** Any JSON value as lines that a person would want to read. */

import { describe, expect, test } from 'vitest';
import { fitValue } from '../../../src/render/value/fit-value.ts';
import { formatInline } from '../../../src/render/value/format-inline.ts';
import { memberLines, renderValue } from '../../../src/render/value/render.ts';

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
    [[], ['0 elements']],
    [{}, ['{}']],
  ])('%j', (value, lines) => {
    expect(renderValue(value)).toEqual(lines);
  });

  test('a cell that is missing is a dash, and tables with too many gaps are none', () => {
    expect(renderValue([{ a: 1, b: 2 }, { a: 3 }])).toEqual(['a | b', '1 | 2', '3 | -']);
    expect(renderValue([{ a: 1 }, { b: 2 }, { c: 3 }])).toEqual(['- { a: 1 }', '- { b: 2 }', '- { c: 3 }']);
  });
});

describe('what goes on one line', () => {
  const word = (length: number) => 'x'.repeat(length);

  test('up to 100 characters of a list or an object behind its name', () => {
    const list = (last: number) => ({ list: [word(40), word(40), word(last)] });
    expect(renderValue(list(16))).toEqual([`list: ${word(40)}, ${word(40)}, ${word(16)}`]);
    expect(renderValue(list(17))).toEqual([
      'list (3):',
      `  - ${word(40)}`,
      `  - ${word(40)}`,
      `  - ${word(17)}`,
    ]);
    const object = (last: number) => ({ o: { a: word(30), b: word(30), c: word(last) } });
    expect(renderValue(object(23))).toEqual([`o: { a: ${word(30)}, b: ${word(30)}, c: ${word(23)} }`]);
    expect(renderValue(object(24))).toEqual([
      'o:',
      `  a: ${word(30)}`,
      `  b: ${word(30)}`,
      `  c: ${word(24)}`,
    ]);
  });

  test('a text stands behind its name however long it is', () => {
    expect(renderValue({ a: 'x '.repeat(500) })).toEqual([`a: «${'x '.repeat(500)}»`]);
    expect(renderValue('x '.repeat(500))).toEqual([`«${'x '.repeat(500)}»`]);
  });

  test('three levels, no more', () => {
    expect(renderValue({ a: { b: { c: { d: 1 } } } })).toEqual(['a: { b: { c: { d: 1 } } }']);
    expect(renderValue({ a: { b: { c: { d: { e: 1 } } } } })).toEqual(['a:', '  b: { c: { d: { e: 1 } } }']);
    expect(renderValue({ a: [[[1]]] })).toEqual(['a: [[[1]]]']);
    expect(renderValue({ a: [[[[1]]]] })).toEqual(['a (1):', '  - [[[1]]]']);
  });

  test('only a list of plain values at the top stands without brackets', () => {
    expect(renderValue({ a: [1, null, 'x'], b: [1, [2]], c: { d: [1, 2] } })).toEqual([
      'a: 1, null, x',
      'b: [1, [2]]',
      'c: { d: [1, 2] }',
    ]);
    expect(renderValue([1, 'x'])).toEqual(['- 1', '- x']);
    expect(renderValue([{}, []])).toEqual(['- {}', '- []']);
  });

  test('64 levels, each below the one before', () => {
    let value: unknown = 'deep';
    for (let i = 0; i < 64; i += 1) value = i % 2 === 0 ? [value, 'and some more words'] : { a: value };
    const lines = renderValue(value);
    expect(lines.join('\n')).toContain('deep');
    expect(lines.join('\n').match(/and some more words/g)).toHaveLength(32);
  });

  test.each<[object, string]>([
    [{ CurrencyCode: 'EUR', Amount: '1.50' }, 'a: 1.50 EUR'],
    [{ amount: 0, currencyCode: 'JPY' }, 'a: 0 JPY'],
    [{ amount: -5.5, currencyCode: 'EUR' }, 'a: -5.5 EUR'],
    [{ currencyCode: 'a b', amount: 'c d' }, 'a: «c d» «a b»'],
    [{ currencyCode: 5, amount: 1 }, 'a: { currencyCode: 5, amount: 1 }'],
    [{ currencyCode: 'EUR', amount: null }, 'a: { currencyCode: EUR, amount: null }'],
    [{ currencyCode: 'EUR' }, 'a: { currencyCode: EUR }'],
    [{ currencyCode: 'EUR', value: 1 }, 'a: { currencyCode: EUR, value: 1 }'],
  ])('money %j', (a, line) => {
    expect(renderValue({ a })).toEqual([line]);
  });

  test('names that can only be names stand bare, others are delimited', () => {
    const value = { a_b: 1, $x: 1, 'a.b-c': 1, '1a': 1, 'a b': 1, '': 1, [word(80)]: 1, [word(81)]: 1 };
    expect(renderValue(value)).toEqual([
      'a_b: 1',
      '$x: 1',
      'a.b-c: 1',
      '«1a»: 1',
      '«a b»: 1',
      '«»: 1',
      `${word(80)}: 1`,
      `«${word(81)}»: 1`,
    ]);
    expect(renderValue({ o: { 'a b': 1 } })).toEqual(['o: { «a b»: 1 }']);
  });
});

describe('tables', () => {
  const row = (columns: number, value: unknown = 1) =>
    Object.fromEntries(Array.from({ length: columns }, (_, i) => [`c${i}`, value]));

  test('of two rows and more, of eight columns at most', () => {
    expect(renderValue([row(8), row(8)])).toEqual([
      'c0 | c1 | c2 | c3 | c4 | c5 | c6 | c7',
      '1 | 1 | 1 | 1 | 1 | 1 | 1 | 1',
      '1 | 1 | 1 | 1 | 1 | 1 | 1 | 1',
    ]);
    expect(renderValue([row(9), row(9)])[0]).toMatch(/^- \{ c0: 1, /);
    expect(renderValue([row(2)])).toEqual(['- { c0: 1, c1: 1 }']);
    expect(renderValue([row(1), row(1), 5])).toEqual(['- { c0: 1 }', '- { c0: 1 }', '- 5']);
    expect(renderValue([{}, {}])).toEqual(['- {}', '- {}']);
  });

  test('where six of ten cells hold something', () => {
    const sparse = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 1]));
    const abcde = ['a', 'b', 'c', 'd', 'e'];
    expect(renderValue([sparse(...abcde), sparse('a')])).toEqual([
      'a | b | c | d | e',
      '1 | 1 | 1 | 1 | 1',
      '1 | - | - | - | -',
    ]);
    expect(renderValue([sparse(...abcde), sparse()])).toHaveLength(2);
  });

  test('where no cell is longer than 60 characters', () => {
    const long = (length: number) => [{ a: 'x'.repeat(length) }, { a: 'y y' }];
    expect(renderValue(long(40))).toEqual(['a', 'x'.repeat(40), '«y y»']);
    expect(renderValue(long(58))).toEqual(['a', `«${'x'.repeat(58)}»`, '«y y»']);
    expect(renderValue(long(59))).toEqual([`- { a: «${'x'.repeat(59)}» }`, '- { a: «y y» }']);
  });

  test('the name of a column is delimited like any other', () => {
    expect(renderValue([{ 'a b': 1 }, { 'a b': '' }])).toEqual(['«a b»', '1', '«»']);
  });
});

test('memberLines counts the elements of a list that stands below its name', () => {
  expect(memberLines('a b', ['x '.repeat(60)])).toEqual(['«a b» (1):', `  - «${'x '.repeat(60)}»`]);
  expect(memberLines('a', {})).toEqual(['a: {}']);
});

test('inlineWords refuses what is too long at once', () => {
  expect(formatInline('abc', 3)).toBe('abc');
  expect(formatInline('abcd', 3)).toBeUndefined();
  expect(formatInline('a b', 3)).toBeUndefined();
  expect(formatInline([1, 2, 3], 7)).toBe('1, 2, 3');
  expect(formatInline([1, 2, 3], 6)).toBeUndefined();
  expect(formatInline({ a: 1 }, 8)).toBe('{ a: 1 }');
  expect(formatInline({ a: 1 }, 7)).toBeUndefined();
});

/** Renders a value as a tool does, apart from the first line where that is the one on data. */
function shown(value: unknown, select: readonly string[] = [], maxTokens = 5_000): string[] {
  return fitValue(value, { select, maxTokens })
    .text.split('\n')
    .filter((line) => !line.startsWith('Values'));
}

describe('lists that are cut or empty', () => {
  const inventorySummaries = Array.from({ length: 50 }, (_, i) => ({ sku: `S-${i}`, name: 'x'.repeat(40) }));

  test('say how many there are in all', () => {
    const [head, ...rest] = shown({ inventorySummaries }, [], 600);
    expect(head).toMatch(/^inventorySummaries \(\d\d of 50\):$/);
    expect(rest.at(-1)).toMatch(/inventorySummaries\.\d\d-49 \(elements \d\d-49 of 50/);
    expect(shown(inventorySummaries, [], 600)[0]).toMatch(/^\d\d of 50 elements:$/);
    expect(shown({ list: Array.from({ length: 900 }, (_, i) => i) }, ['list.0-2'])).toEqual([
      'list (3 of 900):',
      '  - 0',
      '  - 1',
      '  - 2',
    ]);
    expect(shown({ a: { b: [1, 2, 3] } }, ['a.b.0'])).toEqual(['a: { b: [1] (1 of 3) }']);
  });

  test('have 0 elements, whatever was selected of them', () => {
    const none = { payload: { Orders: [], 'odd name': [] } };
    expect(shown(none, ['payload.Orders.PurchaseDate', 'payload.Orders.0-9.Total.Amount'])).toEqual([
      'payload: { Orders: [] }',
    ]);
    expect(shown(none, ['payload."odd name"'])).toEqual(['payload: { «odd name»: [] }']);
  });
});

describe('selected members of a list', () => {
  const row = (i: number, more: object = {}) => ({
    sellerSku: `LMP-BRS-GRN-${i}`,
    inventoryDetails: { fulfillableQuantity: i, reserved: { total: 2 }, ...more },
  });
  const select = ['inventorySummaries.sellerSku', 'inventorySummaries.inventoryDetails.fulfillableQuantity'];
  const head = '  sellerSku | inventoryDetails.fulfillableQuantity';

  test('are columns named by their paths, the same on each page', () => {
    const full = shown({ inventorySummaries: [row(303), row(0)] }, select);
    expect(full).toEqual(['inventorySummaries (2):', head, '  LMP-BRS-GRN-303 | 303', '  LMP-BRS-GRN-0 | 0']);
    // One row, a row without a member, and long values have no other layout.
    expect(shown({ inventorySummaries: [row(1)] }, select)[1]).toBe(head);
    const sparse = [{ sellerSku: 'A' }, { sellerSku: 'B', inventoryDetails: { fulfillableQuantity: 7 } }];
    expect(shown({ inventorySummaries: sparse }, select)).toEqual([
      'inventorySummaries (2):',
      head,
      '  A | -',
      '  B | 7',
    ]);
    const long = { ...row(1), sellerSku: 'long '.repeat(50) };
    expect(shown({ inventorySummaries: [long, row(2)] }, select)[1]).toBe(head);
  });

  test('by index, with *, at the top and inside another list', () => {
    const list = [row(1), row(2)];
    const indexed = ['list.0-1.sellerSku', 'list.*.inventoryDetails.reserved'];
    expect(shown({ list }, indexed)).toEqual([
      'list (2):',
      '  sellerSku | inventoryDetails.reserved.total',
      '  LMP-BRS-GRN-1 | 2',
      '  LMP-BRS-GRN-2 | 2',
    ]);
    expect(shown(list, ['sellerSku'])).toEqual(['sellerSku', 'LMP-BRS-GRN-1', 'LMP-BRS-GRN-2']);
    const orders = [
      { id: 1, items: list },
      { id: 2, items: [] },
    ];
    expect(shown({ orders }, ['orders.id', 'orders.items.sellerSku'])).toEqual([
      'orders (2):',
      '  - id: 1',
      '    items (2):',
      '      sellerSku',
      '      LMP-BRS-GRN-1',
      '      LMP-BRS-GRN-2',
      '  - id: 2',
      '    items: []',
    ]);
  });

  test('money stays one value', () => {
    const list = [{ total: { currencyCode: 'EUR', amount: '1.50' } }, { total: null }];
    expect(shown({ list }, ['list.total'])).toEqual(['list (2):', '  total', '  1.50 EUR', '  null']);
  });
});

describe('a message that repeats', () => {
  const message = 'The value is not one of the allowed ones.';

  test('is printed once for its code', () => {
    const errors = [
      { code: 'A', message, sku: '1' },
      { code: 'A', message, sku: '2' },
      { code: 'B', message, sku: '3' },
    ];
    expect(shown({ errors, more: [{ code: 'A', message, detail: 'x'.repeat(120) }] })).toEqual([
      'errors (3):',
      '  code | message | sku',
      `  A | «${message}» | 1`,
      '  A | (same message as above) | 2',
      `  B | «${message}» | 3`,
      'more (1):',
      '  - code: A',
      '    message: (same message as above)',
      `    detail: «${'x'.repeat(120)}»`,
    ]);
  });

  test('and a text of the service that says so is marked', () => {
    expect(shown({ message: '(same message as above)' })).toEqual(['message: «(same message as above)»']);
  });

  test('keeps the count of a list that was cut', () => {
    const errors = Array.from({ length: 90 }, (_, i) => ({ code: 'A', message, sku: `${i}` }));
    expect(shown({ errors }, [], 500)[0]).toMatch(/^errors \(\d+ of 90\):$/);
  });
});

describe('a page token', () => {
  const token = 'eyJ2IjoxfQ==/+ab.c_d~e%3D-'.repeat(20);

  test.each(['nextToken', 'NextToken', 'pageToken', 'nextPageToken', 'paginationToken', 'previousToken'])(
    '%s stands bare wherever it stands',
    (name) => {
      expect(shown({ [name]: token })).toEqual([`${name}: ${token}`]);
      expect(shown({ pagination: { [name]: 'a=b=' } })).toEqual([`pagination: { ${name}: a=b= }`]);
      expect(shown({ pagination: { [name]: token } })).toEqual(['pagination:', `  ${name}: ${token}`]);
      expect(shown([{ [name]: 'a=b=' }, { [name]: 'c=' }])).toEqual([name, 'a=b=', 'c=']);
    },
  );

  test.each([
    [
      'a token with "spaces"',
      '«"a token with \\"spaces\\""» (send what stands between « and », as this JSON string)',
    ],
    ['x'.repeat(4_001), `«"${'x'.repeat(4_001)}"» (send what stands between « and », as this JSON string)`],
    ['a»b', /^«"a\\u\{BB\}b"» \(it holds characters that are spelled out here/],
    ['a\u202eb', /^«"a\\+u\{202E\}b"» \(it holds characters that are spelled out here/],
  ])('%j is told with the way to send it', (odd, words) => {
    const [line = ''] = shown({ nextToken: odd });
    if (typeof words === 'string') expect(line).toBe(`nextToken: ${words}`);
    else expect(line.slice('nextToken: '.length)).toMatch(words);
  });

  test('tokens of access are none', () => {
    expect(shown({ accessToken: 'a/b', token: 'a/b' })).toEqual(['accessToken: «a/b»', 'token: «a/b»']);
  });
});

describe('members that were selected of different elements', () => {
  const items = [
    { sku: 'A', stock: 5, price: { amount: 1, tax: 2 } },
    { sku: 'B', stock: 0, price: { amount: 3, tax: 4 } },
    { sku: 'C', stock: 1, price: { amount: 5, tax: 6 } },
  ];
  test.each([
    [['items.0.sku', 'items.1.stock']],
    [['items.0.sku', 'items.stock']],
    [['items.0-1.sku', 'items.1-2.stock']],
    [['items.*.sku', 'items.2.stock']],
    [['items[0].price.tax', 'items.sku']],
  ])('are no columns, in which a value would seem to be missing: %j', (select) => {
    const lines = shown({ items }, select);
    expect(lines.filter((line) => line.includes('|') || /^\s*-$/.test(line))).toEqual([]);
    expect(lines.join('\n')).toMatch(/(sku|tax): /);
  });

  test('each value stands under its name', () => {
    expect(shown({ items }, ['items.0.sku', 'items.1.stock']).slice(1)).toEqual([
      expect.stringContaining('sku: A'),
      expect.stringContaining('stock: 0'),
    ]);
  });

  test.each([
    [
      ['items.0-1.sku', 'items.0-1.stock'],
      ['sku | stock', 'A | 5', 'B | 0'],
    ],
    [
      ['items.*.sku', 'items.stock'],
      ['sku | stock', 'A | 5', 'B | 0', 'C | 1'],
    ],
    [
      ['items.1-2.sku', 'items.1-2.price.tax'],
      ['sku | price.tax', 'B | 4', 'C | 6'],
    ],
  ])('of the same elements they are: %j', (select, table) => {
    expect(shown({ items }, select).slice(1)).toEqual(table.map((line) => `  ${line}`));
  });

  test('of another list they stay columns', () => {
    const others = [
      { a: 1, b: 2 },
      { a: 3, b: 4 },
    ];
    expect(shown({ items, others }, ['others.a', 'others.b', 'items.0.sku'])).toContain('  a | b');
  });
});

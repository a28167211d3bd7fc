import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DOCUMENT_LIMITS } from '../../../src/data/documents/limits.ts';
import { RowReader } from '../../../src/data/documents/row-reader.ts';
import { documentFolder, readWhole } from '../../helpers/document-file.ts';

const folder = documentFolder();
const read = (text: string, format: 'tab' | 'csv') => readWhole(folder.write(text), { format });

describe('rows as wide as the header', () => {
  test.each([
    ['tab', '\t'],
    ['csv', ','],
  ] as const)(
    '%s: too few fields are filled up, too many kept apart, both counted',
    async (format, comma) => {
      const lines = ['a,b,c', '1,2,3', '1', '1,2,3,4,5', '1,2,3,,', ''];
      const all = await read(lines.join('\n').replaceAll(',', comma), format);
      expect(all.rows).toEqual([
        ['1', '2', '3'],
        ['1', '', ''],
        ['1', '2', '3'],
        ['1', '2', '3'],
      ]);
      expect(all.extra).toEqual({ 2: ['4', '5'] });
      expect(all.summary.notes).toEqual([
        '1 row has more fields than the header; none was dropped.',
        '1 row has fewer fields than the header.',
      ]);
    },
  );

  test.each(['tab', 'csv'] as const)('%s: a header row only is no rows and no error', async (format) => {
    const comma = format === 'tab' ? '\t' : ',';
    for (const end of ['', '\n', '\r\n', '\r', '\n\n']) {
      const all = await read(`sku${comma}price${end}`, format);
      expect(all).toMatchObject({ columns: ['sku', 'price'], rows: [] });
    }
  });

  test('a tab at the end of every line makes no column', async () => {
    const all = await read('sku\tprice\t\nLAMP\t5\t\n', 'tab');
    expect(all).toMatchObject({ columns: ['sku', 'price'], rows: [['LAMP', '5']], extra: {} });
    expect(all.summary.notes).toEqual([]);
  });

  test.each([
    ['tab', '\t'],
    ['csv', ','],
  ] as const)(
    '%s: a zero character, which ends a value in SQLite, is read as a sign, and told',
    async (format, comma) => {
      const early = await read(`sku${comma}title\nL\0AMP${comma}a\0\0b\n`, format);
      expect(early.rows).toEqual([['L\uFFFDAMP', 'a\uFFFD\uFFFDb']]);
      expect(early.summary.notes).toEqual(['3 zero characters were in the document and read as "\uFFFD".']);
      const many = `LAMP${comma}ok\n`.repeat(50_000);
      const late = await read(`sku${comma}title\n${many}L\0${comma}x\n`, format);
      expect(late.rows.at(-1)).toEqual(['L\uFFFD', 'x']);
      expect(late.summary.notes).toEqual(['1 zero character was in the document and read as "\uFFFD".']);
    },
  );

  test('zero characters in the first line mean that it is no table', async () => {
    const all = await read('s\0k\0u\0\t\0a\0\n\0x\0', 'tab');
    expect(all.format).toBe('other');
  });

  test.each(['\n', '\r\n', '\r'])('lines ended by %j', async (end) => {
    for (const format of ['tab', 'csv'] as const) {
      const comma = format === 'tab' ? '\t' : ',';
      const all = await read([`a${comma}b`, `1${comma}2`, `3${comma}4`].join(end) + end, format);
      expect(all.rows).toEqual([
        ['1', '2'],
        ['3', '4'],
      ]);
    }
  });

  test.each([
    ['tab', '\t'],
    ['csv', ','],
  ] as const)('%s: 100,000 columns are refused with the limit', async (format, comma) => {
    for (const name of ['c', 'a-much-longer-name-of-a-column']) {
      const header = Array.from({ length: 100_000 }, () => name).join(comma);
      await expect(read(`${header}\n`, format)).rejects.toMatchObject({
        fault: 'too-large',
        message: expect.stringMatching(/^The document has .*\d columns; at most 1990 fit into a table\.$/),
      });
    }
  });

  test('as many columns as fit', async () => {
    const header = Array.from({ length: 1_990 }, (_, i) => `c${i}`).join('\t');
    expect((await read(header, 'tab')).columns).toHaveLength(1_990);
  });
});

describe('tab-separated', () => {
  test('a quote in a document without quoting is a character like any other', async () => {
    const titles = ['19" rack', '"quoted"', '"open', 'a""b', "it's", '"'];
    const all = await read(['title\tprice', ...titles.map((title) => `${title}\t1`)].join('\n'), 'tab');
    expect(all.rows.map(([title]) => title)).toEqual(titles);
  });

  test('identifiers stay as they are sent', async () => {
    const all = await read('sku\tean\tprice\n007\t0012345678905\t1.234,56\n', 'tab');
    expect(all.rows).toEqual([['007', '0012345678905', '1.234,56']]);
  });

  test('a line over the limit is refused with its place and the limit', async () => {
    const text = `a\tb\n1\t2\n3\t${'x'.repeat(1_000_001)}\n5\t6\n`;
    await expect(read(text, 'tab')).rejects.toMatchObject({
      fault: 'too-large',
      message: 'Line 3 has more than 1000000 characters, which is the limit.',
    });
  });

  test('a line of nearly the limit is whole', async () => {
    const long = 'x'.repeat(999_990);
    expect((await read(`a\tb\n1\t${long}\n`, 'tab')).rows).toEqual([['1', long]]);
  });
});

describe('CSV', () => {
  test('quotes, doubled quotes, delimiters and line breaks in fields', async () => {
    const all = await read('a,b\r\n"x, ""y""","1\r\n2"\r\n,""\r\n', 'csv');
    expect(all.rows).toEqual([
      ['x, "y"', '1\n2'],
      ['', ''],
    ]);
  });

  test('a quote inside a field is a character like any other, doubled or not', async () => {
    expect((await read('a,b\n19" rack,1\n', 'csv')).rows).toEqual([['19" rack', '1']]);
    const all = await read('a,b\n"19" rack",1\nx,2\n', 'csv');
    expect(all.rows).toEqual([
      ['19" rack', '1'],
      ['x', '2'],
    ]);
    expect(all.summary.notes).toEqual([]);
  });

  test('a quote that is never closed costs no other row, and is told', async () => {
    const all = await read('a,b\n1,2\n"3,4\n5,6\n7,"8\n9,"x, ""y"""\n', 'csv');
    expect(all.rows).toEqual([
      ['1', '2'],
      ['"3', '4'],
      ['5', '6'],
      ['7', '"8'],
      ['9', 'x, "y"'],
    ]);
    expect(all.summary.notes).toEqual([expect.stringContaining('2 rows open a quote that is never closed')]);
  });

  test('records longer than a piece are whole; those over the limit are refused with the limit', async () => {
    const long = 'x,\n'.repeat(330_000);
    const all = await read(`a,b\n1,"${long}"\n2,3\n`, 'csv');
    expect(all.rows).toEqual([
      ['1', long],
      ['2', '3'],
    ]);
    const lines = 'x\n'.repeat(660_000);
    await expect(read(`a,b\n1,"${lines}"\n2,3\n`, 'csv')).rejects.toMatchObject({
      fault: 'too-large',
      message: expect.stringContaining('Row 2 of the document has more than 1000000 characters'),
    });
  });

  test('many pieces: every row once, in order', async () => {
    const rows = Array.from({ length: 60_000 }, (_, i) => [`${i}`, `a "good" lamp,\nnumber ${i}`]);
    const lines = rows.map(([id, title = '']) => `${id},"${title.replaceAll('"', '""')}"`);
    expect((await read(['id,title', ...lines].join('\r\n'), 'csv')).rows).toEqual(rows);
  });
});

test.each(['a', 'ab'])(
  'a line break that two pieces part is one, also in quotes: behind %s',
  async (name) => {
    const breaks = 70_000;
    const all = await read(`${name}\r\n"${'\r\n'.repeat(breaks)}"\r\n`, 'csv');
    expect(all.rows.map(([cell = '']) => cell === '\n'.repeat(breaks))).toEqual([true]);
  },
);

/** Reads in pieces of the given size, with at most three columns and rows of at most so many characters. */
function readPieces(text: string, { format = 'csv', delimiter = ',', size = 1, most = 12 }: Pieces = {}) {
  const limits = { ...DOCUMENT_LIMITS, columns: 3, rowCharacters: most };
  const reader = new RowReader(format, delimiter, limits);
  const batches = [];
  for (let at = 0; at < text.length; at += size) batches.push(...reader.push(text.slice(at, at + size)));
  batches.push(...reader.end());
  const rows = batches.flatMap((batch) => (batch.kind === 'rows' ? batch.rows : []));
  expect(reader.rows).toBe(rows.length);
  expect(batches.every((batch) => batch.kind === 'rows' && batch.rows.length > 0)).toBe(true);
  return { columns: reader.columns, rows, notes: reader.notes() };
}

interface Pieces {
  format?: 'tab' | 'csv';
  delimiter?: string;
  size?: number;
  most?: number;
}

test('any cells come as they were written, in whatever pieces and between whatever signs', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', ',', ';', '"', '\n', 'ü'), maxLength: 3 });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constant('x'), cell, cell), { maxLength: 6 }),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.constantFrom(',', ';'),
      fc.integer({ min: 1, max: 40 }),
      (rows, end, delimiter, size) => {
        const quoted = rows.map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(delimiter));
        const text = [['a', 'b', 'c'].join(delimiter), ...quoted].map((line) => `${line}${end}`).join('');
        expect(readPieces(text, { delimiter, size, most: 40 })).toEqual({
          columns: ['a', 'b', 'c'],
          rows,
          notes: [],
        });
      },
    ),
    { numRuns: 200 },
  );
});

test.each<[string, Pieces, string | undefined]>([
  ['a,b\n1,234567890', { size: 99 }, undefined],
  ['a,b\n1,23456789012', { size: 99 }, 'Line 2 has more than 12 characters'],
  ['a,b\n1,2\n3,23456789012\n5,6', { size: 99 }, 'Line 3 has more than 12 characters'],
  ['a,b\n1,2\n3,"2345678901234', {}, 'Line 3 has more than 12 characters'],
  ['a,b\n1,2\n3,"2345678\n901234', {}, 'Row 3 of the document has more than 12 characters'],
  ['a,b,c', {}, undefined],
  ['a,b,c,d', {}, 'The document has 4 columns; at most 3 fit into a table.'],
  ['aa,bb,cc,dd,ee', {}, 'The document has at least 5 columns; at most 3 fit into a table.'],
  ['aaaaa,bbbbb,ccc', {}, 'Line 1 has more than 12 characters'],
  ['a,"b,c,d,e,f,g,h', {}, 'Line 1 has more than 12 characters'],
  ['a,b\n1,2,3,4,5,6,7,8', {}, 'Line 2 has more than 12 characters'],
  ['a\tb\tc\n123456789012', { format: 'tab' }, undefined],
  ['aa\tbb\tcc\tdd\tee', { format: 'tab' }, 'The document has at least 5 columns; at most 3 fit'],
  ['aaaaa\tbbbbb\tccccc', { format: 'tab' }, 'Line 1 has more than 12 characters'],
  ['a\tb\n1\t2\t3\t4\t5\t6\t7', { format: 'tab' }, 'Line 2 has more than 12 characters'],
])('%j in pieces as %j: %s', (text, pieces, message) => {
  const read = () => readPieces(text, pieces);
  if (message === undefined) expect(read).not.toThrow();
  else
    expect(read).toThrow(
      expect.objectContaining({ fault: 'too-large', message: expect.stringContaining(message) }),
    );
});

test('what is unusual is counted: fields too many and too few', () => {
  const { rows, notes } = readPieces('a,b\n1,2,,x\n3,4,y,\n5\n\n6\n"7"7",8\n"9"9",0\n', {
    size: 99,
    most: 40,
  });
  expect(rows.map(([first]) => first)).toEqual(['1', '3', '5', '6', '7"7', '9"9']);
  expect(notes).toEqual([
    '2 rows have more fields than the header; none was dropped.',
    '2 rows have fewer fields than the header.',
  ]);
  expect(readPieces(' a \tb \t \t\n1\t2', { format: 'tab' })).toEqual({
    columns: ['a', 'b'],
    rows: [['1', '2']],
    notes: [],
  });
});

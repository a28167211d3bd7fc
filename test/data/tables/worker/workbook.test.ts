/** A workbook as its readers see it: each value of the type that it is, whatever it looks like. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SqlValue } from '../../../../src/data/tables/table-types.ts';
import { writeWorkbook } from '../../../../src/data/tables/worker/workbook.ts';
import { momentOf, readWorkbook } from '../../../helpers/read-workbook.ts';

async function write(columns: readonly string[], rows: readonly SqlValue[][], name = 'rows.xlsx') {
  const pieces: Uint8Array[] = [];
  for await (const piece of writeWorkbook(columns, [rows], name)) pieces.push(piece);
  return readWorkbook(Buffer.concat(pieces));
}

/** The cells of the only column. */
async function writeColumn(values: readonly SqlValue[]) {
  const { rows } = await write(
    ['n', 'x'],
    values.map((value, at) => [at, value]),
  );
  return rows.slice(1).map((row) => row[1]);
}

const text = (value: string) => ({ type: 'text', value, format: '' });
const number = (value: number) => ({ type: 'number', value, format: '' });

// The reader returns the type and value that were written.

const iso = (least: string, most: string) =>
  fc
    .date({ min: new Date(least), max: new Date(most), noInvalidDate: true })
    .map((date) => date.toISOString());
const moments = iso('1900-03-01T00:00:00Z', '9999-12-31T23:59:59.999Z');

/** A column: its values, and how each is read back. */
const COLUMNS = {
  text: fc.string({ unit: 'binary' }).map((value): [SqlValue, unknown] => [value, text(value)]),
  number: fc
    .oneof(
      fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }),
      fc.integer({ min: -99_999_999, max: 99_999_999 }).map((cents) => cents / 100),
    )
    .map((value): [SqlValue, unknown] => [value, number(value)]),
  day: moments.map((moment): [SqlValue, unknown] => [
    moment.slice(0, 10),
    { moment: `${moment.slice(0, 10)}T00:00:00.000Z`, format: 'yyyy-mm-dd' },
  ]),
  moment: moments.map((moment): [SqlValue, unknown] => [
    moment,
    { moment, format: 'yyyy-mm-dd hh:mm:ss "UTC"' },
  ]),
  local: moments.map((moment): [SqlValue, unknown] => [
    moment.slice(0, 19).replace('T', ' '),
    { moment: `${moment.slice(0, 19)}.000Z`, format: 'yyyy-mm-dd hh:mm:ss' },
  ]),
} satisfies Record<string, fc.Arbitrary<[SqlValue, unknown]>>;

const nothing: [SqlValue, unknown] = [null, undefined];
const row = fc.tuple(
  ...Object.values(COLUMNS).map((values) => fc.oneof({ weight: 6, arbitrary: values }, fc.constant(nothing))),
);

it('any rows are read back equal, in type and value', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 30 }), async (rows) => {
      const names = Object.keys(COLUMNS);
      const book = await write(
        names,
        rows.map((values) => values.map(([value]) => value)),
      );
      const [head, ...read] = book.rows;
      expect(head?.map((cell) => cell?.value)).toEqual(names);
      const expectedRows = rows.map((_, at) =>
        names.map((name, column) => {
          const cell = read[at]?.[column];
          const isDate = cell !== undefined && !['text', 'number'].includes(name);
          return isDate ? { moment: momentOf(Number(cell.value)), format: cell.format } : cell;
        }),
      );
      expect(expectedRows).toEqual(rows.map((values) => values.map(([, expected]) => expected)));
    }),
  );
});

describe('a cell', () => {
  it.each([
    '=1+1',
    '+49 170 1234567',
    '-2+3',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '=HYPERLINK("http://evil.example","x")',
    "'quoted",
    '<f>1+1</f>',
    ']]>&amp;<c/>',
    ' spaces ',
    'two\r\nlines\n',
    '\u0000\u0001\u001f\u007f\u0085',
    '\uFFFE\uFFFF',
    '_x0041_ and _x005F_x0041_',
    '😀 日本',
    '',
  ])('of text is that text, and no formula: %j', async (value) => {
    expect(await writeColumn([value, 'x'])).toEqual([text(value), text('x')]);
  });

  it.each(['0012345678905', '4006381333931', '12345678901234567890', '305-1234567-1234567', '12E3', '1,50'])(
    'of an identifier stays a text: %s',
    async (value) => {
      expect(await writeColumn([value])).toEqual([text(value)]);
    },
  );

  it.each([
    [999_999_999_999_999, number(999_999_999_999_999)],
    [1_000_000_000_000_000, text('1000000000000000')],
    [-9_007_199_254_740_991, text('-9007199254740991')],
    [1.7e308, text('1.7e+308')],
    [12.34, number(12.34)],
    [0, number(0)],
  ])('of the number %d has all of its digits', async (value, expected) => {
    expect(await writeColumn([value])).toEqual([expected]);
  });

  it('longer than one of Excel is cut, never within a character', async () => {
    const [whole, cut, pair] = await writeColumn([
      'x'.repeat(32_767),
      'y'.repeat(32_768),
      '😀'.repeat(20_000),
    ]);
    expect(whole).toEqual(text('x'.repeat(32_767)));
    expect(cut).toEqual(text(`${'y'.repeat(32_764)}...`));
    expect(pair).toEqual(text(`${'😀'.repeat(16_382)}...`));
  });
});

describe('a column of dates', () => {
  it.each([
    ['no such day', ['2026-02-31', '2026-01-01']],
    ['no such hour', ['2026-01-01T25:00:00Z']],
    ['before the calendar of Excel', ['1900-02-28', '1899-12-31']],
    ['dates beside texts', ['2026-01-01', 'soon']],
    ['days beside moments', ['2026-01-01', '2026-01-01T10:00:00Z']],
    ['an offset', ['2026-01-01T10:00:00+01:00']],
    ['finer than a thousandth', ['2026-01-01T10:00:00.123456Z']],
    ['a date within a text', ['2026-01-01 to 2026-01-02']],
  ])('is none: %s', async (_what, values) => {
    expect(await writeColumn(values)).toEqual(values.map(text));
  });

  it('may begin below a thousand empty cells, and is wide enough; what comes later and is no date is a text', async () => {
    const late = ['2026-03-29T01:30:00Z', 'soon', 5];
    const rows: SqlValue[][] = Array.from({ length: 1_500 }, (_, at) => [at, null]);
    const book = await write(['n', 'x'], [...rows, ...late.map((value) => [1, value])]);
    const [date, ...others] = book.rows.slice(-3).map((cells) => cells[1]);
    expect(momentOf(Number(date?.value))).toBe('2026-03-29T01:30:00.000Z');
    expect(date).toMatchObject({ type: 'number', format: 'yyyy-mm-dd hh:mm:ss "UTC"' });
    expect(others).toMatchObject([text('soon'), text('5')].map(({ type, value }) => ({ type, value })));
    expect(book.widths[1]).toBeGreaterThan(22);
  });
});

describe('the sheet', () => {
  it('has a frozen header of the names as they are, and columns as wide as what is in them, within bounds', async () => {
    const book = await write(
      ['=sku', '', 'title', 'title'],
      [['A-1', 5, 'A lamp of oak with a shade', 'x'.repeat(5_000)]],
    );
    expect(book.rows[0]?.map((cell) => cell?.value)).toEqual(['=sku', '', 'title', 'title']);
    expect(book.rows[0]?.every((cell) => cell?.type === 'text')).toBe(true);
    expect(book.frozen).toBe(1);
    const [sku = 0, , title = 0, long = 0] = book.widths;
    expect(sku).toBeLessThan(title);
    expect(title).toBeGreaterThan(26);
    expect(long).toBe(60);
  });

  it('without rows has its header', async () => {
    expect((await write(['a', 'b'], [])).rows).toEqual([[text('a'), text('b')]]);
  });

  it.each([
    ['orders.xlsx', 'orders'],
    ["'quoted'.xlsx", 'quoted'],
    [`${'long '.repeat(12)}.xlsx`, 'long long long long long long l'],
    ['History.xlsx', 'Rows'],
    ['a[1]:*?.xlsx', 'a 1'],
    ['注文 "&<.xlsx', '注文 "&<'],
    ['.xlsx', 'Rows'],
  ])('of %s is called %s', async (file, name) => {
    expect((await write(['a'], [], file)).sheets).toEqual([name]);
  });
});

it('stops where its reader stops, and reads no further row', async () => {
  let read = 0;
  let isEnded = false;
  function* batches(): Generator<SqlValue[][]> {
    try {
      for (;;) {
        read += 200;
        yield Array.from({ length: 200 }, (_, at) => [`${read} ${Math.random()}`, at]);
      }
    } finally {
      isEnded = true;
    }
  }
  for await (const piece of writeWorkbook(['a', 'b'], batches())) {
    if (piece.length > 1_000) break;
  }
  const then = read;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect({ read, isEnded }).toEqual({ read: then, isEnded: true });
});

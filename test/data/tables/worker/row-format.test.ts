/** Rows of any cells become files that give back each cell, but for a sign before whatever a spreadsheet would calculate. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ExportForm, SqlValue } from '../../../../src/data/tables/table-types.ts';
import { createRowWriter } from '../../../../src/data/tables/worker/row-format.ts';

const SIGNS = [...'=+-@\t\r\n＝＋－＠'];
const begins = (text: string) => SIGNS.includes(text.charAt(0));

async function write(form: ExportForm, columns: readonly string[], batches: SqlValue[][][]) {
  const writer = createRowWriter(form, columns);
  for (const row of batches.flat()) writer.count(row);
  const pieces: string[] = [];
  for await (const piece of writer.pieces(batches)) pieces.push(Buffer.from(piece).toString('utf8'));
  return { counts: writer.counts, pieces, text: pieces.join('') };
}

/** Every cell of every line; a quote that begins a cell lasts to the next that is not doubled; an empty line is no row. */
function read(text: string, separators: string, newline: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (let at = 0; at < text.length; ) {
    let cell = '';
    if (row.length === 0 && text.startsWith(newline, at)) {
      at += newline.length;
      continue;
    }
    if (text[at] === '"') {
      for (at += 1; text[at] !== '"' || text[at + 1] === '"'; at += text[at] === '"' ? 2 : 1)
        cell += text[at];
      at += 1;
    } else while (!separators.includes(text.charAt(at)) && !text.startsWith(newline, at)) cell += text[at++];
    row.push(cell);
    if (text.startsWith(newline, at)) {
      rows.push(row);
      row = [];
      at += newline.length;
    } else at += 1;
  }
  return rows;
}

const FORMS = [
  { form: { format: 'csv' }, sign: ',', other: ';', decimal: '.' },
  { form: { format: 'csv', csv: 'comma' }, sign: ',', other: ';', decimal: '.' },
  { form: { format: 'csv', csv: 'semicolon' }, sign: ';', other: ',', decimal: ',' },
  { form: { format: 'csv', csv: 'semicolon-point' }, sign: ';', other: ',', decimal: '.' },
  { form: { format: 'tsv' }, sign: '\t', other: undefined, decimal: '.' },
] as const;
type Form = (typeof FORMS)[number];

/** A minus before digits, in groups or with decimals. */
function isNegative(text: string, { decimal }: Form) {
  const digits = decimal === ',' ? text.replace(/e[+-]\d+$/, '') : text;
  return text.startsWith('-') && /^\d(?:[.,]?\d)*$/.test(digits.slice(1));
}

/** Returns the cell as the file has to have it. */
function written(cell: SqlValue, form: Form): string {
  if (typeof cell === 'number') return String(cell).replace('.', form.decimal);
  const text = cell ?? '';
  const [first = '', ...rest] = form.other === undefined ? [text] : text.split(form.other);
  const parts = rest.map((part, at) => {
    const isLast = at === rest.length - 1;
    const isPrice = form.other === ',' && (/^-[\s€]/.test(part) || (isLast && part === '-'));
    return begins(part) && !isPrice ? `'${part}` : part;
  });
  const whole = [first, ...parts].join(form.other);
  return begins(whole) && !isNegative(whole, form) ? `'${whole}` : whole;
}

const cell = fc.oneof(
  fc
    .array(fc.constantFrom(...SIGNS, '-', ',', ';', '"', "'", ' ', '€', '1', '20', '.', 'e+2', 'ü', '😀'), {
      maxLength: 5,
    })
    .map((parts) => parts.join('')),
  fc.constantFrom(
    '-1',
    '-1.5',
    '-1,5',
    '-1.5e-7',
    '-1,5e+2',
    '-1-1',
    '1,5',
    '5,- EUR',
    '5,-',
    '5,-€ each',
    'a;=1',
    'a,=1',
    'a\tb',
    '',
  ),
  fc.constantFrom(0, -1, 1.5, -0.5, 1e21, -1.5e-7),
  fc.constant(null),
);
const world = fc.integer({ min: 1, max: 3 }).chain((width) =>
  fc.record({
    columns: fc.constantFrom(['a', 'b=', 'c,d'].slice(0, width), ['=x', 'y"', ' z'].slice(0, width)),
    batches: fc.array(fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 3 }), {
      maxLength: 3,
    }),
  }),
);

it.each(FORMS)('of $form each cell is read back, guarded where a formula could begin', async (form) => {
  const newline = form.form.format === 'csv' ? '\r\n' : '\n';
  await fc.assert(
    fc.asyncProperty(world, async ({ columns, batches }) => {
      const { text, counts } = await write(form.form, columns, batches);
      const mark = form.form.format === 'csv' ? '\uFEFF' : '';
      expect(text.startsWith(`${mark}${columns[0]?.startsWith('=') ? `"'` : columns[0]}`)).toBe(true);
      const rows = [columns, ...batches.flat()];
      const expected = rows.map((row) => row.map((each) => written(each, form)));
      expect(read(text.slice(mark.length), form.sign, newline)).toEqual(expected);
      const texts = batches.flat(2).filter((each) => typeof each === 'string');
      expect(counts.guarded).toBe(texts.filter((each) => written(each, form) !== each).length);
    }),
    { numRuns: 300 },
  );
});

it.each(FORMS.filter(({ other }) => other !== undefined))(
  'of $form each cell with another sign that separates is in quotes, but for numbers',
  async (form) => {
    await fc.assert(
      fc.asyncProperty(world, async ({ columns, batches }) => {
        const { text } = await write(form.form, columns, batches);
        const rows = [columns, ...batches.flat()].map((row) =>
          row.flatMap((each) => {
            const one = written(each, form);
            return form.sign === ';' && /^-?\d+,\d+(?:e[+-]\d+)?$/.test(one) ? one.split(',') : [one];
          }),
        );
        expect(read(text.slice(1), ',;\t', '\r\n')).toEqual(rows);
      }),
      { numRuns: 200 },
    );
  },
);

it('JSON holds the rows as objects, in a list or one on each line, however they came', async () => {
  await fc.assert(
    fc.asyncProperty(world, async ({ columns, batches }) => {
      const rows = batches
        .flat()
        .map((row) => Object.fromEntries(row.map((each, at) => [columns[at], each])));
      const list = await write({ format: 'json' }, columns, batches);
      expect(JSON.parse(list.text)).toEqual(rows);
      expect(list.text.split('\n')).toEqual(['[', ...rows.map(() => expect.anything()), ']', '']);
      const lines = await write({ format: 'jsonl' }, columns, batches);
      expect(
        lines.text
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line)),
      ).toEqual(rows);
      expect(lines.text.endsWith('\n')).toBe(rows.length > 0);
      for (const { counts } of [list, lines]) expect(counts).toEqual({ guarded: 0, long: 0, digits: 0 });
    }),
  );
});

it('an empty cell beside others is not in quotes, nor told apart from one without a value', async () => {
  expect((await write({ format: 'tsv' }, ['a', 'b'], [[['', null]]])).text).toBe('a\tb\n\t\n');
});

it('a member that a row lacks is null', async () => {
  expect((await write({ format: 'jsonl' }, ['a', 'b'], [[[1]]])).text).toBe('{"a":1,"b":null}\n');
});

it.each([
  [['0', '12', '-12', '1.5', '123456789012345', 'E5', '12E', ' 012', '012 ', 'a', '', 12, null], 0],
  [['00', '0012', '1234567890123456', '12E3', '1e5'], 5],
] as const)('of %j Excel would change the digits of %i', async (cells, count) => {
  for (const { form } of FORMS)
    expect(
      (
        await write(
          form,
          ['a'],
          cells.map((each) => [[each]]),
        )
      ).counts.digits,
    ).toBe(count);
});

it.each(['csv', 'tsv', 'xlsx', 'json', 'jsonl'] as const)(
  'what is too long for a cell of Excel is counted in %s',
  async (format) => {
    const rows = [['x'.repeat(32_767)], ['x'.repeat(32_768)], [1]];
    expect((await write({ format }, ['a'], [rows])).counts.long).toBe(format.startsWith('json') ? 0 : 1);
  },
);

it.each(['csv', 'tsv', 'json', 'jsonl'] as const)(
  'pieces of %s are of about a quarter of a million characters',
  async (format) => {
    const batches = Array.from({ length: 40 }, (_, at) => [[`${at}:${'x'.repeat(30_000)}`]]);
    const { pieces, text } = await write({ format }, ['a'], batches);
    for (const piece of pieces.slice(0, -1)) {
      expect(piece.length).toBeGreaterThanOrEqual(256 * 1024);
      expect(piece.length).toBeLessThan(256 * 1024 + 30_100);
    }
    expect(pieces).toHaveLength(5);
    expect(text.match(/\d+:/g)).toEqual(batches.map((_, at) => `${at}:`));
  },
);

it('a number is never in quotes, whatever its decimals stand behind', async () => {
  const numbers = [1.5, -0.25, 1.25e-10, -1.5e-7, 1.5e21];
  const { text } = await write(
    { format: 'csv', csv: 'semicolon' },
    ['a', 'b'],
    [numbers.map((one) => [one, 'x,y'])],
  );
  const lines = numbers.map((one) => `${String(one).replace('.', ',')};"x,y"`);
  expect(text).toBe(`\uFEFFa;b\r\n${lines.map((line) => `${line}\r\n`).join('')}`);
});

/** Quotes around values are taken off where the document is written in quotes, and are part of the values elsewhere. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentFolder, readWhole } from '../../helpers/document-file.ts';

const folder = documentFolder();

/** Both passes, as a document is loaded: the second one where the first has seen that columns are quoted otherwise. */
async function readTwice(text: string, format: 'tab' | 'csv' = 'tab') {
  const quoting = new Map();
  const file = folder.write(text);
  const first = await readWhole(file, { format, quoting });
  if (first.summary.isMisread !== true) return first;
  const second = await readWhole(file, { format, quoting });
  expect(second.summary.isMisread).toBeUndefined();
  return second;
}

const quoted = (row: readonly string[]) => row.map((value) => `"${value}"`).join('\t');

test('a ledger in quotes is read without them, also below a header without quotes', async () => {
  const names = ['Date', 'FNSKU', 'MSKU', 'Event Type', 'Quantity', 'Disposition'];
  const rows = [
    ['11/20/2026', 'X1', 'S1', 'Shipments', '-2', 'SELLABLE'],
    ['11/21/2026', 'X1', 'S1', 'Receipts', '10', 'SELLABLE'],
  ];
  for (const header of [quoted(names), names.join('\t')]) {
    const all = await readTwice([header, ...rows.map(quoted), ''].join('\r\n'));
    expect(all).toMatchObject({ columns: names, rows });
  }
});

test('values in quotes far behind the beginning decide as well', async () => {
  const many = Array.from({ length: 30_000 }, (_, at) => `S${at}\t\t${at}`);
  const text = ['sku\ttitle\tquantity', ...many, 'A\t"Lamp"\t1', 'B\t"Desk 2"" wide"\t2'].join('\n');
  const all = await readTwice(text);
  expect(all.rows.slice(-2)).toEqual([
    ['A', 'Lamp', '1'],
    ['B', 'Desk 2" wide', '2'],
  ]);
});

test.each([
  ['"1/2" Sensor"', '1/2" Sensor'],
  ['""Big" lamp"', '"Big" lamp'],
  ['"lamp "Big""', 'lamp "Big"'],
  ['"19""', '19"'],
  ['"19"" rack"', '19" rack'],
  ['""', ''],
  ['"a\tb"', 'a\tb'],
  ['"a\nb\nc"', 'a\nb\nc'],
  ['"say ""hi""\nthere"', 'say "hi"\nthere'],
  ['"a 19"\tb"', 'a 19"\tb'],
])('in a document in quotes, %j is %j', async (written, title) => {
  for (const [before, after] of [
    ['"A"\t', '\t"5"'],
    ['"A"\t"5"\t', ''],
  ]) {
    const lines = ['"a"\t"b"\t"c"', `${before}${written}${after}`, '"B"\t"6"\t"x"', ''];
    const { rows } = await readTwice(lines.join('\n'));
    expect(rows).toHaveLength(2);
    expect(rows[0]).toContain(title);
    expect(rows[1]).toEqual(['B', '6', 'x']);
  }
});

test('a quote that is never closed costs no other row, wherever and as often as it stands', async () => {
  const rows = Array.from({ length: 90 }, (_, at) => [`S${at}`, at % 3 === 0 ? '"open' : 'closed', `${at}`]);
  for (const end of [0, 1, 2]) {
    const turned = rows.map((row) => [...row.slice(end), ...row.slice(0, end)]);
    const write = (row: readonly string[]) =>
      row.map((value) => (value === '"open' ? value : `"${value}"`)).join('\t');
    const all = await readTwice(['"a"\t"b"\t"c"', ...turned.map(write)].join('\n'));
    expect(all.rows).toEqual(turned);
    expect(all.summary.notes).toEqual([expect.stringContaining('30 rows open a quote')]);
  }
});

test('quotes that are never closed take time that grows with the size of the document alone', async () => {
  const timed = async (line: string, times: number) => {
    const started = performance.now();
    await readTwice(`"a"\t"b"\n${line.repeat(times)}`);
    return performance.now() - started;
  };
  for (const line of ['"x"\t"open\n', '"open\n', '"x\t\n']) {
    await timed(line, 2_000);
    expect(await timed(line, 32_000)).toBeLessThan(64 * Math.max(20, await timed(line, 2_000)));
  }
});

type QuotingStyle = 'none' | 'all' | 'values' | 'texts' | 'needed';

/** Writes a cell as a program with this way of quoting does. */
function writeCell(cell: string, style: QuotingStyle, delimiter: string): string {
  const isSpecial = cell.includes('"') || cell.includes('\n') || cell.includes(delimiter);
  const isText = !/^\d*$/.test(cell);
  const isQuoted =
    style === 'all' ||
    style === 'values' ||
    (style === 'texts' && isText) ||
    (style === 'needed' && isSpecial);
  return isQuoted ? `"${cell.replaceAll('"', '""')}"` : cell;
}

test('a table in any way of quoting is read as it was written', async () => {
  const title = fc.string({
    unit: fc.constantFrom('a', 'é', '商', ' ', '"', '\t', '\n', ',', ';'),
    maxLength: 6,
  });
  const table = fc.array(
    fc.tuple(
      fc.nat(999).map((number) => `S${number}`),
      title.map((text) => `L${text}.`),
      fc.nat(9999).map(String),
      fc.constantFrom('', 'NEW', '19" rack', 'a "b" c'),
    ),
    { minLength: 3, maxLength: 8 },
  );
  const styles = fc.constantFrom<QuotingStyle>('none', 'all', 'values', 'texts', 'needed');
  await fc.assert(
    fc.asyncProperty(table, styles, fc.constantFrom('\t', ',', ';'), async (given, asked, delimiter) => {
      // A CSV has quotes around what needs them.
      const style = asked === 'none' && delimiter !== '\t' ? 'needed' : asked;
      const plain = (cell: string) => (style === 'none' ? cell.replaceAll(/[\t\n]/g, ' ') : cell);
      const rows = given.map((row) => row.map(plain));
      const header = ['sku', 'title', 'quantity', 'remark'];
      const lines = [
        header.map((name) => (style === 'all' || style === 'texts' ? `"${name}"` : name)),
        ...rows.map((row) => row.map((cell) => writeCell(cell, style, delimiter))),
      ];
      const text = lines.map((line) => `${line.join(delimiter)}\n`).join('');
      const all = await readTwice(text, delimiter === '\t' ? 'tab' : 'csv');
      expect(all.columns).toEqual(header);
      expect(all.rows).toEqual(rows);
    }),
    { numRuns: 400 },
  );
});

test.each(['19" rack', '"Big" lamp', '"Big', 'Big"', 'a""b', '"', '""', 'a "b" c', '"a" and "b'])(
  'a title %j in a document without quotes is whole, in any column',
  async (title) => {
    for (const column of [0, 1, 2]) {
      const row = ['S1', 'NEW', '5'];
      row[column] = title;
      const rows = [row, ['S2', 'USED', '6'], ['S3', 'NEW', '7'], row];
      const text = ['sku\tcondition\tquantity', ...rows.map((each) => each.join('\t'))].join('\n');
      expect((await readTwice(text)).rows).toEqual(rows);
    }
  },
);

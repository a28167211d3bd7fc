import { describe, expect, test } from 'vitest';
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
  test('a quote is a sign like any other', async () => {
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

  test('a quote inside a field without quotes is a sign; one that CSV does not allow is told', async () => {
    expect((await read('a,b\n19" rack,1\n', 'csv')).rows).toEqual([['19" rack', '1']]);
    const all = await read('a,b\n"19" rack",1\nx,2\n', 'csv');
    expect(all.rows).toEqual([
      ['19" rack', '1'],
      ['x', '2'],
    ]);
    expect(all.summary.notes.join()).toContain('a quote stands where CSV allows none');
  });

  test('a quote that is never closed is refused with its row', async () => {
    await expect(read('a,b\n1,2\n"3,4\n5,6\n', 'csv')).rejects.toMatchObject({
      fault: 'damaged',
      message: 'Row 3 of the document opens a quote that is never closed.',
    });
  });

  test('records longer than a piece are whole; those over the limit are refused with the limit', async () => {
    const long = 'x,\n'.repeat(330_000);
    const all = await read(`a,b\n1,"${long}"\n2,3\n`, 'csv');
    expect(all.rows).toEqual([
      ['1', long],
      ['2', '3'],
    ]);
    await expect(read(`a,b\n1,"${long}${long}"\n2,3\n`, 'csv')).rejects.toMatchObject({
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

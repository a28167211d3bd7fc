/** Tables and lines that fit a terminal. */

import { expect, it } from 'vitest';
import { fitRows, formatTable } from '../../../src/base/text/fit-columns.ts';
import { wrap } from '../../../src/base/text/wrap.ts';

it('leaves columns alone that fit, and takes from the widest otherwise', () => {
  const rows = [['ab', 'c'.repeat(30), 'd '.repeat(20).trim()]];
  expect(fitRows(rows, 200).widths).toEqual([4, 32, 41]);
  const narrow = fitRows(rows, 60);
  expect(narrow.widths[0]).toBe(4);
  expect(narrow.widths.reduce((sum, one) => sum + one + 1, 1)).toBeLessThanOrEqual(60);
  expect(narrow.rows[0]?.[2]?.split('\n').every((line) => line.length <= 24)).toBe(true);
});

it.each([60, 80, 100, 140])('a table of %i columns is no wider, whatever stands in it', async (width) => {
  const cells = ['shop'.repeat(16), `group/${'o'.repeat(70)}`, 'x '.repeat(200), 'r'.repeat(36)];
  const table = await formatTable(['A', 'B', 'C', 'D'], [{ cells, below: 'y '.repeat(200) }], width);
  for (const line of table.split('\n')) expect(line.length).toBeLessThanOrEqual(width);
});

it('breaks lines between words, indents what follows, and leaves a long word where it is', () => {
  expect(wrap('  one two three', 9, 4)).toEqual(['  one two', '    three']);
  expect(wrap(`to ${'x'.repeat(20)} end`, 10)).toEqual([`to ${'x'.repeat(20)}`, 'end']);
  expect(wrap('short', 10, 4)).toEqual(['short']);
});

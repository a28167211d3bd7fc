/** Tests how the format is detected from a document's beginning: the declared one counts only where it is possible. */

import { expect, it } from 'vitest';
import { detectFormat, isText } from '../../../src/data/documents/detect-format.ts';
import type { DocumentFormat } from '../../../src/data/documents/document.ts';

it.each<[string, DocumentFormat | 'auto', DocumentFormat, string]>([
  ['a\tb\n1,2,3,4\t5', 'auto', 'tab', ','],
  ['a,b\n1\t2', 'auto', 'csv', ','],
  ['a;b;c,d\n1', 'auto', 'csv', ';'],
  ['a\tb,c', 'auto', 'tab', ','],
  ['sku\nA,B', 'auto', 'tab', ','],
  // One column is of either kind.
  ['sku\nA', 'csv', 'csv', ','],
  ['sku\nA', 'tab', 'tab', ','],
  ['a\tb', 'csv', 'tab', ','],
  ['a\tb,c', 'csv', 'csv', ','],
  ['a\tb;c', 'csv', 'csv', ';'],
  ['a,b', 'tab', 'csv', ','],
  ['a\tb,c', 'tab', 'tab', ','],
  ['', 'auto', 'tab', ','],
  [' \n', 'json', 'json', ','],
  ['  <?xml?>', 'auto', 'xml', ','],
  ['<!DOCTYPE x>', 'tab', 'xml', ','],
  ['<a>', 'csv', 'xml', ','],
  ['< 5', 'auto', 'tab', ','],
  ['a <b', 'auto', 'tab', ','],
  ['{"a":1}', 'auto', 'json', ','],
  ['{"a":1}\n', 'auto', 'json', ','],
  ['{"a":1}\n{"a":2}', 'auto', 'jsonl', ','],
  ['{"a":1}\n{"a":2}', 'json', 'jsonl', ','],
  ['{"a":1}', 'jsonl', 'jsonl', ','],
  ['{\n"a":1}', 'jsonl', 'json', ','],
  ['{ }', 'auto', 'json', ','],
  ['[\n{"a":1}]', 'auto', 'json', ','],
  ['[[1]]', 'auto', 'json', ','],
  ['[]', 'auto', 'json', ','],
  ['[ "a"]', 'auto', 'json', ','],
  ['[-1]', 'auto', 'json', ','],
  ['[7]', 'tab', 'json', ','],
  ['[note]', 'auto', 'tab', ','],
  ['{note}', 'auto', 'tab', ','],
  ['x {"a":1}', 'auto', 'tab', ','],
  ['a\0b', 'auto', 'other', ','],
  ['a\tb\n\0', 'auto', 'tab', ','],
  ['{"a":1}', 'other', 'other', ','],
])('%j as %s is %s', (start, expected, format, delimiter) => {
  const names = {
    tab: 'tab-separated',
    csv: 'CSV',
    json: 'JSON',
    jsonl: 'JSON lines',
    xml: 'XML',
    other: 'a document without rows',
  };
  const isOther = expected !== 'auto' && expected !== format;
  expect(detectFormat(start, expected)).toEqual({
    format,
    delimiter,
    ...(isOther && {
      note: `The document was to be ${names[expected]} but is ${names[format]}, as which it was read.`,
    }),
  });
});

it.each([
  ['plain', true],
  ['a\tb\r\0', true],
  ['\na,b\n\0', true],
  ['a;b\n\0', true],
  ['ab\n\0', false],
  ['a\t\0b\n', false],
])('zero characters leave %j a text: %s', (start, is) => {
  expect(isText(start)).toBe(is);
});

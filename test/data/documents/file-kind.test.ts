/**
 * Tests how the kind of a file is detected from its content alone: signatures, markup, printer languages,
 * tables, and unclear ones.
 */

import { expect, it } from 'vitest';
import { certainKind, fileKind, isPlainText } from '../../../src/data/documents/file-kind.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const utf8 = (text: string) => Buffer.from(text, 'utf8');
const namesOf = (start: Uint8Array) => [fileKind(start).name, certainKind(start)?.name];

it.each([
  ['%PDF-1.7', 'PDF'],
  ['\xef\xbb\xbf%PDF-1.7', 'PDF'],
  ['\x89PNG\r\n\x1a\n\0', 'PNG'],
  ['\xff\xd8\xff\xe0', 'JPEG'],
  ['GIF87a', 'GIF'],
  ['GIF89a\0', 'GIF'],
  ['II*\0', 'TIFF'],
  ['MM\0*', 'TIFF'],
  ['PK\x03\x04\0\0', 'ZIP'],
  [`PK\x03\x04${'\0'.repeat(900)}xl/workbook.xml`, 'Excel'],
  ['<!DOCTYPE html><p>', 'HTML'],
  [' \n<HTML>', 'HTML'],
  ['<html lang="de">', 'HTML'],
  ['<?xml version="1.0"?>', 'XML'],
  ['<?XML\nx', 'XML'],
  ['<a>', 'XML'],
  ['<_a:b-1.2 c="d"/>', 'XML'],
  ['<A/>', 'XML'],
  ['^XA^FO50,50^XZ', 'ZPL'],
  ['~DGR:A.GRF,1,1,FF ^XA', 'ZPL'],
  ['N\nA10,10', 'EPL'],
  ['N\r\nq400\r\nB1', 'EPL'],
  ['\nN\nLO1', 'EPL'],
])('%j is certainly %s', (text, name) => {
  expect(namesOf(bytes(text))).toEqual([name, name]);
});

it.each([
  ['', 'text'],
  ['hello', 'text'],
  ['hello, world', 'text'],
  ['a,b\n', 'text'],
  ['a,b\n1,2', 'CSV'],
  ['a;b\r1;2', 'CSV'],
  ['a\tb', 'TSV'],
  ['ab\tc', 'TSV'],
  // Marks of UTF-16, but only half of them.
  ['\xffa\tb', 'TSV'],
  ['\xfea\tb', 'TSV'],
  ['a\xfe\tb', 'TSV'],
  ['a\xff\tb', 'TSV'],
  ['x<!doctype html>', 'text'],
  ['<a"b>', 'XML'],
  ['a\n1\t2', 'text'],
  ['{"a":1}', 'JSON'],
  ['{"a":1}\n{"a":2}', 'JSON lines'],
  ['x%PDF-', 'text'],
  ['x<html>', 'text'],
  ['x<?xml ?>', 'text'],
  ['^xa', 'text'],
  ['^A no label', 'text'],
  ['x^XA', 'text'],
  [`^A${' '.repeat(4_000)}^XA`, 'text'],
  ['N', 'text'],
  ['N\nC1', 'text'],
  ['N\nA', 'text'],
  ['N\nxA1', 'text'],
  ['xN\nA1', 'text'],
  [`N\n${' '.repeat(4_000)}\nA1`, 'text'],
])('%j is perhaps %s', (text, name) => {
  const [kind, certain] = namesOf(bytes(text));
  expect({ kind, certain }).toEqual({ kind: name, certain: undefined });
});

it.each(['\0', '\x01', '\x03', '\x08', '\x0b', '\x0e', '\x1a', '\x1c', '\x1f', '\x7f'])(
  'text with %j in it is none',
  (sign) => {
    expect(namesOf(bytes(`<a>${sign}`))).toEqual(['unknown', undefined]);
    expect(isPlainText(bytes(`a${sign}`))).toBe(false);
  },
);

it.each(['\x02', '\t', '\n', '\x0c', '\r', '\x1b', ' ', '~'])('text may hold %j', (sign) => {
  expect(namesOf(bytes(`<a>${sign}`))[0]).toBe('XML');
  expect(isPlainText(bytes(`a${sign}`))).toBe(true);
});

it('text is looked at in its charset: UTF-8 cut anywhere, UTF-16 by its mark, else Latin-1', () => {
  const text = utf8('a\tüß€🙂');
  for (let length = 1; length <= text.length; length++) {
    expect(isPlainText(text.subarray(0, length))).toBe(true);
  }
  expect(isPlainText(bytes('Gr\xfc\xdfe'))).toBe(false);
  expect(fileKind(bytes('Gr\xfc\xdfe')).name).toBe('text');
  const wide = Buffer.from('\ufeff<a>', 'utf16le');
  expect(namesOf(wide)).toEqual(['XML', 'XML']);
  expect(namesOf(Buffer.from(wide).swap16())).toEqual(['XML', 'XML']);
  expect(namesOf(Buffer.from('<a>', 'utf16le'))).toEqual(['unknown', undefined]);
  expect(namesOf(bytes('\xff<a>'))).toEqual(['text', undefined]);
  expect(namesOf(bytes('\xfe\xfea'))).toEqual(['text', undefined]);
});

it('only the beginning is looked at, of which all is text', () => {
  const long = Buffer.concat([bytes(`<a>${'x'.repeat(64 * 1024 - 3)}`), Buffer.from([0])]);
  expect(namesOf(long)).toEqual(['XML', 'XML']);
  expect(namesOf(long.subarray(2))).toEqual(['unknown', undefined]);
});

it('a kind has its ending and its type', () => {
  expect(fileKind(bytes('a,b\n1,2'))).toEqual({ name: 'CSV', ending: 'csv', mimeType: 'text/csv' });
  expect(fileKind(bytes('\0'))).toEqual({
    name: 'unknown',
    ending: 'dat',
    mimeType: 'application/octet-stream',
  });
});

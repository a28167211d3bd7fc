/** Detects the format of a document from its beginning and notes where it differs from the expected one. */

import { isJsonObject, parseJson } from '../../base/json.ts';
import type { DocumentFormat } from './document.ts';

export interface DetectedFormat {
  format: DocumentFormat;
  /** The character between the fields of `csv`. */
  delimiter: string;
  /** Describes the difference if the format is not the expected one. */
  note?: string;
}

/** The names of the formats in the notes. */
const NAMES: Readonly<Record<DocumentFormat, string>> = {
  tab: 'tab-separated',
  csv: 'CSV',
  json: 'JSON',
  jsonl: 'JSON lines',
  xml: 'XML',
  other: 'a document without rows',
};

/**
 * @param start the beginning, with the whole first line unless that is too long
 * @param expected the format it should have; content in another format is read in its real one
 */
export function detectFormat(start: string, expected: DocumentFormat | 'auto'): DetectedFormat {
  const delimiter = commonest(withoutQuoted(firstLine(start)), [',', ';']);
  if (expected === 'other') return { format: expected, delimiter };
  const format = start.trim() === '' && expected !== 'auto' ? expected : decide(start, expected);
  if (expected === 'auto' || format === expected) return { format, delimiter };
  const note = `The document was to be ${NAMES[expected]} but is ${NAMES[format]}, as which it was read.`;
  return { format, delimiter, note };
}

function decide(start: string, expected: DocumentFormat | 'auto'): DocumentFormat {
  if (!isText(start)) return 'other';
  const text = start.trimStart();
  if (/^<[?!A-Za-z]/.test(text)) return 'xml';
  if (/^(?:\{\s*["}]|\[\s*[[\]{"\d-])/.test(text)) return jsonKind(text, expected);
  const line = withoutQuoted(firstLine(text));
  const tabs = count(line, '\t');
  const others = Math.max(count(line, ','), count(line, ';'));
  if (expected === 'csv') return others === 0 && tabs > 0 ? 'tab' : 'csv';
  return tabs === 0 && others > 0 ? 'csv' : 'tab';
}

/**
 * A table may contain zero characters, which are damage; in its first line, or without a line, they show that
 * it is no text.
 */
export function isText(start: string): boolean {
  if (!start.includes('\0')) return true;
  const header = firstLine(start.trimStart());
  return !header.includes('\0') && /[\t,;]/.test(header);
}

/**
 * Returns `jsonl` if the first line is an object by itself and either more text follows or lines were
 * expected.
 */
function jsonKind(text: string, expected: DocumentFormat | 'auto'): DocumentFormat {
  const line = firstLine(text);
  if (!isJsonObject(parseJson(line))) return 'json';
  const hasMore = /\S/.test(text.slice(line.length));
  return hasMore || expected === 'jsonl' ? 'jsonl' : 'json';
}

function firstLine(text: string): string {
  const end = text.search(/[\r\n]/);
  return end === -1 ? text : text.slice(0, end);
}

/** Removes quoted text, because delimiters inside of quotes separate nothing. */
const withoutQuoted = (line: string) => line.replace(/"[^"]*"/g, '""');

function commonest(line: string, delimiters: readonly string[]): string {
  const [first = ','] = delimiters.toSorted((a, b) => count(line, b) - count(line, a));
  return first;
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

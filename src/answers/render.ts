/** Writes a JSON value as a person would want to read it: names and values by line, tables where rows are alike. */

import { isJsonObject } from '../json.ts';
import { showText } from '../text/escape-text.ts';
import { inlineWords, nameWords } from './render-inline.ts';
import { tableLines } from './render-table.ts';

/** Longest value put behind its name on one line, in characters. */
const LONGEST_INLINE = 100;
const DEEPEST = 70;

/**
 * Lines of a value that has been fitted. Codes, identifiers, dates and numbers stand as they are, every other
 * text of the service between « and »; hidden characters are spelled out. The same value gives the same lines.
 */
export function renderValue(value: unknown, depth = 0): string[] {
  if (depth > DEEPEST) return ['(nested deeper)'];
  if (Array.isArray(value) && value.length > 0) {
    return tableLines(value) ?? value.flatMap((element) => itemLines(element, depth));
  }
  if (!isJsonObject(value) || Object.keys(value).length === 0) return [inlineWords(value, Infinity) ?? '{}'];
  return Object.entries(value).flatMap(([name, member]) => memberLines(name, member, depth));
}

/** `name: value`, or the name and below it the value. */
export function memberLines(name: string, value: unknown, depth = 0): string[] {
  const label = nameWords(name);
  if (typeof value === 'string') return [`${label}: ${showText(value)}`];
  const inline = inlineWords(value, LONGEST_INLINE);
  if (inline !== undefined) return [`${label}: ${inline}`];
  const count = Array.isArray(value) ? ` (${value.length})` : '';
  return [`${label}${count}:`, ...indent(renderValue(value, depth + 1))];
}

function itemLines(element: unknown, depth: number): string[] {
  if (typeof element === 'string') return [`- ${showText(element)}`];
  const inline = inlineWords(element, LONGEST_INLINE);
  if (inline !== undefined) return [`- ${inline}`];
  const [first = '', ...rest] = renderValue(element, depth + 1);
  return [`- ${first}`, ...indent(rest)];
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

/** The processing report of feeds in tables: counts in words, then a line for each error by the number of the record. */

import type { ProcessingReport, ReportIssue } from '../types.ts';
import { severityOf } from './json-report.ts';

/** Names of the same column in the reports of different feeds. */
const COLUMNS = {
  record: ['original-record-number', 'record-number', 'row-number'],
  sku: ['sku', 'seller-sku', 'item_sku'],
  code: ['error-code'],
  type: ['error-type', 'type'],
  message: ['error-message', 'message'],
} as const;

/** Undefined where it is no such report. */
export function readTableReport(text: string): ProcessingReport | undefined {
  const lines = text.split(/\r\n|\n|\r/);
  const head = lines.findIndex((line) => /(^|\t)error-code(\t|$)/i.test(line));
  const summary = head < 0 ? lines : lines.slice(0, head);
  const processed = countOf(summary, /records? processed/i);
  const accepted = countOf(summary, /records? successful/i);
  if (head < 0 && processed === undefined) return undefined;
  const names = (lines[head] ?? '').split('\t').map((name) => name.trim().toLowerCase());
  const place = (of: keyof typeof COLUMNS) =>
    names.findIndex((name) => new Set<string>(COLUMNS[of]).has(name));
  const places = {
    record: place('record'),
    sku: place('sku'),
    code: place('code'),
    type: place('type'),
    message: place('message'),
  };
  const rows = head < 0 ? [] : lines.slice(head + 1).filter((line) => line.trim() !== '');
  return {
    form: 'table',
    ...(processed === undefined ? {} : { processed }),
    ...(accepted === undefined ? {} : { accepted }),
    issues: rows.map((row) => toIssue(row.split('\t'), places)),
  };
}

/** `Number of records processed		3`; a number written otherwise is none. */
function countOf(lines: readonly string[], words: RegExp): number | undefined {
  const [, behind = ''] = lines.find((line) => words.test(line))?.split(words) ?? [];
  const [, digits] = /^[\s:]*(\d{1,9})\s*$/.exec(behind) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

function toIssue(
  cells: readonly string[],
  places: Readonly<Record<keyof typeof COLUMNS, number>>,
): ReportIssue {
  const cell = (of: keyof typeof COLUMNS) => (places[of] < 0 ? '' : (cells[places[of]] ?? '').trim());
  const [record, sku, code, message] = [cell('record'), cell('sku'), cell('code'), cell('message')];
  const isNumber = /^\d{1,9}$/.test(record) && Number(record) > 0;
  return {
    severity: severityOf(cell('type')),
    ...(isNumber ? { messageId: Number(record) } : {}),
    ...(sku === '' ? {} : { sku }),
    ...(code === '' ? {} : { code }),
    ...(message === '' ? {} : { message }),
  };
}

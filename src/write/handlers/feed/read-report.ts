/** Parses a processing report into issues by message, in the form of any feed type. */

import * as z from 'zod';
import { nestsTooDeep, parseJson } from '../../../base/json.ts';
import type { ProcessingReport, ReportIssue, UnknownReport } from './feed.ts';

/** The number of characters to return of a report that is not understood. */
const BEGINNING = 1_000;

export function readReport(text: string): ProcessingReport | UnknownReport {
  const trimmed = text.replace(/^\uFEFF/, '').trimStart();
  const unknown = (why: string): UnknownReport => ({
    form: 'unknown',
    why,
    beginning: trimmed.slice(0, BEGINNING),
  });
  if (trimmed === '') return unknown('it is empty');
  if (/^[{[]/.test(trimmed)) {
    if (nestsTooDeep(Buffer.from(trimmed))) return unknown('it is nested too deeply');
    const whole = parseJson(trimmed);
    if (whole === undefined) return unknown('it begins like JSON, and is none');
    return readJsonReport(whole) ?? unknown('it is JSON of another form');
  }
  if (trimmed.startsWith('<')) return readXmlReport(trimmed) ?? unknown('it is XML or HTML of another form');
  return readTableReport(trimmed) ?? unknown('it is neither JSON nor a table that is known');
}

// The functions below read reports of table feeds: counts with labels, then a line for each error by the
// number of the record.

/** The names of the same column in the reports of different feeds. */
const COLUMNS = {
  record: ['original-record-number', 'record-number', 'row-number'],
  sku: ['sku', 'seller-sku', 'item_sku'],
  code: ['error-code'],
  type: ['error-type', 'type'],
  message: ['error-message', 'message'],
} as const;

/** Returns undefined where the text is no such report. */
function readTableReport(text: string): ProcessingReport | undefined {
  const lines = text.split(/\r\n|\n|\r/);
  const head = lines.findIndex((line) => /(^|\t)error-code(\t|$)/i.test(line));
  const foreign = head < 0 ? readForeignTable(lines) : undefined;
  if (foreign !== undefined) return foreign;
  const summary = head < 0 ? lines : lines.slice(0, head);
  const processed = countOf(summary, /records? processed/i);
  const invalid = countOf(summary, /records? (?:with errors?|invalid|unsuccessful|rejected|failed)/i);
  const accepted = acceptedOf(processed, countOf(summary, /records? successful/i), invalid);
  if (head < 0 && processed === undefined) return undefined;
  const names = (lines[head] ?? '').split('\t').map((name) => name.trim().toLowerCase());
  const findColumn = (of: keyof typeof COLUMNS) =>
    names.findIndex((name) => new Set<string>(COLUMNS[of]).has(name));
  const indexes = {
    record: findColumn('record'),
    sku: findColumn('sku'),
    code: findColumn('code'),
    type: findColumn('type'),
    message: findColumn('message'),
  };
  const rows = head < 0 ? [] : lines.slice(head + 1).filter((line) => line.trim() !== '');
  return {
    form: 'table',
    processed,
    accepted,
    issues: rows.map((row) => toIssue(row.split('\t'), indexes)),
  };
}

/** Derives the accepted count for reports that only count errors. */
function acceptedOf(
  processed: number | undefined,
  accepted: number | undefined,
  invalid: number | undefined,
) {
  if (accepted !== undefined || processed === undefined || invalid === undefined) return accepted;
  return invalid <= processed ? processed - invalid : undefined;
}

/**
 * Reads a report in another language. Two lines of its summary end with a number: the records processed, then
 * the successful ones, in this order in every language. The text of its rows is unknown, so no severity is
 * derived from it.
 */
function readForeignTable(lines: readonly string[]): ProcessingReport | undefined {
  const counts = lines.slice(0, MAX_SUMMARY_LINES).flatMap((line) => {
    const cells = line.split('\t').filter((cell) => cell.trim() !== '');
    const [label = '', last] = cells;
    const isLatin = /[a-z]/i.test(label);
    // An English report with other counts is not guessed at.
    if (cells.length !== 2 || /records?/i.test(label) || (isLatin && label.trim().length < 5)) return [];
    const number = toCount(last ?? '');
    return number === undefined || toCount(label) !== undefined ? [] : [number];
  });
  const [processed, accepted, more] = counts;
  if (processed === undefined || accepted === undefined || more !== undefined || accepted > processed)
    return undefined;
  const rows = lines.filter(
    (line) => /^\s*\d{1,9}\t/.test(line) && line.split('\t').length >= MIN_CELLS_OF_ROW,
  );
  return {
    form: 'table',
    processed,
    accepted,
    issues: rows.map((row) => toIssue(row.split('\t'), USUAL_COLUMNS)),
  };
}

const MAX_SUMMARY_LINES = 10;
const MIN_CELLS_OF_ROW = 4;
/** The columns of a report whose headings are unknown. */
const USUAL_COLUMNS = { record: 0, sku: 1, code: 2, type: 3, message: 4 } as const;

/** Parses a count. It has no decimals, so a separator before three digits groups thousands. */
function toCount(text: string): number | undefined {
  const [, digits] = /^[\s:]*(\d{1,9}|\d{1,3}(?:[.,' \u00A0\u202F]\d{3}){1,2})\s*$/.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits.replace(/\D/g, ''));
}

/**
 * Returns the number after the label, as in `Number of records processed          3`; undefined for any other
 * form.
 */
function countOf(lines: readonly string[], label: RegExp): number | undefined {
  const [, behind = ''] = lines.find((line) => label.test(line))?.split(label) ?? [];
  return toCount(behind);
}

function toIssue(
  cells: readonly string[],
  indexes: Readonly<Record<keyof typeof COLUMNS, number>>,
): ReportIssue {
  const cell = (of: keyof typeof COLUMNS) => (indexes[of] < 0 ? '' : (cells[indexes[of]] ?? '').trim());
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

// The functions below read reports of XML feeds: counts, and a Result for each message with issues.

/**
 * Returns undefined where the text is no such report. Its elements are flat and are read as text, without
 * resolving entities.
 */
function readXmlReport(text: string): ProcessingReport | undefined {
  if (!text.includes('<ProcessingReport>') && !text.includes('<ProcessingSummary>')) return undefined;
  const processed = numberIn(text, 'MessagesProcessed');
  const accepted = acceptedOf(
    processed,
    numberIn(text, 'MessagesSuccessful'),
    numberIn(text, 'MessagesWithError'),
  );
  return {
    form: 'xml',
    processed,
    accepted,
    issues: resultsIn(text),
  };
}

function resultsIn(text: string): ReportIssue[] {
  const pieces = text.split('<Result>').slice(1);
  return pieces.map((piece) => {
    const result = piece.split('</Result>')[0] ?? '';
    const messageId = numberIn(result, 'MessageID');
    const [sku, code] = [textIn(result, 'SKU'), textIn(result, 'ResultMessageCode')];
    const message = textIn(result, 'ResultDescription');
    return {
      severity: severityOf(textIn(result, 'ResultCode')),
      // 0 means the feed as a whole.
      ...(messageId === undefined || messageId === 0 ? {} : { messageId }),
      sku,
      code,
      message,
    };
  });
}

function textIn(xml: string, name: string): string | undefined {
  const start = xml.indexOf(`<${name}>`);
  const end = xml.indexOf(`</${name}>`, start);
  if (start < 0 || end < 0) return undefined;
  const raw = xml.slice(start + name.length + 2, end).trim();
  const text = raw
    .replace(/^<!\[CDATA\[([\s\S]*)\]\]>$/, '$1')
    .replace(/&(lt|gt|quot|apos|amp);/g, (all, entity) => ENTITIES[entity] ?? all);
  return text === '' ? undefined : text;
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

function numberIn(xml: string, name: string): number | undefined {
  const text = textIn(xml, name) ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

// The schemas below describe the report of a JSON_LISTINGS_FEED: counts, and issues by messageId.

/** Some reports give the number as a text: `"messageId": "2"`. */
const number = z.union([
  z.int().min(0),
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
]);
const count = number.optional().catch(undefined);
const text = z.string().min(1).optional().catch(undefined);
const schema = z.looseObject({
  issues: z.array(z.unknown()).optional(),
  summary: z
    .looseObject({ messagesProcessed: count, messagesAccepted: count, messagesInvalid: count })
    .optional(),
});
const issueSchema = z.looseObject({
  messageId: count,
  sku: text,
  code: text,
  severity: z.string().optional().catch(undefined),
  message: text,
  attributeName: text,
  attributeNames: z.array(z.string()).optional().catch(undefined),
});

/** Returns undefined where the value is no such report. */
function readJsonReport(whole: unknown): ProcessingReport | undefined {
  const { data } = schema.safeParse(whole);
  if (data === undefined || (data.issues === undefined && data.summary === undefined)) return undefined;
  const { messagesProcessed, messagesAccepted, messagesInvalid } = data.summary ?? {};
  return {
    form: 'json',
    processed: messagesProcessed,
    accepted: acceptedOf(messagesProcessed, messagesAccepted, messagesInvalid),
    issues: (data.issues ?? []).map(toJsonIssue),
  };
}

function toJsonIssue(value: unknown): ReportIssue {
  // An issue that cannot be read still counts.
  const {
    messageId,
    sku,
    code,
    severity,
    message,
    attributeName,
    attributeNames = [],
  } = issueSchema.safeParse(value).data ?? {};
  const attributes = [
    ...new Set([...(attributeName === undefined ? [] : [attributeName]), ...attributeNames]),
  ];
  return {
    severity: severityOf(severity),
    messageId,
    sku,
    code,
    message,
    ...(attributes.length === 0 ? {} : { attributes }),
  };
}

function severityOf(severity = ''): ReportIssue['severity'] {
  if (/^(error|fatal)$/i.test(severity)) return 'ERROR';
  if (/^warn(ing)?$/i.test(severity)) return 'WARNING';
  return /^(info|information|notice)$/i.test(severity) ? 'INFO' : 'UNKNOWN';
}

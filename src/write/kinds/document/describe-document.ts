/** What is in a document, in the words of the question: how much of what, the first of it, name, size and type. */

import { delimit, escapeText, quoteText, showText } from '../../../base/text/escape-text.ts';
import { count } from '../../../base/text/value-words.ts';
import type { SentMessage } from '../feed/feed.ts';
import { readListingsFeed, type ToldMessage } from '../feed/listings-feed.ts';
import { LISTINGS_FEED } from './content-type.ts';
import type { LoadedDocument } from './load-document.ts';

/** Shown of what is in it. */
const FIRST = 10;
const FIRST_LINES = 4;
/** Characters of one line. */
const LONGEST = 160;

export interface DocumentContent {
  /** By which the report speaks of them; empty where the form is not known. */
  messages: SentMessage[];
  /** `25 messages (20 PATCH, 5 DELETE)`; empty where it cannot be told. */
  count: string;
  /** The first of them. @param isClear for the person: what the assistant may not see too */
  lines(isClear: boolean): string[];
  /** What is probably wrong or has to be known. */
  remarks: string[];
  /** Seller whose listings it changes, as it says itself. */
  sellerId?: string;
}

/** @throws InputError for a listings feed that would be refused */
export function describeContent(loaded: LoadedDocument, feedType: string | undefined): DocumentContent {
  if (feedType === LISTINGS_FEED) return describeListings(loaded);
  const { columns, messages } = readTable(loaded.bytes, loaded.document.contentType);
  const plainLines = (isClear: boolean) =>
    linesOf(isClear ? loaded.bytes : loaded.shown, loaded.document.contentType);
  if (messages.length === 0) return { messages: [], count: '', lines: plainLines, remarks: [] };
  const repeated = repeatedSkus(messages);
  return {
    messages,
    count: `${count(messages.length)} ${messages.length === 1 ? 'row' : 'rows'} with the columns ${columns
      .slice(0, 20)
      .map((name) => showText(name, 60))
      .join(', ')}`,
    lines: plainLines,
    remarks:
      repeated === 0
        ? []
        : [
            `${count(repeated)} rows have a SKU that stands in another row too: which of them counts is not known.`,
          ],
  };
}

function describeListings(loaded: LoadedDocument): DocumentContent {
  const { sellerId, messages } = readListingsFeed(loaded.bytes);
  const kinds = countBy(messages, ({ operationType }) => operationType);
  const total = `${count(messages.length)} ${messages.length === 1 ? 'message' : 'messages'} (${kinds})`;
  const deletions = messages.filter(({ operationType }) => operationType === 'DELETE').length;
  const whole = messages.filter(({ operationType }) => operationType === 'UPDATE').length;
  return {
    messages: messages.map(({ messageId, sku }) => ({ messageId, sku })),
    count: total,
    sellerId,
    lines: (isClear) => [
      ...messages
        .slice(0, FIRST)
        .map((message) => messageLine(message, isClear || loaded.shown !== undefined)),
      ...(messages.length > FIRST ? [`... and ${count(messages.length - FIRST)} more`] : []),
    ],
    remarks: [
      'What is there now is not compared with it; change_listings shows the values before.',
      ...(deletions === 0 ? [] : [`${count(deletions)} LISTINGS ARE DELETED; they do not come back.`]),
      ...(whole === 0
        ? []
        : [`${count(whole)} listings are replaced whole: what the message does not hold is removed.`]),
    ],
  };
}

/** Of one value; the whole stands in the document. */
const LONGEST_VALUE = 100;
const MOST_NAMES = 6;

function messageLine({ sku, operationType, attributes }: ToldMessage, hasValues: boolean): string {
  const name = showText(sku, 60);
  if (operationType === 'DELETE') return `${name}: deleted`;
  const told = attributes.slice(0, MOST_NAMES).map(({ name: attribute, value }) => {
    const what = value === undefined ? ' removed' : ` ${delimit(JSON.stringify(value), LONGEST_VALUE)}`;
    return `${showText(attribute, 60)}${hasValues ? what : ''}`;
  });
  const more = attributes.length > told.length ? ` and ${attributes.length - told.length} more` : '';
  return `${name}: ${operationType} ${told.join(', ')}${more}`;
}

/** The first lines of a text; nothing of what is none, or may not be seen. */
function linesOf(bytes: Uint8Array | undefined, contentType: string): string[] {
  if (bytes === undefined || !/^(text\/|application\/json)/i.test(contentType)) return [];
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 10_000)).toString(
    'utf8',
  );
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
  return lines.slice(0, FIRST_LINES).map((line) => delimit(line.replaceAll('\t', ' | '), LONGEST));
}

function countBy<T>(items: readonly T[], of: (item: T) => string): string {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(of(item), (counts.get(of(item)) ?? 0) + 1);
  return [...counts].map(([name, number]) => `${count(number)} ${name}`).join(', ');
}

function repeatedSkus(messages: readonly SentMessage[]): number {
  const skus = messages.flatMap(({ sku }) => (sku === undefined ? [] : [sku]));
  return skus.length - new Set(skus).size;
}

const NAMES = { text: 'a text of this call', query: 'rows of a query' } as const;

/** `"prices.txt", 1,234 bytes, text/tab-separated-values`. */
export function documentLine({ document, name, source }: LoadedDocument): string {
  const what = source === 'file' ? `the file ${quoteText(name ?? '')}` : NAMES[source];
  return `${what}, ${count(document.bytes)} bytes, ${escapeText(document.contentType)}, SHA-256 ${document.sha256.slice(0, 16)}`;
}

// The records of a feed that is a table: their numbers, and their SKUs where a column holds them.

/** More are not read: what is told of them would be of no use. */
const MOST_RECORDS = 1_000_000;

const SKU_COLUMN = /^(sku|seller-sku|item_sku|merchant-sku)$/i;

/** Templates have their settings in a first line, and names for people in the second. */
const SETTINGS = /^(TemplateType|feedType|settings)=/i;

/** Without messages where the bytes are no table. */
function readTable(bytes: Uint8Array, contentType: string): { columns: string[]; messages: SentMessage[] } {
  const isTable = /^text\/(tab-separated-values|plain|csv)/i.test(contentType);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, isTable ? bytes.byteLength : 0)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
  const head = SETTINGS.test(lines[0] ?? '') ? 2 : 0;
  const columns = cellsOf(lines[head] ?? '', contentType);
  const at = columns.findIndex((name) => SKU_COLUMN.test(name));
  const rows = lines.slice(head + 1, head + 1 + MOST_RECORDS);
  return {
    columns,
    messages: rows.map((row, index) => {
      const sku = at < 0 ? '' : (cellsOf(row, contentType)[at] ?? '');
      return { messageId: index + 1, ...(sku === '' ? {} : { sku }) };
    }),
  };
}

/** Quotes stand for themselves in tab-separated feeds; of a CSV only the plain cells are read. */
function cellsOf(line: string, contentType: string): string[] {
  const cells = line.split(/^text\/csv/i.test(contentType) ? ',' : '\t');
  return cells.map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
}

/** What is in a document, in the words of the question: how much of what, the first of it, name, size and type. */

import { delimit, escapeText, quoteText, showText } from '../../../base/text/escape-text.ts';
import { count } from '../../../base/text/value-words.ts';
import type { SentMessage } from '../feed/feed.ts';
import { type ListingsFeedContent, readListingsFeed, type ToldMessage } from '../feed/listings-feed.ts';
import { LISTINGS_FEED } from './content-type.ts';
import type { LoadedDocument } from './load-document.ts';

/** Shown of what is in it. */
const FIRST = 10;
const FIRST_LINES = 4;
/** Characters of one line. */
const LONGEST = 160;

/** A document, described in words. */
interface DocumentDescription {
  /** `25 messages (20 PATCH, 5 DELETE)`; empty where it cannot be told. */
  count: string;
  /** The first of them. */
  lines: string[];
  /** Warnings, such as that of deletions. */
  remarks: string[];
}

export interface DocumentContent {
  /** By which the report speaks of them; empty where the form is not known. */
  messages: SentMessage[];
  /** Seller whose listings it changes, as it says itself. */
  sellerId?: string;
  /** The description that is made from the real document. */
  forPerson: DocumentDescription;
  /** The description that is made from the masked document alone, so that two documents that differ in masked values read the same. */
  forAssistant: DocumentDescription;
}

/** @throws InputError for a listings feed that would be refused */
export function describeContent(loaded: LoadedDocument, feedType: string | undefined): DocumentContent {
  const describe = feedType === LISTINGS_FEED ? describeListings : describeTable;
  const { bytes, shown, isPrivate, mask } = loaded;
  const { contentType } = loaded.document;
  // The masked form comes first: where it is refused, the refusal is made from it.
  const masked = shown === undefined ? undefined : describe(shown, { contentType, mask, isResolved: false });
  const real = describe(bytes, { contentType, mask: (value) => value, isResolved: isPrivate });
  return {
    messages: real.messages,
    ...(real.sellerId === undefined ? {} : { sellerId: real.sellerId }),
    forPerson: real.description,
    forAssistant: masked?.description ?? describeHidden(loaded, real),
  };
}

/** Counts, and for a listings feed its SKUs, operations and names of attributes. */
function describeHidden(
  { rows, mask }: LoadedDocument,
  { messages, description, outline }: Described,
): DocumentDescription {
  if (outline !== undefined) return { ...description, lines: outline(mask) };
  const total = rows ?? messages.length;
  return { count: total === 0 ? '' : rowsWords(total), lines: [], remarks: [] };
}

const rowsWords = (rows: number) => `${count(rows)} ${rows === 1 ? 'row' : 'rows'}`;

interface DescribeOptions {
  contentType: string;
  /** Masks each value before it is cut. */
  mask(value: unknown): unknown;
  /** The masked form was checked already, and this is the same with its values in it. */
  isResolved: boolean;
}

interface Described {
  messages: SentMessage[];
  sellerId?: string;
  description: DocumentDescription;
  /** The lines of a listings feed without their values. */
  outline?(mask: DescribeOptions['mask']): string[];
}

function describeTable(bytes: Uint8Array, { contentType, mask }: DescribeOptions): Described {
  const { columns, messages } = readTable(bytes, contentType);
  const lines = linesOf(bytes, contentType, mask);
  if (messages.length === 0) return { messages, description: { count: '', lines, remarks: [] } };
  const repeated = repeatedSkus(messages);
  const description = {
    count: `${count(messages.length)} ${messages.length === 1 ? 'row' : 'rows'} with the columns ${columns
      .slice(0, 20)
      .map((name) => showText(String(mask(name)), 60))
      .join(', ')}`,
    lines,
    remarks:
      repeated === 0
        ? []
        : [
            `${count(repeated)} rows have a SKU that stands in another row too: which of them counts is not known.`,
          ],
  };
  return { messages, description };
}

function describeListings(bytes: Uint8Array, { mask, isResolved }: DescribeOptions): Described {
  const { sellerId, messages }: ListingsFeedContent = readListingsFeed(bytes, { isResolved });
  const kinds = countBy(messages, ({ operationType }) => operationType);
  const total = `${count(messages.length)} ${messages.length === 1 ? 'message' : 'messages'} (${kinds})`;
  const deletions = messages.filter(({ operationType }) => operationType === 'DELETE').length;
  const whole = messages.filter(({ operationType }) => operationType === 'UPDATE').length;
  const linesWith = (hide: DescribeOptions['mask'], hasValues: boolean) => [
    ...messages.slice(0, FIRST).map((message) => messageLine(message, hide, hasValues)),
    ...(messages.length > FIRST ? [`... and ${count(messages.length - FIRST)} more`] : []),
  ];
  const description = {
    count: total,
    lines: linesWith(mask, true),
    remarks: [
      'What is there now is not compared with it; change_listings shows the values before.',
      ...(deletions === 0 ? [] : [`${count(deletions)} LISTINGS ARE DELETED; they do not come back.`]),
      ...(whole === 0
        ? []
        : [`${count(whole)} listings are replaced whole: what the message does not hold is removed.`]),
    ],
  };
  return {
    messages: messages.map(({ messageId, sku }) => ({ messageId, sku })),
    sellerId,
    description,
    outline: (hide) => linesWith(hide, false),
  };
}

/** Of one value; the whole stands in the document. */
const LONGEST_VALUE = 100;
const MOST_NAMES = 6;

function messageLine(
  { sku, operationType, attributes }: ToldMessage,
  mask: DescribeOptions['mask'],
  hasValues: boolean,
): string {
  const name = showText(String(mask(sku)), 60);
  if (operationType === 'DELETE') return `${name}: deleted`;
  const told = attributes.slice(0, MOST_NAMES).map(({ name: attribute, value }) => {
    const what = value === undefined ? ' removed' : ` ${delimit(JSON.stringify(mask(value)), LONGEST_VALUE)}`;
    return `${showText(String(mask(attribute)), 60)}${hasValues ? what : ''}`;
  });
  const more = attributes.length > told.length ? ` and ${attributes.length - told.length} more` : '';
  return `${name}: ${operationType} ${told.join(', ')}${more}`;
}

/** Characters of one line before it is masked, so that the cut through its last value is never within what is shown. */
const MASKED_CHARACTERS = 8_000;

/** The first lines of a text; nothing of what is none. */
function linesOf(bytes: Uint8Array, contentType: string, mask: DescribeOptions['mask']): string[] {
  if (!/^(text\/|application\/json)/i.test(contentType)) return [];
  const text = Buffer.from(
    bytes.buffer,
    bytes.byteOffset,
    Math.min(bytes.byteLength, FIRST_LINES * MASKED_CHARACTERS),
  ).toString('utf8');
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
  return lines.slice(0, FIRST_LINES).map((line) => {
    const masked = String(mask(line.slice(0, MASKED_CHARACTERS)));
    return delimit(masked.replaceAll('\t', ' | '), LONGEST);
  });
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

/**
 * `"prices.txt", 1,234 bytes, text/tab-separated-values`.
 * @param isForPerson with size and digest, from which a masked value could be found by trying
 */
export function documentLine({ document, name, source }: LoadedDocument, isForPerson: boolean): string {
  const what = source === 'file' ? `the file ${quoteText(name ?? '')}` : NAMES[source];
  const type = escapeText(document.contentType);
  if (!isForPerson) return `${what}, ${type}`;
  return `${what}, ${count(document.bytes)} bytes, ${type}, SHA-256 ${document.sha256.slice(0, 16)}`;
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

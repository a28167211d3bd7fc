/** Loads the document of an argument: from the files folder, from the text, or from the rows of a query. */

import * as z from 'zod';
import { InputError } from '../../../base/errors.ts';
import { yieldEvery, yieldToEventLoop } from '../../../base/event-loop.ts';
import { parseJson } from '../../../base/json.ts';
import { quoteText } from '../../../base/text/escape-text.ts';
import type { ReplacedPlaceholder } from '../../../privacy/personal/personal-data.ts';
import { resolvePlaceholders } from '../../plan/resolve-arguments.ts';
import type { ToolContext } from '../../session.ts';
import type { OutgoingDocument } from '../feed/feed.ts';
import { MAX_FEED_DOCUMENT_BYTES } from '../feed/limits.ts';
import { contentTypeOf, LISTINGS_FEED } from './content-type.ts';
import { type DocumentArgument, requireOneDocumentSource } from './document-argument.ts';
import { bytesOf, documentOfBytes, documentOfFile } from './outgoing-document.ts';
import { type JsonPiece, splitJson } from './split-json.ts';

export interface LoadedDocument {
  document: OutgoingDocument;
  /** The content, where it is read before it is sent. */
  bytes: Uint8Array;
  /** The content as the assistant may see it; undefined where it may not. */
  shown: Uint8Array | undefined;
  /** The name of the file. */
  name?: string;
  /** The kind of source, which messages describe as `the file "prices.txt"`. */
  source: 'file' | 'text' | 'query';
  /** The placeholders that were replaced in the text; empty where it has none. */
  replaced: readonly ReplacedPlaceholder[];
  /** True for rows with unmasked personal values. */
  isPersonal: boolean;
  /**
   * True for a document with values that the assistant must not see. No length, digest, equality or refusal
   * that the assistant reads may depend on them.
   */
  isPrivate: boolean;
  /** The number of rows of a query. */
  rows?: number;
  /**
   * Masks values before they are cut. The assistant's own text stays unmasked, because a mask would confirm a
   * guess.
   */
  mask(value: unknown): unknown;
}

interface DocumentUse {
  account: string;
  feedType?: string | undefined;
  /** The account's seller id, which the header of a listings feed names. */
  sellerId?: string | undefined;
}

/** The time to reserve for the answer. */
const MARGIN_MS = 1_000;
const MAX_QUERY_MS = 30_000;
const FIRST_ROWS = 5;

/**
 * @throws InputError for a document that is missing in the folder, empty, too large, or unfit for the feed
 */
export async function loadDocument(
  given: DocumentArgument,
  wanted: DocumentUse,
  ctx: ToolContext,
): Promise<LoadedDocument> {
  requireOneDocumentSource(given);
  if (given.file !== undefined) return loadFile(given.file, given, wanted, ctx);
  if (given.query !== undefined) return loadRows(given.query, given, wanted, ctx);
  return loadText(given.text ?? '', given, wanted, ctx);
}

async function loadFile(
  name: string,
  { contentType: type }: DocumentArgument,
  { feedType }: DocumentUse,
  { session }: ToolContext,
): Promise<LoadedDocument> {
  const files = await session.files();
  const file = await files.open(name);
  const document = await documentOfFile(file, contentTypeOf({ given: type, feedType, name: file.name }));
  const bytes = await bytesOf(document);
  const { isMasking, maskTexts } = await session.personal();
  const isPrivate = file.personal && isMasking;
  return {
    document,
    bytes,
    shown: isPrivate ? undefined : bytes,
    name: file.name,
    source: 'file',
    replaced: [],
    isPersonal: false,
    isPrivate,
    mask: maskTexts,
  };
}

/** The document is rejected as a whole, because each detail would reveal something of its values. */
const PERSONAL_LISTINGS = [
  `The document holds personal data, which do not belong into a ${LISTINGS_FEED}; nothing was sent.`,
  'Select only columns of the listings, or write the messages as document.text.',
] as const;

async function loadText(
  text: string,
  { contentType: given }: DocumentArgument,
  { account, feedType }: DocumentUse,
  ctx: ToolContext,
): Promise<LoadedDocument> {
  const contentType = contentTypeOf({ given, feedType, beginning: text.slice(0, 100) });
  const isJson = JSON_CONTENT.test(contentType) && parseJson(text) !== undefined;
  const pieces = isJson ? splitJson(text) : [{ written: text, value: text }];
  await refusePlaceholdersInNames(pieces, account, ctx);
  const { value, replaced } = await resolvePlaceholders(
    pieces.map((piece) => piece.value ?? ''),
    account,
    ctx,
  );
  const resolved = Array.isArray(value) ? value : [];
  const bytes = Buffer.from(
    pieces
      .map((piece, at) =>
        resolved[at] === (piece.value ?? '') ? piece.written : writeAs(isJson, resolved[at]),
      )
      .join(''),
  );
  const document = documentOfBytes(bytes, contentType);
  const { isMasking } = await ctx.session.personal();
  return {
    document,
    bytes,
    shown: Buffer.from(text),
    source: 'text',
    replaced,
    isPersonal: false,
    isPrivate: replaced.length > 0 && isMasking,
    mask: (own) => own,
  };
}

/**
 * Rejects placeholders in names of members, because a name decides what its value means, and two equal names
 * hide a value.
 * @throws InputError
 */
async function refusePlaceholdersInNames(
  pieces: readonly JsonPiece[],
  account: string,
  ctx: ToolContext,
): Promise<void> {
  const names = pieces.flatMap(({ value, isName }) =>
    isName === true && value !== undefined ? [value] : [],
  );
  const { replaced } = await resolvePlaceholders(names, account, ctx);
  if (replaced.length === 0) return;
  throw new InputError(
    'A placeholder stands in the name of a member of the document; nothing was sent.',
    'Put placeholders into values alone.',
  );
}

/**
 * Writes a resolved value as JSON, because a quotation mark in it must not change the structure of the
 * document.
 */
const writeAs = (isJson: boolean, value: unknown) => (isJson ? JSON.stringify(value) : String(value));

const JSON_CONTENT = /^application\/json\b/i;

async function loadRows(
  sql: string,
  { contentType: given }: DocumentArgument,
  { account, feedType, sellerId }: DocumentUse,
  { session, call }: ToolContext,
): Promise<LoadedDocument> {
  const tables = await session.tables(account);
  const left = Math.floor(call.deadline - performance.now() - MARGIN_MS);
  const options = { maxBytes: 10_000, maxRows: FIRST_ROWS, signal: call.signal, format: 'jsonl' } as const;
  const timeoutMs = Math.max(1, Math.min(MAX_QUERY_MS, left));
  const exported = await tables.export(sql, { ...options, timeoutMs }, collect);
  const contentType = contentTypeOf({ given, feedType, name: feedType === undefined ? undefined : '' });
  const { isPersonal } = exported;
  if (isPersonal && feedType === LISTINGS_FEED) throw new InputError(...PERSONAL_LISTINGS);
  const rows = { pieces: exported.saved, columns: exported.result.columns, contentType, isPersonal };
  const isListings = feedType === LISTINGS_FEED;
  const bytes = await rowsToDocument(rows, isListings ? { sellerId: sellerId ?? '' } : undefined);
  const document = await documentOfFile({ bytes: bytes.length, read: () => inPieces(bytes) }, contentType);
  const { maskTexts } = await session.personal();
  return {
    document,
    bytes,
    shown: isPersonal ? undefined : bytes,
    source: 'query',
    replaced: [],
    isPersonal,
    isPrivate: isPersonal,
    rows: exported.result.total,
    mask: maskTexts,
  };
}

/** @throws InputError for more than one document can have */
async function collect(content: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of content) {
    bytes += piece.length;
    if (bytes > MAX_FEED_DOCUMENT_BYTES) {
      throw new InputError(
        `The rows have more than ${MAX_FEED_DOCUMENT_BYTES} bytes, which is the most that is sent; nothing was sent.`,
        'Select fewer rows or columns, and send several documents.',
      );
    }
    pieces.push(piece);
  }
  return pieces;
}

/** Other work gets its turn after this many bytes or rows. */
const PIECE_BYTES = 256 * 1024;
const ROWS_A_TURN = 1_000;

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    await yieldToEventLoop();
    yield bytes.subarray(at, at + PIECE_BYTES);
  }
}

// The functions below turn the rows of a query into a document: messages of JSON_LISTINGS_FEED, a table, or a
// JSON array.

interface Rows {
  /** One JSON object per line, by the names of the columns; a line may span two pieces. */
  pieces: readonly Uint8Array[];
  columns: readonly string[];
  contentType: string;
  /** True where a cell that does not fit is not rejected, because an error would reveal its content. */
  isPersonal: boolean;
}

/** The text before, between and behind the rows, and the format of one row. */
interface DocumentRowFormat {
  before: string;
  between: string;
  after: string;
  write(row: DocumentRow, at: number): string;
}

/**
 * @param listings for JSON_LISTINGS_FEED
 * @throws InputError for no rows, and for columns and cells that do not fit
 */
async function rowsToDocument(rows: Rows, listings: { sellerId: string } | undefined): Promise<Uint8Array> {
  if (rows.pieces.every(({ length }) => length === 0)) {
    throw new InputError(
      'The query gives no rows; nothing was sent.',
      'Look at the rows with query_data first.',
    );
  }
  const form = formOf(rows, listings);
  const written: Buffer[] = [];
  let text = form.before;
  let at = 0;
  for await (const line of linesOf(rows.pieces)) {
    text += (at === 0 ? '' : form.between) + form.write(rowSchema.parse(parseJson(line)), at);
    at += 1;
    if (text.length < PIECE_BYTES) continue;
    written.push(Buffer.from(text));
    text = '';
  }
  return Buffer.concat([...written, Buffer.from(text + form.after)]);
}

/** Yields the lines, and gives other work its turn in between. */
async function* linesOf(pieces: readonly Uint8Array[]): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  let at = 0;
  for (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      await yieldEvery(ROWS_A_TURN, at);
      at += 1;
      if (line !== '') yield line;
    }
  }
  if (rest !== '') yield rest;
}

function formOf(rows: Rows, listings: { sellerId: string } | undefined): DocumentRowFormat {
  if (listings !== undefined) return toMessages(rows.columns, listings.sellerId);
  if (JSON_CONTENT.test(rows.contentType)) {
    return { before: '[', between: ',', after: ']', write: (row) => JSON.stringify(row) };
  }
  if (/^text\/(tab-separated-values|plain)\b/i.test(rows.contentType)) return toTable(rows);
  throw new InputError(
    `Rows are not written as ${rows.contentType}; nothing was sent.`,
    'They become text/tab-separated-values or application/json; for anything else, save a file and send that.',
  );
}

const rowSchema = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));
type DocumentRow = z.output<typeof rowSchema>;

/**
 * Writes rows as a table. Such feeds have no quoting, so a cell with a separator is rejected, or written with
 * spaces where it is personal.
 */
function toTable({ columns, isPersonal }: Rows): DocumentRowFormat {
  const write = (row: DocumentRow, at: number) =>
    columns
      .map((name) => {
        const cell = String(row[name] ?? '');
        if (!/[\t\r\n]/.test(cell)) return cell;
        if (isPersonal) return cell.replace(/[\t\r\n]/g, ' ');
        throw new InputError(
          `Row ${at + 1} has a tab or a line end in ${quoteText(name)}, which no such feed can hold; nothing was sent.`,
          "Take it out: replace(column, char(10), ' ').",
        );
      })
      .join('\t');
  return { before: `${columns.join('\t')}\n`, between: '\n', after: '\n', write };
}

const COLUMNS = 'sku, product_type, and patches or attributes (JSON); operation_type, where it is another';

function toMessages(columns: readonly string[], sellerId: string): DocumentRowFormat {
  const has = (name: string) => columns.includes(name);
  if (!has('sku') || !(has('patches') || has('attributes') || has('operation_type'))) {
    throw new InputError(
      `A query for ${LISTINGS_FEED} has the columns ${COLUMNS}; nothing was sent.`,
      'For prices, stock and texts of listings, change_listings takes a query with plain words.',
    );
  }
  const write = (row: DocumentRow, at: number) => {
    const { sku, product_type: productType, operation_type: type, patches, attributes } = row;
    const given = patches === null || patches === undefined ? 'PARTIAL_UPDATE' : 'PATCH';
    return JSON.stringify({
      messageId: at + 1,
      sku: sku === null || sku === undefined ? '' : String(sku),
      operationType: type ?? given,
      ...(productType === null || productType === undefined ? {} : { productType }),
      ...asJson('patches', patches, at),
      ...asJson('attributes', attributes, at),
    });
  };
  const header = JSON.stringify({ sellerId, version: '2.0' });
  return { before: `{"header":${header},"messages":[`, between: ',', after: ']}', write };
}

function asJson(name: string, cell: DocumentRow[string] | undefined, at: number): Record<string, unknown> {
  if (cell === null || cell === undefined) return {};
  const value = parseJson(String(cell));
  if (typeof value === 'object' && value !== null) return { [name]: value };
  throw new InputError(
    `Row ${at + 1}: ${name} is no JSON; nothing was sent.`,
    'Make it with json_array and json_object.',
  );
}

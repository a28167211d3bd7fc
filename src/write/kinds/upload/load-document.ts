/** The document that an argument means: read from the files folder, from the text, or from the rows of a query. */

import { InputError } from '../../../base/errors.ts';
import { isJsonObject } from '../../../base/json.ts';
import type { Replaced } from '../../../privacy/personal/personal-data.ts';
import { resolveMarks } from '../../plan/resolve-arguments.ts';
import type { ToolContext } from '../../session.ts';
import { MOST_DOCUMENT_BYTES } from '../feed/limits.ts';
import type { OutgoingDocument } from '../feed/types.ts';
import { contentTypeOf, LISTINGS_FEED } from './content-type.ts';
import { checkDocumentArgument, type DocumentArgument } from './document-argument.ts';
import { bytesOf, documentOfBytes, documentOfFile } from './outgoing-document.ts';
import { rowsToDocument } from './rows-document.ts';

export interface LoadedDocument {
  document: OutgoingDocument;
  /** Its content, where it is to be looked into. */
  bytes: Uint8Array;
  /** The same as the assistant may see it; undefined where it may not. */
  shown: Uint8Array | undefined;
  /** Of the file. */
  name?: string;
  /** What it is, in words of ours: `the file "prices.txt"`. */
  source: 'file' | 'text' | 'query';
  /** Marks in the text; empty where none was used. */
  replaced: readonly Replaced[];
  /** Rows with personal values as they are. */
  isPersonal: boolean;
}

export interface DocumentFor {
  account: string;
  feedType?: string | undefined;
  /** Of the account: the header of a listings feed names it. */
  sellerId?: string | undefined;
}

/** Left of the call's own time for the answer. */
const MARGIN_MS = 1_000;
const MOST_QUERY_MS = 30_000;
const FIRST_ROWS = 5;

/** @throws InputError for what is no document of the folder, empty, too large, or unfit for the feed */
export async function loadDocument(
  given: DocumentArgument,
  wanted: DocumentFor,
  ctx: ToolContext,
): Promise<LoadedDocument> {
  checkDocumentArgument(given);
  if (given.file !== undefined) return loadFile(given.file, given, wanted, ctx);
  if (given.query !== undefined) return loadRows(given.query, given, wanted, ctx);
  return loadText(given.text ?? '', given, wanted, ctx);
}

async function loadFile(
  name: string,
  { contentType: type }: DocumentArgument,
  { feedType }: DocumentFor,
  { session }: ToolContext,
): Promise<LoadedDocument> {
  const files = await session.files();
  const file = await files.open(name);
  const document = await documentOfFile(file, contentTypeOf({ given: type, feedType, name: file.name }));
  const bytes = await bytesOf(document);
  const { isMasking } = await session.personal();
  const shown = file.personal && isMasking ? undefined : bytes;
  return { document, bytes, shown, name: file.name, source: 'file', replaced: [], isPersonal: false };
}

async function loadText(
  text: string,
  { contentType: given }: DocumentArgument,
  { account, feedType }: DocumentFor,
  ctx: ToolContext,
): Promise<LoadedDocument> {
  const { value, replaced } = await resolveMarks({ text }, account, ctx);
  const real = isJsonObject(value) && typeof value.text === 'string' ? value.text : text;
  const bytes = Buffer.from(real);
  const document = documentOfBytes(bytes, contentTypeOf({ given, feedType, beginning: text.slice(0, 100) }));
  return { document, bytes, shown: Buffer.from(text), source: 'text', replaced, isPersonal: false };
}

async function loadRows(
  sql: string,
  { contentType: given }: DocumentArgument,
  { account, feedType, sellerId }: DocumentFor,
  { session, call }: ToolContext,
): Promise<LoadedDocument> {
  const tables = await session.tables(account);
  const left = Math.floor(call.deadline - performance.now() - MARGIN_MS);
  const options = { maxBytes: 10_000, maxRows: FIRST_ROWS, signal: call.signal, format: 'jsonl' } as const;
  const timeoutMs = Math.max(1, Math.min(MOST_QUERY_MS, left));
  const exported = await tables.export(sql, { ...options, timeoutMs }, collect);
  const contentType = contentTypeOf({ given, feedType, name: feedType === undefined ? undefined : '' });
  const rows = { lines: exported.saved, columns: exported.result.columns, contentType };
  const bytes = rowsToDocument(rows, feedType === LISTINGS_FEED ? { sellerId: sellerId ?? '' } : undefined);
  const document = documentOfBytes(bytes, contentType);
  const { isPersonal } = exported;
  return {
    document,
    bytes,
    shown: isPersonal ? undefined : bytes,
    source: 'query',
    replaced: [],
    isPersonal,
  };
}

/** @throws InputError for more than goes into one document */
async function collect(content: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of content) {
    bytes += piece.length;
    if (bytes > MOST_DOCUMENT_BYTES) {
      throw new InputError(
        `The rows have more than ${MOST_DOCUMENT_BYTES} bytes, which is the most that is sent; nothing was sent.`,
        'Select fewer rows or columns, and send several documents.',
      );
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

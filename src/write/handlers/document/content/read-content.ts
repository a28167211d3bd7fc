/**
 * Reads a document into what its approval request shows, in bounded memory. A large document is read in a
 * thread of its own.
 */

import { nestsTooDeep, toObject } from '../../../../base/json.ts';
import { count } from '../../../../base/text/format-value.ts';
import { DocumentError } from '../../../../data/documents/document-error.ts';
import { checkListings } from '../../feed/listings-check.ts';
import { LISTINGS_FEED } from '../content-type.ts';
import { boundItem } from './bound-items.ts';
import type { ContentOptions, DocumentContent, DocumentItem, DocumentItemPart } from './content.ts';
import { csvRecordsOf, decodeText, linesOf } from './decode-text.ts';
import { toListingItem, toPlainItem } from './json-items.ts';
import { InvalidJsonError, readJsonText } from './json-text.ts';
import { ItemRanking } from './rank-items.ts';
import { RepeatedNames } from './repeated-names.ts';
import { cellsOf, headOf, openTable } from './table-items.ts';
import { readXmlItems } from './xml-items.ts';
import { InvalidXmlError } from './xml-text.ts';

/** A report is followed item by item up to this many messages. */
const MAX_MESSAGES = 100_000;

/** The problems for which a document is rejected, returned in place of its content. */
export interface RefusedContent {
  problems: readonly string[];
}

export function readContent(bytes: Uint8Array, options: ContentOptions): DocumentContent | RefusedContent {
  const { contentType, feedType } = options;
  const reading = new Reader(options);
  if (feedType === LISTINGS_FEED) return reading.listings(bytes);
  if (/^application\/json\b/i.test(contentType)) return reading.json(bytes);
  if (/^(?:text|application)\/xml\b/i.test(contentType)) return reading.xml(bytes);
  if (/^text\//i.test(contentType)) return reading.table(bytes);
  return reading.content('unknown', { why: 'it is no text' });
}

/** Reads one document, once. */
class Reader {
  readonly #options: ContentOptions;
  readonly #ranking: ItemRanking;
  readonly #names = new RepeatedNames();
  #messages: [number, string | null][] = [];

  constructor(options: ContentOptions) {
    this.#options = options;
    this.#ranking = new ItemRanking(options.maxItems);
  }

  listings(bytes: Uint8Array): DocumentContent | RefusedContent {
    const { contentType, isResolved, places } = this.#options;
    const check = checkListings(isResolved);
    if (nestsTooDeep(bytes)) return { problems: ['it is nested too deeply'] };
    try {
      let count = 0;
      const { value, repeated } = readJsonText(decodeText(bytes, contentType), {
        items: {
          member: 'messages',
          each: (message, at) => {
            count += 1;
            check.add(message);
            this.#add(toListingItem(message, at, places), String(toObject(message).sku));
          },
        },
      });
      const whole = toObject(value);
      const problems = check.problems(count === 0 ? value : { ...whole, messages: [0] });
      // The service decides which of two equal members counts, so a document with both is rejected.
      const twice = describeRepeated(repeated, isResolved);
      if (twice.length + problems.length > 0) return { problems: [...twice, ...problems] };
      const { header, messages: _messages, ...beside } = whole;
      const { sellerId, version: _version, ...others } = toObject(header);
      return this.content('listings', {
        header: [...partsOf(others, 'header.'), ...partsOf(beside, '')],
        ...(typeof sellerId === 'string' ? { sellerId } : {}),
      });
    } catch (error) {
      if (error instanceof InvalidJsonError) return { problems: ['it is not JSON'] };
      throw error;
    }
  }

  json(bytes: Uint8Array): DocumentContent | RefusedContent {
    if (nestsTooDeep(bytes)) return this.#unknown(bytes, 'it is nested too deeply');
    try {
      let isList = false;
      const each = (item: unknown, at: number) => {
        isList = true;
        this.#add(toPlainItem(item, at));
      };
      const { value, repeated } = readJsonText(decodeText(bytes, this.#options.contentType), {
        items: { member: 'messages', each },
      });
      if (repeated.length > 0) return { problems: describeRepeated(repeated, this.#options.isResolved) };
      const { messages: _messages, ...beside } = toObject(value);
      if (!isList) this.#add(toPlainItem(value, 0));
      return this.content('json', { header: isList ? partsOf(beside, '') : [] });
    } catch (error) {
      if (error instanceof InvalidJsonError) return this.#unknown(bytes, 'it is no JSON');
      throw error;
    }
  }

  xml(bytes: Uint8Array): DocumentContent {
    try {
      const { header } = readXmlItems(decodeText(bytes, this.#options.contentType), (item, sku) =>
        this.#add(item, item.name, sku),
      );
      const replacesAll = header.some(
        (part) =>
          'label' in part &&
          /(?:^|\.)PurgeAndReplace$/.test(part.label) &&
          /^\s*(?:true|1)\s*$/i.test(String(part.value)),
      );
      return this.content('xml', { header, warnings: replacesAll ? [PURGE] : [] });
    } catch (error) {
      if (error instanceof InvalidXmlError) return new Reader(this.#options).#unknown(bytes, error.message);
      throw error;
    }
  }

  table(bytes: Uint8Array): DocumentContent {
    try {
      return this.#table(bytes);
    } catch (error) {
      if (error instanceof DocumentError) return new Reader(this.#options).#unknown(bytes, error.message);
      throw error;
    }
  }

  #table(bytes: Uint8Array): DocumentContent {
    let head: ReturnType<typeof headOf> | undefined;
    let table: ReturnType<typeof openTable> | undefined;
    let columns: string[] = [];
    const header: DocumentItemPart[] = [];
    let [line, rows] = [0, 0];
    for (const cells of rowsOf(bytes, this.#options.contentType)) {
      head ??= headOf(cells.join('\t'));
      if (line === head.columns) columns = cells;
      else if (line < head.rows) header.push({ label: `line ${line + 1}`, value: cells.join('\t') });
      if (line >= head.rows) {
        table ??= openTable(columns);
        rows += 1;
        const { parts, ...item } = table.toItem(cells, rows);
        this.#addRow(item, parts, table.skuOf(cells));
      }
      line += 1;
    }
    const isTable = rows > 0 && (columns.length > 1 || this.#options.feedType !== undefined);
    if (!isTable) return new Reader(this.#options).#text(bytes);
    const isTwice = new Set(columns.map((name) => name.toLowerCase())).size < columns.length;
    return this.content('table', { columns, header, warnings: isTwice ? [COLUMN_TWICE] : [] });
  }

  /** Reads the lines of a text that is no table, such as an attachment of a message. */
  #text(bytes: Uint8Array): DocumentContent {
    let line = 0;
    for (const value of linesOf(bytes, this.#options.contentType)) {
      line += 1;
      const parts = [{ label: 'text', value }];
      this.#addRow({ id: line, operation: '', amounts: [], unusual: [] }, () => parts, undefined);
    }
    return this.content('text', {});
  }

  #unknown(bytes: Uint8Array, why: string): DocumentContent {
    return this.content('unknown', { why, beginning: beginningOf(bytes, this.#options.contentType) });
  }

  #add({ parts, ...item }: DocumentItem, name = item.name, sku = name): void {
    this.#count(item.id, sku, name);
    this.#ranking.add(item, () => parts);
  }

  #addRow(
    item: Omit<DocumentItem, 'parts'>,
    parts: () => readonly DocumentItemPart[],
    sku: string | undefined,
  ): void {
    this.#count(item.id, sku, sku);
    this.#ranking.add(item, parts);
  }

  #count(id: number, sku: string | undefined, name: string | undefined): void {
    if (name !== undefined) this.#names.add(name);
    if (this.#messages.length <= MAX_MESSAGES) this.#messages.push([id, sku ?? null]);
  }

  /** @param read the members that the form provides */
  content(form: DocumentContent['form'], read: Partial<DocumentContent>): DocumentContent {
    const ranking = this.#ranking;
    // The report of an XML feed names its messages itself, so it is not followed item by item.
    const isFollowed = (form === 'listings' || form === 'table') && this.#messages.length <= MAX_MESSAGES;
    const repeated = this.#options.feedType === LISTINGS_FEED ? 0 : this.#names.repeated();
    return {
      form,
      total: ranking.total,
      operations: ranking.operations,
      columns: [],
      header: [],
      items: this.#options.isWhole === true ? ranking.items() : ranking.items().map(boundItem),
      unusual: ranking.unusual,
      amounts: ranking.totals.all(),
      beginning: [],
      messages: Buffer.from(JSON.stringify(isFollowed ? this.#messages : [])),
      ...read,
      warnings: [...(read.warnings ?? []), ...(repeated === 0 ? [] : [formatRepeatedNames(repeated)])],
    };
  }
}

/** Yields the cells of each row that is not blank. */
function* rowsOf(bytes: Uint8Array, contentType: string): Generator<string[]> {
  if (/^text\/csv/i.test(contentType)) yield* csvRecordsOf(bytes, contentType);
  else for (const line of linesOf(bytes, contentType)) yield cellsOf(line);
}

/** @param isHidden the names may be personal data */
function describeRepeated(repeated: readonly string[], isHidden: boolean): string[] {
  if (isHidden) return repeated.length === 0 ? [] : ['a member is there twice'];
  return repeated.map((path) => `${path} is there twice`);
}

const PURGE = 'EVERYTHING THAT THE FEED DOES NOT HOLD IS REMOVED (PurgeAndReplace).';
const COLUMN_TWICE = 'TWO COLUMNS HAVE ONE NAME: which of them counts is not known.';
const formatRepeatedNames = (items: number) =>
  `${count(items)} ${items === 1 ? 'item has a SKU or an order' : 'items have a SKU or an order'} that another one has too: which of them counts is not known.`;

const partsOf = (members: object, path: string): DocumentItemPart[] =>
  Object.entries(members).map(([name, value]) => ({ label: `${path}${name}`, value }));

const MAX_BEGINNING = 10;
const MAX_CHARACTERS = 8_000;

function beginningOf(bytes: Uint8Array, contentType: string): string[] {
  const lines: string[] = [];
  for (const line of linesOf(bytes.subarray(0, MAX_CHARACTERS * MAX_BEGINNING), contentType)) {
    lines.push(line.slice(0, MAX_CHARACTERS));
    if (lines.length === MAX_BEGINNING) break;
  }
  return lines;
}

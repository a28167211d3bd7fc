/**
 * Reads records from the lines of a delimited document. A quoted field may contain the delimiter or a line
 * break. A quote that is never closed costs no other record, because a line that is a record by itself ends
 * the search for its end.
 */

import { DocumentError } from './document-error.ts';
import type { DocumentLimits } from './limits.ts';
import { areDoubled, isWrapped, quotesAtEnd, unwrap } from './quoting.ts';
import { LineSplitter } from './split-lines.ts';

/** One record of the document. */
export interface DocumentRecord {
  /** The fields as written in the document, except those in `joined`. */
  fields: string[];
  /** The indexes of the fields that contain a quote, in order. */
  quoted: readonly number[];
  /** The indexes of fields that were joined over a delimiter or a line break: their quotes are removed. */
  joined: ReadonlySet<number>;
}

/** Max lines of a header: more of them mean a quote that is never closed. */
const MAX_HEADER_LINES = 20;

const NO_INDEXES: ReadonlySet<number> = new Set();

const NONE_QUOTED: readonly number[] = [];

/** A record whose last field is still open. */
interface OpenRecord {
  lines: string[];
  /** Whether the first line has as many pieces as the header has fields. */
  isWhole: boolean;
  characters: number;
  fields: FieldJoiner;
  /** The number of borders at which a closed field ends and the next one begins in quotes. */
  borders: number;
  /** Whether a line inside of it is a record by itself. */
  spansRecord: boolean;
}

export class RecordReader {
  readonly #lines: LineSplitter;
  readonly #limits: DocumentLimits;
  readonly #delimiter: string;
  readonly #isCsv: boolean;
  /** The number of fields of the header, with and without empty ones at its end. */
  #widths: { whole: number; named: number } | undefined;
  /** Whether the header is quoted, so that quotes around values are no part of them. */
  #isQuoted: boolean;
  #open: OpenRecord | undefined;
  /** The lines of a record that had no end, to be read again; the next one is last. */
  readonly #again: string[] = [];
  /** Half of a line break, whose other half may come with the next piece. */
  #half = '';
  #given = 0;
  #unclosed = 0;
  #read = 0;
  #readAgain = 0;

  constructor(format: 'tab' | 'csv', delimiter: string, limits: DocumentLimits) {
    this.#limits = limits;
    this.#isCsv = format === 'csv';
    this.#isQuoted = this.#isCsv;
    this.#delimiter = this.#isCsv ? delimiter : '\t';
    this.#lines = new LineSplitter(limits.rowCharacters, 'Line');
  }

  /** Returns true if the header is quoted or the format always has quotes. */
  get isQuoted(): boolean {
    return this.#isQuoted;
  }

  /** The number of records that open a quote which is never closed. */
  get unclosed(): number {
    return this.#unclosed;
  }

  push(text: string): DocumentRecord[] {
    this.#read += text.length;
    return this.#take(() => this.#lines.push(this.#isCsv ? this.#withPlainBreaks(text) : text));
  }

  end(): DocumentRecord[] {
    const rest = this.#half === '' ? [] : this.#take(() => this.#lines.push('\n'));
    const records = [...rest, ...this.#take(() => this.#lines.end())];
    while (this.#open !== undefined) {
      this.#giveUp(this.#open, records);
      this.#addWith(undefined, records);
    }
    return records;
  }

  /**
   * Unifies line breaks, because a CSV may mix them: fields can contain others than those between records.
   */
  #withPlainBreaks(text: string): string {
    const all = this.#half + text;
    this.#half = all.endsWith('\r') ? '\r' : '';
    const ready = this.#half === '' ? all : all.slice(0, -1);
    return ready.includes('\r') ? ready.replace(/\r\n?/g, '\n') : ready;
  }

  #take(lines: () => string[]): DocumentRecord[] {
    const records: DocumentRecord[] = [];
    try {
      for (const line of lines()) this.#addWith(line, records);
    } catch (error) {
      throw this.#explain(error, this.#lines.unfinished);
    }
    return records;
  }

  /** Adds the line and first the lines that are to be read again. */
  #addWith(first: string | undefined, records: DocumentRecord[]): void {
    for (let line = first ?? this.#again.pop(); line !== undefined; line = this.#again.pop()) {
      this.#add(line, records);
    }
  }

  #add(line: string, records: DocumentRecord[]): void {
    if (this.#open !== undefined) this.#continue(this.#open, line, records);
    else if (!line.includes('"')) this.#give(records, line.split(this.#delimiter), NONE_QUOTED);
    else this.#begin(line, records);
  }

  #give(
    records: DocumentRecord[],
    fields: string[],
    quoted = indexesOfQuoted(fields),
    joined = NO_INDEXES,
  ): void {
    this.#given += 1;
    records.push({ fields, quoted, joined });
    if (this.#widths !== undefined || (fields.length === 1 && fields[0] === '')) return;
    const named = fields.findLastIndex((name) => name.trim() !== '' && name !== '""') + 1;
    this.#widths = { whole: fields.length, named };
    this.#isQuoted ||= quoted.some((at) => isWrapped(fields[at] ?? ''));
  }

  #begin(line: string, records: DocumentRecord[]): void {
    const plain = line.split(this.#delimiter);
    // Most lines with a quote open no quoted field, because the quote means inches in a size.
    if (this.#fits(plain.length)) {
      const quoted = indexesOfQuoted(plain, line);
      if (!quoted.some((at) => isOpening(plain[at] ?? ''))) {
        this.#give(records, plain, quoted);
        return;
      }
    }
    const fields = this.#join(plain);
    const isWhole = this.#fits(plain.length) && plain.every(isClosed);
    const mayGoOn = fields.isOpen && (this.#widths === undefined || fields.count <= this.#widths.whole);
    const isShort = this.#isQuoted && !fields.isOpen && fields.count < (this.#widths?.named ?? 0);
    const isEnded = isWhole || fields.isOpen || this.#widths === undefined || this.#fits(fields.count);
    if (!mayGoOn && (isEnded || !isShort)) {
      this.#giveLine(line, records, plain, fields);
      return;
    }
    this.#open = {
      lines: [line],
      isWhole: this.#fits(plain.length),
      characters: line.length,
      fields,
      borders: this.#bordersIn(line),
      spansRecord: false,
    };
  }

  #join(pieces: readonly string[]): FieldJoiner {
    const fields = new FieldJoiner();
    for (const piece of pieces) fields.add(piece, this.#delimiter);
    return fields;
  }

  #continue(open: OpenRecord, line: string, records: DocumentRecord[]): void {
    const isRecord = this.#isRecord(line);
    open.lines.push(line);
    open.spansRecord ||= isRecord;
    open.characters += line.length + 1;
    open.borders += this.#bordersIn(line);
    if (open.characters > this.#limits.rowCharacters) {
      this.#giveUpLong(open, records);
      return;
    }
    if (!this.#addPieces(open, line)) this.#giveUp(open, records);
    else if (this.#isComplete(open)) this.#close(records, open.fields.fields, open.fields.joined);
    else if (isRecord && !this.#isCsv) this.#giveUp(open, records);
    else this.#goOn(open, records);
  }

  /** Returns false if a quoted field begins inside of another: there its first quote would be doubled. */
  #addPieces({ fields }: OpenRecord, line: string): boolean {
    if (!fields.isOpen) return true;
    let between = '\n';
    for (const piece of line.split(this.#delimiter)) {
      if (this.#isCsv && fields.isOpen && isOnlyOpening(piece)) return false;
      fields.add(piece, between);
      between = this.#delimiter;
    }
    return true;
  }

  #goOn(open: OpenRecord, records: DocumentRecord[]): void {
    const { fields, lines, borders, spansRecord } = open;
    const mayBeBordered = this.#fits(borders + 1) && !spansRecord && !fields.isOpen;
    const bordered = mayBeBordered ? this.#splitAtBorders(lines) : undefined;
    if (bordered !== undefined) {
      this.#close(records, bordered, everyIndex(bordered));
      return;
    }
    const isEndless = this.#widths === undefined && lines.length > MAX_HEADER_LINES;
    const isShort = this.#isQuoted && borders + 1 < (this.#widths?.named ?? 0);
    const mayGoOn = fields.isOpen && fields.count <= (this.#widths?.whole ?? this.#limits.columns);
    if (isEndless || (!mayGoOn && !isShort)) this.#giveUp(open, records);
  }

  #close(records: DocumentRecord[], fields: string[], joined: ReadonlySet<number>): void {
    this.#open = undefined;
    this.#give(records, fields, undefined, joined);
  }

  /**
   * Returns true if all fields are closed and as many as the header has. If a line inside is a record by
   * itself, all quotes must be doubled, and the first line must be no record without them.
   */
  #isComplete({ fields, spansRecord, isWhole }: OpenRecord): boolean {
    if (fields.isOpen || (this.#widths !== undefined && !this.#fits(fields.count))) return false;
    return !spansRecord || (fields.areDoubled() && (this.#isCsv || !isWhole));
  }

  #fits(count: number): boolean {
    return this.#widths !== undefined && (count === this.#widths.whole || count === this.#widths.named);
  }

  /** Returns true for a line that is a record regardless of the lines before it. */
  #isRecord(line: string): boolean {
    const plain = line.split(this.#delimiter);
    if (!this.#fits(plain.length)) return false;
    return plain.every(
      (piece) => isClosed(piece) && !(this.#isQuoted && !isWrapped(piece) && piece.includes('"')),
    );
  }

  #bordersIn(line: string): number {
    return line.includes('"') ? line.split(`"${this.#delimiter}"`).length - 1 : 0;
  }

  /** Splits at the quotes between two fields, which are the borders if every field is quoted. */
  #splitAtBorders(lines: readonly string[]): string[] | undefined {
    const [first = ''] = lines;
    const last = lines.at(-1) ?? '';
    if (!first.startsWith('"') || !last.endsWith('"')) return undefined;
    const text = lines.join('\n');
    const fields = text.slice(1, -1).split(`"${this.#delimiter}"`);
    return text.length > 1 && this.#fits(fields.length)
      ? fields.map((field) => unwrap(`"${field}"`))
      : undefined;
  }

  /** Emits a line by itself: a quote that is open in it is closed at its end. */
  #giveLine(
    line: string,
    records: DocumentRecord[],
    plain = line.split(this.#delimiter),
    fields = this.#join(plain),
  ): void {
    const isClosedLine = plain.every(isClosed);
    const isWhole = this.#fits(plain.length) && isClosedLine;
    const isJoined = !fields.isOpen && (this.#widths === undefined || this.#fits(fields.count));
    const bordered = isWhole || isJoined ? undefined : this.#splitAtBorders([line]);
    const isLoose = this.#isQuoted && !fields.isOpen && !this.#fits(plain.length);
    if (isWhole) this.#give(records, plain);
    else if (bordered !== undefined) this.#give(records, bordered, undefined, everyIndex(bordered));
    else if (isJoined || isLoose) this.#give(records, fields.fields, undefined, fields.joined);
    else {
      if (this.#isQuoted && !isClosedLine) this.#unclosed += 1;
      this.#give(records, plain);
    }
  }

  /** Emits the first line as a record by itself and reads the others again: each line a few times at most. */
  #giveUp(open: OpenRecord, records: DocumentRecord[]): void {
    this.#open = undefined;
    const [first = '', ...others] = open.lines;
    this.#giveLine(first, records);
    this.#readAgain += open.characters;
    const mayReadAgain = this.#readAgain <= this.#read + this.#limits.rowCharacters;
    if (mayReadAgain) for (const line of others.reverse()) this.#again.push(line);
    else for (const line of others) this.#giveLine(line, records);
  }

  /** @throws DocumentError for a CSV in which no line is a record because a field is too long */
  #giveUpLong(open: OpenRecord, records: DocumentRecord[]): void {
    if (!this.#isCsv || open.spansRecord) {
      this.#giveUp(open, records);
      return;
    }
    throw new DocumentError(
      'too-large',
      `Row ${this.#given + 1} of the document has more than ${this.#limits.rowCharacters} characters, which is the limit. ` +
        'Probably it opens a quote that is never closed.',
      'Nothing was loaded, since rows after it could not be told apart. Ask for a new report.',
    );
  }

  /** Explains a header over the line limit, which usually has too many columns. */
  #explain(error: unknown, line: string): unknown {
    const columns = line.split(this.#delimiter).length;
    const isHeader = error instanceof DocumentError && this.#lines.given === 0 && !line.includes('"');
    return isHeader && columns > this.#limits.columns
      ? tooManyColumns(`at least ${columns}`, this.#limits.columns)
      : error;
  }
}

/**
 * Returns the indexes of the fields that contain a quote.
 * @param line the record that one-character delimiters split into the fields: the search for quotes reads it
 * only once
 */
function indexesOfQuoted(fields: readonly string[], line = fields.join('\t')): readonly number[] {
  const indexes: number[] = [];
  let end = -1;
  let quote = line.indexOf('"');
  for (let at = 0; at < fields.length && quote !== -1; at++) {
    end += (fields[at] ?? '').length + 1;
    if (quote >= end) continue;
    indexes.push(at);
    quote = line.indexOf('"', end);
  }
  return indexes;
}

/**
 * Returns true for a piece between two delimiters that opens a quote: two quotes at its start are closed at
 * once.
 */
function isOpening(piece: string): boolean {
  if (!piece.startsWith('"')) return false;
  let quotes = 1;
  while (piece.charAt(quotes) === '"') quotes += 1;
  return quotes % 2 === 1;
}

const isOnlyOpening = (piece: string) => isOpening(piece) && !piece.endsWith('"');

/** Returns true for a piece that opens no quote, or closes the one that it opens. */
const isClosed = (piece: string) => isWrapped(piece) || !isOpening(piece);

const everyIndex = (fields: readonly string[]) => new Set(fields.keys());

/** Joins the pieces between delimiters into fields by the quoting rules of CSV. */
class FieldJoiner {
  readonly #closed: string[] = [];
  readonly #joined = new Map<number, string>();
  #open: string | undefined;

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** The number of fields, including the open one. */
  get count(): number {
    return this.#closed.length + (this.#open === undefined ? 0 : 1);
  }

  /** The fields; joined ones have no quotes. */
  get fields(): string[] {
    return this.#closed.map((field, at) => (this.#joined.has(at) ? unwrap(field) : field));
  }

  get joined(): ReadonlySet<number> {
    return new Set(this.#joined.keys());
  }

  add(piece: string, before: string): void {
    if (this.#open === undefined) {
      if (isOpening(piece) && quotesAtEnd(piece, 1) % 2 === 0) this.#open = piece;
      else this.#closed.push(piece);
      return;
    }
    this.#open += before + piece;
    if (quotesAtEnd(piece) % 2 === 0) return;
    this.#joined.set(this.#closed.length, this.#open);
    this.#closed.push(this.#open);
    this.#open = undefined;
  }

  areDoubled(): boolean {
    return [...this.#joined.values()].every((field) => areDoubled(field.slice(1, -1)));
  }
}

export function tooManyColumns(count: string, most: number): DocumentError {
  return new DocumentError(
    'too-large',
    `The document has ${count} columns; at most ${most} fit into a table.`,
    'Nothing was loaded. Ask for a report type or options with fewer columns.',
  );
}

/** Parses the items of a JSON or JSON lines document while it is read. */

import { isSafeNumber, parse } from 'lossless-json';
import { isDeeperThan, isJsonObject } from '../../base/json.ts';
import type { DocumentBatch } from './document.ts';
import { DocumentError } from './document-error.ts';
import type { DocumentLimits } from './limits.ts';
import { LineSplitter } from './split-lines.ts';

/** The number of lists that are read item by item; further ones stay in the rest of the document. */
const MAX_LISTS = 100;

/**
 * Yields the items of each list that is nested in objects only, and then the rest. It makes one pass over the
 * characters: text outside of lists is short, so it is buffered and parsed at the end. A streaming parser
 * that builds each value itself was measured and took five times as long.
 */
export class JsonItems {
  readonly #limits: DocumentLimits;
  readonly #string = new JsonString();
  /** The text outside of the lists so far. */
  #rest = '';
  /** The list that is being read, from the character after its bracket. */
  #list: ListItems | undefined;
  /** The span in `rest` of the current member's name, for each open object. */
  readonly #path: TextSpan[] = [];
  /** The member paths of the lists that were read, from the top. */
  readonly #lists: string[][] = [];
  /** The span of the last string: it is a name if a colon follows. */
  #text: TextSpan = { start: 0, end: 0 };
  /** The open levels inside a list of plain values, in which no further list is searched. */
  #plainDepth = 0;
  /** True after an opening bracket; the next character shows what kind of list it is. */
  #bracket = false;
  #closed = false;

  constructor(limits: DocumentLimits) {
    this.#limits = limits;
  }

  /** @throws DocumentError */
  push(text: string): DocumentBatch[] {
    const batches: DocumentBatch[] = [];
    for (let at = 0; at < text.length; ) {
      at =
        this.#list === undefined
          ? this.#readOutside(text, at)
          : this.#readList(this.#list, text, at, batches);
    }
    return batches;
  }

  /** Returns the object at the top without its lists, unless that is empty. @throws DocumentError */
  end(): DocumentBatch[] {
    if (this.#rest.trim() === '') return [];
    const isOpen = this.#path.length + this.#plainDepth > 0 || this.#string.isOpen || this.#bracket;
    if (isOpen || this.#list !== undefined) {
      throw new DocumentError('truncated', 'The JSON document ends too early.');
    }
    const value = parseItem(this.#rest, this.#limits, () => 'what stands outside its lists');
    for (const path of this.#lists) removeMember(value, path);
    const isNothing = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
    return isNothing ? [] : [{ kind: 'items', list: '', items: [value] }];
  }

  #readList(list: ListItems, text: string, at: number, batches: DocumentBatch[]): number {
    const next = list.read(text, at);
    const items = list.take();
    if (items.length > 0) batches.push({ kind: 'items', list: this.#lists.at(-1)?.join('.') ?? '', items });
    if (list.isClosed) {
      this.#list = undefined;
      this.#rest += ']';
      this.#closed = this.#path.length === 0;
    }
    return next;
  }

  /** Reads up to the first item of a list, or to the end of the piece. */
  #readOutside(text: string, from: number): number {
    const base = this.#rest.length - from;
    for (let at = from; at < text.length; at++) {
      const sign = text.charCodeAt(at);
      if (this.#bracket && sign > SIGN.lastSpace && this.#isTable(sign)) {
        return this.#beginList(text.slice(from, at), at);
      }
      const wasOpen = this.#string.isOpen;
      if (this.#string.takes(sign)) {
        if (wasOpen) this.#text.end = base + at + 1;
        else this.#beginText(base + at);
      } else if (sign > SIGN.lastSpace) this.#step(sign);
    }
    this.#keep(text.slice(from));
    return text.length;
  }

  #beginText(place: number): void {
    if (this.#closed) throw notJson('what follows its end');
    this.#text = { start: place, end: place };
  }

  /** A table's items are objects; a list at the very top is a table regardless of its items. */
  #isTable(sign: number): boolean {
    this.#bracket = false;
    const isTable = sign === SIGN.openObject || this.#path.length === 0;
    if (isTable && this.#lists.length < MAX_LISTS) return true;
    this.#plainDepth = 1;
    return false;
  }

  #beginList(before: string, at: number): number {
    this.#keep(before);
    this.#lists.push(this.#path.map((name) => nameOf(this.#rest.slice(name.start, name.end))));
    this.#list = new ListItems(this.#path.length + 1, this.#limits);
    return at;
  }

  #step(sign: number): void {
    if (this.#closed) throw notJson('what follows its end');
    if (sign === SIGN.openObject || sign === SIGN.openList) this.#open(sign);
    else if (sign === SIGN.closeObject || sign === SIGN.closeList) this.#close(sign);
    else if (sign === SIGN.colon) this.#path[this.#path.length - 1] = this.#text;
  }

  #open(sign: number): void {
    if (this.#plainDepth > 0) this.#plainDepth++;
    else if (sign === SIGN.openObject) this.#path.push(this.#text);
    else this.#bracket = true;
    if (this.#path.length + this.#plainDepth > this.#limits.depth) throw tooDeep(this.#limits);
  }

  #close(sign: number): void {
    if (this.#plainDepth > 0) this.#plainDepth--;
    else if (sign === SIGN.closeObject) this.#path.pop();
    this.#closed = this.#plainDepth === 0 && this.#path.length === 0;
  }

  #keep(text: string): void {
    this.#rest += text;
    const { itemCharacters } = this.#limits;
    if (this.#rest.length <= itemCharacters) return;
    throw new DocumentError(
      'too-large',
      `What stands outside the lists of the JSON document has more than ${itemCharacters} characters, which is the limit.`,
    );
  }
}

interface TextSpan {
  start: number;
  end: number;
}

/** Decodes a name that is written as a JSON string. */
const nameOf = (text: string) => String(parseStrictly(text, () => 'the name of a member'));

function removeMember(value: unknown, path: readonly string[]): void {
  const [name = '', ...deeper] = path;
  // A list at the top leaves nothing to be removed.
  if (!isJsonObject(value)) return;
  if (deeper.length === 0) delete value[name];
  else removeMember(value[name], deeper);
}

// The items of one JSON list are cut out while it is read and parsed one by one.

/** Reads one list from the character after its opening bracket. */
class ListItems {
  readonly #limits: DocumentLimits;
  /** The open levels, including the list itself. */
  readonly #outerDepth: number;
  readonly #string = new JsonString();
  /** The open levels inside the current item. */
  #depth = 0;
  /** The text of the current item so far. */
  #item = '';
  #items: unknown[] = [];
  #count = 0;
  #closed = false;

  constructor(outerDepth: number, limits: DocumentLimits) {
    this.#outerDepth = outerDepth;
    this.#limits = limits;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /**
   * Reads up to the closing bracket or the end of the piece and returns the index after it.
   * @throws DocumentError
   */
  read(text: string, start: number): number {
    let from = start;
    for (let at = start; at < text.length; at++) {
      const sign = text.charCodeAt(at);
      if (this.#string.takes(sign)) continue;
      if (sign === SIGN.openObject || sign === SIGN.openList) this.#deeper();
      else if (this.#depth > 0) {
        if (sign === SIGN.closeObject || sign === SIGN.closeList) this.#depth--;
      } else if (sign === SIGN.comma || sign === SIGN.closeList) {
        this.#closed = sign === SIGN.closeList;
        this.#finish(text.slice(from, at));
        from = at + 1;
        if (this.#closed) return from;
      }
    }
    this.#item += text.slice(from);
    this.#checkLength(this.#item);
    return text.length;
  }

  /** Returns the items completed since the last call. */
  take(): unknown[] {
    const items = this.#items;
    this.#items = [];
    return items;
  }

  #deeper(): void {
    this.#depth++;
    if (this.#outerDepth + this.#depth > this.#limits.depth) throw tooDeep(this.#limits);
  }

  #finish(end: string): void {
    const text = this.#item + end;
    this.#item = '';
    this.#checkLength(text);
    if (this.#closed && this.#count === 0 && text.trim() === '') return;
    this.#items.push(parseItem(text, this.#limits, () => `item ${this.#count + 1} of a list`));
    this.#count++;
  }

  #checkLength(item: string): void {
    const { itemCharacters } = this.#limits;
    if (item.length <= itemCharacters) return;
    throw new DocumentError(
      'too-large',
      `Item ${this.#count + 1} of a list in the JSON document has more than ${itemCharacters} characters, which is the limit.`,
    );
  }
}

// The characters that structure JSON, and the bounds of its strings.

/** UTF-16 codes, which equal the ASCII codes for these characters. */
const SIGN = {
  lastSpace: 0x20,
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openList: 0x5b,
  backslash: 0x5c,
  closeList: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;

/** Tracks whether the current character belongs to a string, in which no other character has a meaning. */
class JsonString {
  #open = false;
  #escaped = false;

  get isOpen(): boolean {
    return this.#open;
  }

  /** Returns true for the quotes around a string too. */
  takes(sign: number): boolean {
    if (!this.#open) {
      this.#open = sign === SIGN.quote;
      return this.#open;
    }
    if (this.#escaped) this.#escaped = false;
    else if (sign === SIGN.backslash) this.#escaped = true;
    else if (sign === SIGN.quote) this.#open = false;
    return true;
  }
}

// Each line of a JSON lines document that is not empty is one item.

export class JsonLines {
  readonly #limits: DocumentLimits;
  readonly #lines: LineSplitter;

  constructor(limits: DocumentLimits) {
    this.#limits = limits;
    this.#lines = new LineSplitter(limits.itemCharacters, 'Line');
  }

  /** @throws DocumentError */
  push(text: string): DocumentBatch[] {
    const before = this.#lines.given;
    return this.#parse(this.#lines.push(text), before);
  }

  /** @throws DocumentError */
  end(): DocumentBatch[] {
    const before = this.#lines.given;
    return this.#parse(this.#lines.end(), before);
  }

  #parse(lines: readonly string[], before: number): DocumentBatch[] {
    const items: unknown[] = [];
    lines.forEach((line, at) => {
      if (line.trim() !== '') items.push(parseItem(line, this.#limits, () => `line ${before + at + 1}`));
    });
    return items.length === 0 ? [] : [{ kind: 'items', list: '', items }];
  }
}

// Parses one JSON value of a document; numbers that a JavaScript number would change become texts, so that no
// digit is lost.

/**
 * Matches possible numbers with too many digits or too large an exponent; a match inside a string only costs
 * time.
 */
const SUSPICIOUS = /[\d.]{16}|\d[eE][+-]?\d{3}/;

/** @param place names the position for the error: `line 12`. @throws DocumentError */
function parseItem(text: string, limits: DocumentLimits, place: () => string): unknown {
  const value = parseStrictly(text, place);
  if (isDeeperThan(value, limits.depth)) throw tooDeep(limits);
  return SUSPICIOUS.test(text) ? parse(text, undefined, safeNumber) : value;
}

function parseStrictly(text: string, place: () => string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notJson(place());
  }
}

function notJson(place: string): DocumentError {
  return new DocumentError('damaged', `The document is not valid JSON at ${place}.`);
}

function tooDeep({ depth }: DocumentLimits): DocumentError {
  return new DocumentError(
    'too-large',
    `The document nests deeper than ${depth} levels, which is the limit.`,
  );
}

function safeNumber(text: string): number | string {
  return isSafeNumber(text) ? Number(text) : text;
}

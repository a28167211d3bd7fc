/** The items of a JSON document, or of JSON lines, while it is read. */

import { isSafeNumber, parse } from 'lossless-json';
import { isDeeperThan, isJsonObject } from '../../base/json.ts';
import type { DocumentBatch } from './document.ts';
import { DocumentError } from './document-error.ts';
import type { DocumentLimits } from './limits.ts';
import { LineSplitter } from './split-lines.ts';

/** Lists that are read item by item; further ones stay where they are. */
const MAX_LISTS = 100;

/**
 * Those of each list that lies in objects only, and what is left. One pass over the signs: outside lists the text is
 * kept (it is little) and parsed at the end. The streaming parser that was measured against it builds each value itself
 * and took five times as long.
 */
export class JsonItems {
  readonly #limits: DocumentLimits;
  readonly #string = new JsonString();
  /** What stands outside the lists so far. */
  #rest = '';
  /** The list that is being read, behind its bracket. */
  #list: ListItems | undefined;
  /** Of each object that is open: where in `rest` the name of the member stands that is being read. */
  readonly #path: Span[] = [];
  /** Members of the lists that were read, from the top. */
  readonly #lists: string[][] = [];
  /** Where the last text stands: a name, if a colon follows. */
  #text: Span = { start: 0, end: 0 };
  /** Levels that are open inside a list of plain values, where no further list is looked for. */
  #plainDepth = 0;
  /** An opening bracket came; what follows tells what kind of list it is. */
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

  /** The object at the top without its lists, unless nothing is left of it. @throws DocumentError */
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

  /** Up to the first item of a list, or to the end of the piece. */
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

  /** Items of a table are objects; only a list at the very top is one whatever it holds. */
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

interface Span {
  start: number;
  end: number;
}

/** A name as JSON has it. */
const nameOf = (text: string) => String(parseStrictly(text, () => 'the name of a member'));

function removeMember(value: unknown, path: readonly string[]): void {
  const [name = '', ...deeper] = path;
  // Of a list at the top nothing is left to be removed.
  if (!isJsonObject(value)) return;
  if (deeper.length === 0) delete value[name];
  else removeMember(value[name], deeper);
}

// The items of one JSON list, cut out while it is read and parsed one by one.

/** Begins behind the opening bracket. */
class ListItems {
  readonly #limits: DocumentLimits;
  /** Levels that are open, the list's own included. */
  readonly #outerDepth: number;
  readonly #string = new JsonString();
  /** Levels that are open inside the current item. */
  #depth = 0;
  /** The current item so far. */
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

  /** Reads on up to the closing bracket or the end of the piece; gives the place behind it. @throws DocumentError */
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

  /** The items that are whole since the last time. */
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

// The signs that JSON is built of, and where its texts begin and end.

/** UTF-16 codes, which for these are the ASCII ones. */
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

/** Whether the current sign belongs to a text, in which nothing else has a meaning. */
class JsonString {
  #open = false;
  #escaped = false;

  get isOpen(): boolean {
    return this.#open;
  }

  /** True for the quotes around a text too. */
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

// The items of a JSON lines document: each line that is not empty is one.

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

// One JSON value of a document; numbers that a JavaScript number would change become texts, so that no digit is lost.

/** What may be a number of more digits, or with a larger exponent, than fit; matching inside a text costs time only. */
const SUSPICIOUS = /[\d.]{16}|\d[eE][+-]?\d{3}/;

/** @param place where it stands, for the error: `line 12`. @throws DocumentError */
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

/**
 * Describes the content of a document for the user who approves it: its messages or rows, and totals of all
 * of them.
 */

/** The form decides the unit that a document is counted in. */
export type DocumentForm = 'listings' | 'json' | 'table' | 'xml' | 'text' | 'unknown';

/** A member of an item that is sent. */
export type DocumentItemPart =
  /** An attribute of a listing, with the entries that are sent of it. */
  | { attribute: string; op: string; entries: readonly unknown[] }
  /** Any other member, by its path. */
  | { label: string; value: unknown };

/** An amount in an item, which may occur there several times. */
export interface DocumentAmount {
  /** The name with its unit, such as `price in EUR`. */
  what: string;
  min: number;
  max: number;
  sum: number;
}

/** An unusual trait of an item: the kind, by which items are counted, and the text for the reader. */
export interface UnusualTrait {
  kind: string;
  words: string;
}

/** A message or a row. */
export interface DocumentItem {
  /** The messageId, or the number of the row from 1. */
  id: number;
  /** The SKU or the id of the order; absent where the item names none. */
  name?: string;
  /** The operation, such as `PATCH` or `Delete`; empty where the item names none. */
  operation: string;
  parts: readonly DocumentItemPart[];
  amounts: readonly DocumentAmount[];
  unusual: readonly UnusualTrait[];
  /** Some parts of the item are left out or cut. */
  isCut?: boolean;
}

/** An amount over all items, with the number of items that have it. */
export interface TotalAmount extends DocumentAmount {
  items: number;
}

export interface DocumentContent {
  form: DocumentForm;
  /** The reason why the document is not understood, in our own words. */
  why?: string;
  /** The number of items. */
  total: number;
  /** The number of items for each operation. */
  operations: readonly (readonly [operation: string, items: number])[];
  columns: readonly string[];
  /** The members beside the items, such as the header of a feed. */
  header: readonly DocumentItemPart[];
  /**
   * The items that are shown, not all of them: unusual ones first, then the lowest prices or the largest
   * refunds, then in document order.
   */
  items: readonly DocumentItem[];
  /** The number of items for each unusual kind. */
  unusual: readonly (readonly [kind: string, items: number])[];
  amounts: readonly TotalAmount[];
  /** The warnings about the whole document, in our own words. */
  warnings: readonly string[];
  /** The beginning of a text that is not understood. */
  beginning: readonly string[];
  /** The seller whose listings a feed changes, as the feed names it. */
  sellerId?: string;
  /**
   * A JSON array with `[messageId, sku or null]` of each item, because the processing report refers to these;
   * empty where there are too many.
   */
  messages: Uint8Array;
}

/** The options for reading a document. */
export interface ContentOptions {
  contentType: string;
  feedType?: string | undefined;
  /** The marketplaces of the feed. */
  places: readonly string[];
  /** The maximum number of items to return, the most unusual first. */
  maxItems: number;
  /** Items are returned whole, however large. */
  isWhole?: boolean;
  /**
   * The document has real values instead of placeholders, and its masked form was checked before. A repeated
   * value is no reason to reject it then, because that would tell the assistant which values are equal.
   */
  isResolved: boolean;
}

/** What a document holds, as it is read for the person who approves it: its messages or rows, and totals of all of them. */

/** The unit that a document is counted in, by its form. */
export type Form = 'listings' | 'json' | 'table' | 'xml' | 'text' | 'unknown';

/** A member of what is sent. */
export type Part =
  /** An attribute of a listing, with the entries that are sent of it. */
  | { attribute: string; op: string; entries: readonly unknown[] }
  /** Any other member, by its path. */
  | { label: string; value: unknown };

/** An amount in an item, which may stand there several times. */
export interface Amount {
  /** `price in EUR`. */
  what: string;
  min: number;
  max: number;
  sum: number;
}

/** What is unusual about an item: its kind, by which items are counted, and its words. */
export interface Unusual {
  kind: string;
  words: string;
}

/** A message or a row. */
export interface DocumentItem {
  /** Its messageId, or the number of its row from 1. */
  id: number;
  /** SKU or id of the order; absent where it names none. */
  name?: string;
  /** `PATCH`, `Delete`; empty where it does not say. */
  operation: string;
  parts: readonly Part[];
  amounts: readonly Amount[];
  unusual: readonly Unusual[];
  /** Not all of its parts are here. */
  isCut?: boolean;
}

/** An amount over all items: how many hold it. */
export interface TotalAmount extends Amount {
  items: number;
}

export interface DocumentContent {
  form: Form;
  /** Why the document is not understood, in words of ours. */
  why?: string;
  /** How many items there are. */
  total: number;
  /** How many items have which operation. */
  operations: readonly (readonly [operation: string, items: number])[];
  columns: readonly string[];
  /** What stands beside the items, such as the header of a feed. */
  header: readonly Part[];
  /** The most unusual ones first, then the lowest prices or the largest refunds, then in their order; not all of them. */
  items: readonly DocumentItem[];
  /** How many items are unusual in which way. */
  unusual: readonly (readonly [kind: string, items: number])[];
  amounts: readonly TotalAmount[];
  /** Warnings about the whole, in words of ours. */
  warnings: readonly string[];
  /** The beginning of a text that is not understood. */
  beginning: readonly string[];
  /** The seller whose listings a feed changes, as it says itself. */
  sellerId?: string;
  /** `[messageId, sku or null]` of each item as JSON, by which the processing report speaks of them; empty where there are too many. */
  messages: Uint8Array;
}

/** What a document is read for. */
export interface ContentOptions {
  contentType: string;
  feedType?: string | undefined;
  /** Marketplaces of the feed. */
  places: readonly string[];
  /** Items that are given, most unusual first. */
  maxItems: number;
  /** Items are given whole, however large. */
  isWhole?: boolean;
  /**
   * The masked form was checked before, and this is the same with its values in it: a repeated value is no reason to
   * refuse, because that would tell the assistant which values are equal.
   */
  isResolved: boolean;
}

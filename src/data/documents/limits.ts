/** Limits on how much of a document is read, regardless of its sender; the errors state them. */

import { MAX_DEPTH } from '../../base/json.ts';

export type DocumentLimits = typeof DOCUMENT_LIMITS;

/**
 * Real reports unpack to 5 to 50 times their size, and the largest known ones have some hundred megabytes.
 */
export const DOCUMENT_LIMITS = {
  /** Max bytes after unpacking. */
  unpackedBytes: 2_000_000_000,
  /** Max unpacked bytes for each packed one; applies once `ratioFromBytes` are unpacked. */
  ratio: 250,
  ratioFromBytes: 16_000_000,
  /** Max columns of a table: SQLite takes 2,000, some of which the tables need for themselves. */
  columns: 1_990,
  /** Max characters of one row of a tab-separated or CSV document. */
  rowCharacters: 1_000_000,
  /** Max characters of one item of a JSON document, and of all text outside of its lists. */
  itemCharacters: 16_000_000,
  /** Max nesting levels of JSON. */
  depth: MAX_DEPTH,
};

/** Max times that a document may be packed with gzip: once is usual, twice happens. */
export const MAX_GZIP_LAYERS = 2;

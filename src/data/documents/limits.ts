/** How much of a document is taken in, whoever sent it: stated in the errors that refuse more. */

import { MAX_DEPTH } from '../../base/json.ts';

export type DocumentLimits = typeof DOCUMENT_LIMITS;

/** Real reports unpack to 5 to 50 times their size, and the largest known have some hundred megabytes. */
export const DOCUMENT_LIMITS = {
  /** Bytes after unpacking. */
  unpackedBytes: 2_000_000_000,
  /** Unpacked bytes for each packed one; counts once `ratioFromBytes` are unpacked. */
  ratio: 250,
  ratioFromBytes: 16_000_000,
  /** Of a table: SQLite takes 2,000, some of which the tables need for themselves. */
  columns: 1_990,
  /** Characters of one row of a tab-separated or CSV document. */
  rowCharacters: 1_000_000,
  /** Characters of one item of a JSON document, and of all that stands outside its lists. */
  itemCharacters: 16_000_000,
  /** Levels of JSON. */
  depth: MAX_DEPTH,
};

/** Times that a document may be packed with gzip: once is usual, twice happens. */
export const MAX_GZIP_LAYERS = 2;

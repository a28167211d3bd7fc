/** Finds the content type of a document: the given one, or that of the feed type, or of the name's ending. */

import { InputError } from '../../../base/errors.ts';
import { escapeText } from '../../../base/text/escape-text.ts';

export const JSON_TYPE = 'application/json; charset=UTF-8';
export const TABLE_TYPE = 'text/tab-separated-values; charset=UTF-8';
const XML_TYPE = 'text/xml; charset=UTF-8';

export const LISTINGS_FEED = 'JSON_LISTINGS_FEED';

const BY_ENDING: Readonly<Record<string, string>> = {
  json: JSON_TYPE,
  tsv: TABLE_TYPE,
  txt: TABLE_TYPE,
  xml: XML_TYPE,
  csv: 'text/csv; charset=UTF-8',
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  bmp: 'image/bmp',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** Matches what a header can contain, such as `text/csv; charset=UTF-8`. */
const CONTENT_TYPE = /^[\w.+-]{1,60}\/[\w.+-]{1,100}(?:; ?[\w-]{1,40}="?[\w.+-]{1,60}"?){0,3}$/;

interface ContentTypeHints {
  given?: string | undefined;
  feedType?: string | undefined;
  /** The name of a file. */
  name?: string | undefined;
  /** The first characters of a text. */
  beginning?: string | undefined;
}

/**
 * @throws InputError where no type is given and none follows, for an invalid type, and for one that the feed
 * does not take
 */
export function contentTypeOf({ given, feedType, name, beginning }: ContentTypeHints): string {
  if (given !== undefined) {
    if (CONTENT_TYPE.test(given)) return checked(given, feedType);
    throw new InputError(
      `document.contentType "${escapeText(given.slice(0, 100))}" is no content type; nothing was sent.`,
      `Such as ${JSON_TYPE}, ${TABLE_TYPE} or application/pdf.`,
    );
  }
  const [, ending = ''] = /\.(\w{1,5})$/.exec(name ?? '') ?? [];
  const found = ofFeed(feedType) ?? BY_ENDING[ending.toLowerCase()] ?? ofText(beginning, feedType);
  if (found !== undefined) return found;
  throw new InputError(
    'Neither document.contentType nor the name says what kind of document it is; nothing was sent.',
    'Add document.contentType, such as application/pdf.',
  );
}

/** Returns the content type of a feed; undefined where a feed takes several. */
function ofFeed(feedType: string | undefined): string | undefined {
  if (feedType === undefined) return undefined;
  if (/^JSON_/.test(feedType)) return JSON_TYPE;
  if (/FLAT_FILE|FLATFILE|_TSV_/.test(feedType)) return TABLE_TYPE;
  return feedType === 'UPLOAD_VAT_INVOICE' ? 'application/pdf' : undefined;
}

/** Guesses the type from the text: a feed is a table, unless it begins otherwise. */
function ofText(beginning = '', feedType?: string): string | undefined {
  if (/^\s*</.test(beginning)) return XML_TYPE;
  if (/^\s*[{[]/.test(beginning)) return JSON_TYPE;
  return feedType === undefined ? undefined : TABLE_TYPE;
}

function checked(given: string, feedType: string | undefined): string {
  if (feedType !== LISTINGS_FEED || /^application\/json\b/i.test(given)) return given;
  throw new InputError(
    `${LISTINGS_FEED} takes ${JSON_TYPE}, not ${given}; nothing was sent.`,
    'Leave document.contentType out.',
  );
}

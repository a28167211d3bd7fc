/** Which content type a document gets: what is given, what its feed takes, what its name or its first sign says, in this order. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  contentTypeOf,
  JSON_TYPE,
  LISTINGS_FEED,
  TABLE_TYPE,
} from '../../../../src/write/handlers/document/content-type.ts';

const XML_TYPE = 'text/xml; charset=UTF-8';
const FEEDS = [
  'POST_FLAT_FILE_PRICE_DATA',
  'POST_FLATFILE_X',
  'X_TSV_Y',
  'JSON_X',
  'UPLOAD_VAT_INVOICE',
  'POST_PRODUCT_DATA',
  undefined,
];
const OF_FEED: Readonly<Record<string, string>> = {
  POST_FLAT_FILE_PRICE_DATA: TABLE_TYPE,
  POST_FLATFILE_X: TABLE_TYPE,
  X_TSV_Y: TABLE_TYPE,
  JSON_X: JSON_TYPE,
  UPLOAD_VAT_INVOICE: 'application/pdf',
};
const NAMES: Readonly<Record<string, string | undefined>> = {
  'a.json': JSON_TYPE,
  'a.b.TSV': TABLE_TYPE,
  'a.txt': TABLE_TYPE,
  'a.xml': XML_TYPE,
  'a.csv': 'text/csv; charset=UTF-8',
  'a.pdf': 'application/pdf',
  'a.jpeg': 'image/jpeg',
  'a.odd': undefined,
  'a.pdf.sig': undefined,
  pdf: undefined,
};
const TEXTS: Readonly<Record<string, string | undefined>> = {
  ' <a>': XML_TYPE,
  '\n{"a"': JSON_TYPE,
  '[1': JSON_TYPE,
  'a <b': undefined,
  'a {': undefined,
};

it('says the first of these that tells it, and a text of a feed is a table else', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...FEEDS),
      fc.constantFrom(undefined, ...Object.keys(NAMES)),
      fc.constantFrom(undefined, ...Object.keys(TEXTS)),
      (feedType, name, beginning) => {
        const known =
          OF_FEED[feedType ?? ''] ??
          NAMES[name ?? ''] ??
          TEXTS[beginning ?? ''] ??
          (feedType === undefined ? undefined : TABLE_TYPE);
        const asked = { feedType, name, beginning };
        if (known !== undefined) expect(contentTypeOf(asked)).toBe(known);
        else expect(() => contentTypeOf(asked)).toThrow('says what kind of document it is; nothing was sent');
      },
    ),
  );
});

describe('one that is given', () => {
  it.each(['text/csv', 'text/csv; charset=UTF-8', 'application/vnd.x+json;a="b"; c=d', 'image/png'])(
    'is taken: %s',
    (given) => {
      expect(contentTypeOf({ given, name: 'a.json', feedType: 'POST_FLATFILE_X' })).toBe(given);
    },
  );
  it.each([
    'csv',
    '',
    'text/',
    '/csv',
    'text/csv;',
    'text/csv\nx: y',
    'text/csv; a',
    'a text/csv',
    'text/csv; a=b; c=d; e=f; g=h',
    `${'a'.repeat(61)}/b`,
  ])('is refused where it is none: %j', (given) => {
    expect(() => contentTypeOf({ given })).toThrow('is no content type; nothing was sent');
  });
  it('has to be JSON for a feed of listings, in any case', () => {
    expect(contentTypeOf({ given: 'Application/JSON', feedType: LISTINGS_FEED })).toBe('Application/JSON');
    for (const given of ['text/plain', 'application/jsonl', 'x-application/json'])
      expect(() => contentTypeOf({ given, feedType: LISTINGS_FEED })).toThrow(
        `takes ${JSON_TYPE}, not ${given}; nothing was sent`,
      );
  });
});

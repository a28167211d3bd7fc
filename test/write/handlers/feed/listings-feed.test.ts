import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readContent } from '../../../../src/write/handlers/document/content/read-content.ts';
import { bytesOf } from '../../../../src/write/handlers/document/outgoing-document.ts';
import { listingsRefusal } from '../../../../src/write/handlers/feed/listings-check.ts';
import {
  buildListingsFeed,
  endsOfFeeds,
  type ListingsFeedItem,
} from '../../../../src/write/handlers/feed/listings-feed.ts';

const PATCHES = [{ op: 'replace', path: '/attributes/item_name', value: [{ value: 'Lamp' }] }];
const item = (sku: string): ListingsFeedItem => ({ sku, productType: 'LAMP', patches: PATCHES });
const options = { sellerId: 'A1', marketplaceIds: ['ATVPDKIKX0DER'] };
/** Reads a feed as the program reads one that a user wrote. */
function readListingsFeed(bytes: Uint8Array) {
  const feedType = 'JSON_LISTINGS_FEED';
  const options = { contentType: 'application/json', feedType, places: [], maxItems: 100, isResolved: false };
  const content = readContent(bytes, options);
  if ('problems' in content) throw listingsRefusal(content.problems);
  return content;
}
const read = (feed: unknown) => readListingsFeed(Buffer.from(JSON.stringify(feed)));
const message = (messageId: number, sku: string, more: object = {}) => ({
  messageId,
  sku,
  operationType: 'PATCH',
  productType: 'LAMP',
  patches: PATCHES,
  ...more,
});
const feed = (...messages: object[]) => ({ header: { sellerId: 'A1', version: '2.0' }, messages });

it('what is built is what a check accepts, in its order, whatever the SKUs are', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 20 }),
      async (skus) => {
        const built = buildListingsFeed(skus.map(item), options);
        const { items, sellerId } = readListingsFeed(await bytesOf(built.document));
        expect(sellerId).toBe('A1');
        expect(items.map(({ name, id }) => [name, id])).toEqual(skus.map((sku, at) => [sku, at + 1]));
        const entries = [{ value: 'Lamp' }];
        expect(items[0]?.parts[0]).toEqual({ attribute: 'item_name', op: 'replace', entries });
        expect(built.messages).toEqual(items.map(({ name, id }) => ({ messageId: id, sku: name })));
      },
    ),
  );
});

describe('a feed is refused', () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => message(at + 1, `S-${at}`));
  it.each([
    [
      'with 25,001 messages',
      feed(...many(25_001)),
      'it has 25,001 messages, and a feed takes at most 25,000',
    ],
    ['without messages', feed(), 'messages is empty'],
    [
      'with another version',
      { header: { sellerId: 'A1', version: '1.0' }, messages: many(1) },
      'header.version must be "2.0"',
    ],
    ['without a header', { messages: many(1) }, 'header'],
    [
      'with a message id twice',
      feed(message(1, 'A'), message(1, 'B')),
      'messages.1.messageId is the same as that of messages.0',
    ],
    [
      'with a SKU twice',
      feed(message(1, 'A'), message(2, 'A')),
      'messages.1.sku is the same as that of messages.0',
    ],
    [
      'with an operation that nobody knows',
      feed(message(1, 'A', { operationType: 'PUT' })),
      'operationType must be one of UPDATE',
    ],
    [
      'with a message id as a text',
      feed(message(1, 'A', { messageId: '1' })),
      'messages.0.messageId must be a whole number',
    ],
    [
      'with a patch without patches',
      feed(message(1, 'A', { patches: [] })),
      'messages.0.patches is required',
    ],
    [
      'without a product type',
      feed(message(1, 'A', { productType: undefined })),
      'messages.0.productType is required',
    ],
    [
      'with an update without attributes',
      feed(message(1, 'A', { operationType: 'UPDATE' })),
      'messages.0.attributes is required',
    ],
    ['that is a list', [], 'expected object'],
  ])('%s', (_case, whole, words) => {
    expect(() => read(whole)).toThrow(words);
    expect(() => read(whole)).toThrow(/was not sent/);
  });

  it('that is no JSON, or nested without end', () => {
    expect(() => readListingsFeed(Buffer.from('sku\tprice\n'))).toThrow('it is not JSON');
    expect(() => readListingsFeed(Buffer.from('['.repeat(100_000)))).toThrow('nested too deeply');
  });

  it('of one SKU twice, or of nothing, where it is built', () => {
    expect(() => buildListingsFeed([item('A'), item('A')], options)).toThrow('the same as that of');
    expect(() => buildListingsFeed([], options)).toThrow('is empty');
  });
});

it('a deletion needs neither product type nor attributes', () => {
  const { items } = read(feed({ messageId: 5, sku: 'A', operationType: 'DELETE' }));
  expect(items).toMatchObject([{ id: 5, name: 'A', operation: 'DELETE', parts: [] }]);
});

it('more than one feed holds is split, nothing lost or twice', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 20 }), (count, most) => {
      const items = Array.from({ length: count }, (_, at) => item(`S-${at}`));
      const ends = endsOfFeeds(items, most);
      const parts = ends.map((end, at) => items.slice(ends[at - 1] ?? 0, end));
      expect(parts.flat()).toEqual(items);
      expect(parts.every(({ length }) => length > 0 && length <= most)).toBe(true);
      expect(parts).toHaveLength(Math.ceil(count / most));
    }),
  );
});

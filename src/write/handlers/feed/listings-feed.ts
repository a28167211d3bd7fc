/** Builds a JSON_LISTINGS_FEED from changes of listings. */

import { JSON_TYPE, LISTINGS_FEED } from '../document/content-type.ts';
import { documentOfPieces } from '../document/outgoing-document.ts';
import type { Feed, SentMessage } from './feed.ts';
import { MAX_FEED_DOCUMENT_BYTES, MAX_FEED_MESSAGES } from './limits.ts';
import { checkListings, listingsRefusal } from './listings-check.ts';

/** One listing with its patches, as patchListingsItem takes them. */
export interface ListingsFeedItem {
  sku: string;
  productType: string;
  patches: readonly unknown[];
}

interface ListingsFeedOptions {
  sellerId: string;
  marketplaceIds: readonly string[];
}

/**
 * Builds one feed of all items, with messages numbered from 1 in their order. Its document is never whole in
 * memory; each read generates it anew from the items.
 * @throws InputError for no items, more than 25,000, a repeated SKU, and more bytes than are sent
 */
export function buildListingsFeed(items: Iterable<ListingsFeedItem>, options: ListingsFeedOptions): Feed {
  const { sellerId, marketplaceIds } = options;
  const header = { sellerId, version: '2.0' };
  const check = checkListings();
  const sent: SentMessage[] = [];
  const messages = function* () {
    let messageId = 0;
    for (const item of items) {
      messageId += 1;
      yield toMessage(item, messageId);
    }
  };
  for (const message of messages()) {
    check.add(message);
    sent.push({ messageId: message.messageId, sku: message.sku });
  }
  const problems = check.problems({ header, messages: sent });
  if (problems.length > 0) throw listingsRefusal(problems);
  const document = documentOfPieces(() => piecesOf(header, messages()), JSON_TYPE);
  return { feedType: LISTINGS_FEED, marketplaceIds, document, messages: sent };
}

/** The size of one piece, so that the socket and the digests need few calls. */
const PIECE_CHARACTERS = 65_536;

/** Yields the text of `{ header, messages }`. */
function* piecesOf(header: object, messages: Iterable<unknown>): Generator<Buffer> {
  let text = `{"header":${JSON.stringify(header)},"messages":[`;
  let before = '';
  for (const message of messages) {
    text += before + JSON.stringify(message);
    before = ',';
    if (text.length < PIECE_CHARACTERS) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(`${text}]}`);
}

/** Bytes for the header and the brackets around the messages. */
const FRAME_BYTES = 1_000;

/**
 * Splits the items, in their order, into parts that fit one feed each; feeds are sent one after the other.
 * @returns the index after the last item of each part
 */
export function endsOfFeeds(items: Iterable<ListingsFeedItem>, maxMessages = MAX_FEED_MESSAGES): number[] {
  const ends: number[] = [];
  let [from, at, bytes] = [0, 0, 0];
  for (const item of items) {
    const size = Buffer.byteLength(JSON.stringify(toMessage(item, maxMessages))) + 1;
    if (at - from >= maxMessages || (at > from && bytes + size > MAX_FEED_DOCUMENT_BYTES - FRAME_BYTES)) {
      ends.push(at);
      [from, bytes] = [at, 0];
    }
    at += 1;
    bytes += size;
  }
  return at === 0 ? ends : [...ends, at];
}

const toMessage = ({ sku, productType, patches }: ListingsFeedItem, messageId: number) => ({
  messageId,
  sku,
  operationType: 'PATCH',
  productType,
  patches,
});

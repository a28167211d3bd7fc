/** JSON_LISTINGS_FEED: built from changes of listings, and checked before it is sent. */

import * as z from 'zod';
import { InputError } from '../../../base/errors.ts';
import { isJsonObject, nestsTooDeep } from '../../../base/json.ts';
import { count } from '../../../base/text/value-words.ts';
import { attributeOfPatch } from '../../model/listing/apply-patches.ts';
import { JSON_TYPE, LISTINGS_FEED } from '../document/content-type.ts';
import { documentOfPieces } from '../document/outgoing-document.ts';
import type { Feed, SentMessage } from './feed.ts';
import { MOST_DOCUMENT_BYTES, MOST_MESSAGES } from './limits.ts';

/** One listing: its patches as patchListingsItem takes them. */
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
 * One feed for all of them; the messages are numbered from 1 in their order. Its document is never whole in memory: it is
 * made anew of the items each time that it is read.
 * @throws InputError for none, more than 25,000, a SKU that is there twice, and more bytes than are sent
 */
export function buildListingsFeed(items: Iterable<ListingsFeedItem>, options: ListingsFeedOptions): Feed {
  const { sellerId, marketplaceIds } = options;
  const header = { sellerId, version: '2.0' };
  const check = startCheck();
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
  if (problems.length > 0) throw refusal(problems);
  const document = documentOfPieces(() => piecesOf(header, messages()), JSON_TYPE);
  return { feedType: LISTINGS_FEED, marketplaceIds, document, messages: sent };
}

/** Of one piece: few calls to the socket and the digests. */
const PIECE_CHARACTERS = 65_536;

/** The text of `{ header, messages }`. */
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

/** Room for the header and the brackets around the messages. */
const FRAME_BYTES = 1_000;

/**
 * In their order, each part small enough for one feed; several feeds go one after the other.
 * @returns the places behind the last of each
 */
export function endsOfFeeds(items: Iterable<ListingsFeedItem>, most = MOST_MESSAGES): number[] {
  const ends: number[] = [];
  let [from, at, bytes] = [0, 0, 0];
  for (const item of items) {
    const size = Buffer.byteLength(JSON.stringify(toMessage(item, most))) + 1;
    if (at - from >= most || (at > from && bytes + size > MOST_DOCUMENT_BYTES - FRAME_BYTES)) {
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

/** One message of a feed as it is told before it is sent. */
export interface ToldMessage extends SentMessage {
  sku: string;
  operationType: string;
  productType?: string;
  /** What it sets or changes: name, and the value that is sent (undefined for a removal). */
  attributes: readonly { name: string; value: unknown }[];
}

export interface ListingsFeedContent {
  sellerId: string;
  messages: ToldMessage[];
}

/**
 * The messages of a feed that somebody wrote.
 * @param options.isResolved values stand in the place of placeholders: a repeated one is no reason to refuse, because
 * that would tell the assistant which values are equal
 * @throws InputError naming all that is wrong with it, up to 20
 */
export function readListingsFeed(
  bytes: Uint8Array,
  { isResolved = false }: { isResolved?: boolean } = {},
): ListingsFeedContent {
  const whole = parse(bytes);
  const problems = problemsOf(whole, isResolved);
  if (problems.length > 0) throw refusal(problems);
  const { header, messages } = feedSchema.parse(whole);
  return { sellerId: header.sellerId, messages: messages.map(toTold) };
}

const OPERATIONS = ['UPDATE', 'PARTIAL_UPDATE', 'PATCH', 'DELETE'] as const;

const messageSchema = z.looseObject({
  messageId: z.int('must be a whole number').min(1, 'must be 1 or more'),
  sku: z.string('must be a text').min(1, 'must not be empty'),
  operationType: z.enum(OPERATIONS, `must be one of ${OPERATIONS.join(', ')}`),
  productType: z.string('must be a text').min(1).optional(),
  requirements: z.string('must be a text').optional(),
  patches: z
    .array(z.looseObject({ op: z.string(), path: z.string() }), 'must be a list of patches')
    .optional(),
  attributes: z.record(z.string(), z.unknown(), 'must be an object').optional(),
});
const NO_LIST = 'must be a list';
const NO_MESSAGES = 'is empty: there is nothing to send';
const feedSchema = z.looseObject({
  header: z.looseObject({
    sellerId: z.string('must be a text').min(1),
    version: z.literal('2.0', 'must be "2.0"'),
  }),
  messages: z.array(messageSchema, NO_LIST).min(1, NO_MESSAGES),
});

/** Without a look at its messages. */
const frameSchema = feedSchema.extend({ messages: z.array(z.unknown(), NO_LIST).min(1, NO_MESSAGES) });

type Message = z.output<typeof messageSchema>;

function toTold({ messageId, sku, operationType, productType, patches, attributes }: Message): ToldMessage {
  const patched = (patches ?? []).map((patch) => ({
    name: attributeOfPatch(patch) ?? patch.path,
    value: patch.value,
  }));
  const set = Object.entries(attributes ?? {}).map(([name, value]) => ({ name, value }));
  return {
    messageId,
    sku,
    operationType,
    productType,
    attributes: [...patched, ...set],
  };
}

function parse(bytes: Uint8Array): unknown {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  if (nestsTooDeep(bytes)) throw refusal(['it is nested too deeply']);
  try {
    return JSON.parse(text);
  } catch {
    throw refusal(['it is not JSON']);
  }
}

/** Told at most. */
const MOST_PROBLEMS = 20;

function problemsOf(whole: unknown, isResolved: boolean): string[] {
  const messages = isJsonObject(whole) && Array.isArray(whole.messages) ? whole.messages : [];
  const check = startCheck(isResolved);
  for (const one of messages) check.add(one);
  return check.problems(whole);
}

/** Looks at the messages one by one: a copy of all of them takes as much room as the list. */
/** @param isResolved as for `readListingsFeed` */
function startCheck(isResolved = false) {
  let total = 0;
  const inside: string[] = [];
  const beside: string[] = [];
  const repeated = isResolved ? [] : [findRepeated('messageId'), findRepeated('sku')];
  return {
    add(one: unknown): void {
      const at = total;
      total += 1;
      if (total > MOST_MESSAGES) return;
      const { data, error } = messageSchema.safeParse(one);
      for (const issue of error?.issues ?? []) {
        inside.push(issueWords({ ...issue, path: ['messages', at, ...issue.path] }));
      }
      if (data !== undefined) beside.push(...problemsOfMessage(data, at));
      for (const { add } of repeated) add(one, at);
    },
    /** @param whole what they stand in */
    problems(whole: unknown): string[] {
      if (total > MOST_MESSAGES) {
        return [
          `it has ${count(total)} messages, and a feed takes at most ${count(MOST_MESSAGES)}: split it`,
        ];
      }
      const frame = frameSchema.safeParse(whole).error?.issues.map(issueWords) ?? [];
      const shape = frame.length + inside.length > 0 ? [...frame, ...inside] : beside;
      return [...shape, ...repeated.flatMap(({ found }) => found)];
    },
  };
}

const issueWords = ({ path, message }: Pick<z.core.$ZodIssue, 'path' | 'message'>) =>
  `${path.join('.') || 'it'} ${message}`;

function problemsOfMessage(
  { operationType, productType, patches, attributes }: Message,
  at: number,
): string[] {
  const place = `messages.${at}`;
  if (operationType === 'DELETE') return [];
  return [
    ...(productType === undefined ? [`${place}.productType is required`] : []),
    ...(operationType === 'PATCH' && (patches ?? []).length === 0
      ? [`${place}.patches is required for PATCH`]
      : []),
    ...(operationType !== 'PATCH' && attributes === undefined
      ? [`${place}.attributes is required for ${operationType}`]
      : []),
  ];
}

/** The service takes one message a listing and feed; which of two would count is not known. */
function findRepeated(member: 'messageId' | 'sku') {
  const seen = new Map<unknown, number>();
  const found: string[] = [];
  return {
    found,
    add(message: unknown, at: number): void {
      const value = isJsonObject(message) ? message[member] : undefined;
      if (value === undefined) return;
      const before = seen.get(value);
      if (before === undefined) {
        seen.set(value, at);
        return;
      }
      // The message leaves out the value, which may be a buyer's.
      found.push(`messages.${at}.${member} is the same as that of messages.${before}`);
    },
  };
}

function refusal(problems: readonly string[]): InputError {
  const told = problems.slice(0, MOST_PROBLEMS);
  const more = problems.length - told.length;
  return new InputError(
    `The ${LISTINGS_FEED} was not sent: ${told.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`,
    'Correct what is named, then call again.',
    told.map((message) => ({ path: 'document', message })),
  );
}

/** The feeds operations: a place for a document, creating a feed of it, seeing how far it is, and its processing report. */

import * as z from 'zod';
import { isJsonObject, parseJson } from '../../src/base/json.ts';
import { type Answer, type Call, invalid, known, ok, Refusal, readBody } from '../answer.ts';
import { SELLER_ID } from '../fixtures/listings.ts';
import { createJobs, type Job, type Jobs, type Outcome } from '../jobs.ts';
import type { Played } from '../router.ts';
import type { NextFeed } from '../sandbox.ts';
import type { Addresses } from '../signed/signed-address.ts';
import type { UploadStore } from '../signed/upload-store.ts';
import { isoSeconds } from '../world/plain-values.ts';
import type { World } from '../world/world.ts';
import type { ListingStore } from './listing-store.ts';
import { readFilledList, readInteger } from './query.ts';
import { patchAt, putAt, removeAt } from './write-listing.ts';

interface Feed extends Job {
  documentId: string;
  next: NextFeed;
}

interface Stores {
  listings: ListingStore;
  uploads: UploadStore;
}

export type FeedJobs = Jobs<Feed>;

/** @param speed how many times faster than the sandbox's own pace feeds are processed */
export const createFeeds = (stores: Stores, now: () => number, speed: number): FeedJobs =>
  createJobs({
    what: 'Feed',
    firstId: 60_001_020_000,
    now,
    speed,
    conclude: (feed) => concludeFeed(stores, feed),
  });

const reportIdOf = ({ documentId }: Feed): string => `${documentId}.report`;

/** Packed, as the service does it. */
function concludeFeed(stores: Stores, feed: Feed): Outcome {
  const { ends, report } = feed.next;
  const processed = ends === undefined ? processFeed(stores, feed) : undefined;
  const text = report ?? processed?.report;
  const contentType = processed?.contentType ?? 'text/plain; charset=UTF-8';
  return {
    status: ends ?? (processed?.isFatal ? 'FATAL' : 'DONE'),
    ...(text !== undefined && {
      document: { id: reportIdOf(feed), bytes: Buffer.from(text), contentType, isCompressed: true },
    }),
  };
}

/** The processing report of a feed that is over. */
export function findFeedReport({ jobs, stateOf }: FeedJobs, id: string): Outcome['document'] {
  const feed = jobs.find((one) => reportIdOf(one) === id);
  return feed && stateOf(feed).document;
}

interface Parts {
  feeds: FeedJobs;
  /** The outcomes of the feeds that are created next, in order. */
  nextFeeds: NextFeed[];
  uploads: UploadStore;
  world: World;
  addresses: Addresses;
}

const documentSchema = z.looseObject({ contentType: z.string().min(1) });
const requestSchema = z.looseObject({
  feedType: z.string().regex(/^[A-Z][A-Z0-9_]+$/),
  marketplaceIds: z.array(z.string()).min(1).max(25),
  inputFeedDocumentId: z.string().min(1),
  feedOptions: z.record(z.string(), z.string()).optional(),
});

export const playFeeds = (parts: Parts): Played => ({
  'feeds/createFeedDocument': (call) => createDocument(parts, call),
  'feeds/createFeed': (call) => createFeed(parts, call),
  'feeds/getFeeds': (call) => listFeeds(parts.feeds, call),
  'feeds/getFeed': ({ params }) => ok(showFeed(parts.feeds, parts.feeds.find(params.feedId))),
  'feeds/cancelFeed': ({ params }) => parts.feeds.cancel(params.feedId),
  'feeds/getFeedDocument': ({ params: { feedDocumentId = '' } }) => {
    known(findFeedReport(parts.feeds, feedDocumentId), 'Feed document', feedDocumentId);
    const url = parts.addresses.document(feedDocumentId);
    return ok({ feedDocumentId, url, compressionAlgorithm: 'GZIP' });
  },
});

function createDocument({ uploads, addresses }: Parts, { body }: Call): Answer {
  const { contentType } = readBody(documentSchema, body);
  const slot = uploads.open({ contentType }, 'amzn1.tortuga.4.na.');
  return ok({ feedDocumentId: slot.id, url: addresses.upload(slot) }, 201);
}

function createFeed({ feeds, nextFeeds, uploads, world }: Parts, { body }: Call): Answer {
  const { feedType: type, marketplaceIds, inputFeedDocumentId: documentId } = readBody(requestSchema, body);
  if (uploads.find(documentId) === undefined) invalid(`inputFeedDocumentId: ${documentId} is not known.`);
  const other = marketplaceIds.find((id) => world.markets.every((market) => market.id !== id));
  if (other !== undefined) invalid(`marketplaceIds: the seller does not sell in ${other}.`);
  const next = nextFeeds.shift() ?? {};
  const feed = { type, marketplaceIds, documentId, next, takesMs: next.takesMs, ...feeds.begin() };
  feeds.jobs.push(feed);
  return ok({ feedId: feed.id }, 202);
}

/** Newest first. */
function listFeeds(feeds: FeedJobs, call: Call): Answer {
  const found = feeds.search(call, readFilledList(call.query, 'feedTypes')).toReversed();
  const pageSize = readInteger(call.query, 'pageSize', { most: 100, otherwise: 10 });
  return ok({ feeds: found.slice(0, pageSize).map((feed) => showFeed(feeds, feed)) });
}

function showFeed(feeds: FeedJobs, feed: Feed): object {
  const { status: processingStatus, document } = feeds.stateOf(feed);
  return {
    feedId: feed.id,
    feedType: feed.type,
    marketplaceIds: feed.marketplaceIds,
    createdTime: isoSeconds(feed.createdAt),
    processingStatus,
    ...(document !== undefined && { resultFeedDocumentId: document.id }),
  };
}

// Processes an uploaded feed: applies or refuses each message, and writes a processing report.

/** The counts of the messages, and the processing report. */
interface ProcessedFeed {
  /** The feed is broken off, since nothing of it can be read. */
  isFatal: boolean;
  report: string;
  contentType: string;
}

const MAX_MESSAGES = 25_000;

function processFeed({ listings, uploads }: Stores, feed: Feed): ProcessedFeed {
  const document = uploads.find(feed.documentId)?.arrived?.toString('utf8');
  return feed.type === 'JSON_LISTINGS_FEED'
    ? processListings(listings, feed, document)
    : processTable(listings, document);
}

type Issue = ReturnType<typeof issuesOf>[number] & { messageId?: number };

const feedSchema = z.looseObject({
  header: z.looseObject({ sellerId: z.string(), version: z.literal('2.0') }),
  messages: z.array(
    z.looseObject({ messageId: z.int().min(1), sku: z.string().min(1), operationType: z.string() }),
  ),
});
type Message = z.output<typeof feedSchema>['messages'][number];

function processListings(listings: ListingStore, feed: Feed, document = ''): ProcessedFeed {
  const parsed = feedSchema.safeParse(parseJson(document));
  const wrong = !parsed.success
    ? 'The feed does not fit its schema.'
    : parsed.data.header.sellerId !== SELLER_ID
      ? 'The sellerId of the header is not that of the caller.'
      : parsed.data.messages.length > MAX_MESSAGES
        ? `The feed has more than ${MAX_MESSAGES} messages.`
        : undefined;
  if (wrong !== undefined || !parsed.success) {
    const issues = [{ code: '4000000', severity: 'ERROR', message: wrong ?? '' }];
    return { isFatal: true, ...jsonReport(feed, 0, 0, issues) };
  }
  const { messages } = parsed.data;
  const issues = messages.map((message) => apply(listings, message, feed.marketplaceIds));
  const refused = issues.filter((of) => of.some(({ severity }) => severity === 'ERROR')).length;
  return { isFatal: false, ...jsonReport(feed, messages.length, refused, issues.flat()) };
}

function apply(listings: ListingStore, message: Message, marketplaceIds: readonly string[]): Issue[] {
  const { messageId, sku, operationType } = message;
  const slot = { sku, marketplaceIds, isPreview: false };
  const write = () => {
    if (operationType === 'DELETE') return removeAt(listings, slot);
    if (operationType === 'UPDATE') return putAt(listings, slot, message);
    const patches = operationType === 'PARTIAL_UPDATE' && { patches: toPatches(message) };
    return patchAt(listings, slot, { ...message, ...patches });
  };
  return issuesOf(write).map((issue) => ({ messageId, ...issue }));
}

const toPatches = ({ attributes }: Message) =>
  Object.entries(isJsonObject(attributes) ? attributes : {}).map(([name, value]) => ({
    op: 'replace',
    path: `/attributes/${name}`,
    value,
  }));

const issueSchema = z.looseObject({
  code: z.string(),
  severity: z.string().default('ERROR'),
  message: z.string(),
  details: z.string().default(''),
  attributeNames: z.array(z.string()).default([]),
});

/** Returns the issues of the answer, or the errors in its place. */
function issuesOf(write: () => Answer) {
  return attempt(write).map((one) => {
    const { code, severity, attributeNames, ...told } = issueSchema.parse(one);
    const [attributeName] = attributeNames;
    const message = [told.message, told.details].filter((text) => text !== '').join(' ');
    return { code, severity, message, ...(attributeName !== undefined && { attributeName }) };
  });
}

function attempt(write: () => Answer): readonly unknown[] {
  try {
    const { body } = write();
    return isJsonObject(body) && Array.isArray(body.issues) ? body.issues : [];
  } catch (error) {
    if (error instanceof Refusal) return error.errors;
    throw error;
  }
}

function jsonReport({ id: feedId }: Feed, processed: number, refused: number, issues: readonly Issue[]) {
  const count = (wanted: string) => issues.filter(({ severity }) => severity === wanted).length;
  const report = {
    header: { sellerId: SELLER_ID, version: '2.0', feedId },
    issues,
    summary: {
      errors: count('ERROR'),
      warnings: count('WARNING'),
      messagesProcessed: processed,
      messagesAccepted: processed - refused,
      messagesInvalid: refused,
    },
  };
  return { report: JSON.stringify(report), contentType: 'application/json; charset=UTF-8' };
}

/** Any feed in a table with a column of SKUs: those that nobody knows are refused. */
function processTable(listings: ListingStore, document: string | undefined): ProcessedFeed {
  const [head = '', ...rows] = (document ?? '').split(/\r?\n/).filter((line) => line !== '');
  const at = head.split('\t').findIndex((name) => /^(seller-)?sku$/i.test(name));
  const skus = rows.map((row) => row.split('\t')[at] ?? '');
  const errors = skus.flatMap((sku, row) =>
    listings.latest(sku) === undefined
      ? [`${row + 1}\t${sku}\t13013\tError\tThis SKU does not exist in the catalog: ${sku}`]
      : [],
  );
  const report = [
    'Feed Processing Summary:',
    `\tNumber of records processed\t\t${rows.length}`,
    `\tNumber of records successful\t\t${rows.length - errors.length}`,
    '',
    'original-record-number\tsku\terror-code\terror-type\terror-message',
    ...errors,
    '',
  ].join('\n');
  return { isFatal: document === undefined || at < 0, report, contentType: 'text/plain; charset=UTF-8' };
}

/** The feeds operations: a place for a document, creating a feed of it, seeing how far it is, and its processing report. */

import * as z from 'zod';
import { type Answer, type Call, fail } from '../answer.ts';
import type { FeedStore, StoredFeed } from '../feed-processing/feed-store.ts';
import { type Route, route } from '../router.ts';
import type { UploadPlace, UploadStore } from '../signed/upload-store.ts';
import type { Market } from '../world/markets.ts';
import { DAY_MS, isoSeconds } from '../world/plain-values.ts';
import { answerQuery, invalid, invalidBody, readInteger, readList, readMoment } from './query.ts';

const BASE = '/feeds/2021-06-30';

export interface FeedRouteParts {
  feeds: FeedStore;
  uploads: UploadStore;
  markets: readonly Market[];
  now: () => number;
  addressOf(documentId: string, announceEncoding: boolean): string;
  uploadAddressOf(place: UploadPlace): string;
}

const documentSchema = z.looseObject({ contentType: z.string().min(1) });
const feedSchema = z.looseObject({
  feedType: z.string().regex(/^[A-Z][A-Z0-9_]+$/),
  marketplaceIds: z.array(z.string()).min(1).max(25),
  inputFeedDocumentId: z.string().min(1),
  feedOptions: z.record(z.string(), z.string()).optional(),
});

export function buildFeedRoutes(parts: FeedRouteParts): Route[] {
  const { feeds, now } = parts;
  const one = `${BASE}/feeds/{feedId}`;
  return [
    route('createFeedDocument', 'POST', `${BASE}/documents`, (call) => createDocument(parts, call)),
    route('createFeed', 'POST', `${BASE}/feeds`, (call) => createFeed(parts, call)),
    route('getFeeds', 'GET', `${BASE}/feeds`, (call) => answerQuery(() => listFeeds(feeds, now(), call))),
    route('getFeed', 'GET', one, (call) =>
      withFeed(feeds, call, (feed) => ({ status: 200, body: showFeed(feeds, feed) })),
    ),
    route('cancelFeed', 'DELETE', one, (call) =>
      withFeed(feeds, call, (feed) =>
        feeds.cancel(feed)
          ? { status: 200 }
          : invalid(`A feed that is ${feeds.statusOf(feed)} cannot be cancelled.`),
      ),
    ),
    route('getFeedDocument', 'GET', `${BASE}/documents/{feedDocumentId}`, (call) => getDocument(parts, call)),
  ];
}

const notFound = (what: string, id: string): Answer =>
  fail(404, { code: 'NotFound', message: `${what} '${id}' was not found.`, details: '' });

function withFeed(feeds: FeedStore, { params }: Call, use: (feed: StoredFeed) => Answer): Answer {
  const id = params.feedId ?? '';
  const feed = feeds.find(id);
  return feed === undefined ? notFound('Feed', id) : use(feed);
}

function createDocument({ uploads, uploadAddressOf }: FeedRouteParts, { body }: Call): Answer {
  const parsed = documentSchema.safeParse(body);
  if (!parsed.success) return invalidBody(parsed.error);
  const place = uploads.open({ contentType: parsed.data.contentType }, 'amzn1.tortuga.4.na.');
  return { status: 201, body: { feedDocumentId: place.id, url: uploadAddressOf(place) } };
}

function createFeed({ feeds, uploads, markets }: FeedRouteParts, { body }: Call): Answer {
  const parsed = feedSchema.safeParse(body);
  if (!parsed.success) return invalidBody(parsed.error);
  const { feedType, marketplaceIds, inputFeedDocumentId: documentId } = parsed.data;
  if (uploads.find(documentId) === undefined)
    return invalid(`inputFeedDocumentId: ${documentId} is not known.`);
  const other = marketplaceIds.find((id) => markets.every((market) => market.id !== id));
  if (other !== undefined) return invalid(`marketplaceIds: the seller does not sell in ${other}.`);
  return { status: 202, body: { feedId: feeds.create({ feedType, marketplaceIds, documentId }).id } };
}

/** @throws BadParameter for a parameter that cannot be read. */
function listFeeds(feeds: FeedStore, now: number, { query }: Call): Answer {
  const types = readList(query, 'feedTypes');
  if (types.length === 0) return invalid('feedTypes: is missing.');
  const [statuses, markets] = [readList(query, 'processingStatuses'), readList(query, 'marketplaceIds')];
  const since = readMoment(query, 'createdSince') ?? now - 90 * DAY_MS;
  const until = readMoment(query, 'createdUntil') ?? now;
  const pageSize = readInteger(query, 'pageSize', { least: 1, most: 100, otherwise: 10 });
  const found = feeds
    .list()
    .filter(({ feedType }) => types.includes(feedType))
    .filter(({ createdAt }) => createdAt >= since && createdAt <= until)
    .filter((feed) => statuses.length === 0 || statuses.includes(feeds.statusOf(feed)))
    .filter((feed) => markets.length === 0 || feed.marketplaceIds.some((id) => markets.includes(id)));
  return { status: 200, body: { feeds: found.slice(0, pageSize).map((feed) => showFeed(feeds, feed)) } };
}

function showFeed(feeds: FeedStore, feed: StoredFeed): object {
  const { id, feedType, marketplaceIds, createdAt } = feed;
  // First: one that is done a moment later would be done without a report.
  const processingStatus = feeds.statusOf(feed);
  const report = feeds.reportOf(feed);
  return {
    feedId: id,
    feedType,
    marketplaceIds,
    createdTime: isoSeconds(createdAt),
    processingStatus,
    ...(report !== undefined && { resultFeedDocumentId: report.id }),
  };
}

function getDocument({ feeds, addressOf }: FeedRouteParts, { params }: Call): Answer {
  const id = params.feedDocumentId ?? '';
  if (feeds.findReport(id) === undefined) return notFound('Feed document', id);
  const body = { feedDocumentId: id, url: addressOf(id, false), compressionAlgorithm: 'GZIP' };
  return { status: 200, body };
}

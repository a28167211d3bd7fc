/**
 * Sends one feed from its document to its end, in steps that a later run can continue; no step happens twice.
 */

import * as z from 'zod';
import {
  ApiError,
  AppError,
  CancelledError,
  InputError,
  mayHaveBeenApplied,
  NetworkError,
  RateLimitError,
} from '../../../base/errors.ts';
import { count } from '../../../base/text/format-value.ts';
import type { DispatchHooks } from '../../../call/api-request.ts';
import { withFreshAddress } from '../../../call/fresh-address.ts';
import type { Feed, FeedResult, FeedSteps, OutgoingDocument } from './feed.ts';
import { callFeedOperation, type FeedParts, missingInAnswer, NO_UPLOAD_ADDRESS } from './feed-parts.ts';
import { type FoundFeeds, findFeeds } from './find-feed.ts';
import { followFeed } from './follow-feed.ts';

/**
 * Continues where the steps end. `creating` is recorded just before createFeed is sent, and `feedId` after
 * it. A feed of which only the first is known is searched for, and never sent again.
 * @throws CancelledError; errors that are not ours; once the service has the feed, the client's errors, and
 * its steps are recorded then
 */
export async function sendFeed(feed: Feed, parts: FeedParts): Promise<FeedResult> {
  const { steps } = parts;
  if (steps.feedId !== undefined) return followFeed(steps.feedId, parts);
  if (steps.creating !== undefined) return searchFeed(feed, { ...steps, creating: steps.creating }, parts);
  let uploaded: UploadedDocument;
  try {
    uploaded = await uploadOnce(feed, parts);
  } catch (error) {
    return nothingApplied(error);
  }
  return createFeed(feed, uploaded, parts);
}

/**
 * Uploads the document once. An earlier upload stays valid, because the service stores it for longer than a
 * batch lives.
 */
async function uploadOnce(feed: Feed, parts: FeedParts): Promise<UploadedDocument> {
  const { documentId, documentAt } = parts.steps;
  if (documentId !== undefined) return { documentId, documentAt };
  const uploaded = await uploadDocument(feed.document, parts);
  await parts.note({ ...uploaded });
  return uploaded;
}

const createdSchema = z.looseObject({ feedId: z.string().min(1) });

async function createFeed(feed: Feed, uploaded: UploadedDocument, parts: FeedParts): Promise<FeedResult> {
  const { clock, note, submit, tell } = parts;
  const { feedType, marketplaceIds, feedOptions } = feed;
  const stepsNow = () => ({ ...uploaded, creating: new Date(clock.wallClock()).toISOString() });
  let steps = stepsNow();
  let left = 0;
  let refused = 0;
  // The step is recorded only at dispatch. One feed is allowed in two minutes, and a request that still waits
  // for its slot is not in doubt.
  const hooks: DispatchHooks = {
    beforeDispatch() {
      if (left === refused) steps = stepsNow();
      left += 1;
      return note(steps);
    },
    async onNotApplied() {
      refused += 1;
      if (left === refused) await note({ ...uploaded });
    },
  };
  tell({ message: 'Creates the feed' });
  let body: unknown;
  try {
    const given = { feedType, marketplaceIds, inputFeedDocumentId: uploaded.documentId };
    const answer = await submit({ ...given, ...(feedOptions === undefined ? {} : { feedOptions }) }, hooks);
    body = answer.body;
  } catch (error) {
    if (!(error instanceof AppError) || mayHaveBeenApplied(error)) {
      if (error instanceof CancelledError || !(error instanceof AppError)) throw error;
      return searchFeed(feed, steps, parts, error);
    }
    // The request certainly did not arrive, so the document can be used once more.
    await note({ ...uploaded });
    return nothingApplied(error);
  }
  const created = createdSchema.safeParse(body);
  if (!created.success) return searchFeed(feed, steps, parts, noId());
  const { feedId } = created.data;
  await note({ ...steps, feedId, createdAt: steps.creating });
  return followFeed(feedId, parts);
}

async function searchFeed(
  feed: Feed,
  steps: FeedSteps & { creating: string },
  parts: FeedParts,
  cause?: AppError,
): Promise<FeedResult> {
  const found = await findFeeds(feed, steps, parts);
  const { only, candidates } = found;
  if (only === undefined) return { state: 'unknown', error: notFound(cause, found), candidates };
  await parts.note({ ...steps, feedId: only.feedId, createdAt: only.createdTime });
  return followFeed(only.feedId, parts);
}

/** @throws CancelledError, and errors that are not ours */
function nothingApplied(error: unknown): FeedResult {
  if (!(error instanceof AppError) || error instanceof CancelledError) throw error;
  if (error instanceof RateLimitError) return { state: 'later', error, afterMs: error.retryAfterMs };
  if (isRefusal(error)) return { state: 'not accepted', error };
  return { state: 'later', error };
}

/** Returns whether the same request would be rejected again. */
function isRefusal(error: AppError): boolean {
  if (error instanceof ApiError) return error.status < 500 && error.status !== 429;
  if (error instanceof NetworkError)
    return ['UPLOAD_REFUSED', 'ADDRESS_NOT_ALLOWED', 'BODY_TOO_LARGE'].includes(error.code);
  return error instanceof InputError;
}

function noId(): NetworkError {
  return new NetworkError('NO_FEED', 'unknown', 'createFeed answered without the id of a feed.');
}

function notFound(cause: AppError | undefined, { candidates, isWhole }: FoundFeeds): AppError {
  const why = cause === undefined ? 'It is not known whether the service has the feed.' : cause.message;
  const none = isWhole
    ? 'getFeeds lists none of this type, these marketplaces and this time'
    : 'What getFeeds lists could not be read to its end';
  const found = candidates.length === 0 ? none : `getFeeds lists ${candidates.length} that may be it`;
  return new NetworkError(
    'FEED_UNKNOWN',
    'unknown',
    `${why} ${found}; it was not sent again.`,
    'Look at getFeeds and the listings themselves before anything of it is sent again.',
  );
}

// The functions below upload the document of a feed: they request an upload address, and send the document
// with the content type declared for it.

const uploadSlotSchema = z.looseObject({ feedDocumentId: z.string().min(1), url: z.string().min(1) });

interface UploadedDocument {
  documentId: string;
  /**
   * ISO 8601, by the service's clock; absent where its answer has no date. A feed created before that time
   * does not use the document.
   */
  documentAt?: string;
}

/**
 * Returns the id of the document. The service ignores a document that is uploaded and never used.
 * @throws the client's errors, and those of `Uploads.upload`
 */
async function uploadDocument(document: OutgoingDocument, parts: FeedParts): Promise<UploadedDocument> {
  const { uploads, clock, givenBy, signal, tell } = parts;
  return withFreshAddress(async () => {
    const body = { contentType: document.contentType };
    const answer = await callFeedOperation(parts, 'createFeedDocument', { parameters: {}, body });
    const slot = uploadSlotSchema.safeParse(answer.body);
    if (!slot.success) throw missingInAnswer('createFeedDocument', NO_UPLOAD_ADDRESS);
    const { feedDocumentId, url } = slot.data;
    tell({ message: `Uploads ${count(document.bytes)} bytes` });
    await uploads.upload(url, document, { givenBy, givenAt: clock.wallClock(), signal });
    const at = Date.parse(answer.headers.date ?? '');
    const documentAt = Number.isNaN(at) ? undefined : new Date(at).toISOString();
    return { documentId: feedDocumentId, documentAt };
  });
}

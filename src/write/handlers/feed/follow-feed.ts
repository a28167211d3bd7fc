/**
 * Follows a feed that the service has until it is done, cancelled or fatal, and fetches its processing
 * report.
 */

import { rm } from 'node:fs/promises';
import * as z from 'zod';
import { type Clock, sleep } from '../../../base/clock.ts';
import { AppError, CancelledError, InputError, NetworkError } from '../../../base/errors.ts';
import { withFreshAddress } from '../../../call/fresh-address.ts';
import { readText } from '../../../data/documents/unpack.ts';
import { type EndedFeed, endedStatusSchema, type FeedResult } from './feed.ts';
import { callFeedOperation, type FeedParts, missingInAnswer } from './feed-parts.ts';
import {
  FIRST_POLL_MS,
  MAX_FOLLOW_MS,
  MAX_POLL_MS,
  MAX_REPORT_BYTES,
  POLL_BACKOFF,
  STUCK_MS,
} from './limits.ts';
import { readReport } from './read-report.ts';

const serviceFeedSchema = z.looseObject({
  feedId: z.string().min(1),
  createdTime: z.string().optional().catch(undefined),
  processingStatus: z.string(),
  resultFeedDocumentId: z.string().min(1).optional().catch(undefined),
});
type ServiceFeed = z.output<typeof serviceFeedSchema>;

/**
 * Polls the feed for up to four hours; the next run continues.
 * @throws the client's errors, with the feed's id
 */
export async function followFeed(
  feedId: string,
  parts: FeedParts,
): Promise<Extract<FeedResult, { state: 'ended' | 'under way' }>> {
  const { clock, signal, ending, tell } = parts;
  const begun = clock.now();
  for (let pause = FIRST_POLL_MS; ; pause = Math.min(pause * POLL_BACKOFF, MAX_POLL_MS)) {
    const feed = await fetchFeed(feedId, parts);
    const status = endedStatusSchema.safeParse(feed.processingStatus);
    if (status.success) return { state: 'ended', ...(await end(feed, status.data, parts)) };
    const sinceMs = Math.max(0, clock.wallClock() - Date.parse(feed.createdTime ?? '')) || 0;
    const isWaiting = feed.processingStatus === 'IN_QUEUE';
    if (ending?.aborted === true || clock.now() + pause - begun > MAX_FOLLOW_MS) {
      return { state: 'under way', feedId, status: isWaiting ? 'IN_QUEUE' : 'IN_PROGRESS' };
    }
    tell({
      message: `Feed ${feedId} is ${isWaiting ? 'in the queue' : 'being processed'}${describeDelay(sinceMs)}`,
    });
    await wait(clock, pause, signal, ending);
  }
}

/**
 * Waits; the end of the following ends the wait without an error.
 * @throws the reason with which `signal` was aborted
 */
async function wait(
  clock: Clock,
  ms: number,
  signal: AbortSignal,
  ending: AbortSignal | undefined,
): Promise<void> {
  const either = ending === undefined ? signal : AbortSignal.any([signal, ending]);
  await sleep(clock, ms, either).catch((error: unknown) => {
    signal.throwIfAborted();
    if (ending?.aborted !== true) throw error;
  });
}

/** Returns an empty text for a feed that takes no longer than most. */
export function describeDelay(sinceMs: number): string {
  if (sinceMs < STUCK_MS) return '';
  return ` since ${Math.floor(sinceMs / 60_000)} minutes, longer than most: those behind it wait`;
}

async function fetchFeed(feedId: string, parts: FeedParts): Promise<ServiceFeed> {
  const { body } = await callFeedOperation(parts, 'getFeed', { parameters: { feedId } });
  const feed = serviceFeedSchema.safeParse(body);
  if (feed.success) return feed.data;
  throw new NetworkError(
    'NO_FEED',
    'not-sent',
    'getFeed answered without a feed.',
    'Call again in a minute.',
  );
}

async function end(feed: ServiceFeed, status: EndedFeed['status'], parts: FeedParts): Promise<EndedFeed> {
  const { feedId, resultFeedDocumentId: id } = feed;
  const ended = { feedId, status };
  if (id === undefined) return ended;
  const file = await parts.scratch();
  try {
    parts.tell({ message: 'Gets the processing report' });
    const report = readReport(await fetchReportText(id, file, parts));
    return { ...ended, report, reportDocumentId: id };
  } catch (error) {
    // The feed has ended, whether or not its report can be read; the next call may get the report.
    if (!(error instanceof AppError) || error instanceof CancelledError || error instanceof InputError)
      throw error;
    return { ...ended, reportDocumentId: id, reportProblem: error };
  } finally {
    await rm(file, { force: true });
  }
}

// The functions below fetch a processing report as text: they request its address, download it, unpack it and
// decode it.

const addressSchema = z.looseObject({ url: z.string().min(1) });

/** @throws the client's errors, those of `Downloads.download` and of unpacking */
async function fetchReportText(id: string, file: string, parts: FeedParts): Promise<string> {
  const { charset } = await fetch(id, file, parts);
  return readText(file, charset, MAX_REPORT_BYTES);
}

async function fetch(id: string, file: string, parts: FeedParts): Promise<{ charset: string | undefined }> {
  const { downloads, clock, givenBy, signal } = parts;
  return withFreshAddress(async () => {
    const answer = await callFeedOperation(parts, 'getFeedDocument', { parameters: { feedDocumentId: id } });
    const address = addressSchema.safeParse(answer.body);
    if (!address.success) throw missingInAnswer('getFeedDocument', 'an address of the processing report');
    return downloads.download(address.data.url, file, { givenBy, givenAt: clock.wallClock(), signal });
  });
}

/**
 * Sends the feeds of a batch one after the other. Each continues after its last recorded step, and is never
 * sent twice.
 */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AccountProfile } from '../../../accounts/account.ts';
import { systemClock } from '../../../base/clock.ts';
import { AppError, CancelledError, WriteRefusedError } from '../../../base/errors.ts';
import { shortenToTokens } from '../../../base/text/shorten.ts';
import type { CallResult } from '../../../call/client-types.ts';
import type { CallProgress } from '../../../render/reading-session.ts';
import type { BatchItem, ItemOutcome, Sender, SendOutcome, SendParts } from '../../run/batches/batch.ts';
import { endsRun } from '../../run/items/error-outcome.ts';
import type { WriteRequest } from '../../run/send-write.ts';
import type { ToolContext } from '../../session.ts';
import { type FeedResult, type FeedSteps, feedStepsSchema, type OutgoingDocument } from './feed.ts';
import { feedFacts, restoreFeed, type StoredFeed } from './feed-item.ts';
import type { FeedParts } from './feed-parts.ts';
import { joinReport } from './join-report.ts';
import { sendFeed } from './send-feed.ts';
import { settleFeed } from './settle-feed.ts';

interface FeedSenderOptions {
  account: string;
  /** The owner whose batch was approved. */
  owner: AccountProfile;
  /**
   * Returns the content of an item; undefined where it is gone. It is called only before the content is
   * uploaded.
   */
  load(item: BatchItem, feed: StoredFeed): Promise<OutgoingDocument | undefined>;
  /** Returns the facts for the journal: the batch, and what the feed changes. */
  recorded?: ((feed: StoredFeed) => WriteRequest['facts']) | undefined;
  tell?: ((progress: CallProgress) => void) | undefined;
}

/**
 * The maximum time that createFeed waits for a slot under the rate limit; no user waits for the call then.
 */
const MAX_WAIT_MS = 10 * 60_000;

/** The pause before a request that certainly did not arrive is sent again. */
const PAUSE_MS = 30_000;

export function createFeedSender(options: FeedSenderOptions, ctx: ToolContext): Sender {
  return {
    // Feeds are sent one after the other, because a stuck feed holds up those behind it.
    atOnce: 1,
    send: (item, sending) => run(item, sending, options, ctx),
    async look(item, _steps, sending) {
      const { creating, feedId, journal } = stepsOf(sending);
      if (creating === undefined && feedId === undefined) {
        if (journal !== undefined)
          await (await ctx.session.writeGuard()).settle(journal, { outcome: 'refused', error: NOT_YET });
        return { kind: 'later', why: NOT_YET, afterMs: 0 };
      }
      return run(item, sending, options, ctx);
    },
  };
}

const NOT_YET = 'The feed was not created yet.';

const stepsOf = ({ steps }: SendParts): FeedSteps => feedStepsSchema.safeParse(steps).data ?? {};

async function run(
  item: BatchItem,
  sending: SendParts,
  options: FeedSenderOptions,
  ctx: ToolContext,
): Promise<SendOutcome> {
  const stored = restoreFeed(item);
  if (stored === undefined) {
    return {
      kind: 'not_sent',
      why: 'This version of the program does not know what the file of the list holds.',
    };
  }
  const before = stepsOf(sending);
  const isCreated = before.creating !== undefined || before.feedId !== undefined;
  try {
    // A feed that the service may have is followed even where writes are denied.
    if (!isCreated) (await ctx.session.writeGuard()).refuseDenied(options.account);
  } catch (error) {
    if (!(error instanceof WriteRefusedError)) throw error;
    return { kind: 'later', why: error.message, endsRun: true };
  }
  const isUploaded = isCreated || before.documentId !== undefined;
  const document = isUploaded ? withoutContent(stored) : await options.load(item, stored);
  if (document === undefined) return GONE;
  const prepared = await prepareRun(stored, sending, options, ctx);
  const { maskText } = await ctx.session.personal();
  const show = (text: string) => shortenToTokens(maskText(text), 150);
  try {
    const result = await sendFeed({ ...stored, document }, prepared.parts);
    return await toSent(result, stored, prepared.steps(), show, ctx);
  } catch (error) {
    if (!(error instanceof AppError) || prepared.steps().creating === undefined) throw error;
    // The service has the feed, or may have it, so the same call looks it up later.
    const why =
      error instanceof CancelledError ? 'It is followed on with the same call.' : show(error.message);
    return { kind: 'left', why };
  } finally {
    await prepared.close();
  }
}

const GONE: ItemOutcome = {
  kind: 'not_sent',
  why: 'The document is not there any more as it was confirmed, and was not uploaded yet: nothing was sent.',
};

/** Returns a document without content, because an uploaded one is not read again. */
const withoutContent = ({ document }: StoredFeed): OutgoingDocument => ({
  ...document,
  read() {
    throw new Error('A document that was uploaded is read again');
  },
});

async function prepareRun(
  feed: StoredFeed,
  sending: SendParts,
  { account, owner, recorded, tell = () => undefined }: FeedSenderOptions,
  { session }: Pick<ToolContext, 'session'>,
) {
  const [client, registry, guard] = await Promise.all([
    session.client(),
    session.program.registry(),
    session.writeGuard(),
  ]);
  const operation = registry.find('feeds/createFeed');
  let steps = stepsOf(sending);
  const note = (next: FeedSteps) => {
    const { journal } = steps;
    steps = { journal, ...next };
    return sending.note(steps);
  };
  let scratch: string | undefined;
  const parts: FeedParts = {
    client,
    account,
    owner,
    givenBy: owner.baseUrl,
    clock: systemClock,
    uploads: await session.uploads(),
    downloads: await session.downloads(),
    find: registry.find,
    signal: sending.signal,
    ending: sending.ending,
    steps,
    note,
    tell,
    async submit(body, dispatchHooks): Promise<CallResult> {
      const result = await guard.sendApproved({
        input: { operation, account, parameters: {}, body },
        prepared: { filledIn: {}, owner },
        call: { signal: sending.signal, timeoutMs: MAX_WAIT_MS, dispatchHooks },
        // The values that it changes were recorded before the upload.
        facts: recorded?.(feed),
        onRecorded: (journal) => note({ ...steps, journal }),
      });
      return result.response;
    },
    async scratch() {
      scratch ??= await (await session.tables(account)).makeScratch();
      return join(scratch, 'report');
    },
  };
  return {
    parts,
    steps: () => steps,
    close: async () => {
      if (scratch !== undefined) await rm(scratch, { recursive: true, force: true });
    },
  };
}

async function toSent(
  result: FeedResult,
  stored: StoredFeed,
  { journal: journalId }: FeedSteps,
  show: (text: string) => string,
  ctx: ToolContext,
): Promise<SendOutcome> {
  if (result.state === 'under way') {
    return { kind: 'left', why: `Feed ${result.feedId} is not done yet.` };
  }
  if (result.state === 'later') {
    const why = show(result.error.message);
    if (endsRun(result.error)) return { kind: 'later', why, endsRun: true };
    return { kind: 'later', why, afterMs: result.afterMs ?? PAUSE_MS };
  }
  if (result.state === 'not accepted') {
    return { kind: 'not_accepted', why: show(`${result.error.message} ${result.error.hint}`), journalId };
  }
  if (result.state === 'unknown') {
    const { error, candidates } = result;
    return { kind: 'unknown', why: show(error.message), journalId, facts: { candidates } };
  }
  const { messages } = stored;
  const results = joinReport(messages, result);
  const facts = feedFacts(result, messages, results);
  const kind = await settleFeed(facts, results, journalId, ctx);
  return { kind, journalId, facts };
}

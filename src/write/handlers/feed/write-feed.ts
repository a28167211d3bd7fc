/**
 * Handles createFeed with a document: one approval request shows its content, then it is uploaded, created,
 * followed and reported message by message.
 */

import type { AccountProfile } from '../../../accounts/account.ts';
import { sha256 } from '../../../base/canonical-json.ts';
import { InputError } from '../../../base/errors.ts';
import { isJsonObject, toObject } from '../../../base/json.ts';
import type { ToolAnswer } from '../../../render/tool-answer.ts';
import { type BatchRunner, handleBatchCall } from '../../batch-call.ts';
import { toShownOutcome, type WriteStructured } from '../../model/outcome.ts';
import type { BatchOwner } from '../../plan/batch-owner.ts';
import { prepareWrite } from '../../plan/prepare-write.ts';
import { unfinishedLines } from '../../render/batch/unfinished.ts';
import type { ToolContext } from '../../session.ts';
import { describeDocument } from '../document/describe-document.ts';
import { buildDocumentApproval, type OutgoingWrite } from '../document/document-approval.ts';
import { type LoadedDocument, loadDocument } from '../document/load-document.ts';
import type { Feed } from './feed.ts';
import { buildFeedAnswer } from './feed-answer.ts';
import { storeFeed } from './feed-item.ts';
import { createFeedSender } from './feed-sender.ts';

/** The id in the request until the document is uploaded. */
const PENDING_DOCUMENT_ID = 'id-of-the-uploaded-document';

const NOTHING_TO_STOP = [
  'No such feed is under way; nothing was stopped.',
  'Give exactly the arguments of the call that began it. A feed that the service has goes on there: cancelFeed.',
] as const;

/** @throws AppError; AskPerson while the user's approval is requested */
export function writeFeed(wanted: OutgoingWrite, ctx: ToolContext): Promise<ToolAnswer<WriteStructured>> {
  const { account, operation, document, dryRun, stop } = wanted;
  // The document of this call; a later call loads it again.
  let loaded: LoadedDocument | undefined;
  return handleBatchCall(
    {
      tool: 'write_operation',
      account,
      asked: sha256({ operation: operation.id, account, asked: wanted.asked, document }),
      dryRun,
      stop,
      nothingToStop: NOTHING_TO_STOP,
      async approve({ owner }) {
        const prepared = await prepareFeed(wanted, owner, ctx);
        const { code, answer } = await requestApproval(prepared, wanted, ctx);
        if (dryRun || code !== undefined) return answer;
        const { feed, digest } = prepared;
        loaded = prepared.loaded;
        return {
          digest,
          items: [storeFeed('feed', feed)],
          words: `feed ${feed.feedType}`,
          personal: false,
        };
      },
      going: (of) => createFeedRunner(wanted, of, () => loaded, ctx),
    },
    ctx,
  );
}

/** @throws InputError for a feed that the service would reject as a whole; nothing is sent then */
async function prepareFeed(wanted: OutgoingWrite, owner: AccountProfile, ctx: ToolContext) {
  const { operation, account, asked } = wanted;
  const body = toObject(asked.body);
  if (body.inputFeedDocumentId !== undefined) {
    throw new InputError(
      'body.inputFeedDocumentId and document were both given; nothing was sent.',
      'Leave inputFeedDocumentId out: the document is uploaded first.',
    );
  }
  const feedType = typeof body.feedType === 'string' ? body.feedType : undefined;
  if (feedType === undefined) {
    throw new InputError(
      'body.feedType is required; nothing was sent.',
      'Such as {"feedType": "JSON_LISTINGS_FEED", "marketplaceIds": ["DE"]}.',
    );
  }
  const given = { ...asked, body: { ...body, inputFeedDocumentId: PENDING_DOCUMENT_ID } };
  const write = await prepareWrite({ operation, account, asked: given }, ctx);
  const { sellerId } = owner;
  const loaded = await loadDocument(wanted.document, { account, feedType, sellerId }, ctx);
  const sent = toObject(write.input.body);
  const marketplaceIds = Array.isArray(sent.marketplaceIds) ? sent.marketplaceIds.map(String) : [];
  const content = await describeDocument(loaded, { feedType, places: marketplaceIds }, ctx);
  if (content.sellerId !== undefined && sellerId !== undefined && content.sellerId !== sellerId) {
    throw new InputError(
      'The header of the feed names another seller than the account; nothing was sent.',
      'Correct header.sellerId.',
    );
  }
  const feed: Feed = {
    feedType,
    marketplaceIds,
    feedOptions: optionsOf(sent.feedOptions),
    document: loaded.document,
    // The messages are followed only where the feed is sent.
    messages: wanted.dryRun === true ? [] : content.messages(),
  };
  return { feed, loaded, write, content, digest: digestOf(feed) };
}

const optionsOf = (options: unknown) =>
  isJsonObject(options)
    ? Object.fromEntries(Object.entries(options).map(([name, value]) => [name, String(value)]))
    : undefined;

/** Returns the digest of all that is approved. */
function digestOf({ feedType, marketplaceIds, feedOptions, document }: Feed): string {
  const { contentType, sha256: content } = document;
  return sha256({ feedType, marketplaceIds, feedOptions, contentType, content });
}

/** Requests approval for exactly this document. */
async function requestApproval(
  prepared: Awaited<ReturnType<typeof prepareFeed>>,
  wanted: OutgoingWrite,
  ctx: ToolContext,
) {
  const { feed, write, loaded, content, digest } = prepared;
  const { input, request } = write;
  const description = {
    head: `Feed ${feed.feedType}`,
    places: feed.marketplaceIds,
    content,
    next: 'It is uploaded, the feed is created and followed to its end, and the processing report tells what became of each.',
  };
  const body = { ...toObject(input.body), document: digest };
  const { approval, tell: show } = await buildDocumentApproval(
    { wanted, write, loaded, body, ...description },
    ctx,
  );
  const guard = await ctx.session.writeGuard();
  const sent = [{ input, prepared: request }];
  const code = wanted.dryRun ? undefined : await guard.requestApproval(approval, sent);
  return { code, answer: await show(toShownOutcome(code)) };
}

/** Runs a feed that is on the disk. @param loadedOf returns its document in the call that got the approval */
function createFeedRunner(
  wanted: OutgoingWrite,
  { owner, ownerDigest }: BatchOwner,
  loadedOf: () => LoadedDocument | undefined,
  ctx: ToolContext,
): BatchRunner {
  const { session } = ctx;
  const { account, operation } = wanted;
  return {
    sender: async (_info, report) =>
      createFeedSender(
        {
          account,
          owner,
          tell: report,
          async load(_item, { feedType, document: { sha256: confirmed } }) {
            const found = loadedOf() ?? (await loadAgain(wanted, owner, feedType, ctx));
            return found?.document.sha256 === confirmed ? found.document : undefined;
          },
        },
        ctx,
      ),
    progress: ({ why }) => ({ message: why ?? 'The feed is under way' }),
    async renderAnswer(info) {
      const unfinished = await unfinishedLines(account, ownerDigest, session, info.id);
      return buildFeedAnswer({ info, account, operation, unfinished }, ctx);
    },
  };
}

/** Loads the document in a process that continues what another one began. */
async function loadAgain(
  wanted: OutgoingWrite,
  { sellerId }: AccountProfile,
  feedType: string,
  ctx: ToolContext,
) {
  const { account, document } = wanted;
  try {
    return await loadDocument(document, { account, feedType, sellerId }, ctx);
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

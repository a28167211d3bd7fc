/** createFeed with a document: one question that tells what is in it, then uploaded, created, followed and told message by message. */

import { identityMark, identityOf } from '../../../accounts/owner.ts';
import type { AccountProfile } from '../../../accounts/types.ts';
import { sha256 } from '../../../base/canonical-json.ts';
import { InputError } from '../../../base/errors.ts';
import { isJsonObject } from '../../../base/json.ts';
import type { Operation } from '../../../service/facts/operation.ts';
import type { ToolAnswer } from '../../../tell/tool-answer.ts';
import { unfinishedLines } from '../../answer/many/unfinished.ts';
import type { WriteStructured } from '../../answer/write-answer.ts';
import { toShown } from '../../outcome.ts';
import { ownerOf } from '../../plan/list-owner.ts';
import { prepareWrite } from '../../plan/prepare-write.ts';
import type { ServiceArguments } from '../../plan/resolve-arguments.ts';
import type { BatchInfo, BatchProgress } from '../../run/batches/types.ts';
import type { ToolContext } from '../../session.ts';
import { askDocument } from '../upload/ask-document.ts';
import { describeContent } from '../upload/describe-document.ts';
import type { DocumentArgument } from '../upload/document-argument.ts';
import type { DocumentPreview } from '../upload/document-preview.ts';
import { type LoadedDocument, loadDocument } from '../upload/load-document.ts';
import { buildFeedAnswer } from './feed-answer.ts';
import { storeFeed } from './feed-item.ts';
import { createFeedSender } from './feed-sender.ts';
import type { Feed } from './types.ts';

export interface OutgoingWrite {
  operation: Operation;
  account: string;
  asked: ServiceArguments;
  document: DocumentArgument;
  dryRun: boolean;
  confirmationCode?: string | undefined;
  stop?: boolean | undefined;
}

/** Stands in the request until the document is uploaded. */
const TO_COME = 'id-of-the-uploaded-document';

/** Left of the call's own time for the answer. */
const MARGIN_MS = 3_000;

/** @throws AppError; AskPerson while the person is asked */
export async function writeFeed(
  wanted: OutgoingWrite,
  ctx: ToolContext,
): Promise<ToolAnswer<WriteStructured>> {
  const { session } = ctx;
  const { account, operation, dryRun, stop } = wanted;
  const [batches, owner] = await Promise.all([session.batches(), ownerOf(account, session)]);
  const mark = identityMark(identityOf(owner));
  const asked = sha256({ operation: operation.id, account, asked: wanted.asked, document: wanted.document });
  const known = dryRun ? undefined : await batches.find(account, mark, asked);
  const isKnown = known !== undefined && isOpen(known);
  if (stop === true) {
    if (!isKnown) throw new InputError('No such feed is under way; nothing was stopped.', STOP_HINT);
    return tell((await batches.stop(known.id)) ?? known, owner, wanted, ctx);
  }
  if (isKnown) return goOn(known, owner, wanted, undefined, ctx);
  const prepared = await prepareFeed(wanted, owner, ctx);
  const { code, answer } = await agree(prepared, wanted, ctx);
  if (dryRun || code !== undefined) return answer;
  const { id } = await batches.begin({
    account,
    owner: mark,
    tool: 'write_operation',
    asked,
    digest: prepared.digest,
    items: [storeFeed('feed', prepared.feed)],
    words: `feed ${prepared.feed.feedType}`,
    personal: false,
  });
  const begun = await batches.info(id);
  if (begun === undefined) throw new Error('A batch that was begun is not there');
  return goOn(begun, owner, wanted, prepared.loaded, ctx);
}

const STOP_HINT =
  'Give exactly the arguments of the call that began it. A feed that the service has goes on there: cancelFeed.';

function isOpen({ state, told }: BatchInfo): boolean {
  return state === 'under_way' || state === 'elsewhere' || state === 'unfinished' || !told;
}

function isOver({ state }: BatchInfo): boolean {
  return state === 'ended' || state === 'stopped' || state === 'expired';
}

interface PreparedFeed {
  feed: Feed;
  loaded: LoadedDocument;
  write: Awaited<ReturnType<typeof prepareWrite>>;
  content: DocumentPreview['content'];
  digest: string;
}

/** @throws InputError for what the service would refuse as a whole; nothing is sent then */
async function prepareFeed(
  wanted: OutgoingWrite,
  owner: AccountProfile,
  ctx: ToolContext,
): Promise<PreparedFeed> {
  const { operation, account, asked } = wanted;
  const body = isJsonObject(asked.body) ? asked.body : {};
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
  const given = { ...asked, body: { ...body, inputFeedDocumentId: TO_COME } };
  const write = await prepareWrite({ operation, account, asked: given }, ctx);
  const { sellerId } = owner;
  const loaded = await loadDocument(wanted.document, { account, feedType, sellerId }, ctx);
  const content = describeContent(loaded, feedType);
  if (content.sellerId !== undefined && sellerId !== undefined && content.sellerId !== sellerId) {
    throw new InputError(
      'The header of the feed names another seller than the account; nothing was sent.',
      'Correct header.sellerId.',
    );
  }
  const sent = isJsonObject(write.input.body) ? write.input.body : {};
  const feed: Feed = {
    feedType,
    marketplaceIds: Array.isArray(sent.marketplaceIds) ? sent.marketplaceIds.map(String) : [],
    ...optionsOf(sent.feedOptions),
    document: loaded.document,
    messages: content.messages,
  };
  return { feed, loaded, write, content, digest: digestOf(feed) };
}

const optionsOf = (options: unknown) =>
  isJsonObject(options)
    ? {
        feedOptions: Object.fromEntries(
          Object.entries(options).map(([name, value]) => [name, String(value)]),
        ),
      }
    : {};

/** Of all that is confirmed. */
function digestOf({ feedType, marketplaceIds, feedOptions, document }: Feed): string {
  const { contentType, sha256: content } = document;
  return sha256({ feedType, marketplaceIds, feedOptions, contentType, content });
}

/** One question or code for exactly this document. */
async function agree(prepared: PreparedFeed, wanted: OutgoingWrite, ctx: ToolContext) {
  const { feed, write, loaded, content, digest } = prepared;
  const { input, request } = write;
  const words = {
    head: `Feed ${feed.feedType}`,
    places: feed.marketplaceIds,
    content,
    next: 'It is uploaded, the feed is created and followed to its end, and the processing report tells what became of each.',
  };
  const body = { ...(isJsonObject(input.body) ? input.body : {}), document: digest };
  const { act, tell: show } = await askDocument({ wanted, write, loaded, body, ...words }, ctx);
  const writes = await ctx.session.writes();
  const code = wanted.dryRun ? undefined : await writes.agree(act, [{ input, prepared: request }]);
  return { code, answer: await show(toShown(code)) };
}

/** Sent on where it is to be, waited for within the time of the call, and told. */
async function goOn(
  info: BatchInfo,
  owner: AccountProfile,
  wanted: OutgoingWrite,
  loaded: LoadedDocument | undefined,
  ctx: ToolContext,
): Promise<ToolAnswer<WriteStructured>> {
  const { session, call, tell: report } = ctx;
  // A feed that the service has is followed to its end, whether or not anything more is sent.
  if (isOver(info) && info.inDoubt === 0) return tell(info, owner, wanted, ctx);
  const batches = await session.batches();
  const { account } = wanted;
  // The run outlives the call that began it: nobody is told anything by a call that has ended.
  let isAsked = true;
  const sender = createFeedSender(
    {
      account,
      owner,
      tell: ({ message }) => {
        if (isAsked) report({ message });
      },
      async load(_item, { feedType, document: { sha256: confirmed } }) {
        const found = loaded ?? (await loadAgain(wanted, owner, feedType, ctx));
        return found?.document.sha256 === confirmed ? found.document : undefined;
      },
    },
    ctx,
  );
  const run = await batches.run(info.id, sender);
  const until = call.deadline - MARGIN_MS;
  const onProgress = ({ why }: BatchProgress) => report({ message: why ?? 'The feed is under way' });
  const ended = await run.wait({ until, signal: call.signal, onProgress });
  isAsked = false;
  return tell(ended ?? (await batches.info(info.id)) ?? info, owner, wanted, ctx);
}

/** In a process that goes on with what another one began. */
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

async function tell(
  info: BatchInfo,
  owner: AccountProfile,
  wanted: OutgoingWrite,
  ctx: ToolContext,
): Promise<ToolAnswer<WriteStructured>> {
  const { session, call } = ctx;
  const { account, operation } = wanted;
  const unfinished = await unfinishedLines(account, identityMark(identityOf(owner)), session, info.id);
  const answer = await buildFeedAnswer({ info, account, operation, unfinished }, ctx);
  const isEnded = isOver(info) && (wanted.stop === true || info.inDoubt === 0);
  // A caller that has gone gets no answer: the next one is told.
  if (isEnded && !call.signal.aborted) await (await session.batches()).markTold(info.id);
  return answer;
}

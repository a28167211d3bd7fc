/** A list that is on the disk: sent on where it is to be, waited for within the time of the call, and told. */

import type { AccountProfile } from '../../../accounts/types.ts';
import type { ToolAnswer } from '../../../tell/tool-answer.ts';
import { createItemAnswers } from '../../answer/many/item-answer.ts';
import { buildListAnswer } from '../../answer/many/list-answer.ts';
import { toldFromHistory, toldList } from '../../answer/many/list-outcome.ts';
import { lookOf } from '../../answer/many/list-words.ts';
import { unfinishedLines } from '../../answer/many/unfinished.ts';
import type { WriteStructured } from '../../answer/write-answer.ts';
import { openChangedSince } from '../../keep/history/changed-since.ts';
import type { ToolContext } from '../../session.ts';
import type { BatchInfo, BatchInfoItem, ItemOutcome, Sender } from '../batches/types.ts';
import type { ManyWrites, ShownAgain } from './run-many.ts';
import { createSender } from './sender.ts';
import { restoreWrite, type StoredWrite } from './stored-write.ts';

/** Left of the call's own time for the answer. */
const MARGIN_MS = 3_000;

export interface SentList {
  many: ManyWrites;
  owner: AccountProfile;
  /** Of the owner. */
  mark: string;
}

/** The same call tells what became of it, or how far it is. */
export async function goOn(
  known: BatchInfo,
  sent: SentList,
  ctx: ToolContext,
  { isStopped = false } = {},
): Promise<ToolAnswer<WriteStructured>> {
  const { session } = ctx;
  const batches = await session.batches();
  // What was sent before it was stopped, or had expired, is looked at all the same.
  const isSettled = isStopped || (isOver(known) && known.inDoubt === 0);
  const info = isSettled ? known : await sendOn(known, sent, ctx);
  const answer = await tell(info, sent, isStopped, ctx);
  // A caller that has gone gets no answer: the next one is told.
  const isTold = isOver(info) && (isStopped || info.inDoubt === 0);
  if (isTold && !ctx.call.signal.aborted) await batches.markTold(info.id);
  return answer;
}

function isOver({ state }: BatchInfo): boolean {
  return state === 'ended' || state === 'stopped' || state === 'expired';
}

async function sendOn(known: BatchInfo, sent: SentList, ctx: ToolContext): Promise<BatchInfo> {
  const { session, call, tell: report } = ctx;
  const batches = await session.batches();
  const run = await batches.run(known.id, await senderOf(known, sent, ctx));
  const ended = await run.wait({
    until: call.deadline - MARGIN_MS,
    signal: call.signal,
    onProgress: ({ done, total, why }) =>
      report({ message: `${done} of ${total} done${why === undefined ? '' : `; ${why}`}`, done, total }),
  });
  return ended ?? (await batches.info(known.id)) ?? known;
}

async function senderOf(
  { id: batch, shownAt: since }: BatchInfo,
  { many, owner, mark }: SentList,
  ctx: ToolContext,
): Promise<Sender> {
  const { session } = ctx;
  const isChangedSince = await openChangedSince(await session.history(), {
    owner: mark,
    batch,
    since,
  });
  const [client, registry, writes, personal] = await Promise.all([
    session.client(),
    session.program.registry(),
    session.writes(),
    session.personal(),
  ]);
  const sender = createSender({
    session,
    batch,
    account: many.account,
    owner,
    client,
    registry,
    writes,
    personal,
    operation: many.operation,
    checkMany: many.checkMany,
    answerOf: createItemAnswers(ctx),
    isChangedSince,
  });
  return many.sender?.(sender, batch, isChangedSince) ?? sender;
}

async function tell(
  info: BatchInfo,
  { many, mark }: SentList,
  isBrief: boolean,
  ctx: ToolContext,
): Promise<ToolAnswer<WriteStructured>> {
  const { account, operation, tool } = many;
  const restore = (item: BatchInfoItem) => restoreWrite(item, account, operation);
  const told =
    info.items.length === 0
      ? toldFromHistory(info, await entriesOf(info.id, ctx))
      : toldList(await readBack(info, restore, many, ctx), restore, {
          expand: many.expand,
          isRequest: operation.effect === 'request',
        });
  const unfinished = await unfinishedLines(account, mark, ctx.session, info.id);
  const parts = { told, words: info.words, account, operation, tool, unfinished, isBrief };
  return buildListAnswer({ ...parts, look: lookOf(operation) }, ctx.session);
}

const entriesOf = async (batch: string, { session }: ToolContext) =>
  (await (await session.history()).list()).filter((entry) => entry.batch === batch);

/** Where items are read back together: once, after the last. */
async function readBack(
  info: BatchInfo,
  restore: (item: BatchInfoItem) => StoredWrite | undefined,
  { readManyBack }: ManyWrites,
  { call }: ToolContext,
): Promise<BatchInfo> {
  if (readManyBack === undefined || info.state !== 'ended' || call.signal.aborted) return info;
  const accepted = info.items.filter(({ outcome }) => outcome?.kind === 'accepted');
  const left = Math.max(1, Math.floor(call.deadline - MARGIN_MS / 2 - performance.now()));
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(left)]);
  const writes = accepted.flatMap((item) => restore(item) ?? []);
  // That they were accepted is told also where none of them can be read again.
  const shown = await readManyBack(writes, signal).catch(() => new Map<string, ShownAgain>());
  const wasRead = new Set(writes.map(({ key }) => key));
  const judged = (outcome: ItemOutcome | undefined, key: string): ItemOutcome | undefined => {
    if (outcome?.kind !== 'accepted' || !wasRead.has(key)) return outcome;
    const found = shown.get(key) ?? 'failed';
    return found === 'not_yet'
      ? { ...outcome, kind: 'accepted_not_visible' }
      : { ...outcome, readBack: found };
  };
  return { ...info, items: info.items.map((item) => ({ ...item, outcome: judged(item.outcome, item.key) })) };
}

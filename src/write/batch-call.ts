/**
 * Handles one tool call about a batch. It shows a new batch and requests approval. It resumes a batch that
 * the same arguments began, from the disk, even after a crash. It waits within the time of the call, stops
 * the batch, or renders its outcome.
 */

import { InputError } from '../base/errors.ts';
import type { CallProgress } from '../render/reading-session.ts';
import type { ToolAnswer } from '../render/tool-answer.ts';
import type { WriteStructured } from './model/outcome.ts';
import { type BatchOwner, ownerOf } from './plan/batch-owner.ts';
import type { BatchProgress, Sender } from './run/batches/batch.ts';
import type { Batches, ConfirmedBatch } from './run/batches/batches.ts';
import type { BatchInfo } from './run/batches/summary.ts';
import { isOver } from './run/batches/summary.ts';
import type { ToolContext, WriteFlags } from './session.ts';

/** The call's view of a batch. This module needs it from write-batch.ts or from a feed. */
interface BatchCallRequest extends Pick<WriteFlags, 'dryRun' | 'stop'> {
  account: string;
  tool: string;
  /**
   * The SHA-256 that makes a later call the same: its arguments without dryRun, confirmationCode, stop and
   * save_as.
   */
  asked: string;
  /** The error where there is nothing to stop: the problem and the next step. */
  nothingToStop: readonly [problem: string, hint: string];
  /**
   * Shows the batch and requests approval.
   * @returns the approved batch, or the answer of a call that sends nothing
   * @throws AppError; AskPerson while the user is asked
   */
  approve(of: BatchOwner): Promise<ApprovedBatch | ToolAnswer<WriteStructured>>;
  /** Creates the runner that resumes the batch, also in a process that did not begin it. */
  going(of: BatchOwner): BatchRunner;
}

/** The approved parts of a batch. */
export type ApprovedBatch = Pick<
  ConfirmedBatch,
  'digest' | 'items' | 'shownAt' | 'words' | 'personal' | 'takenOut'
>;

/** Runs a stored batch and renders its state. */
export interface BatchRunner {
  /** @param report gets the progress that the counts do not cover, while the call waits */
  sender(info: BatchInfo, report: (progress: CallProgress) => void): Promise<Sender>;
  progress(progress: BatchProgress): CallProgress;
  /**
   * Renders the outcome or the progress.
   * @param isStopped the call stops the batch, so nothing more of it is read
   */
  renderAnswer(info: BatchInfo, isStopped: boolean): Promise<ToolAnswer<WriteStructured>>;
}

/** The milliseconds of the call's own time that are left for the answer. */
export const MARGIN_MS = 3_000;

/** @throws AppError; AskPerson while the user is asked */
export async function handleBatchCall(
  list: BatchCallRequest,
  ctx: ToolContext,
): Promise<ToolAnswer<WriteStructured>> {
  const { account, asked, dryRun = false } = list;
  const [batches, of] = await Promise.all([ctx.session.batches(), ownerOf(account, ctx.session)]);
  const found = dryRun ? undefined : await batches.find(account, of.ownerDigest, asked);
  const known = found !== undefined && isOpen(found) ? found : undefined;
  if (list.stop === true) {
    if (known === undefined) throw new InputError(...list.nothingToStop);
    return stopBatch(known, list.going(of), ctx);
  }
  if (known !== undefined) return sendAndReportBatch(known, list.going(of), ctx);
  const begun = await approveAndBegin(list, of, batches);
  return 'structured' in begun ? begun : sendAndReportBatch(begun, list.going(of), ctx);
}

/**
 * Approves and stores a new batch. It is a function of its own so that a long preview is released before
 * sending.
 */
async function approveAndBegin(
  list: BatchCallRequest,
  of: BatchOwner,
  batches: Batches,
): Promise<BatchInfo | ToolAnswer<WriteStructured>> {
  const approved = await list.approve(of);
  if ('structured' in approved) return approved;
  const { account, tool, asked } = list;
  const { id } = await batches.begin({ account, owner: of.ownerDigest, tool, asked, ...approved });
  const info = await batches.info(id);
  if (info === undefined) throw new Error('A batch that was begun is not there');
  return info;
}

/** Stops the batch between two items and renders what was sent of it. */
export async function stopBatch(
  known: BatchInfo,
  list: BatchRunner,
  ctx: ToolContext,
): Promise<ToolAnswer<WriteStructured>> {
  (await ctx.session.writeGuard()).refuseStop(known.account);
  const stopped = await (await ctx.session.batches()).stop(known.id);
  return renderAndNote(stopped ?? known, list, true, ctx);
}

/** Sends the rest of the batch and renders its outcome or progress. */
export async function sendAndReportBatch(
  known: BatchInfo,
  list: BatchRunner,
  ctx: ToolContext,
): Promise<ToolAnswer<WriteStructured>> {
  // Items in doubt are read even if the batch was stopped or has expired.
  const isSettled = isOver(known.state) && known.inDoubt === 0;
  return renderAndNote(isSettled ? known : await sendOn(known, list, ctx), list, false, ctx);
}

/** Returns true for a batch that is unfinished, or whose outcome no caller has seen. */
const isOpen = ({ state, told }: BatchInfo) => !isOver(state) || !told;

async function sendOn(known: BatchInfo, list: BatchRunner, ctx: ToolContext): Promise<BatchInfo> {
  const { session, call } = ctx;
  const batches = await session.batches();
  // The run outlives the call that began it, and a call that has ended gets no more progress.
  let isCallOpen = true;
  const report = (progress: CallProgress) => {
    if (isCallOpen) ctx.tell(progress);
  };
  const run = await batches.run(known.id, await list.sender(known, report));
  const ended = await run.wait({
    until: call.deadline - MARGIN_MS,
    signal: call.signal,
    onProgress: (progress) => report(list.progress(progress)),
  });
  isCallOpen = false;
  return ended ?? (await batches.info(known.id)) ?? known;
}

async function renderAndNote(info: BatchInfo, list: BatchRunner, isStopped: boolean, ctx: ToolContext) {
  const answer = await list.renderAnswer(info, isStopped);
  const isOutcomeShown = isOver(info.state) && (isStopped || info.inDoubt === 0);
  // A disconnected caller gets no answer, so the next caller sees the outcome.
  if (isOutcomeShown && !ctx.call.signal.aborted && ctx.isUnheard !== true)
    await (await ctx.session.batches()).markTold(info.id);
  return answer;
}

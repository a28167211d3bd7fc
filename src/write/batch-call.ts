/**
 * One call about a list, whatever made it: a new list is shown and asked about; one that was agreed to before by the same
 * arguments is found on the disk, after a kill too, and sent on, waited for within the time of the call, stopped or told.
 */

import { InputError } from '../base/errors.ts';
import type { Progress } from '../tell/reading-session.ts';
import type { ToolAnswer } from '../tell/tool-answer.ts';
import type { WriteStructured } from './model/outcome.ts';
import { type BatchOwner, ownerOf } from './plan/batch-owner.ts';
import type { BatchProgress, Sender } from './run/batches/batch.ts';
import type { Batches, BatchList } from './run/batches/batches.ts';
import type { BatchInfo } from './run/batches/summary.ts';
import { isOver } from './run/batches/summary.ts';
import type { HowToWrite, ToolContext } from './session.ts';

/** A list as the call that asks for it knows it: what this module asks back of write-batch.ts, or of a feed. */
interface BatchCall extends Pick<HowToWrite, 'dryRun' | 'stop'> {
  account: string;
  /** Name of the tool. */
  tool: string;
  /** SHA-256 of what makes a later call the same: its arguments without dryRun, confirmationCode, stop and save_as. */
  asked: string;
  /** Said where there is nothing to stop: the problem, and the next step. */
  nothingToStop: readonly [problem: string, hint: string];
  /**
   * Shows the list and asks for it.
   * @returns what a yes was said to, or the answer of a call that sends nothing
   * @throws AppError; AskPerson while the person is asked
   */
  approve(of: BatchOwner): Promise<ApprovedBatch | ToolAnswer<WriteStructured>>;
  /** How it goes on, also in a process that did not begin it. */
  going(of: BatchOwner): BatchRunner;
}

/** What a yes was said to. */
export type ApprovedBatch = Pick<
  BatchList,
  'digest' | 'items' | 'shownAt' | 'words' | 'personal' | 'takenOut'
>;

/** A list that is on the disk. */
export interface BatchRunner {
  /** @param report what goes on beside the counts, while the call is asked */
  sender(info: BatchInfo, report: (progress: Progress) => void): Promise<Sender>;
  progress(progress: BatchProgress): Progress;
  /** What became of it, or how far it is. @param isStopped nothing more of it is read */
  renderAnswer(info: BatchInfo, isStopped: boolean): Promise<ToolAnswer<WriteStructured>>;
}

/** Left of the call's own time for the answer. */
export const MARGIN_MS = 3_000;

/** @throws AppError; AskPerson while the person is asked */
export async function handleBatchCall(
  list: BatchCall,
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
  if (known !== undefined) return resumeBatch(known, list.going(of), ctx);
  const begun = await begin(list, of, batches);
  return 'structured' in begun ? begun : resumeBatch(begun, list.going(of), ctx);
}

/** Apart from what goes on: of a long list, what was shown is not held while it is sent. */
async function begin(
  list: BatchCall,
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

/** Ended between two items; what was sent of it is told. */
export async function stopBatch(
  known: BatchInfo,
  list: BatchRunner,
  ctx: ToolContext,
): Promise<ToolAnswer<WriteStructured>> {
  (await ctx.session.writeGuard()).refuseStop(known.account);
  const stopped = await (await ctx.session.batches()).stop(known.id);
  return renderAndNote(stopped ?? known, list, true, ctx);
}

/** The same call tells what became of it, or how far it is. */
export async function resumeBatch(
  known: BatchInfo,
  list: BatchRunner,
  ctx: ToolContext,
): Promise<ToolAnswer<WriteStructured>> {
  // What was sent before it was stopped, or had expired, is looked at all the same.
  const isSettled = isOver(known.state) && known.inDoubt === 0;
  return renderAndNote(isSettled ? known : await sendOn(known, list, ctx), list, false, ctx);
}

/** Under way, to be gone on with, or ended without anybody being told. */
const isOpen = ({ state, told }: BatchInfo) => !isOver(state) || !told;

async function sendOn(known: BatchInfo, list: BatchRunner, ctx: ToolContext): Promise<BatchInfo> {
  const { session, call } = ctx;
  const batches = await session.batches();
  // The run outlives the call that began it: nobody is told anything by a call that has ended.
  let isAsked = true;
  const report = (progress: Progress) => {
    if (isAsked) ctx.tell(progress);
  };
  const run = await batches.run(known.id, await list.sender(known, report));
  const ended = await run.wait({
    until: call.deadline - MARGIN_MS,
    signal: call.signal,
    onProgress: (progress) => report(list.progress(progress)),
  });
  isAsked = false;
  return ended ?? (await batches.info(known.id)) ?? known;
}

async function renderAndNote(info: BatchInfo, list: BatchRunner, isStopped: boolean, ctx: ToolContext) {
  const answer = await list.renderAnswer(info, isStopped);
  const isTold = isOver(info.state) && (isStopped || info.inDoubt === 0);
  // A caller that has gone gets no answer: the next one is told.
  if (isTold && !ctx.call.signal.aborted && ctx.isUnheard !== true)
    await (await ctx.session.batches()).markTold(info.id);
  return answer;
}

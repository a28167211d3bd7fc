/**
 * Pauses a batch before anything is read for its undo, so that the approval request covers all of it. The
 * batch resumes where the request leads to nothing.
 */

import { AppError } from '../../../base/errors.ts';
import type { ToolAnswer } from '../../../render/tool-answer.ts';
import { AskAtPage } from '../../approval/page/ask-at-page.ts';
import type { Session, WriteFlags } from '../../session.ts';
import { StillReading } from '../listing/background-read.ts';

interface PauseRequest extends Pick<WriteFlags, 'dryRun' | 'stop'> {
  account: string;
  /** The id of the batch that is to be undone. */
  id: string;
  /** The id of this request alone, which pauses the batch and resumes it. */
  pausedBy: string;
}

/**
 * Keeps the batch paused while an approval request or a confirmation code is open; without an answer, until
 * the pause ends (`MAX_PAUSE_MS`).
 * @throws as `work`; InputError where an item of the batch is still in flight
 */
export async function whilePaused<Answer extends ToolAnswer>(
  { account, id, pausedBy, dryRun, stop }: PauseRequest,
  work: () => Promise<Answer>,
  session: Session,
): Promise<Answer> {
  const [batches, guard] = await Promise.all([session.batches(), session.writeGuard()]);
  // A call that sends nothing, whatever the user answers, does not pause the batch.
  if (dryRun === true || stop === true || guard.isDenied(account)) return work();
  const resume = () => batches.resume(id, pausedBy);
  const renew = () => batches.pause(id, pausedBy).catch(() => undefined);
  await batches.pause(id, pausedBy);
  try {
    const answer = await work();
    if (answer.structured.confirmation_code === undefined) await resume();
    return answer;
  } catch (error) {
    if (error instanceof AskAtPage)
      throw new AskAtPage({ ...error.asked, waiting: { renew, leave: resume } });
    // A thrown value that is no AppError is an approval request. After `StillReading`, the next call
    // continues with what was read. The batch stays paused for both.
    if (error instanceof AppError && !(error instanceof StillReading)) await resume();
    throw error;
  }
}

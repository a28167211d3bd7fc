/** A list whose undo is asked for is paused before anything is read for that, so that the question is about all of it; where nothing comes of the question it goes on. */

import { AppError } from '../../../base/errors.ts';
import type { ToolAnswer } from '../../../tell/tool-answer.ts';
import { AskAtPage } from '../../ask/page/ask-at-page.ts';
import type { HowToWrite, Session } from '../../session.ts';
import { StillReading } from '../listing/read-in-time.ts';

interface Pausing extends Pick<HowToWrite, 'dryRun' | 'stop'> {
  account: string;
  /** Of the list that is to be undone. */
  id: string;
  /** Of this question alone: what pauses the list, and lets it go on. */
  mark: string;
}

/**
 * While a question or a code is out the list stays paused; where nobody answers, until its pause is over (`MAX_PAUSE_MS`).
 * @throws as `work`; InputError where something of the list is still on its way
 */
export async function whilePaused<Answer extends ToolAnswer>(
  { account, id, mark, dryRun, stop }: Pausing,
  work: () => Promise<Answer>,
  session: Session,
): Promise<Answer> {
  const [batches, guard] = await Promise.all([session.batches(), session.writeGuard()]);
  // A call that sends nothing, whatever anybody answers, holds nothing up.
  if (dryRun === true || stop === true || guard.isDenied(account)) return work();
  const resume = () => batches.resume(id, mark);
  const renew = () => batches.pause(id, mark).catch(() => undefined);
  await batches.pause(id, mark);
  try {
    const answer = await work();
    if (answer.structured.confirmation_code === undefined) await resume();
    return answer;
  } catch (error) {
    if (error instanceof AskAtPage)
      throw new AskAtPage({ ...error.asked, waiting: { renew, leave: resume } });
    // What is no error is a question to the person, and the next call goes on with what was read.
    if (error instanceof AppError && !(error instanceof StillReading)) await resume();
    throw error;
  }
}

/** What the person should know of other lists whenever something is written: those that are not finished. */

import { tokensOf } from '../../../base/text/shorten.ts';
import type { Session } from '../../tool-context.ts';

/** Part of an answer that it may take. */
const SHARE = 6;

/**
 * One line; empty where there are none. Never throws: what was written is told also where nothing of this is known.
 * @param except the list that the answer itself is about
 */
export async function unfinishedLines(
  account: string,
  owner: string,
  session: Session,
  except?: string,
): Promise<readonly string[]> {
  try {
    const batches = await session.batches();
    const open = (await batches.unfinished(account, owner)).filter(({ id }) => id !== except);
    if (open.length === 0) return [];
    const { unfinishedWords } = await import('../../run/batches/unfinished-words.ts');
    const room = session.settings().answerTokens / SHARE;
    // A small answer has no room for all.
    for (const some of [open, open.slice(-1)]) {
      const words = unfinishedWords(some, session.program.now());
      if (words !== undefined && tokensOf(words) <= room) return [words];
    }
    return [];
  } catch (error) {
    session.log.warn('Unfinished lists of writes could not be looked for', { err: String(error) });
    return [];
  }
}

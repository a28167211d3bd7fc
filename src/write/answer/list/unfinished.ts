/** What the person should know of other lists whenever something is written: those that are not finished. */

import { tokensOf } from '../../../base/text/shorten.ts';
import type { Standing } from '../../ask/page/yes-page.ts';
import type { Session } from '../../session.ts';

const STANDINGS: Readonly<Record<Standing, string>> = {
  waiting: 'Waiting for the person at the page',
  yes: 'The person said yes at the page',
  no: 'The person said no at the page, nothing was sent',
  left: 'Nobody answered at the page, nothing was sent',
  closed: 'The page was closed, nothing was sent',
};

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
    const pages = await pageLines(account, session);
    if (open.length === 0) return pages;
    const { unfinishedWords } = await import('../../run/batches/unfinished-words.ts');
    const room = session.settings().answerTokens / SHARE - tokensOf(pages.join('\n'));
    // A small answer has no room for all.
    for (const some of [open, open.slice(-1)]) {
      const words = unfinishedWords(some, session.program.now());
      if (words !== undefined && tokensOf(words) <= room) return [...pages, words];
    }
    return pages;
  } catch (error) {
    session.log.warn('Unfinished lists of writes could not be looked for', { err: String(error) });
    return [];
  }
}

/** Named one by one; of more, the newest. */
const MOST_PAGES = 3;

/** What a person was asked at a page, and no call was told of yet. */
async function pageLines(account: string, session: Session): Promise<string[]> {
  const pages = (await session.yesPages.made())?.untold(account) ?? [];
  // What became of a list is told with the lists.
  const words = pages.flatMap(({ standing, handle, options, result }) => {
    const isList =
      result !== undefined && 'answer' in result && result.answer.structured.batch_id !== undefined;
    return isList
      ? []
      : [`${STANDINGS[standing]}: ${options.tool}, confirmationCode ${handle} alone tells it.`];
  });
  return words.slice(-MOST_PAGES);
}

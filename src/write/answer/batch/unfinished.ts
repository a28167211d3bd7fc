/** What the person should know of lists that are not finished: with whatever is written, and once with the first answer of any tool. */

import { ownerDigestOf } from '../../../accounts/owner.ts';
import { isJsonObject } from '../../../base/json.ts';
import { tokensOf } from '../../../base/text/shorten.ts';
import type { ToolAnswer } from '../../../tell/tool-answer.ts';
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

// The first answer for an account after a start says which lists of writes are unfinished: nobody who begins a chat knows of them.

/** Never throws; where the answer has no room for it, the next one says it. */
export function tellUnfinished(
  args: unknown,
  answer: ToolAnswer,
  session: Session,
): ToolAnswer | Promise<ToolAnswer> {
  const leaveUntold = (error: unknown) => {
    session.log.warn('Unfinished lists of writes could not be told', { err: String(error) });
    return answer;
  };
  try {
    const named = isJsonObject(args) && typeof args.account === 'string' ? args.account : undefined;
    const account = session.accountOf(named);
    return session.toldUnfinished.has(account)
      ? answer
      : withUnfinished(account, answer, session).catch(leaveUntold);
  } catch (error) {
    return leaveUntold(error);
  }
}

async function withUnfinished(account: string, answer: ToolAnswer, session: Session): Promise<ToolAnswer> {
  const lines = answer.structured.unfinished === undefined ? await linesFor(account, session) : [];
  if (lines.length === 0) {
    session.toldUnfinished.add(account);
    return answer;
  }
  const { answerTokens } = session.settings();
  const text = [answer.text, ...lines].join('\n');
  const structured = { ...answer.structured, unfinished: lines };
  const isFitting = [text, JSON.stringify(structured)].every((one) => tokensOf(one) <= answerTokens);
  if (!isFitting) return answer;
  session.toldUnfinished.add(account);
  return { ...answer, text, structured };
}

async function linesFor(account: string, session: Session): Promise<readonly string[]> {
  // Whose account it is may need the keychain: not asked where there is nothing to tell.
  const all = await (await session.batches()).list();
  if (!all.some((list) => list.account === account)) return [];
  const owner = ownerDigestOf(await (await session.accounts()).profile(account));
  return unfinishedLines(account, owner, session);
}

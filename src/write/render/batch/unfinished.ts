/** Reports unfinished batches to the user: with every write, and once with the first answer of any tool. */

import { ownerDigestOf } from '../../../accounts/owner.ts';
import { isJsonObject } from '../../../base/json.ts';
import { tokensOf } from '../../../base/text/shorten.ts';
import type { ToolAnswer } from '../../../render/tool-answer.ts';
import type { ApprovalPageState } from '../../approval/page/approval-page.ts';
import type { Session } from '../../session.ts';

const MESSAGES: Readonly<Record<ApprovalPageState, string>> = {
  waiting: 'Waiting for the person at the page',
  yes: 'The person said yes at the page',
  no: 'The person said no at the page, nothing was sent',
  left: 'Nobody answered at the page, nothing was sent',
  closed: 'The page was closed, nothing was sent',
};

/** The divisor for the share of an answer that these lines may fill. */
const SHARE = 6;

/**
 * Returns one line, or none if no batch is unfinished. It never throws, because a completed write is reported
 * even if this lookup fails.
 * @param except the batch that the answer itself is about
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
    const { formatUnfinished } = await import('../../run/batches/format-unfinished.ts');
    const room = session.settings().answerTokens / SHARE - tokensOf(pages.join('\n'));
    // A small answer has no room for all of them.
    for (const some of [open, open.slice(-1)]) {
      const words = formatUnfinished(some, session.program.now());
      if (words !== undefined && tokensOf(words) <= room) return [...pages, words];
    }
    return pages;
  } catch (error) {
    session.log.warn('Unfinished lists of writes could not be looked for', { err: String(error) });
    return [];
  }
}

/** The max number of pages that are named; of more, the newest. */
const MAX_PAGES = 3;

/** Renders the approval pages whose result no call has reported yet. */
async function pageLines(account: string, session: Session): Promise<string[]> {
  const pages = (await session.yesPages.made())?.untold(account) ?? [];
  // Batches report their own outcome.
  const words = pages.flatMap(({ standing, handle, options, result }) => {
    const isList =
      result !== undefined && 'answer' in result && result.answer.structured.batch_id !== undefined;
    return isList
      ? []
      : [`${MESSAGES[standing]}: ${options.tool}, confirmationCode ${handle} alone tells it.`];
  });
  return words.slice(-MAX_PAGES);
}

// The first answer for an account after a start names the unfinished batches, because a new chat does not
// know of them.

/**
 * Adds the unfinished batches to the answer. It never throws; if the answer has no room, the next one gets
 * them.
 */
export function addUnfinished(
  args: unknown,
  answer: ToolAnswer,
  session: Session,
): ToolAnswer | Promise<ToolAnswer> {
  const skip = (error: unknown) => {
    session.log.warn('Unfinished lists of writes could not be told', { err: String(error) });
    return answer;
  };
  try {
    const named = isJsonObject(args) && typeof args.account === 'string' ? args.account : undefined;
    const account = session.accountOf(named);
    return session.toldUnfinished.has(account)
      ? answer
      : withUnfinished(account, answer, session).catch(skip);
  } catch (error) {
    return skip(error);
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
  // The owner may need the keychain, so it is read only if the account has batches.
  const all = await (await session.batches()).list();
  if (!all.some((list) => list.account === account)) return [];
  const owner = ownerDigestOf(await (await session.accounts()).profile(account));
  return unfinishedLines(account, owner, session);
}

/** The first answer for an account after a start says which lists of writes are unfinished: nobody who begins a chat knows of them. */

import { identityMark, identityOf } from '../../accounts/owner.ts';
import { isJsonObject } from '../../base/json.ts';
import { tokensOf } from '../../base/text/shorten.ts';
import type { ToolAnswer } from '../../tell/tool-answer.ts';
import type { Session } from '../session.ts';
import { unfinishedLines } from './many/unfinished.ts';

/** Never throws; where the answer has no room for it, the next one says it. */
export async function tellUnfinished(
  args: unknown,
  answer: ToolAnswer,
  session: Session,
): Promise<ToolAnswer> {
  try {
    const named = isJsonObject(args) && typeof args.account === 'string' ? args.account : undefined;
    const account = session.accountOf(named);
    if (session.toldUnfinished.has(account)) return answer;
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
  } catch (error) {
    session.log.warn('Unfinished lists of writes could not be told', { err: String(error) });
    return answer;
  }
}

async function linesFor(account: string, session: Session): Promise<readonly string[]> {
  // Whose account it is may need the keychain: not asked where there is nothing to tell.
  const all = await (await session.batches()).list();
  if (!all.some((list) => list.account === account)) return [];
  const owner = identityMark(identityOf(await (await session.accounts()).profile(account)));
  return unfinishedLines(account, owner, session);
}

/** What writes have to do with a call of any tool: a code alone that stands for another call, marks that nobody is shown, lists that are not finished. */

import { ownerMark } from '../accounts/owner.ts';
import { InputError } from '../base/errors.ts';
import { isJsonObject, type JsonObject, toObject } from '../base/json.ts';
import { tokensOf } from '../base/text/shorten.ts';
import type { Client } from '../call/client.ts';
import type { ToolAnswer } from '../tell/tool-answer.ts';
import { unfinishedLines } from './answer/list/unfinished.ts';
import type { Invoke } from './ask/page/call-at-page.ts';
import type { Session, ToolContext } from './session.ts';

/**
 * Completed where it is a code alone, and asked about at a page where that is how the person is asked.
 * @throws InputError for a code that says nothing here; what the call throws
 */
export async function answerCall(
  tool: string,
  given: unknown,
  ctx: ToolContext,
  invoke: Invoke,
): Promise<ToolAnswer> {
  const meant = await completeCall(tool, given, ctx, invoke);
  const atPage: Invoke = async (args) =>
    (await import('./ask/page/call-at-page.ts')).callAtPage(tool, args, ctx, invoke);
  if ('answer' in meant) return meant.answer;
  const answer = await (usesPages(ctx) ? atPage : invoke)(meant.args, ctx);
  await keepCall(tool, meant.args, answer, ctx);
  return answer;
}

/** Whether the person can be asked at a page here. Wrong settings are told by what needs them. */
function usesPages({ session, person }: ToolContext): boolean {
  try {
    const { writes } = session.settings();
    return writes === 'page' || ((writes === 'ask' || writes === 'allow') && person.canOpenPage);
  } catch {
    return false;
  }
}

/** @returns the arguments as they are meant, or the answer */
async function completeCall(
  tool: string,
  args: unknown,
  ctx: ToolContext,
  invoke: Invoke,
): Promise<{ args: unknown } | { answer: ToolAnswer }> {
  // What says what is to be written is taken as it says: a code of another call, or of another account, fits none of it.
  if (!isCodeAlone(args)) return { args };
  const { confirmationCode: code } = args;
  const stop = args.stop === true;
  if (isHandle(code)) {
    const { tellHandle } = await import('./ask/page/call-at-page.ts');
    return { answer: await tellHandle(tool, code, { stop, ctx, invoke }) };
  }
  const known = (await ctx.session.shownCalls()).complete(tool, args);
  if (known !== undefined) return { args: known };
  if (/^[0-9a-f]{8}$/.test(code)) {
    const { resumeList } = await import('./resume-list.ts');
    const { account } = args;
    const asked = { tool, id: code, stop };
    return { answer: await resumeList({ ...asked, ...(typeof account === 'string' && { account }) }, ctx) };
  }
  throw new InputError(
    'What this confirmation code stands for is not known here: it is older than 10 minutes, of another process, or copied wrongly; nothing was sent.',
    'Call with all arguments and without a code to get a preview and a new code.',
  );
}

/** Its form says that it is no code. */
const isHandle = (code: string) => /^page-[0-9a-f]{8}$/.test(code);

/** What a code in the answer stands for. */
async function keepCall(
  tool: string,
  args: unknown,
  { structured }: ToolAnswer,
  { session }: ToolContext,
): Promise<void> {
  const { confirmation_code: code } = toObject(structured);
  if (typeof code === 'string' && isJsonObject(args)) (await session.shownCalls()).keep(tool, code, args);
}

/** Beside a code, what says nothing of what is to be written. */
const BESIDE = ['account', 'operation', 'stop'];

/** Nothing is given but a code: what it stands for has to be known. */
function isCodeAlone(args: unknown): args is JsonObject & { confirmationCode: string } {
  return (
    isJsonObject(args) &&
    typeof args.confirmationCode === 'string' &&
    Object.keys(args).every((name) => name === 'confirmationCode' || BESIDE.includes(name))
  );
}

// Marks stand for values in what the person is asked about, and nowhere else.

/** The context of a call whose client sends nothing that a mark stands for in it and that nobody is shown. */
export function withholdMarks(ctx: ToolContext, isPreview: boolean): ToolContext {
  const withheld = new Set<string>();
  const { session, person } = ctx;
  const client = async (): Promise<Client> => {
    const sending = await session.client();
    return {
      ...sending,
      async call(input, options) {
        if (holdsAny({ parameters: input.parameters, body: input.body }, withheld))
          throw new InputError(NOT_SENT, PERSON_FIRST);
        return sending.call(input, options);
      },
    };
  };
  return {
    ...ctx,
    session: { ...session, client },
    // Nobody is asked about what is only shown.
    person: isPreview ? { ...person, canConfirm: false } : person,
    withheld,
  };
}

const NOT_SENT =
  'It holds what a mark of personal data stands for, and nobody is asked about it; nothing was sent.';
const PERSON_FIRST =
  'Where the person can be asked, the write itself (without dryRun) shows them the value first.';

/** Also where it stands within a text, or as a number. */
function holdsAny(value: unknown, withheld: ReadonlySet<string>): boolean {
  if (withheld.size === 0) return false;
  if (typeof value === 'string' || typeof value === 'number') {
    const text = String(value);
    return [...withheld].some((one) => text.includes(one));
  }
  if (Array.isArray(value)) return value.some((item) => holdsAny(item, withheld));
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(
    ([name, member]) => holdsAny(name, withheld) || holdsAny(member, withheld),
  );
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
  const owner = ownerMark(await (await session.accounts()).profile(account));
  return unfinishedLines(account, owner, session);
}

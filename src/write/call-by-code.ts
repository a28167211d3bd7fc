/**
 * What a call of a tool that writes stands for, where it says so by a code: a code alone is the call that it was given for,
 * the id of a list goes on with that list, and where the person is asked at a page, that one answers it.
 */

import { InputError } from '../base/errors.ts';
import { isJsonObject, type JsonObject, toObject } from '../base/json.ts';
import type { ToolAnswer } from '../tell/tool-answer.ts';
import type { Invoke } from './ask/page/call-at-page.ts';
import type { ToolContext } from './session.ts';

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
  const known = await (await ctx.session.shownCalls()).complete(tool, args);
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
  if (typeof code === 'string' && isJsonObject(args))
    await (await session.shownCalls()).keep(tool, code, args);
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

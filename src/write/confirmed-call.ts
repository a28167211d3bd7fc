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
export async function invokeWithConfirmation(
  tool: string,
  given: unknown,
  ctx: ToolContext,
  invoke: Invoke,
): Promise<ToolAnswer> {
  const meant = await resolveConfirmedCall(tool, given, ctx, invoke);
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
    const isAsked = writes === 'ask' || writes === 'allow';
    return writes === 'page' || (isAsked && (person.canOpenPage || person.isHere));
  } catch {
    return false;
  }
}

/** @returns the arguments as they are meant, or the answer */
async function resolveConfirmedCall(
  tool: string,
  args: unknown,
  ctx: ToolContext,
  invoke: Invoke,
): Promise<{ args: unknown } | { answer: ToolAnswer }> {
  if (!isJsonObject(args) || typeof args.confirmationCode !== 'string') return { args };
  const { confirmationCode: code, ...beside } = args;
  const shown = isHandle(code) ? undefined : await (await ctx.session.shownCalls()).find(tool, code);
  if (shown !== undefined) return { args: withShown(beside, shown, code) };
  // Arguments that say what is to be written are taken as they say: the code is checked against their content.
  if (!isCodeAlone(args)) return { args };
  const stop = args.stop === true;
  if (isHandle(code)) {
    const { tellHandle } = await import('./ask/page/call-at-page.ts');
    return { answer: await tellHandle(tool, code, { stop, ctx, invoke }) };
  }
  if (/^[0-9a-f]{8}$/.test(code)) {
    const { resumeById } = await import('./resume-batch.ts');
    const { account } = args;
    const asked = { tool, id: code, stop };
    return { answer: await resumeById({ ...asked, ...(typeof account === 'string' && { account }) }, ctx) };
  }
  throw new InputError(
    'What this confirmation code stands for is not known here: it is older than 10 minutes, was copied wrongly, or the server has been restarted since; nothing was sent.',
    'Call with all arguments and without a code to get a preview and a new code.',
  );
}

/**
 * The call that the code was given for, with the arguments that are repeated beside the code. Those that say something else
 * make another content, which the code does not stand for: the guard refuses it.
 */
function withShown(given: JsonObject, shown: JsonObject, code: string): JsonObject {
  const said = Object.entries(given).filter(([name, value]) => name in shown || !saysNothing(value));
  return { ...shown, ...Object.fromEntries(said), confirmationCode: code };
}

/** `stop: false`, null and empty lists say nothing beside a call that was shown without them. */
const saysNothing = (value: unknown) =>
  value === null || value === false || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);

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

/**
 * Resolves a write call that carries a confirmation code. A code alone stands for the call it was issued for,
 * and the id of a batch resumes that batch. If the user is asked at a page, the page answers the call.
 */

import { InputError } from '../base/errors.ts';
import { isJsonObject, type JsonObject, toObject } from '../base/json.ts';
import type { ToolAnswer } from '../render/tool-answer.ts';
import type { InvokeTool } from './approval/page/call-at-page.ts';
import type { ToolContext } from './session.ts';

/**
 * Invokes the tool with the resolved arguments, through an approval page where the user is asked at one.
 * @throws InputError for an unknown code; whatever the call throws
 */
export async function invokeWithConfirmation(
  tool: string,
  given: unknown,
  ctx: ToolContext,
  invoke: InvokeTool,
): Promise<ToolAnswer> {
  const resolved = await resolveConfirmedCall(tool, given, ctx, invoke);
  const atPage: InvokeTool = async (args) =>
    (await import('./approval/page/call-at-page.ts')).callAtPage(tool, args, ctx, invoke);
  if ('answer' in resolved) return resolved.answer;
  const answer = await (usesPages(ctx) ? atPage : invoke)(resolved.args, ctx);
  await storeCall(tool, resolved.args, answer, ctx);
  return answer;
}

/**
 * Returns true if the user can be asked at a page here. Invalid settings are reported by the code that needs
 * them.
 */
function usesPages({ session, person }: ToolContext): boolean {
  try {
    const { writes } = session.settings();
    const isAsked = writes === 'ask' || writes === 'allow';
    return writes === 'page' || (isAsked && (person.canOpenPage || person.isHere));
  } catch {
    return false;
  }
}

/** @returns the resolved arguments, or the answer */
async function resolveConfirmedCall(
  tool: string,
  args: unknown,
  ctx: ToolContext,
  invoke: InvokeTool,
): Promise<{ args: unknown } | { answer: ToolAnswer }> {
  if (!isJsonObject(args) || typeof args.confirmationCode !== 'string') return { args };
  const { confirmationCode: code, ...beside } = args;
  const shown = isPageHandle(code) ? undefined : await (await ctx.session.shownCalls()).find(tool, code);
  if (shown !== undefined) return { args: mergeShownArguments(beside, shown, code) };
  // Arguments that describe the write stay as they are, because the guard checks the code against their
  // content.
  if (!isCodeAlone(args)) return { args };
  const stop = args.stop === true;
  if (isPageHandle(code)) {
    const { answerHandle } = await import('./approval/page/call-at-page.ts');
    return { answer: await answerHandle(tool, code, { stop, ctx, invoke }) };
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
 * Merges the arguments that the code was issued for with those repeated beside the code. Different arguments
 * make other content, which the guard refuses because the code does not cover it.
 */
function mergeShownArguments(given: JsonObject, shown: JsonObject, code: string): JsonObject {
  const repeated = Object.entries(given).filter(([name, value]) => name in shown || !isEmptyArgument(value));
  return { ...shown, ...Object.fromEntries(repeated), confirmationCode: code };
}

/**
 * Returns true for `stop: false`, null and empty lists, which add nothing to a call that was shown without
 * them.
 */
const isEmptyArgument = (value: unknown) =>
  value === null || value === false || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);

/** Returns true for a page handle; its prefix tells it from a code. */
const isPageHandle = (code: string) => /^page-[0-9a-f]{8}$/.test(code);

/** Records the call that the code in the answer was issued for. */
async function storeCall(
  tool: string,
  args: unknown,
  { structured }: ToolAnswer,
  { session }: ToolContext,
): Promise<void> {
  const { confirmation_code: code } = toObject(structured);
  if (typeof code === 'string' && isJsonObject(args))
    await (await session.shownCalls()).keep(tool, code, args);
}

/** The arguments beside a code that do not describe the write. */
const NEUTRAL_ARGUMENTS = ['account', 'operation', 'stop'];

/** Returns true if the code is the only content, so that it must be a known one. */
function isCodeAlone(args: unknown): args is JsonObject & { confirmationCode: string } {
  return (
    isJsonObject(args) &&
    typeof args.confirmationCode === 'string' &&
    Object.keys(args).every((name) => name === 'confirmationCode' || NEUTRAL_ARGUMENTS.includes(name))
  );
}

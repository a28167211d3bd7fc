/** A call by a code alone: the one that the code was given for, or the list whose id stands in the code's place. */

import { InputError } from '../../base/errors.ts';
import { isJsonObject, type JsonObject, toObject } from '../../base/json.ts';
import type { ToolAnswer } from '../../tell/tool-answer.ts';
import type { ToolContext } from '../tool-context.ts';

/** @returns the arguments as they are meant, or the answer @throws InputError for a code that says nothing here */
export async function completeCall(
  tool: string,
  args: unknown,
  ctx: ToolContext,
): Promise<{ args: unknown } | { answer: ToolAnswer }> {
  // What says what is to be written is taken as it says: a code of another call, or of another account, fits none of it.
  if (!isCodeAlone(args)) return { args };
  const known = (await ctx.session.shownCalls()).complete(tool, args);
  if (known !== undefined) return { args: known };
  if (/^[0-9a-f]{8}$/.test(args.confirmationCode)) {
    const { resumeList } = await import('../run/many/resume-list.ts');
    const { account } = args;
    const asked = { tool, id: args.confirmationCode, stop: args.stop === true };
    return { answer: await resumeList({ ...asked, ...(typeof account === 'string' && { account }) }, ctx) };
  }
  throw new InputError(
    'What this confirmation code stands for is not known here: it is older than 10 minutes, of another process, or copied wrongly; nothing was sent.',
    'Call with all arguments and without a code to get a preview and a new code.',
  );
}

/** What a code in the answer stands for. */
export async function keepCall(
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

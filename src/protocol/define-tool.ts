/** How a tool is declared: one object with its words, its shapes, its effect and what it does. */

import type * as z from 'zod';
import { InputError } from '../base/errors.ts';
import { LARGE_BYTES, yieldToEventLoop } from '../base/event-loop.ts';
import { rejectPlaceholders } from '../privacy/personal/unmask.ts';
import { checkBounds } from '../render/arguments/argument-bounds.ts';
import { parseArguments } from '../render/arguments/parse-arguments.ts';
import type { ToolAnswer } from '../render/tool-answer.ts';
import type { OperationEffect } from '../service/facts/operation.ts';
import { invokeWithConfirmation } from '../write/confirmed-call.ts';
import { withholdPlaceholders } from '../write/plan/withhold-placeholders.ts';
import type { ToolContext } from '../write/session.ts';

interface ToolDefinition<Input extends z.ZodObject, Output extends z.ZodObject> {
  /** `verb_noun` in snake_case; the file is named alike in kebab-case. */
  name: string;
  title: string;
  /** Says what the tool does, when to use it and what it returns; the essential part first, since hosts cut long ones. */
  description: string;
  effect: OperationEffect;
  /** False for a write that takes nothing away from anybody. */
  destructive?: boolean;
  /** False when nothing outside this process is reached. */
  openWorld?: boolean;
  /** True when calling it again with the same arguments changes nothing more. */
  idempotent?: boolean;
  /**
   * Marks of personal values in its arguments are its own affair: resolved in what the person is asked about, or compared
   * as they are. A mark in the arguments of any other tool is refused: nobody would see what it stands for.
   */
  takesMarks?: boolean;
  /** Answers a seller's first question, so that hosts that defer tools show it to the model from the start. */
  alwaysLoad?: boolean;
  /** True when an answer may fill the whole answer budget. */
  longAnswers?: boolean;
  /** The tool is of no use if writes are switched off, because write_operation has the same previews. */
  onlyWrites?: boolean;
  /** Work may go on after the answer, which the outcomes `requested` and `failed` are about. */
  startsWork?: boolean;
  /** How it takes more than the arguments of one call can hold, where it can. */
  takesMore?: string;
  input: Input;
  output: Output;
  run(args: z.output<Input>, ctx: ToolContext): Promise<ToolAnswer<z.input<Output>>>;
}

/** A tool with its types closed over: takes what a client sent, checks it, runs. */
export interface Tool extends Omit<ToolDefinition<z.ZodObject, z.ZodObject>, 'run'> {
  /** @throws InputError when the arguments do not fit `input`; whatever `run` throws. */
  invoke(args: unknown, ctx: ToolContext): Promise<ToolAnswer>;
}

export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: ToolDefinition<Input, Output>,
): Tool {
  const { run, ...words } = definition;
  const { input, takesMore } = words;
  const check: Tool['invoke'] = async (given, ctx) => {
    const isLarge = checkBounds(given, takesMore) >= LARGE_BYTES;
    if (isLarge) await yieldToEventLoop();
    if (words.takesMarks !== true) rejectPlaceholders(words.name, given);
    if (isLarge) await yieldToEventLoop();
    const args = parseArguments(input, given);
    if (isLarge) await yieldToEventLoop();
    // A tool that only reads and takes no placeholders resolves none.
    if (words.takesMarks !== true && words.effect === 'read') return run(args, ctx);
    return run(args, withholdPlaceholders(ctx, 'dryRun' in args && args.dryRun === true));
  };
  const invoke: Tool['invoke'] = async (given, ctx) => {
    try {
      return await check(given, ctx);
    } catch (error) {
      if (!(error instanceof InputError) || error.problems.length === 0) throw error;
      const { askWhichMarketplace } = await import('../write/plan/which-marketplace.ts');
      throw await askWhichMarketplace(error, { names: Object.keys(input.shape), given }, ctx);
    }
  };
  if (!('confirmationCode' in input.shape)) return { ...words, invoke };
  return {
    ...words,
    invoke: (given, ctx) => invokeWithConfirmation(words.name, given, ctx, invoke),
  };
}

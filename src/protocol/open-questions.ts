/**
 * Asks the person while the call stays open, as the protocol before 2026-07-28 does. The SDK would do it too, but it ends
 * the call where the host cannot ask, and leaves the host without a sign of life meanwhile.
 */

import { randomUUID } from 'node:crypto';
import {
  type CallToolResult,
  type InputRequiredResult,
  isInputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { reportWhile } from '../render/client-user.ts';
import type { CallContext } from './call-context.ts';
import { createProgress } from './progress.ts';

/** A person may think for so long; what is asked about is good for no longer. */
const ANSWERED_WITHIN_MS = 600_000;

type Result = CallToolResult | InputRequiredResult;

/** @param run the call, from its start, with the answers so far */
export async function askWhileOpen(
  run: (ctx: CallContext) => Promise<Result>,
  ctx: ServerContext,
): Promise<Result> {
  let result = await run(ctx);
  // A client of the 2026-07-28 era asks itself, and calls again.
  while (ctx.mcpReq.envelope === undefined && isInputRequiredResult(result)) {
    const { inputRequests = {}, requestState } = result;
    const inputResponses: Record<string, unknown> = {};
    for (const [key, { params }] of Object.entries(inputRequests))
      inputResponses[key] = await ask({ ...params }, ctx);
    const answered = { inputResponses, requestState: () => requestState };
    result = await run({ mcpReq: { ...ctx.mcpReq, ...answered } });
  }
  return result;
}

/** @returns what the host answered; null where it could not ask. @throws where the call was cancelled */
async function ask(params: Record<string, unknown>, ctx: ServerContext): Promise<unknown> {
  const { signal } = ctx.mcpReq;
  const report = createProgress(ctx, (text) => text);
  const known =
    params.mode === 'url' ? { ...params, elicitationId: randomUUID() } : { mode: 'form', ...params };
  const options = { timeout: ANSWERED_WITHIN_MS, signal };
  const asked = ctx.mcpReq.send({ method: 'elicitation/create', params: known }, options);
  try {
    return await reportWhile(asked, () => report({ message: 'Waiting for the person to answer' }));
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

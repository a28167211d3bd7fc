/** One tool call from arguments to result: runs the tool, and catches everything exactly once. */

import type {
  CallToolResult,
  ClientCapabilities,
  InputRequiredResult,
  ServerContext,
} from '@modelcontextprotocol/server';
import type { Config } from '../config.ts';
import { AskPerson, createPerson } from './ask.ts';
import { withCredentialsPage } from './credentials-page.ts';
import type { Tool, ToolAnswer } from './define-tool.ts';
import { errorResult, isExpected } from './error-result.ts';
import { createProgress } from './progress.ts';
import type { Services, ToolContext } from './tool-context.ts';

export async function handleCall(
  tool: Tool,
  args: unknown,
  ctx: ServerContext,
  services: Services,
  connected: ClientCapabilities | undefined,
): Promise<CallToolResult | InputRequiredResult> {
  const context: ToolContext = {
    services,
    signal: ctx.mcpReq.signal,
    deadline: performance.now() + (settingsOf(services)?.callTimeoutMs ?? 0),
    onWait: createProgress(ctx),
    person: createPerson(ctx, connected, services.redactor.redact),
  };
  learnSettings(services);
  try {
    const answer = await withCredentialsPage(context, () => tool.invoke(args, context));
    return toResult(answer, services);
  } catch (error) {
    if (error instanceof AskPerson) return error.result;
    if (!isExpected(error))
      services.log.error('A tool failed unexpectedly', { tool: tool.name, err: traceOf(error) });
    return errorResult(error, services.redactor.redact, settingsOf(services)?.answerTokens);
  }
}

/** Undefined where the settings are wrong, which is told by the call that needs them. */
function settingsOf({ config }: Services): Config | undefined {
  try {
    return config();
  } catch {
    return undefined;
  }
}

/** Known before the first use, so that not even a call that repeats one of them gets it back. */
function learnSettings(services: Services): void {
  const { clientSecret, refreshToken } = settingsOf(services) ?? {};
  for (const secret of [clientSecret, refreshToken]) {
    if (secret !== undefined) services.redactor.add(secret);
  }
}

/** With the stack: this is what a maintainer gets to see; the log redacts it. */
function traceOf(error: unknown): string {
  return (error instanceof Error ? error.stack : undefined) ?? String(error);
}

function toResult({ text, structured, links = [] }: ToolAnswer, { redactor }: Services): CallToolResult {
  return {
    content: [
      { type: 'text', text: redactor.redact(text) },
      ...links.map((link) => ({ type: 'resource_link' as const, ...link })),
    ],
    structuredContent: toRecord(redactor.redactJson(structured)),
  };
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** One tool call from arguments to result: runs the tool, and catches everything exactly once. */

import type {
  CallToolResult,
  ClientCapabilities,
  InputRequiredResult,
  ServerContext,
} from '@modelcontextprotocol/server';
import type { Redactor } from '../redact/redact.ts';
import { withCredentialsPage } from './credentials-page.ts';
import type { Tool, ToolAnswer } from './define-tool.ts';
import { errorResult, isExpected } from './error-result.ts';
import { createProgress, tellWaits } from './progress.ts';
import { AskPerson, createPerson } from './questions.ts';
import type { Session, SessionSettings, ToolContext } from './session.ts';

export async function handleCall(
  tool: Tool,
  args: unknown,
  ctx: ServerContext,
  session: Session,
  connected: ClientCapabilities | undefined,
): Promise<CallToolResult | InputRequiredResult> {
  const { redactor, log } = session;
  try {
    return toResult(await session.own(run(tool, args, createContext(ctx, session, connected))), redactor);
  } catch (error) {
    if (error instanceof AskPerson) return error.result;
    if (!isExpected(error)) log.error('A tool failed unexpectedly', { tool: tool.name, err: traceOf(error) });
    return errorResult(error, redactor.redact, settingsOf(session)?.answerTokens);
  }
}

function createContext(
  ctx: ServerContext,
  session: Session,
  connected: ClientCapabilities | undefined,
): ToolContext {
  const tell = createProgress(ctx);
  const { signal } = ctx.mcpReq;
  return {
    session,
    call: { signal, deadline: deadlineOf(session), onProgress: tellWaits(tell) },
    tell,
    person: createPerson(ctx, connected, session.redactor.redact),
  };
}

function run(tool: Tool, args: unknown, context: ToolContext): Promise<ToolAnswer> {
  const { session, call } = context;
  return withCredentialsPage(context, () =>
    tool.invoke(args, { ...context, call: { ...call, deadline: deadlineOf(session) } }),
  );
}

/** A time limit from now on. Wrong settings are told by what needs them. */
function deadlineOf(session: Session): number {
  return performance.now() + (settingsOf(session)?.callTimeoutMs ?? 0);
}

function settingsOf(session: Session): SessionSettings | undefined {
  try {
    return session.settings();
  } catch {
    return undefined;
  }
}

/** With the stack: this is what a maintainer gets to see; the log redacts it. */
function traceOf(error: unknown): string {
  return (error instanceof Error ? error.stack : undefined) ?? String(error);
}

function toResult(
  { text, structured, links = [], isError = false }: ToolAnswer,
  redactor: Redactor,
): CallToolResult {
  return {
    ...(isError ? { isError } : {}),
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

/** One tool call from arguments to result: runs the tool, and catches everything exactly once. */

import type { CallToolResult, ClientCapabilities, InputRequiredResult } from '@modelcontextprotocol/server';
import { dropUndefined } from '../base/json.ts';
import type { PersonalData } from '../privacy/personal/personal-data.ts';
import { errorResult, isExpectedError } from '../render/error-result.ts';
import { knownSettings } from '../render/reading-session.ts';
import { isMaskedAtSource, type ToolAnswer } from '../render/tool-answer.ts';
import { addUnfinished } from '../write/render/batch/unfinished.ts';
import type { Session, ToolContext } from '../write/session.ts';
import type { CallContext } from './call-context.ts';
import { withCredentialsPage } from './credentials-page.ts';
import type { Tool } from './define-tool.ts';
import { createProgress, reportWaits } from './progress.ts';
import { AskPerson, createPerson } from './questions.ts';

export async function handleCall(
  tool: Tool,
  args: unknown,
  ctx: CallContext,
  session: Session,
  connected: ClientCapabilities | undefined,
): Promise<CallToolResult | InputRequiredResult> {
  // The time of the call includes what has to be loaded first.
  const begun = performance.now();
  const personal = await session.personal();
  const { redact } = session.redactor;
  try {
    const clean = (text: string) => personal.maskText(redact(text));
    const context = createContext(ctx, session, { connected, clean, begun });
    const answer = await session.own(run(tool, args, context));
    const note = personal.firstNote();
    const masked = isMaskedAtSource(answer) ? answer : swept(answer, args, personal);
    return toResult(masked, { personal_data: note, session: session.takeNews?.() }, session);
  } catch (error) {
    if (error instanceof AskPerson) return error.result;
    if (!isExpectedError(error))
      session.log.error('A tool failed unexpectedly', { tool: tool.name, err: traceOf(error) });
    // The answer may repeat values that the call brought.
    const masked = (text: string) => personal.maskText(redact(text), personal.broughtBy(args));
    const clean = isMaskedAtSource(error) ? redact : masked;
    const result = errorResult(error, clean, knownSettings(session)?.answerTokens);
    return withNews(result, session.takeNews?.());
  }
}

function createContext(
  ctx: CallContext,
  session: Session,
  {
    connected,
    clean,
    begun,
  }: { connected: ClientCapabilities | undefined; clean: (text: string) => string; begun: number },
): ToolContext {
  const report = createProgress(ctx, clean);
  const { signal } = ctx.mcpReq;
  return {
    session,
    call: { signal, deadline: deadlineOf(session, begun), onProgress: reportWaits(report) },
    tell: report,
    person: createPerson(ctx, connected, session.redactor.redact, session.principal.isElsewhere),
  };
}

function run(tool: Tool, args: unknown, context: ToolContext): Promise<ToolAnswer> {
  const { session, call } = context;
  return withCredentialsPage(context, async (hasWaited) => {
    const deadline = hasWaited ? deadlineOf(session, performance.now()) : call.deadline;
    const within = { ...context, call: { ...call, deadline } };
    return addUnfinished(args, await tool.invoke(args, within), session);
  });
}

/** Wrong settings are told by what needs them. */
function deadlineOf(session: Session, begun: number): number {
  return begun + (knownSettings(session)?.callTimeoutMs ?? 0);
}

/** Returns the error with its stack for maintainers; the log redacts it. */
function traceOf(error: unknown): string {
  return (error instanceof Error ? error.stack : undefined) ?? String(error);
}

/** Removes known values of buyers from the whole answer, as was done for its parts; words of the call stay. */
function swept(answer: ToolAnswer, args: unknown, { sweep, broughtBy }: PersonalData): ToolAnswer {
  const brought = broughtBy(args);
  const [text, structured] = [sweep(answer.text, brought), sweep(answer.structured, brought)];
  if (text === answer.text && structured === answer.structured) return answer;
  return { ...answer, text: String(text), structured: toRecord(structured) };
}

/** Secrets are gone from the parts already; they are looked for once more. */
function toResult(
  { text, structured, links = [], isError = false }: ToolAnswer,
  notes: Readonly<Record<'personal_data' | 'session', string | undefined>>,
  { redactor }: Session,
): CallToolResult {
  const isSilent = notes.personal_data === undefined && notes.session === undefined;
  const shown = isSilent ? {} : dropUndefined(notes);
  const clean = redactor.redactJson(structured);
  const lines = Object.values(shown).map((note) => `\n(${note})`);
  const result: CallToolResult = {
    content: [
      { type: 'text', text: redactor.redact(text) + lines.join('') },
      ...links.map((link) => ({ type: 'resource_link' as const, ...link })),
    ],
    structuredContent: isSilent ? toRecord(clean) : { ...toRecord(clean), ...shown },
  };
  if (isError) result.isError = isError;
  return result;
}

/** An error has one form: its text. */
function withNews(result: CallToolResult, news: string | undefined): CallToolResult {
  return news === undefined
    ? result
    : { ...result, content: [...result.content, { type: 'text', text: `(${news})` }] };
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/**
 * Runs a call that is approved at a page. It waits for the user within its time, then reports the state; the
 * same call, or its handle alone, reports it again.
 */

import { AppError, ConfigError, InputError, WriteRefusedError } from '../../../base/errors.ts';
import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import { escapeText, VALUES_NOTE } from '../../../base/text/escape-text.ts';
import { count } from '../../../base/text/format-value.ts';
import {
  type ClientUser,
  mayBeAnsweredByHost,
  reportWhile,
  type UserAnswer,
} from '../../../render/client-user.ts';
import type { ToolAnswer } from '../../../render/tool-answer.ts';
import { isOver } from '../../run/batches/summary.ts';
import type { Session, ToolContext } from '../../session.ts';
import type { ApprovalPage } from './approval-page.ts';
import { AskAtPage, OPERATOR_CHOICES } from './ask-at-page.ts';

export type InvokeTool = (args: unknown, ctx: ToolContext) => Promise<ToolAnswer>;

/** The milliseconds of the call's own time that are left for the answer. */
const MARGIN_MS = 3_000;

/** The key of the question that opens the page. */
const KEY = 'page';

/** @throws what the call itself throws; WriteRefusedError if the user declines, or no page can be opened */
export async function callAtPage(
  tool: string,
  args: unknown,
  ctx: ToolContext,
  invoke: InvokeTool,
): Promise<ToolAnswer> {
  if (!isJsonObject(args) || args.dryRun === true) return invoke(args, ctx);
  const pages = await ctx.session.yesPages();
  const call = withoutCode(args);
  const opened = ctx.person.answer(KEY);
  const known =
    opened === undefined ? pages.findCall(tool, withoutStop(call)) : pages.find(opened.state ?? '');
  if (opened !== undefined && known === undefined) throw unknownPage(opened.state ?? '');
  if (known !== undefined) {
    const isWaiting = known.standing === 'waiting';
    if (isWaiting && opened !== undefined && opened.action !== 'accept')
      await openInstead(known, opened.action, ctx);
    if (call.stop === true && isWaiting) return stopWaiting(known);
    if (opened === undefined && isWaiting && !known.isInBrowser) await show(known, ctx);
    return answerPage(known, ctx, invoke);
  }
  try {
    return await invoke(args, ctx);
  } catch (error) {
    if (!(error instanceof AskAtPage)) throw error;
    const { change, opensHere, waiting } = error.asked;
    const same = opensHere ? pages.findChange(tool, change) : undefined;
    if (same !== undefined) {
      await waiting?.leave();
      return answerPage(same, ctx, invoke);
    }
    const page = await pages.open({
      tool,
      args: withoutStop(call),
      asked: error.asked,
      again: (answer) => runAgain(call, answer, ctx.session, invoke),
      redact: ctx.session.redactor.redact,
    });
    await show(page, ctx);
    return answerPage(page, ctx, invoke);
  }
}

/** Answers a call with a handle alone. @throws InputError if it is unknown, or another tool's */
export async function answerHandle(
  tool: string,
  handle: string,
  { stop, ctx, invoke }: { stop: boolean; ctx: ToolContext; invoke: InvokeTool },
): Promise<ToolAnswer> {
  const page = (await ctx.session.yesPages()).find(handle);
  if (page?.options.tool !== tool) throw unknownPage(handle);
  if (stop && page.standing === 'waiting') return stopWaiting(page);
  if (stop) return invoke({ ...page.options.args, stop: true }, ctx);
  return answerPage(page, ctx, invoke);
}

function unknownPage(handle: string): InputError {
  return new InputError(
    `No page ${escapeText(handle.slice(0, 20))} of this tool is known here. Pages end with the process that opened them, ten minutes after the last that was done on them; what nobody agreed to by then was not sent.`,
    'What was agreed to is told by the same call with all arguments, or by undo_change without id.',
  );
}

function withoutCode(args: JsonObject): JsonObject {
  const { confirmationCode: _code, ...call } = args;
  return call;
}

function withoutStop({ stop: _stop, ...call }: JsonObject): JsonObject {
  return call;
}

/**
 * Shows the page.
 * @throws WriteRefusedError if it cannot be opened; AskPerson while the host is asked to open it
 */
async function show(page: ApprovalPage, ctx: ToolContext): Promise<void> {
  const { session, person } = ctx;
  const isAlwaysHere = session.settings().writes === 'page';
  // A page that the host may have declined opens here once. If every change is approved at a page, a closed
  // page opens again.
  if (page.isOpenedHere && !isAlwaysHere) return;
  if (isAlwaysHere || page.options.asked.opensHere) return openHere(page, ctx);
  const message = `${headOf(page)}: look at all of it on this page of your own computer, and say yes or no there. Nothing is sent before. The address is for you alone, and opens once.`;
  page.shownAt = performance.now();
  return person.openPage(KEY, message, page.url, page.handle);
}

/** @throws WriteRefusedError if there is no browser */
async function openHere(page: ApprovalPage, { session }: ToolContext): Promise<void> {
  try {
    page.isOpenedHere = true;
    await (await session.yesPages()).openInBrowser(page.url);
  } catch (error) {
    page.close();
    page.isTold = true;
    const why = error instanceof AppError ? ` (${error.message})` : '';
    throw new WriteRefusedError(
      `A person has to approve this write at a page, and no browser can be opened on this computer${why}; nothing was sent.`,
      OPERATOR_CHOICES,
    );
  }
}

/**
 * Handles a host that did not open the page; if it may not have shown the question, this program opens the
 * page.
 * @throws WriteRefusedError if the user declined, or there is no browser
 */
async function openInstead(page: ApprovalPage, action: UserAnswer, ctx: ToolContext): Promise<void> {
  const { shownAt, isVisited, isOpenedHere } = page;
  const ageMs = shownAt === undefined ? undefined : performance.now() - shownAt;
  if (mayBeAnsweredByHost(action, ageMs) && ctx.person.isHere)
    return isOpenedHere ? undefined : openHere(page, ctx);
  // A page that the user has open stays open, whatever the host answered.
  if (!isVisited) page.close();
  page.isTold = !page.isInBrowser;
  return page.options.asked.refuse(
    'The person did not open the page; nothing was sent.',
    'Ask them what they would like instead; do not repeat the call.',
  );
}

const headOf = ({ options: { asked }, total }: ApprovalPage) =>
  asked.rows === undefined ? 'A change waits for your yes' : `A list of ${count(total)} waits for your yes`;

/** Runs the approved call. No caller waits for it, and it ends with the session. */
function runAgain(
  args: JsonObject,
  answer: ReturnType<ClientUser['answer']>,
  session: Session,
  invoke: InvokeTool,
): Promise<ToolAnswer> {
  const never = (): never => {
    throw new ConfigError('A second question was asked after the yes at the page; nothing was sent.');
  };
  const person: ClientUser = {
    canConfirm: true,
    canOpenPage: false,
    isHere: false,
    answer: (key) => (key === 'confirm' ? answer : undefined),
    confirm: never,
    openPage: never,
  };
  const deadline = performance.now() + session.settings().callTimeoutMs;
  const call = { signal: new AbortController().signal, deadline, onProgress: () => undefined };
  const work = invoke(args, { session, call, tell: () => undefined, person, isUnheard: true });
  // The next answer of any tool reports its outcome.
  session.toldUnfinished.clear();
  return session.own(work);
}

/** Waits within the time of the call. @throws whatever the approved call has thrown */
async function answerPage(page: ApprovalPage, ctx: ToolContext, invoke: InvokeTool): Promise<ToolAnswer> {
  const { call } = ctx;
  if (page.result === undefined) {
    const waiting = within(page.settled, call.deadline - MARGIN_MS, call.signal);
    await reportWhile(waiting, () => ctx.tell({ message: 'Waiting for the person at the page' }));
  }
  const { result } = page;
  if (result === undefined) return page.standing === 'waiting' ? waitingAnswer(page) : startedAnswer(page);
  page.isTold = !call.signal.aborted;
  if ('error' in result) throw result.error;
  if (!(await isUnreported(result.answer, ctx.session))) return result.answer;
  const answer = await invoke(page.options.args, ctx);
  page.result = { answer };
  return answer;
}

/**
 * Returns true for a batch that is running, or whose outcome no caller has seen: the same call finds it and
 * asks nobody.
 */
async function isUnreported({ structured }: ToolAnswer, session: Session): Promise<boolean> {
  const id = structured.batch_id;
  if (typeof id !== 'string') return false;
  const found = await (await session.batches()).info(id);
  return found !== undefined && (!isOver(found.state) || !found.told);
}

async function within(work: Promise<void>, until: number, signal: AbortSignal): Promise<void> {
  const late = Promise.withResolvers<void>();
  const leave = () => late.resolve();
  const timer = setTimeout(leave, Math.max(0, until - performance.now()));
  signal.addEventListener('abort', leave);
  await Promise.race([work, late.promise]);
  clearTimeout(timer);
  signal.removeEventListener('abort', leave);
}

const factsOf = ({ options: { asked }, total }: ApprovalPage) => ({
  note: VALUES_NOTE,
  account: asked.account,
  operation: asked.operation,
  items: total,
});

function waitingAnswer(page: ApprovalPage): ToolAnswer {
  const where = page.isVisited ? 'open in their browser' : 'not opened by them yet';
  const next = [
    `Waiting for the person at the page (${where}); nothing was sent yet. Their yes there starts it at once, whether or not a call waits for it.`,
    `This call again, or confirmationCode "${page.handle}" alone, tells how it stands (with stop: true the page is closed): that is a handle and no code, and confirms nothing. Only the person can, at the page.`,
    'The page ends ten minutes after the last that they did on it, or with this server or its host: nothing is sent then.',
  ];
  return {
    text: [VALUES_NOTE, ...next].join('\n'),
    structured: { ...factsOf(page), outcome: 'waiting', handle: page.handle, next_step: next.join(' ') },
  };
}

function startedAnswer(page: ApprovalPage): ToolAnswer {
  const next = `The person said yes at the page, and it is under way. This call again, or confirmationCode "${page.handle}" alone, tells what becomes of it.`;
  const structured = { ...factsOf(page), outcome: 'under_way', handle: page.handle, next_step: next };
  return { text: `${VALUES_NOTE}\n${next}`, structured };
}

function stopWaiting(page: ApprovalPage): ToolAnswer {
  page.close();
  page.isTold = true;
  const text = 'The page is closed; it was waiting for the person, and nothing was sent.';
  return { text, structured: { ...factsOf(page), outcome: 'stopped', next_step: text } };
}

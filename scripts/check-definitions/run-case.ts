/** Runs one declared case through the real server: refused as it must be, or replayed and compared. */

import { isDeepStrictEqual } from 'node:util';
import type { RecordedRequest } from '../../sandbox/sandbox.ts';
import { isJsonObject } from '../../src/base/json.ts';
import { escapeDeep } from '../../src/base/text/escape-text.ts';
import type { ListedCase } from '../../src/definitions/cases/replay-cases.ts';
import { createRedactor } from '../../src/privacy/secrets/redact.ts';
import { findDocuments } from '../../src/tell/documents/find-documents.ts';
import { placeWords } from '../../src/tell/documents/saved-words.ts';
import { canonical } from '../../test/helpers/answer-copy.ts';
import type { CallOutcome, Session } from '../../test/helpers/sessions.ts';
import { compareRequest } from './compare-request.ts';
import { fetchWhole, overBudget } from './fetch-whole.ts';
import type { Verdict } from './raw-schemas.ts';

export type Result =
  | { kind: 'passed'; answered: readonly ListedCase[]; fetched: number }
  | { kind: 'refused'; members: readonly string[] }
  | { kind: 'failed'; problems: readonly string[] };

export interface CaseContext {
  session: Session;
  /** What arrived at this case's operation since the last time this was called. */
  arrivals(listed: ListedCase): RecordedRequest[];
  /** The case with this name, as the service knows it. */
  find(id: string): ListedCase | undefined;
  budget: number;
}

export async function runCase(context: CaseContext, listed: ListedCase, verdict: Verdict): Promise<Result> {
  context.arrivals(listed);
  try {
    const outcome = await call(context, listed);
    const arrived = context.arrivals(listed);
    const wasRefused = outcome.isError && arrived.length === 0;
    const isForbidden = verdict.forbidden.length > 0 && !(arrived.length > 0 && mayBeSent(listed, verdict));
    const mustBe = isForbidden || (verdict.doubtful.length > 0 && wasRefused);
    return mustBe
      ? checkRefusal(outcome, arrived, [...verdict.forbidden, ...verdict.doubtful])
      : await checkReplay(context, listed, outcome, arrived);
  } catch (error) {
    return failed([error instanceof Error ? error.message : String(error)]);
  }
}

/** True where the service decides: a built-in read takes values that its definition does not list yet. */
function mayBeSent({ operation: { effect, source } }: ListedCase, { forbidden, unlisted = [] }: Verdict) {
  return effect === 'read' && source !== 'user' && forbidden.every((member) => unlisted.includes(member));
}

const failed = (problems: readonly string[]): Result => ({ kind: 'failed', problems });

async function call(
  { session }: CaseContext,
  { operation, declared }: ListedCase,
  select?: string,
): Promise<CallOutcome> {
  const tool = operation.effect === 'read' ? 'read_operation' : 'write_operation';
  const { parameters, body } = declared;
  return session.call(tool, {
    operation: operation.id,
    parameters,
    ...(body === undefined ? {} : { body }),
    ...(select === undefined ? {} : { select: [select] }),
  });
}

const MOST_TURNS = 100;

/** Cases with the same request answer in turn: calls until it is this one's turn again. */
async function callAgain(context: CaseContext, chosen: ListedCase, select: string): Promise<CallOutcome> {
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    const outcome = await call(context, chosen, select);
    if (context.arrivals(chosen).at(-1)?.caseId === chosen.replayed.id) return outcome;
  }
  throw new Error('the same answer did not arrive a second time');
}

/** Nothing may have arrived, and the text must name one of the members that the definition forbids. */
function checkRefusal(
  outcome: CallOutcome,
  arrived: readonly RecordedRequest[],
  members: readonly string[],
): Result {
  const problems: string[] = [];
  if (arrived.length > 0) problems.push(`was sent although the definition forbids ${members.join(', ')}`);
  if (!outcome.isError) problems.push('was not refused');
  const names = members.some((member) => outcome.text.includes(member));
  if (problems.length === 0 && !names)
    problems.push(`the refusal names none of ${members.join(', ')}: ${clip(outcome.text)}`);
  return problems.length === 0 ? { kind: 'refused', members } : failed(problems);
}

async function checkReplay(
  context: CaseContext,
  listed: ListedCase,
  outcome: CallOutcome,
  arrived: readonly RecordedRequest[],
): Promise<Result> {
  const last = arrived.at(-1);
  // The body that is declared is the state that is declared to be read: there is nothing to send.
  if (last === undefined && outcome.structured.outcome === 'no_change')
    return { kind: 'passed', answered: [listed], fetched: 0 };
  if (last === undefined) return failed([`nothing arrived at the service: ${clip(outcome.text)}`]);
  const answered = arrived.flatMap(({ caseId }) => context.find(caseId ?? '') ?? []);
  const chosen = answered.at(-1);
  if (chosen === undefined || answered.length < arrived.length)
    return failed(['no declared case fits what arrived', ...compareRequest(listed, last)]);
  const { filled_in } = outcome.structured;
  const filledIn = isJsonObject(filled_in) ? Object.keys(filled_in) : [];
  const problems = [
    ...arrived.flatMap((one) => compareRequest(listed, one, filledIn)),
    ...answered
      .filter((one) => !isSameRequest(one, listed))
      .map((one) => `was answered by ${one.replayed.id}`),
    ...(arrived.length > 1 && !answered.slice(0, -1).every(isRetried)
      ? [`arrived ${arrived.length} times`]
      : []),
  ];
  const { response } = chosen.declared;
  const answer =
    response.status < 300
      ? await compareAnswer(context, chosen, outcome)
      : { problems: compareError(context, response, outcome), fetched: 0 };
  const all = [...problems, ...answer.problems];
  return all.length > 0 ? failed(all) : { kind: 'passed', answered, fetched: answer.fetched };
}

function isSameRequest(one: ListedCase, other: ListedCase): boolean {
  return isDeepStrictEqual(one.replayed.request, other.replayed.request);
}

/** Answers after which the program may retry on its own; after a 401 once, with a fresh token. */
function isRetried({ declared }: ListedCase): boolean {
  return [401, 429, 500, 502, 503, 504].includes(declared.response.status);
}

async function compareAnswer(context: CaseContext, chosen: ListedCase, outcome: CallOutcome) {
  if (outcome.isError) return { problems: [`came back as an error: ${clip(outcome.text)}`], fetched: 0 };
  const isRead = chosen.operation.effect === 'read';
  const again = isRead ? (path: string) => callAgain(context, chosen, path) : undefined;
  const whole = await fetchWhole(context.session, outcome, context.budget, again);
  const { status, body } = chosen.declared.response;
  const problems = [...whole.problems];
  if (whole.status !== status) problems.push(`status ${whole.status}, declared ${status}`);
  const documents = await findDocuments(chosen.operation, shownForm(body, whole.value));
  const declared = documents.withWords((document) => placeWords(chosen.operation, document));
  const shown = redactor.redactValue(escapeDeep(declared));
  const [got, wanted] = [canonical(whole.value ?? null), canonical(shown ?? null)];
  if (got !== wanted) problems.push(`the answer differs: ${difference(got, wanted)}`);
  return { problems, fetched: whole.fetched };
}

/** Recognizes secrets by their shape only, as the program does for those it does not hold. */
const redactor = createRedactor();

/** A restricted data token is a secret: it must arrive masked, everything else unchanged. */
function shownForm(body: unknown, shown: unknown): unknown {
  if (!isJsonObject(body) || typeof body.restrictedDataToken !== 'string' || !isJsonObject(shown))
    return body;
  if (shown.restrictedDataToken === body.restrictedDataToken)
    return { ...body, restrictedDataToken: 'must be masked' };
  const { restrictedDataToken, keptFor } = shown;
  return { ...body, restrictedDataToken, ...(keptFor === undefined ? {} : { keptFor }) };
}

/** The status and every declared error's code and message must be in the text. */
function compareError(
  context: CaseContext,
  response: ListedCase['declared']['response'],
  outcome: CallOutcome,
): string[] {
  if (!outcome.isError) return [`${response.status} did not come back as an error`];
  const texts = errorTexts(response.body);
  const isLong = texts.join('').length > LONGEST_ERROR;
  const wanted = [String(response.status), ...(isLong ? texts.slice(0, 1) : texts)];
  const text = oneLine(outcome.text);
  const missing = wanted.filter((one) => !text.includes(oneLine(redactor.redact(one))));
  return [
    ...overBudget(outcome, context.budget),
    ...missing.map((one) => `the error does not contain ${clip(JSON.stringify(one))}: ${clip(outcome.text)}`),
  ];
}

/** Codes and messages of one answer, in characters; beyond this the program may show only the beginning. */
const LONGEST_ERROR = 800;

function errorTexts(body: unknown): string[] {
  const errors = isJsonObject(body) ? (body.errors ?? body) : body;
  return [errors]
    .flat()
    .flatMap((error: unknown) =>
      isJsonObject(error)
        ? [error.code, error.message].filter((text) => typeof text === 'string' && text !== '').map(String)
        : [],
    );
}

/** Line breaks may be shown escaped. */
function oneLine(text: string): string {
  return text.replace(/(\\[nrt]|\s)+/g, ' ');
}

function difference(got: string, wanted: string): string {
  let at = 0;
  while (at < wanted.length && got[at] === wanted[at]) at += 1;
  const around = (text: string) => clip(text.slice(Math.max(0, at - 40), at + 80));
  return `got …${around(got)}, declared …${around(wanted)}`;
}

function clip(text: string): string {
  const line = text.replaceAll('\n', ' ');
  return line.length > 240 ? `${line.slice(0, 240)}…` : line;
}

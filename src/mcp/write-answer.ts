/** The answer of every tool that writes: preview, question for a confirmation, or what happened; within the budget. */

import * as z from 'zod';
import { fitToBudget } from '../answers/fit.ts';
import type { Omission } from '../answers/omission.ts';
import { wholePart } from '../answers/select/part.ts';
import type { CallResult, PreparedRequest } from '../client/client.ts';
import { byteLength, isJsonObject } from '../json.ts';
import { type Difference, formatPath } from '../json-difference.ts';
import type { Effect, Operation } from '../service/facts/operation.ts';
import { escapeJson, escapeText, quoteText, showText, VALUES_NOTE } from '../text/escape-text.ts';
import { shortenToTokens, takeLines, tokensOf } from '../text/shorten.ts';
import { describeDifferences, describeReadBack } from '../writes/describe-difference.ts';
import type { WriteResult } from '../writes/send-write.ts';
import type { Warning } from '../writes/supply-source/warnings.ts';
import type { ToolAnswer } from './define-tool.ts';
import { MOST_HEADER, messageOf } from './error-result.ts';
import { LINK_TOKENS, linkTo } from './service-answer.ts';
import type { Session } from './session.ts';

const differenceSchema = z.looseObject({ path: z.string(), kind: z.string() });

export const writeOutput = z.looseObject({
  note: z.string(),
  outcome: z.enum(['preview', 'needs_confirmation', 'done', 'requested']),
  account: z.string(),
  operation: z.string(),
  request: z.looseObject({ method: z.string(), url: z.string() }).optional(),
  differences: z.array(differenceSchema).optional(),
  warnings: z.array(z.unknown()).optional(),
  confirmation_code: z.string().optional(),
  status: z.int().optional(),
  request_id: z.string().optional(),
  journal_id: z.string().optional(),
  read_back: z.looseObject({ matches: z.boolean().optional() }).optional(),
});

export interface WriteAnswerParts {
  account: string;
  operation: Operation;
  request: PreparedRequest;
  preview: string;
  differences?: readonly Difference[];
  /** Why there are no differences, where a reader would expect them. */
  noDifferences?: string;
  warnings: readonly Warning[];
  result: WriteResult;
  /** Of this call, where it is not the operation's own: a write that only asks for a preview is a request. */
  effect?: Effect;
  /** A remark of one line that stands behind the answer; none where it is absent or empty. */
  remark?: string;
}

type Done = Extract<WriteResult, { outcome: 'done' }>;

/** Room for the lines around what was read back. */
const FRAME_TOKENS = 250;

/** What a preview may take, so that the words after it have room. */
export const previewTokens = (session: Session) => session.settings().answerTokens - 200;

export async function buildWriteAnswer(
  parts: WriteAnswerParts,
  session: Session,
): Promise<ToolAnswer<z.input<typeof writeOutput>>> {
  const { answerTokens } = session.settings();
  const facts = factsOf(parts);
  const details = escapeJson(session.redactor.redactJson(detailsOf(parts)));
  const room = answerTokens - tokensOf(JSON.stringify(facts)) - LINK_TOKENS;
  const { value, omitted } = fitToBudget(wholePart(details), room);
  const { request: more, differences, ...others } = toRecord(value);
  const name = `${parts.operation.id}, account ${parts.account}`;
  const bytes = byteLength(JSON.stringify(details));
  const links = omitted.length === 0 ? [] : await linkTo(name, { value: details, bytes }, session);
  const [link] = links;
  return {
    text: [
      VALUES_NOTE,
      writeWords(parts, answerTokens - NOTE_TOKENS),
      ...(omitted.length === 0 ? [] : [tooLong(link?.uri)]),
      ...(parts.remark ? [`(${parts.remark})`] : []),
    ].join('\n'),
    structured: {
      ...facts,
      ...others,
      ...('request' in facts ? { request: { ...toRecord(more), ...facts.request } } : {}),
      ...(Array.isArray(differences) ? { differences: differences.flatMap(toComplete) } : {}),
      ...(omitted.length === 0 ? {} : { left_out: omitted.map(toLeftOut) }),
      ...(link === undefined ? {} : { whole: link.uri }),
    },
    links,
  };
}

const NOTE_TOKENS = tokensOf(VALUES_NOTE) + 1;

const tooLong = (uri: string | undefined) =>
  `It is too long to be shown whole${uri === undefined ? '.' : `; the resource ${uri} holds all of it.`}`;

const toRecord = (value: unknown): Record<string, unknown> => (isJsonObject(value) ? value : {});

/** A difference that was cut to nothing says nothing. */
const toComplete = (difference: unknown) => differenceSchema.safeParse(difference).data ?? [];

/** What always fits. */
function factsOf(parts: WriteAnswerParts) {
  const { account, operation, effect = operation.effect, request, result, differences, remark = '' } = parts;
  const isAhead = result.outcome === 'preview' || result.outcome === 'needs_confirmation';
  const notes = [VALUES_NOTE, ...(differences !== undefined && isAhead ? [SIGNS] : []), remark];
  const note = notes.filter((each) => each !== '').join(' ');
  const head = { note, outcome: result.outcome, account, operation: operation.id };
  if (result.outcome === 'requested') {
    const next = [NOTHING_CHANGED, ...progressWords(operation)].join(' ');
    return { ...head, next_step: next, ...answerFacts(result.response) };
  }
  if (result.outcome !== 'done') {
    const { method, url } = request;
    const isCode = result.outcome === 'needs_confirmation';
    return {
      ...head,
      next_step: isCode ? SHOW_AND_CONFIRM : ONLY_PREVIEW,
      ...(effect === 'write' ? {} : { effect }),
      seller: sellerOf(request),
      request: { method, url: shortenToTokens(url, 100) },
      ...(isCode ? { confirmation_code: result.code } : {}),
    };
  }
  const { response, journalId, journalProblem } = result;
  return {
    ...head,
    ...answerFacts(response),
    journal_id: journalId,
    ...(journalProblem === undefined ? {} : { journal_problem: shortenToTokens(journalProblem, 60) }),
  };
}

/** What the two sides of a difference are; of a write that was made they are what their names say. */
const SIGNS = 'Differences: before = current state, after = what is sent.';

/** Whose account it is; a client id as long as the preview shows it. */
function sellerOf({ owner }: PreparedRequest) {
  const { sellerId, login, isGiven = false } = owner;
  const most = MOST_HEADER;
  return {
    ...(isGiven ? { id: 'NOT VERIFIED, credentials given as arguments' } : {}),
    ...(isGiven ? {} : { id: sellerId === undefined ? 'not known' : escapeText(sellerId.slice(0, most)) }),
    ...(login === undefined ? {} : { client_id: escapeText(login.clientId.slice(0, most)) }),
  };
}

function answerFacts({ status, requestId, idempotencyKey }: CallResult) {
  return {
    status,
    ...(requestId === undefined ? {} : { request_id: requestId.data(MOST_HEADER) }),
    ...(idempotencyKey === undefined
      ? {}
      : { idempotency_key: escapeText(idempotencyKey.slice(0, MOST_HEADER)) }),
  };
}

/** What can be as long as the caller and the service make it. */
function detailsOf({ request, differences, noDifferences, warnings, result }: WriteAnswerParts) {
  const changes = differences === undefined ? {} : { differences: differences.map(toFact) };
  const wrong = warnings.map(({ path, message }) => ({ path, message }));
  if (result.outcome === 'done') {
    return {
      ...changes,
      // Where nobody is asked, nobody has seen them yet.
      ...(wrong.length === 0 ? {} : { warnings: wrong }),
      ...(result.readBack === undefined ? {} : { read_back: readBackFacts(result.readBack) }),
    };
  }
  if (result.outcome === 'requested') return wrong.length === 0 ? {} : { warnings: wrong };
  const { headers, body, filledIn } = request;
  return {
    request: {
      headers,
      ...(Object.keys(filledIn).length === 0 ? {} : { filled_in: filledIn }),
      ...(body === undefined ? {} : { body }),
    },
    ...changes,
    ...(noDifferences === undefined ? {} : { no_differences: noDifferences }),
    warnings: wrong,
  };
}

function toLeftOut({ select, what, bytes, at = '' }: Omission) {
  return { path: select.length === 0 ? at : select.join(', '), what, bytes };
}

function readBackFacts({ differences, problem }: NonNullable<Done['readBack']>) {
  if (problem !== undefined) return { problem: messageOf(problem) };
  return { matches: differences.length === 0, differences: differences.map(toFound) };
}

/** Of what was read back, one side is what was sent and the other what the service has. */
function toFound(difference: Difference) {
  const { before: sent, after: found, ...place } = toFact(difference);
  return {
    ...place,
    ...(sent === undefined ? {} : { sent }),
    ...(found === undefined ? {} : { found }),
  };
}

function toFact({ path, kind, before, after }: Difference) {
  return {
    path,
    kind,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  };
}

/**
 * What the tool says: where it stands, how to go on, what happened.
 * @param maxTokens for all of it; the preview has been made to leave room for the rest.
 */
function writeWords(parts: WriteAnswerParts, maxTokens: number): string {
  const { result, preview } = parts;
  if (result.outcome === 'done') return doneWords(parts, result, maxTokens);
  if (result.outcome === 'requested') return requestedWords(parts, result.response, maxTokens);
  if (result.outcome === 'preview') return `${preview}\n\n${ONLY_PREVIEW}`;
  return `${preview}\n\n${confirmationWords(result.code)}`;
}

const ONLY_PREVIEW = 'This is a preview; nothing was sent.';

/** How to go on with the code that stands beside it in the structured form. */
export const SHOW_AND_CONFIRM =
  'Nothing was sent yet. Show this to the person. If they agree, call again with the same arguments and confirmationCode (works once, for exactly this content, for 10 minutes). The code does not prove that they agreed: ask.';

/** How to go on with a code. */
export function confirmationWords(code: string): string {
  return [
    'Nothing was sent yet. Show this to the person. If they agree, call the tool again with the same arguments and',
    `confirmationCode "${code}" (works once, for exactly this content, for 10 minutes).`,
    'The code proves that this content was previewed, not that a person agreed: that is for you to ask.',
  ].join('\n');
}

function doneWords(parts: WriteAnswerParts, result: Done, maxTokens: number): string {
  const { operation, account, differences, warnings } = parts;
  const { response, readBack, journalId, journalProblem } = result;
  const count = differences === undefined ? '' : ` Members changed: ${differences.length}.`;
  const changes = describeDifferences(differences ?? [], showText).map(({ short }) => `  ${short}`);
  const request =
    response.requestId === undefined ? '' : `; request ${response.requestId.shown(MOST_HEADER)}`;
  const found = readBack === undefined ? [] : readBackWords(readBack);
  const room = maxTokens - FRAME_TOKENS;
  return [
    `Done: ${operation.id} for account ${account} (HTTP ${response.status}).${count}`,
    ...list('State before -> after the write:', changes, room / 3),
    ...warningWords(warnings, room / 6),
    ...takeLines(found, room / 2, moreLines),
    `Journal entry ${journalId}${request}.`,
    ...(journalProblem === undefined ? [] : [shortenToTokens(journalProblem, 100)]),
  ].join('\n');
}

const moreLines = (missing: number) => `... and ${missing} more lines that are not listed here`;

const list = (head: string, lines: readonly string[], tokens: number) =>
  lines.length === 0 ? [] : [head, ...takeLines(lines, tokens, moreLines)];

function warningWords(warnings: readonly Warning[], tokens: number): string[] {
  const lines = warnings.map(
    ({ segments, message }) => `  ${formatPath(segments, showText)}: ${showText(message)}`,
  );
  return list('Probably wrong, though it was sent:', lines, tokens);
}

/** A request is never told as done: what was asked for may not be there yet, and nothing was changed. */
function requestedWords(
  { operation, account, warnings }: WriteAnswerParts,
  response: CallResult,
  maxTokens: number,
): string {
  const request =
    response.requestId === undefined ? '' : ` Request ${response.requestId.shown(MOST_HEADER)}.`;
  return [
    `Requested: ${operation.id} for account ${account} (HTTP ${response.status}). ${NOTHING_CHANGED}${request}`,
    ...warningWords(warnings, maxTokens / 6),
    ...progressWords(operation),
  ].join('\n');
}

const NOTHING_CHANGED = 'Nothing was changed.';

/** What tells how far work that was only started has come. */
function progressWords({ progress }: Operation): string[] {
  if (progress === undefined) return [];
  const parameters = Object.keys(progress.parameters).join(', ');
  return [`How far it has come: read_operation ${progress.operation} with ${parameters} from this answer.`];
}

function readBackWords({ differences, problem }: NonNullable<Done['readBack']>): string[] {
  if (problem !== undefined)
    return [`It could not be read back: ${quoteText(shortenToTokens(messageOf(problem), 100))}`];
  if (differences.length === 0) return ['Read back: the service has what was sent.'];
  const lines = describeReadBack(differences, showText);
  return ['Read back: the service differs from what was sent:', ...lines.map((line) => `  ${line}`)];
}

/** The answer of every tool that writes: preview, question for a confirmation, or what happened; within the budget. */

import * as z from 'zod';
import { fitToBudget } from '../answers/fit.ts';
import type { Omission } from '../answers/omission.ts';
import { wholePart } from '../answers/select/part.ts';
import type { CallResult, PreparedRequest } from '../client/client.ts';
import { byteLength, isJsonObject } from '../json.ts';
import type { Difference } from '../json-difference.ts';
import type { Reading } from '../service/facts/operation.ts';
import { escapeJson, escapeText, quoteText, showText } from '../text/escape-text.ts';
import { shortenToTokens, takeLines, tokensOf } from '../text/shorten.ts';
import { describeReadBack } from '../writes/describe-difference.ts';
import type { WriteResult } from '../writes/send-write.ts';
import type { Warning } from '../writes/supply-source/warnings.ts';
import type { ToolAnswer } from './define-tool.ts';
import { MOST_HEADER, messageOf } from './error-result.ts';
import { LINK_TOKENS, linkTo } from './service-answer.ts';
import type { Session } from './session.ts';

const differenceSchema = z.looseObject({ path: z.string(), kind: z.string() });

export const writeOutput = z.looseObject({
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
  operation: string;
  request: PreparedRequest;
  preview: string;
  differences?: readonly Difference[];
  /** Why there are no differences, where a reader would expect them. */
  noDifferences?: string;
  warnings: readonly Warning[];
  result: WriteResult;
  /** What tells how far work that was only started has come. */
  progress?: Reading;
  /** A remark of one line that stands behind the answer; none where it is absent or empty. */
  note?: string;
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
  const name = `${parts.operation}, account ${parts.account}`;
  return {
    text: [
      writeWords(parts, answerTokens),
      ...(omitted.length === 0 ? [] : [TOO_LONG]),
      ...(parts.note ? [`(${parts.note})`] : []),
    ].join('\n'),
    structured: {
      ...others,
      ...facts,
      ...('request' in facts ? { request: { ...toRecord(more), ...facts.request } } : {}),
      ...(Array.isArray(differences) ? { differences: differences.flatMap(toComplete) } : {}),
      ...(omitted.length === 0 ? {} : { left_out: omitted.map(toLeftOut) }),
    },
    links:
      omitted.length === 0
        ? []
        : await linkTo(name, { value: details, bytes: byteLength(JSON.stringify(details)) }, session),
  };
}

const TOO_LONG = 'It is too long to be shown whole; the linked resource holds all of it.';

const toRecord = (value: unknown): Record<string, unknown> => (isJsonObject(value) ? value : {});

/** A difference that was cut to nothing says nothing. */
const toComplete = (difference: unknown) => differenceSchema.safeParse(difference).data ?? [];

/** What always fits. */
function factsOf({ account, operation, request, result, note }: WriteAnswerParts) {
  const head = { outcome: result.outcome, account, operation, ...(note ? { note } : {}) };
  if (result.outcome === 'requested') return { ...head, ...answerFacts(result.response) };
  if (result.outcome !== 'done') {
    const { method, url } = request;
    const code = result.outcome === 'preview' ? {} : { confirmation_code: result.code };
    return { ...head, request: { method, url: shortenToTokens(url, 100) }, ...code };
  }
  const { response, journalId, journalProblem } = result;
  return {
    ...head,
    ...answerFacts(response),
    journal_id: journalId,
    ...(journalProblem === undefined ? {} : { journal_problem: shortenToTokens(journalProblem, 60) }),
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
  if (result.outcome === 'done') {
    return {
      ...changes,
      ...(result.readBack === undefined ? {} : { read_back: readBackFacts(result.readBack) }),
    };
  }
  if (result.outcome === 'requested') return {};
  const { headers, body, filledIn } = request;
  return {
    request: {
      headers,
      ...(Object.keys(filledIn).length === 0 ? {} : { filled_in: filledIn }),
      ...(body === undefined ? {} : { body }),
    },
    ...changes,
    ...(noDifferences === undefined ? {} : { no_differences: noDifferences }),
    warnings: warnings.map(({ path, message }) => ({ path, message })),
  };
}

function toLeftOut({ select, what, bytes, at = '' }: Omission) {
  return { path: select.length === 0 ? at : select.join(', '), what, bytes };
}

function readBackFacts({ differences, problem }: NonNullable<Done['readBack']>) {
  if (problem !== undefined) return { problem: messageOf(problem) };
  return { matches: differences.length === 0, differences: differences.map(toFact) };
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
  if (result.outcome === 'requested') return requestedWords(parts, result.response);
  if (result.outcome === 'preview') return `${preview}\n\nThis is a preview; nothing was sent.`;
  return `${preview}\n\n${confirmationWords(result.code)}`;
}

/** How to go on with a code. */
export function confirmationWords(code: string): string {
  return [
    'Nothing was sent yet. Show this to the person. If they agree, call the tool again with the same arguments and',
    `confirmationCode "${code}" (works once, for exactly this content, for 10 minutes).`,
    'The code proves that this content was previewed, not that a person agreed: that is for you to ask.',
  ].join('\n');
}

function doneWords(parts: WriteAnswerParts, result: Done, maxTokens: number): string {
  const { operation, account, differences } = parts;
  const { response, readBack, journalId, journalProblem } = result;
  const count = differences === undefined ? '' : ` Members changed: ${differences.length}.`;
  const request =
    response.requestId === undefined ? '' : `; request ${response.requestId.shown(MOST_HEADER)}`;
  const found = readBack === undefined ? [] : readBackWords(readBack);
  const rest = (missing: number) => `... and ${missing} more lines that are not listed here`;
  return [
    `Done: ${operation} for account ${account} (HTTP ${response.status}).${count}`,
    ...takeLines(found, maxTokens - FRAME_TOKENS, rest),
    `Journal entry ${journalId}${request}.`,
    ...(journalProblem === undefined ? [] : [shortenToTokens(journalProblem, 100)]),
  ].join('\n');
}

/** A request is never told as done: what was asked for may not be there yet, and nothing was changed. */
function requestedWords({ operation, account, progress }: WriteAnswerParts, response: CallResult): string {
  const request =
    response.requestId === undefined ? '' : ` Request ${response.requestId.shown(MOST_HEADER)}.`;
  const parameters = Object.keys(progress?.parameters ?? {}).join(', ');
  return [
    `Requested: ${operation} for account ${account} (HTTP ${response.status}). Nothing was changed.${request}`,
    ...(progress === undefined
      ? []
      : [`How far it has come: read_operation ${progress.operation} with ${parameters} from this answer.`]),
  ].join('\n');
}

function readBackWords({ differences, problem }: NonNullable<Done['readBack']>): string[] {
  if (problem !== undefined)
    return [`It could not be read back: ${quoteText(shortenToTokens(messageOf(problem), 100))}`];
  if (differences.length === 0) return ['Read back: the service has what was sent.'];
  const lines = describeReadBack(differences, showText);
  return ['Read back: the service differs from what was sent:', ...lines.map((line) => `  ${line}`)];
}

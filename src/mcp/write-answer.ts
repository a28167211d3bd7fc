/** The answer of every tool that writes: preview, question for a confirmation, or what happened; within the budget. */

import * as z from 'zod';
import { fitToBudget, type Omission } from '../answers/budget.ts';
import type { PreparedRequest } from '../client/client.ts';
import { byteLength, isJsonObject } from '../json.ts';
import { escapeJson } from '../text/escape-text.ts';
import { shortenToTokens, tokensOf } from '../text/shorten.ts';
import type { Difference } from '../writes/difference.ts';
import type { Warning } from '../writes/warnings.ts';
import type { WriteResult } from '../writes/write-request.ts';
import type { ToolAnswer } from './define-tool.ts';
import { messageOf } from './error-result.ts';
import { LINK_TOKENS, linkTo, shortHeader } from './service-answer.ts';
import type { Session } from './session.ts';
import { writeWords } from './write-words.ts';

const differenceSchema = z.looseObject({ path: z.string(), kind: z.string() });

export const writeOutput = z.looseObject({
  outcome: z.enum(['preview', 'needs_confirmation', 'done']),
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
}

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
  const { value, omitted } = fitToBudget(details, room);
  const { request: more, differences, ...others } = toRecord(value);
  const name = `${parts.operation}, account ${parts.account}`;
  return {
    text: [writeWords(parts, answerTokens), ...(omitted.length === 0 ? [] : [TOO_LONG])].join('\n'),
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
function factsOf({ account, operation, request, result }: WriteAnswerParts) {
  const head = { outcome: result.outcome, account, operation };
  if (result.outcome !== 'done') {
    const { method, url } = request;
    const code = result.outcome === 'preview' ? {} : { confirmation_code: result.code };
    return { ...head, request: { method, url: shortenToTokens(url, 100) }, ...code };
  }
  const { response, journalId, journalProblem } = result;
  return {
    ...head,
    status: response.status,
    journal_id: journalId,
    ...(response.requestId === undefined ? {} : { request_id: shortHeader(response.requestId) }),
    ...(journalProblem === undefined ? {} : { journal_problem: shortenToTokens(journalProblem, 60) }),
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

function toLeftOut({ select, what, bytes }: Omission) {
  return { path: select.join(', '), what, bytes };
}

function readBackFacts({
  differences,
  problem,
}: NonNullable<Extract<WriteResult, { outcome: 'done' }>['readBack']>) {
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

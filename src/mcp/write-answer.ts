/** The answer of every tool that writes: preview, question for a confirmation, or what happened. */

import * as z from 'zod';
import type { PreparedRequest } from '../client/client.ts';
import type { Show } from '../writes/describe-difference.ts';
import type { Difference } from '../writes/difference.ts';
import { describeReadBack } from '../writes/read-back.ts';
import type { Warning } from '../writes/warnings.ts';
import type { WriteResult } from '../writes/write-request.ts';

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
  warnings: readonly Warning[];
  result: WriteResult;
  show: Show;
}

export function buildWriteAnswer(parts: WriteAnswerParts): {
  text: string;
  structured: z.input<typeof writeOutput>;
} {
  const { account, operation, result } = parts;
  const head = { outcome: result.outcome, account, operation };
  if (result.outcome === 'done')
    return { text: doneText(parts, result), structured: { ...head, ...doneFacts(parts, result) } };
  const { method, url, headers, body, filledIn } = parts.request;
  const facts = {
    ...head,
    request: {
      method,
      url,
      headers,
      ...(body === undefined ? {} : { body }),
      ...(Object.keys(filledIn).length === 0 ? {} : { filled_in: filledIn }),
    },
    ...(parts.differences === undefined ? {} : { differences: parts.differences.map(toFact) }),
    warnings: parts.warnings.map(({ path, message }) => ({ path, message })),
  };
  if (result.outcome === 'preview') {
    return { text: `${parts.preview}\n\nThis is a preview; nothing was sent.`, structured: facts };
  }
  return {
    text: `${parts.preview}\n\n${confirmationText(result.code)}`,
    structured: { ...facts, confirmation_code: result.code },
  };
}

function confirmationText(code: string): string {
  return [
    'Nothing was sent yet. Show this to the person. If they agree, call the tool again with the same arguments and',
    `confirmationCode "${code}" (works once, for exactly this content, for 10 minutes).`,
    'The code proves that this content was previewed, not that a person agreed: that is for you to ask.',
  ].join('\n');
}

type Done = Extract<WriteResult, { outcome: 'done' }>;

function doneText({ operation, account, differences, show }: WriteAnswerParts, result: Done): string {
  const { response, readBack, journalId, journalProblem } = result;
  const count = differences === undefined ? '' : ` Members changed: ${differences.length}.`;
  const lines = [
    `Done: ${operation} for account ${account} (HTTP ${response.status}).${count}`,
    ...(readBack === undefined ? [] : readBackLines(readBack, show)),
    `Journal entry ${journalId}${response.requestId === undefined ? '' : `; request ${response.requestId}`}.`,
  ];
  return [...lines, ...(journalProblem === undefined ? [] : [journalProblem])].join('\n');
}

function readBackLines({ differences, problem }: NonNullable<Done['readBack']>, show: Show): string[] {
  if (problem !== undefined) return [`It could not be read back: ${show(problem)}`];
  if (differences.length === 0) return ['Read back: the service has what was sent.'];
  return [
    'Read back: the service differs from what was sent:',
    ...describeReadBack(differences, show).map((line) => `  ${line}`),
  ];
}

function doneFacts({ differences }: WriteAnswerParts, { response, readBack, journalId }: Done) {
  return {
    status: response.status,
    journal_id: journalId,
    ...(response.requestId === undefined ? {} : { request_id: response.requestId }),
    ...(differences === undefined ? {} : { differences: differences.map(toFact) }),
    ...(readBack === undefined ? {} : { read_back: readBackFacts(readBack) }),
  };
}

function readBackFacts({ differences, problem }: NonNullable<Done['readBack']>) {
  if (problem !== undefined) return { problem };
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

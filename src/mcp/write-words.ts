/** What a tool that writes says: where it stands, how to go on, what happened. */

import { showText } from '../text/escape-text.ts';
import { shortenToTokens, takeLines } from '../text/shorten.ts';
import { describeReadBack } from '../writes/read-back.ts';
import type { WriteResult } from '../writes/write-request.ts';
import { messageOf } from './error-result.ts';
import type { WriteAnswerParts } from './write-answer.ts';

type Done = Extract<WriteResult, { outcome: 'done' }>;

/** @param maxTokens for all of it; the preview has been made to leave room for the rest. */
export function writeWords(parts: WriteAnswerParts, maxTokens: number): string {
  const { result, preview } = parts;
  if (result.outcome === 'done') return doneWords(parts, result, maxTokens);
  if (result.outcome === 'preview') return `${preview}\n\nThis is a preview; nothing was sent.`;
  return `${preview}\n\n${confirmationWords(result.code)}`;
}

function confirmationWords(code: string): string {
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
  const request = response.requestId === undefined ? '' : `; request ${showText(response.requestId, 100)}`;
  const found = readBack === undefined ? [] : readBackWords(readBack);
  const rest = (missing: number) => `... and ${missing} more lines that are not listed here`;
  return [
    `Done: ${operation} for account ${account} (HTTP ${response.status}).${count}`,
    ...takeLines(found, maxTokens - FRAME_TOKENS, rest),
    `Journal entry ${journalId}${request}.`,
    ...(journalProblem === undefined ? [] : [shortenToTokens(journalProblem, 100)]),
  ].join('\n');
}

/** Room for the lines around what was read back. */
const FRAME_TOKENS = 250;

function readBackWords({ differences, problem }: NonNullable<Done['readBack']>): string[] {
  if (problem !== undefined)
    return [`It could not be read back: ${shortenToTokens(messageOf(problem), 100)}`];
  if (differences.length === 0) return ['Read back: the service has what was sent.'];
  const lines = describeReadBack(differences, showText);
  return ['Read back: the service differs from what was sent:', ...lines.map((line) => `  ${line}`)];
}

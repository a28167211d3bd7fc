/** The text of a write's answer: where it stands, how to go on, what happened. */

import { describeDifferences, describeReadBack } from '../changes/describe-difference.ts';
import type { Warning } from '../changes/supply-source/warnings.ts';
import type { CallResult } from '../client/client.ts';
import { formatPath } from '../json-difference.ts';
import type { Operation } from '../service/facts/operation.ts';
import { quoteText, showText } from '../text/escape-text.ts';
import { shortenToTokens, takeLines } from '../text/shorten.ts';
import type { ReadBack } from '../writes/failure.ts';
import type { WriteResult } from '../writes/send-write.ts';
import { MOST_HEADER, messageOf } from './error-result.ts';
import type { WriteAnswerParts } from './write-answer.ts';

type Redact = (text: string) => string;
type Done = Extract<WriteResult, { outcome: 'done' }>;

/** Room for the lines around what was read back. */
const FRAME_TOKENS = 250;

/**
 * What the tool says: where it stands, how to go on, what happened.
 * @param maxTokens for all of it; the preview has been made to leave room for the rest.
 * @param redact takes every secret out of what is cut here
 */
export function writeWords(parts: WriteAnswerParts, maxTokens: number, redact: Redact): string {
  const { result, preview } = parts;
  if (result.outcome === 'done') return doneWords(parts, result, maxTokens, redact);
  if (result.outcome === 'requested') return requestedWords(parts, result.response, maxTokens);
  if (result.outcome === 'preview') return `${preview}\n\n${ONLY_PREVIEW}`;
  return `${preview}\n\n${confirmationWords(result.code)}`;
}

export const ONLY_PREVIEW = 'This is a preview; nothing was sent.';

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

function doneWords(parts: WriteAnswerParts, result: Done, maxTokens: number, redact: Redact): string {
  const { operation, account, differences, warnings } = parts;
  const { response, readBack, journalId, journalProblem } = result;
  const count = differences === undefined ? '' : ` Members changed: ${differences.length}.`;
  const changes = describeDifferences(differences ?? [], showText).map(({ short }) => `  ${short}`);
  const request =
    response.requestId === undefined ? '' : `; request ${response.requestId.shown(MOST_HEADER)}`;
  const found = readBack === undefined ? [] : readBackWords(readBack, redact);
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

export const NOTHING_CHANGED = 'Nothing was changed.';

/** What tells how far work that was only started has come. */
export function progressWords({ progress }: Operation): string[] {
  if (progress === undefined) return [];
  const parameters = Object.keys(progress.parameters).join(', ');
  return [`How far it has come: read_operation ${progress.operation} with ${parameters} from this answer.`];
}

function readBackWords({ differences, problem }: ReadBack, redact: Redact): string[] {
  if (problem !== undefined)
    return [`It could not be read back: ${quoteText(shortenToTokens(redact(messageOf(problem)), 100))}`];
  if (differences.length === 0) return ['Read back: the service has what was sent.'];
  const lines = describeReadBack(differences, showText);
  return ['Read back: the service differs from what was sent:', ...lines.map((line) => `  ${line}`)];
}

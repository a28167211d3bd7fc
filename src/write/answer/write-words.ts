/** The text of a write's answer: where it stands, how to go on, what happened. */

import { isJsonObject } from '../../base/json.ts';
import { escapeText, quoteText, showText } from '../../base/text/escape-text.ts';
import { shortenToTokens, takeLines, tokensOf } from '../../base/text/shorten.ts';
import type { CallResult } from '../../call/client.ts';
import { marketplaceName } from '../../service/facts/marketplaces.ts';
import type { Operation } from '../../service/facts/operation.ts';
import { MOST_HEADER, messageOf } from '../../tell/error-result.ts';
import { explainIssues } from '../../tell/listing/issues.ts';
import { changeLines, placeNames, warningLine } from '../ask/change-lines.ts';
import { describeReadBack } from '../ask/describe-difference.ts';
import { nameWithin, placesWords, subjectWords } from '../ask/words/subject.ts';
import { checkedWords, notCheckedWhy, type Validation } from '../ask/write-validation.ts';
import type { Change } from '../plan/change.ts';
import { otherSellers, tellsSeller } from '../plan/whose.ts';
import type { ReadBack } from '../run/failure.ts';
import type { WriteResult } from '../run/send-write.ts';
import { reasonWords, type Verdict } from '../run/verdict.ts';
import type { WriteAnswerParts } from './write-answer.ts';

type Redact = (text: string) => string;
type Sent = Extract<WriteResult, { journalId: string; readBack?: ReadBack }>;
type Judged = Extract<WriteResult, { outcome: 'not_accepted' | 'partly_accepted' }>;

/** Room for the lines around what was read back. */
const FRAME_TOKENS = 250;

export interface WordsOptions {
  /** For all of it; the preview has been made to leave room for the rest. */
  maxTokens: number;
  /** Takes every secret out of what is cut here. */
  redact: Redact;
  /** Milliseconds since the epoch. */
  now: number;
}

/** What the tool says: where it stands, how to go on, what happened. */
export function writeWords(parts: WriteAnswerParts, options: WordsOptions): string {
  const { result, preview, validation } = parts;
  if (result.outcome === 'requested') return requestedWords(parts, result, options);
  if (result.outcome === 'needs_confirmation' || result.outcome === 'preview') {
    const next = result.outcome === 'preview' ? ONLY_PREVIEW : confirmationWords(result.code);
    const room = options.maxTokens - tokensOf(`${preview}\n\n${next}`);
    const checked =
      validation === undefined ? [] : validationWords(validation, { ...options, maxTokens: room });
    return [preview, ...checked, '', next].join('\n');
  }
  return 'verdict' in result ? judgedWords(parts, result, options) : sentWords(parts, result, options);
}

export const ONLY_PREVIEW = 'This is a preview; nothing was sent.';

/** How to go on with the code that stands beside it in the structured form. */
export const SHOW_AND_CONFIRM =
  'Nothing was sent yet. Show this to the person. If they agree, call again with the same arguments and confirmationCode, which is enough alone (works once, for exactly this content, for 10 minutes). The code does not prove that they agreed: ask.';

/** How to go on with a code. */
export function confirmationWords(code: string): string {
  return [
    'Nothing was sent yet. Show this to the person. If they agree, call the tool again with the same arguments and',
    `confirmationCode "${code}", which is enough alone (works once, for exactly this content, for 10 minutes).`,
    'The code proves that this content was previewed, not that a person agreed: that is for you to ask.',
  ].join('\n');
}

function sentWords(parts: WriteAnswerParts, result: Sent, { maxTokens, redact }: WordsOptions): string {
  const { operation, account, change, request } = parts;
  const { outcome, response, readBack, journalId, journalProblem } = result;
  const others = tellsSeller(request.owner) ? otherSellers(request.owner, [request.parameters]) : [];
  const whose = others.map(
    (other) => `, seller ${nameWithin(other, MOST_NAME_BYTES)}, NOT THE ACCOUNT'S OWN`,
  );
  const count = change.differences === undefined ? '' : ` Members changed: ${change.differences.length}.`;
  const changes = changeLines(change, showText).map(({ short }) => `  ${short}`);
  const found = readBack === undefined ? [] : readBackWords(change, readBack, redact);
  const room = maxTokens - FRAME_TOKENS;
  const [head, next] =
    outcome === 'done' ? ['Done', []] : ['Accepted, not visible yet', [notVisibleWords(parts)]];
  return [
    `${head}: ${operation.id} for account ${account}${whose.join('')} (HTTP ${response.status}).${count}`,
    ...list(`${subjectLine(change)} before -> after the write:`, changes, room / 3),
    ...warningWords(change, room / 6),
    ...takeLines(found, room / 2, moreLines),
    ...next,
    journalLine(journalId, response),
    ...(journalProblem === undefined ? [] : [shortenToTokens(journalProblem, 100)]),
  ].join('\n');
}

function journalLine(journalId: string | undefined, { requestId }: CallResult): string {
  const request = requestId === undefined ? '' : `request ${requestId.shown(MOST_HEADER)}`;
  if (journalId === undefined) return `${request === '' ? 'No request id' : request.replace('r', 'R')}.`;
  return `Journal entry ${journalId}${request === '' ? '' : `; ${request}`}.`;
}

/** Bytes of a name in what was done. */
const MOST_NAME_BYTES = 100;

function subjectLine({ subject, places }: Change): string {
  const words = [subjectWords(subject, MOST_NAME_BYTES) ?? 'State', placesWords(places)];
  return words.filter((word) => word !== '').join(', ');
}

/** The whole change in one line; empty where nothing of it is known. */
export function changeWords(change: Change): string {
  if (change.differences === undefined) return '';
  const lines = changeLines(change, showText).map(({ short }) => short);
  const isAll = change.isWhole && (change.sent ?? []).length === 0;
  if (lines.length === 0 && !isAll) return '';
  const end = isAll && lines.length > 0 ? ' Nothing else changes.' : '';
  const what = lines.length === 0 ? 'no changes' : lines.join('; ').replace(/\.$/, '');
  return `${subjectLine(change)}: ${what}.${end}`;
}

/** How to look again. */
export function notVisibleWords({ look, operation }: WriteAnswerParts): string {
  const isListing = operation.id.startsWith('listings-items/');
  const parts = isListing ? ' (includedData and select: attributes)' : '';
  const how = look === undefined ? '' : ` with read_operation ${look.operation}${parts}`;
  const when = isListing
    ? 'Changes of listings appear minutes after they are accepted'
    : 'It can take a while';
  return `${when}: look again later${how}; do not send it again.`;
}

export const NOT_ACCEPTED = 'The service did not accept it. Correct what it names, then call again.';
export const PARTLY_ACCEPTED =
  'The service accepted some items and refused others. Send again only what was refused, corrected; never what was accepted.';

/** The answer is 2xx, and says no. */
function judgedWords(parts: WriteAnswerParts, result: Judged, { maxTokens, now }: WordsOptions): string {
  const { operation, account, change } = parts;
  const { outcome, response, verdict, journalId, journalProblem } = result;
  const [head, next] =
    outcome === 'not_accepted' ? ['NOT ACCEPTED', NOT_ACCEPTED] : ['ACCEPTED IN PART', PARTLY_ACCEPTED];
  const signs = verdict.signs.map((sign) => `, ${sign}`).join('');
  const subject = subjectWords(change.subject, MOST_NAME_BYTES);
  return [
    `${head}: ${operation.id} for account ${account} (HTTP ${response.status}${signs}).${subject === undefined ? '' : ` It was about ${subjectLine(change)}.`}`,
    ...reasonLines(response.body, verdict, { maxTokens: maxTokens / 2, now }),
    next,
    journalLine(journalId, response),
    ...(journalProblem === undefined ? [] : [shortenToTokens(journalProblem, 100)]),
  ].join('\n');
}

/** Issues of a listing as its explainer tells them, errors and items one by one. */
function reasonLines(
  body: unknown,
  { reasons, items }: Verdict,
  { maxTokens, now }: Pick<WordsOptions, 'maxTokens' | 'now'>,
): string[] {
  if (isJsonObject(body) && Array.isArray(body.issues) && body.issues.length > 0) {
    return [explainIssues(body, { now, marketplaceName, maxTokens, path: 'value.issues' }).text];
  }
  const lines = [
    ...reasons.map((reason) => `  ${reasonWords(reason)}`),
    // What was refused comes first, so that a cut hides none of it.
    ...[...items]
      .sort((a, b) => Number(a.accepted) - Number(b.accepted))
      .map(({ at, name, accepted, reasons: why }) => {
        const what = name === undefined ? `item ${at + 1}` : showText(name);
        const because = why.length === 0 ? '' : `: ${why.map(reasonWords).join('; ')}`;
        return `  ${what}: ${accepted ? 'accepted' : `not accepted${because}`}`;
      }),
  ];
  return takeLines(lines, maxTokens, moreLines);
}

/** What the service said to a write that it only checked. */
export function validationWords(validation: Validation, { maxTokens, redact, now }: WordsOptions): string[] {
  if ('problem' in validation) {
    const why = escapeText(shortenToTokens(redact(notCheckedWhy(validation.problem)), 60));
    return [`${checkedWords({ tried: 0, of: 1, refused: 0 })}: ${why}`];
  }
  const { response, verdict } = validation;
  const refused = Number(verdict.outcome !== 'accepted');
  return [
    `${[checkedWords({ tried: 1, of: 1, refused }), ...verdict.signs].join(', ')}.`,
    ...reasonLines(response.body, verdict, { maxTokens: Math.max(maxTokens, 200), now }),
  ];
}

const moreLines = (missing: number) => `... and ${missing} more lines that are not listed here`;

const list = (head: string, lines: readonly string[], tokens: number) =>
  lines.length === 0 ? [] : [head, ...takeLines(lines, tokens, moreLines)];

function warningWords(change: Change, tokens: number): string[] {
  const lines = change.warnings.map((warning) => `  ${warningLine(change, warning, showText, true)}`);
  return list('Please check:', lines, tokens);
}

/** A request is never told as done: what was asked for may not be there yet, and nothing was changed. */
function requestedWords(
  { operation, account, change }: WriteAnswerParts,
  { response, verdict }: Extract<WriteResult, { outcome: 'requested' }>,
  { maxTokens, now }: WordsOptions,
): string {
  const request =
    response.requestId === undefined ? '' : ` Request ${response.requestId.shown(MOST_HEADER)}.`;
  const isNo = verdict.outcome !== 'accepted';
  return [
    `Requested: ${operation.id} for account ${account} (HTTP ${response.status}). ${NOTHING_CHANGED}${request}`,
    ...(isNo ? [`The service would NOT accept it, ${verdict.signs.join(', ')}.`] : []),
    ...(isNo ? reasonLines(response.body, verdict, { maxTokens: maxTokens / 3, now }) : []),
    ...warningWords(change, maxTokens / 6),
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

function readBackWords(change: Change, { differences, notYet, problem }: ReadBack, redact: Redact): string[] {
  if (problem !== undefined)
    return [`It could not be read back: ${quoteText(shortenToTokens(redact(messageOf(problem)), 100))}`];
  if (differences.length + notYet.length === 0) return ['Read back: the service has what was sent.'];
  const place = placeNames(change);
  const differing = describeReadBack(differences, showText, place);
  const old = notYet.map(({ segments }) => place(segments, showText));
  return [
    ...(old.length === 0 ? [] : [`Read back: accepted, not visible yet: ${old.join('; ')}`]),
    ...(differing.length === 0 ? [] : ['Read back: the service differs from what was sent:']),
    ...differing.map((line) => `  ${line}`),
  ];
}

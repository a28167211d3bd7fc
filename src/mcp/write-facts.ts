/** The structured form of a write's answer: what always fits, and what can be as long as the caller and the service make it. */

import type { CallResult, PreparedRequest } from '../client/client.ts';
import type { Difference } from '../json-difference.ts';
import { escapeText, VALUES_NOTE } from '../text/escape-text.ts';
import { shortenToTokens } from '../text/shorten.ts';
import type { ReadBack } from '../writes/failure.ts';
import { MOST_HEADER, messageOf } from './error-result.ts';
import type { WriteAnswerParts } from './write-answer.ts';
import { NOTHING_CHANGED, ONLY_PREVIEW, progressWords, SHOW_AND_CONFIRM } from './write-words.ts';

/** Takes every secret out of a text that is still whole: half of one would not be known. */
type Redact = (text: string) => string;

/** What always fits. */
export function factsOf(parts: WriteAnswerParts, redact: Redact) {
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
      ...(parts.saveAs === undefined ? {} : { save_as: escapeText(parts.saveAs) }),
      ...(isCode ? { confirmation_code: result.code } : {}),
    };
  }
  const { response, readBack, journalId, journalProblem } = result;
  return {
    ...head,
    ...answerFacts(response),
    ...(readBack === undefined ? {} : { read_back: verdictOf(readBack, redact) }),
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
export function detailsOf({ request, differences, noDifferences, warnings, result }: WriteAnswerParts) {
  const changes = differences === undefined ? {} : { differences: differences.map(toFact) };
  const wrong = warnings.map(({ path, message }) => ({ path, message }));
  if (result.outcome === 'done') {
    return {
      ...changes,
      // Where nobody is asked, nobody has seen them yet.
      ...(wrong.length === 0 ? {} : { warnings: wrong }),
      ...(result.readBack === undefined || result.readBack.problem !== undefined
        ? {}
        : { read_back: { differences: result.readBack.differences.map(toFound) } }),
    };
  }
  if (result.outcome === 'requested') return wrong.length === 0 ? {} : { warnings: wrong };
  const { headers, parameters, body, filledIn } = request;
  return {
    request: {
      // The address above them is cut where it is long; these say what it is about, and a cut of them is counted.
      parameters: { ...parameters, ...filledIn },
      headers,
      ...(Object.keys(filledIn).length === 0 ? {} : { filled_in: filledIn }),
      ...(body === undefined ? {} : { body }),
    },
    ...changes,
    ...(noDifferences === undefined ? {} : { no_differences: noDifferences }),
    warnings: wrong,
  };
}

/** Whether the service has what was sent: the list of what differs is long where it matters most. */
function verdictOf({ differences, problem }: ReadBack, redact: Redact) {
  if (problem === undefined) return { matches: differences.length === 0 };
  return { problem: escapeText(shortenToTokens(redact(messageOf(problem)), 100)) };
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

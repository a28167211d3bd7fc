/** The structured form of a write's answer: what always fits, and what can be as long as the caller and the service make it. */

import type { Difference } from '../../base/json-difference.ts';
import { escapeText, VALUES_NOTE } from '../../base/text/escape-text.ts';
import { shortenToCharacters, shortenToTokens } from '../../base/text/shorten.ts';
import type { CallResult, PreparedRequest } from '../../call/client.ts';
import { MOST_HEADER, messageOf } from '../../tell/error-result.ts';
import { placesWords } from '../ask/words/subject.ts';
import { notCheckedWhy, type Validation } from '../ask/write-validation.ts';
import type { Change } from '../plan/change.ts';
import { NOT_VERIFIED, otherSellers, type Parameters, placeOf, tellsSeller } from '../plan/whose.ts';
import type { ReadBack } from '../run/failure.ts';
import type { Verdict } from '../run/verdict.ts';
import type { WriteAnswerParts } from './write-answer.ts';
import {
  changeWords,
  NOT_ACCEPTED,
  NOTHING_CHANGED,
  notVisibleWords,
  ONLY_PREVIEW,
  PARTLY_ACCEPTED,
  progressWords,
  SHOW_AND_CONFIRM,
} from './write-words.ts';

/** Takes every secret out of a text that is still whole: half of one would not be known. */
type Redact = (text: string) => string;

/** What always fits. */
export function factsOf(parts: WriteAnswerParts, redact: Redact) {
  const { account, operation, effect = operation.effect, request, result, change, remark = '' } = parts;
  const isAhead = result.outcome === 'preview' || result.outcome === 'needs_confirmation';
  const notes = [VALUES_NOTE, ...(change.differences !== undefined && isAhead ? [SIGNS] : []), remark];
  const note = notes.filter((each) => each !== '').join(' ');
  const head = { note, outcome: result.outcome, account, operation: operation.id, ...subjectFacts(change) };
  if (result.outcome === 'requested') {
    const next = [NOTHING_CHANGED, ...progressWords(operation)].join(' ');
    return { ...head, next_step: next, ...answerFacts(result.response) };
  }
  if (result.outcome === 'preview' || result.outcome === 'needs_confirmation') {
    const { method, url } = request;
    const isCode = result.outcome === 'needs_confirmation';
    return {
      ...head,
      next_step: isCode ? SHOW_AND_CONFIRM : ONLY_PREVIEW,
      ...inWords(change),
      ...(change.cannotUndo === undefined ? {} : { cannot_undo: escapeText(change.cannotUndo) }),
      ...(effect === 'write' ? {} : { effect }),
      seller: sellerOf(request, [request.parameters]),
      request: { method, url: shortenToTokens(url, 100) },
      ...(parts.saveAs === undefined ? {} : { save_as: escapeText(parts.saveAs) }),
      ...(isCode ? { confirmation_code: result.code } : {}),
      ...(parts.validation === undefined ? {} : { validation: validationFacts(parts.validation, redact) }),
    };
  }
  const { response, journalId, journalProblem } = result;
  const journal = {
    journal_id: journalId,
    ...(journalProblem === undefined ? {} : { journal_problem: shortenToTokens(journalProblem, 60) }),
  };
  if ('verdict' in result) {
    const next = result.outcome === 'not_accepted' ? NOT_ACCEPTED : PARTLY_ACCEPTED;
    return { ...head, next_step: next, ...answerFacts(response), ...journal };
  }
  const { readBack } = result;
  const others = tellsSeller(request.owner) ? otherSellers(request.owner, [request.parameters]) : [];
  return {
    ...head,
    ...(others.length === 0 ? {} : { seller: sellerOf(request, [request.parameters]) }),
    ...(result.outcome === 'done' ? {} : { next_step: notVisibleWords(parts) }),
    ...answerFacts(response),
    ...(readBack === undefined ? {} : { read_back: verdictOf(readBack, redact) }),
    ...journal,
  };
}

/** Characters of one name of what is changed. */
const MOST_NAME = 100;

/** What is changed, as a person knows it; the operation and its parameters tell anything else. */
function subjectFacts({ subject, places }: Change) {
  const text = (value: string) => escapeText(shortenToCharacters(value, MOST_NAME));
  const where = places.length === 0 ? {} : { where: placesWords(places) };
  if (subject.kind === 'operation') return {};
  if (subject.kind === 'listing') {
    const { sku, title } = subject;
    return { changed: { sku: text(sku), ...(title === undefined ? {} : { title: text(title) }), ...where } };
  }
  const { id, alias } = subject;
  return { changed: { store: text(id), ...(alias === undefined ? {} : { alias: text(alias) }) } };
}

/** Of the change in words; the differences beside it are whole. */
const MOST_WORDS_TOKENS = 80;

/** What the person is asked, for hosts that show the model no text. */
function inWords(change: Change) {
  const words = changeWords(change);
  return words === '' ? {} : { in_words: shortenToTokens(words, MOST_WORDS_TOKENS) };
}

function validationFacts(validation: Validation, redact: Redact) {
  if ('problem' in validation) {
    return {
      tried: 0,
      of: 1,
      problem: escapeText(shortenToTokens(redact(notCheckedWhy(validation.problem)), 60)),
    };
  }
  const accepted = validation.verdict.outcome === 'accepted';
  return { tried: 1, of: 1, would_be_accepted: accepted };
}

/** What the two sides of a difference are; of a write that was made they are what their names say. */
const SIGNS = 'Differences: before = current state, after = what is sent.';

/** Whose account it is; a client id as long as the preview shows it; where it goes unless that is the service's own address. */
export function sellerOf({ owner }: Pick<PreparedRequest, 'owner'>, calls: readonly Parameters[]) {
  const { sellerId, login, isGiven = false } = owner;
  const most = MOST_HEADER;
  const place = placeOf(owner);
  const others = tellsSeller(owner) ? otherSellers(owner, calls).join(', ').slice(0, most) : '';
  const known = sellerId === undefined ? 'not known' : escapeText(sellerId.slice(0, most));
  const own = isGiven ? NOT_VERIFIED : known;
  return {
    id: others === '' ? own : `${escapeText(others)}, NOT THE ACCOUNT'S OWN (${own})`,
    ...(login === undefined ? {} : { client_id: escapeText(login.clientId.slice(0, most)) }),
    ...(place === undefined ? {} : { sent_to: place }),
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
export function detailsOf({ request, change, result, validation }: WriteAnswerParts) {
  const { differences, noDifferences, warnings } = change;
  const changes = differences === undefined ? {} : { differences: differences.map(toFact) };
  const wrong = warnings.map(({ path, message, how }) => ({ path, message, ...(how && { how }) }));
  // Where nobody is asked, nobody has seen them yet.
  const told = wrong.length === 0 ? {} : { warnings: wrong };
  if (result.outcome === 'requested') return told;
  if (result.outcome === 'preview' || result.outcome === 'needs_confirmation') {
    const { headers, parameters, body, filledIn } = request;
    return {
      ...(validation !== undefined && 'verdict' in validation ? verdictDetails(validation.verdict) : {}),
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
  if ('verdict' in result) return { ...verdictDetails(result.verdict), ...told };
  const { readBack } = result;
  if (readBack === undefined || readBack.problem !== undefined) return { ...changes, ...told };
  return {
    ...changes,
    ...told,
    read_back: {
      differences: readBack.differences.map(toFound),
      ...(readBack.notYet.length === 0 ? {} : { not_visible_yet: readBack.notYet.map(toFound) }),
    },
  };
}

/** Why, of the whole or of each item. */
function verdictDetails({ signs, reasons, items }: Verdict) {
  return {
    ...(signs.length === 0 ? {} : { signs }),
    ...(reasons.length === 0 ? {} : { reasons }),
    ...(items.length === 0
      ? {}
      : {
          items: items.map(({ at, name, accepted, reasons: why }) => ({
            ...(name === undefined ? { item: at + 1 } : { item: name }),
            accepted,
            ...(why.length === 0 ? {} : { reasons: why }),
          })),
        }),
  };
}

/** Whether the service has what was sent: the list of what differs is long where it matters most. */
function verdictOf({ differences, notYet, problem }: ReadBack, redact: Redact) {
  // Where it is not visible yet, whether it matches cannot be said.
  if (problem === undefined && notYet.length > 0 && differences.length === 0) return {};
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

/**
 * Renders one write: its state, the next step and the result. Each fact is made once, for the text and for
 * the structured form.
 */

import { dropUndefined, isJsonObject, type JsonObject, toObject } from '../../base/json.ts';
import type { JsonDifference } from '../../base/json-difference.ts';
import { escapeJson, escapeText, quoteText, showText, VALUES_NOTE } from '../../base/text/escape-text.ts';
import { nameWithin } from '../../base/text/quote-within.ts';
import { shortenToCharacters, shortenToTokens, takeLines, tokensOf } from '../../base/text/shorten.ts';
import type { CallResult, PreparedRequest } from '../../call/client-types.ts';
import { errorMessageOf, MAX_HEADER_CHARACTERS } from '../../render/error-result.ts';
import { explainIssues } from '../../render/listing/issues.ts';
import { effectOfCall } from '../../service/facts/effects.ts';
import { marketplaceName } from '../../service/facts/marketplaces.ts';
import type { Operation } from '../../service/facts/operation.ts';
import { formatChecked, uncheckedReason, type Validation } from '../approval/write-validation.ts';
import type { Change, ReadBack } from '../model/change.ts';
import { adapterOf } from '../model/find-adapter.ts';
import {
  changeLines,
  formatChange,
  MAX_SUBJECT_NAME_BYTES,
  remedyLines,
  subjectLine,
  warningLine,
} from '../model/format/change-lines.ts';
import { describeReadBack } from '../model/format/describe-difference.ts';
import { moreLines } from '../model/format/fit-lines.ts';
import { otherSellers, sellerOf } from '../model/format/seller-lines.ts';
import { formatMarketplaceIds } from '../model/format/subject.ts';
import { formatNextStep, HEADS, type ShownOutcome, type WriteStructured } from '../model/outcome.ts';
import { formatReason, type Verdict } from '../model/verdict.ts';
import { formatReader, type StartedWork } from '../run/follow-work.ts';
import type { WriteResult } from '../run/send-write.ts';

export interface WriteAnswerParts {
  account: string;
  operation: Operation;
  request: PreparedRequest;
  preview: string;
  change: Change;
  /** The service's validation of a dry run. */
  validation?: Validation;
  result: ShownOutcome | WriteResult;
  /** The name under which the documents of its answer are saved. */
  saveAs?: string | undefined;
  /** A remark of one line that follows the answer; none if it is absent or empty. */
  remark?: string;
}

type Requested = Extract<WriteResult, { outcome: 'requested' | 'failed' }>;
type Accepted = Extract<WriteResult, { outcome: 'done' | 'accepted_not_visible' }>;
type Rejected = Extract<WriteResult, { outcome: 'not_accepted' | 'partly_accepted' }>;

interface FormOptions {
  /** The max tokens of the whole text; the preview already leaves room for the rest. */
  maxTokens: number;
  /** Redacts every secret in a text before it is cut, because half a secret would not be recognized. */
  redact(text: string): string;
  /** The milliseconds since the epoch. */
  now: number;
}

/** The parts of both forms. */
interface Forms {
  lines: readonly string[];
  /** The structured facts that always fit. */
  facts: Partial<WriteStructured>;
  /** The details whose length depends on the caller and the service. */
  details: JsonObject;
}

export function renderWrite(
  parts: WriteAnswerParts,
  options: FormOptions,
): Forms & { facts: WriteStructured } {
  const { account, operation, result, change, remark = '' } = parts;
  const isShown = result.outcome === 'preview' || result.outcome === 'needs_confirmation';
  const notes = [
    VALUES_NOTE,
    ...(change.differences !== undefined && isShown ? [DIFFERENCE_LEGEND] : []),
    remark,
  ];
  const head = {
    note: notes.filter((each) => each !== '').join(' '),
    outcome: result.outcome,
    account,
    operation: operation.id,
    changed: changedFact(change),
  };
  const rendered = renderResult(parts, options);
  return { ...rendered, facts: { ...head, ...rendered.facts } };
}

function renderResult(parts: WriteAnswerParts, options: FormOptions): Forms {
  const { result } = parts;
  switch (result.outcome) {
    case 'preview':
    case 'needs_confirmation':
      return renderShown(parts, result, options);
    case 'requested':
    case 'failed':
      return renderRequested(parts, result, options);
    case 'not_accepted':
    case 'partly_accepted':
      return renderRejected(parts, result, options);
    case 'done':
    case 'accepted_not_visible':
      return renderSent(parts, result, options);
  }
}

/** Explains the two sides of a difference in a preview; after the write their names explain them. */
export const DIFFERENCE_LEGEND = 'Differences: before = current state, after = what is sent.';

/** The max characters of one name of a changed thing. */
const MAX_NAME = 100;

/** Names the changed thing as the user knows it; other changes show in the operation and its parameters. */
function changedFact({ subject, places }: Change) {
  const text = (value: string | undefined) => value && escapeText(shortenToCharacters(value, MAX_NAME));
  if (subject.kind === 'operation') return undefined;
  if (subject.kind === 'store') return { store: text(subject.id), alias: text(subject.alias) };
  const where = places.length === 0 ? undefined : formatMarketplaceIds(places);
  return { sku: text(subject.sku), title: text(subject.title), where };
}

/** The max tokens of the change as text; the differences beside it are complete. */
const MAX_TEXT_TOKENS = 80;

function renderShown(parts: WriteAnswerParts, result: ShownOutcome, options: FormOptions): Forms {
  const { operation, request, change, preview, validation, saveAs } = parts;
  const { method, url, headers, parameters, body, filledIn } = request;
  const { cannotUndo, differences, noDifferences } = change;
  // A write that only requests a preview counts as a request.
  const effect = effectOfCall(operation, parameters);
  const code = result.outcome === 'preview' ? undefined : result.code;
  const next = formatNextStep(code);
  const room = options.maxTokens - tokensOf(`${preview}\n\n${next.line}`);
  const checked = validation && renderValidation(validation, { ...options, maxTokens: room });
  const words = formatChange(change);
  return {
    lines: [preview, ...(checked?.lines ?? []), '', next.line],
    facts: {
      next_step: next.data,
      // Hosts that show the model no text get the question here.
      in_words: words === '' ? undefined : shortenToTokens(words, MAX_TEXT_TOKENS),
      cannot_undo: cannotUndo && escapeText(cannotUndo),
      effect: effect === 'write' ? undefined : effect,
      seller: sellerOf(request, [parameters]),
      request: { method, url: shortenToTokens(url, 100) },
      save_as: saveAs && escapeText(saveAs),
      confirmation_code: code,
      validation: checked?.facts,
    },
    details: dropUndefined({
      ...checked?.details,
      request: dropUndefined({
        // A long address above is cut, so the parameters are here; a cut of them is counted.
        parameters: { ...parameters, ...filledIn },
        headers,
        filled_in: Object.keys(filledIn).length === 0 ? undefined : filledIn,
        body,
      }),
      differences: differences?.map(toFact),
      no_differences: noDifferences,
      warnings: change.warnings.map(toWarning),
    }),
  };
}

export function renderValidation(
  validation: Validation,
  { maxTokens, redact, now }: FormOptions,
): Omit<Forms, 'facts'> & { facts: object } {
  if ('problem' in validation) {
    const problem = escapeText(shortenToTokens(redact(uncheckedReason(validation.problem)), 60));
    return {
      lines: [`${formatChecked({ tried: 0, of: 1, refused: 0 })}: ${problem}`],
      facts: { tried: 0, of: 1, problem },
      details: {},
    };
  }
  const { response, verdict } = validation;
  const isAccepted = verdict.outcome === 'accepted';
  const words = formatChecked({ tried: 1, of: 1, refused: Number(!isAccepted) });
  const { lines, details } = renderVerdict(response, verdict, { maxTokens: Math.max(maxTokens, 200), now });
  return {
    lines: [`${[words, ...verdict.signs].join(', ')}.`, ...lines],
    facts: { tried: 1, of: 1, would_be_accepted: isAccepted },
    details,
  };
}

/** The tokens reserved for the lines around the read-back. */
const FRAME_TOKENS = 250;

function renderSent(parts: WriteAnswerParts, result: Accepted, { maxTokens, redact }: FormOptions): Forms {
  const { operation, account, change, request } = parts;
  const { outcome, response, readBack, work } = result;
  const { differences, subject } = change;
  const others = otherSellers(request.owner, [request.parameters]);
  const whose = others.map(
    (other) => `, seller ${nameWithin(other, MAX_SUBJECT_NAME_BYTES)}, NOT THE ACCOUNT'S OWN`,
  );
  // A user knows the store or the listing by its name; the operation comes last, for further research.
  const what = subject.kind === 'operation' ? operation.id : subjectLine(change);
  const changes = changeLines(change).map(({ short }) => `  ${short}`);
  const room = maxTokens - FRAME_TOKENS;
  const next = outcome === 'done' ? undefined : notVisibleMessage(operation);
  const warnings = renderWarnings(change, room / 6);
  const found = readBack && renderReadBack(change, readBack, redact);
  const entry = renderEntry(result);
  return {
    lines: [
      `${HEADS[outcome]}: ${what}, account ${account}${whose.join('')}.`,
      ...(work?.state === 'done'
        ? [workLine(work), ...work.reasons.map((reason) => `  ${formatReason(reason)}`)]
        : []),
      ...list('Before -> after the write:', changes, room / 3),
      ...warnings.lines,
      ...takeLines(found?.lines ?? [], room / 2, moreLines),
      ...(next === undefined ? [] : [next]),
      `${operation.id}, HTTP ${response.status}.`,
      ...entry.lines,
    ],
    facts: {
      seller: others.length === 0 ? undefined : sellerOf(request, [request.parameters]),
      next_step: next,
      ...workFacts(work),
      ...answerFacts(response),
      read_back: found?.facts,
      ...entry.facts,
    },
    details: dropUndefined({
      differences: differences?.map(toFact),
      ...warnings.details,
      read_back: found?.details,
    }),
  };
}

/** Renders the journal entry, and the service's id of the request. */
function renderEntry({
  journalId,
  journalProblem,
  response: { requestId },
}: Accepted | Rejected | Requested) {
  const request = requestId === undefined ? '' : `request ${requestId.shown(MAX_HEADER_CHARACTERS)}`;
  const unnumbered = request === '' ? 'No request id' : request.replace('r', 'R');
  const entry = `Journal entry ${journalId}${request === '' ? '' : `; ${request}`}`;
  const problem = journalProblem === undefined ? [] : [shortenToTokens(journalProblem, 100)];
  return {
    lines: [`${journalId === undefined ? unnumbered : entry}.`, ...problem],
    facts: { journal_id: journalId, journal_problem: journalProblem && shortenToTokens(journalProblem, 60) },
  };
}

/** Explains how to read the change again. */
function notVisibleMessage({ id, state }: Operation): string {
  const isListing = id.startsWith('listings-items/');
  const parts = isListing ? ' (includedData and select: attributes)' : '';
  const how = state === undefined ? '' : ` with read_operation ${state.operation}${parts}`;
  const when = isListing
    ? 'Changes of listings appear minutes after they are accepted'
    : 'It can take a while';
  return `${when}: look again later${how}; do not send it again.`;
}

const NEXT_STEP = {
  not_accepted: 'The service did not accept it. Correct what it names, then call again.',
  partly_accepted:
    'The service accepted some items and refused others. Send again only what was refused, corrected; never what was accepted.',
};

/** Renders an answer with status 2xx that rejects the write. */
function renderRejected(parts: WriteAnswerParts, result: Rejected, { maxTokens, now }: FormOptions): Forms {
  const { operation, account, change } = parts;
  const { outcome, response, verdict } = result;
  const next = NEXT_STEP[outcome];
  const about = change.subject.kind === 'operation' ? '' : ` It was about ${subjectLine(change)}.`;
  const why = renderVerdict(response, verdict, { maxTokens: maxTokens / 2, now });
  const entry = renderEntry(result);
  return {
    lines: [
      `${HEADS[outcome]}: ${operation.id} for account ${account} (HTTP ${[response.status, ...verdict.signs].join(', ')}).${about}`,
      ...why.lines,
      next,
      ...entry.lines,
    ],
    facts: { next_step: next, ...answerFacts(response), ...entry.facts },
    details: { ...why.details, ...renderWarnings(change, 0).details },
  };
}

/** Renders the reasons for the whole or for each item; listing issues come from their explainer. */
function renderVerdict(
  { body }: CallResult,
  { signs, reasons, items }: Verdict,
  { maxTokens, now }: Pick<FormOptions, 'maxTokens' | 'now'>,
) {
  const hasIssues = isJsonObject(body) && Array.isArray(body.issues) && body.issues.length > 0;
  const formatItem = ({ at, name, accepted, reasons: why }: Verdict['items'][number]) => {
    const what = name === undefined ? `item ${at + 1}` : showText(name);
    const because = why.length === 0 ? '' : `: ${why.map(formatReason).join('; ')}`;
    return `  ${what}: ${accepted ? 'accepted' : `not accepted${because}`}`;
  };
  // Rejected items come first, so that a cut hides none of them.
  const sorted = [...items].sort((a, b) => Number(a.accepted) - Number(b.accepted));
  const lines = [...reasons.map((reason) => `  ${formatReason(reason)}`), ...sorted.map(formatItem)];
  return {
    lines: hasIssues
      ? [explainIssues(body, { now, marketplaceName, maxTokens, path: 'value.issues' }).text]
      : takeLines(lines, maxTokens, moreLines),
    details: dropUndefined({
      signs: undefinedIfEmpty(signs),
      reasons: undefinedIfEmpty(reasons),
      items: undefinedIfEmpty(
        items.map(({ at, name, accepted, reasons: why }) =>
          dropUndefined({ item: name ?? at + 1, accepted, reasons: undefinedIfEmpty(why) }),
        ),
      ),
    }),
  };
}

/** Returns undefined for an empty list, so that the answer omits it. */
export const undefinedIfEmpty = <T>(values: readonly T[]) => (values.length === 0 ? undefined : [...values]);

const list = (head: string, lines: readonly string[], tokens: number) =>
  lines.length === 0 ? [] : [head, ...takeLines(lines, tokens, moreLines)];

/** Renders the warnings, because nobody has seen them if nobody was asked. */
function renderWarnings(change: Change, tokens: number) {
  const { warnings } = change;
  const lines = warnings.map((warning) => `  ${warningLine(change, warning)}`);
  return {
    lines: [...list('Please check:', lines, tokens), ...takeLines(remedyLines(change), tokens, moreLines)],
    details: warnings.length === 0 ? {} : { warnings: warnings.map(toWarning) },
  };
}

const toWarning = ({ path, message, how }: Change['warnings'][number]) => ({
  path,
  message,
  ...(how && { how }),
});

/** Renders a request, or started work. Neither is reported as done before the work is done. */
function renderRequested(
  { operation, account, change }: WriteAnswerParts,
  result: Requested,
  { maxTokens, now }: FormOptions,
): Forms {
  const { outcome, response, verdict, work, journalId } = result;
  const isNo = verdict.outcome !== 'accepted';
  const { requestId } = response;
  const isRecorded = journalId !== undefined;
  const changesNothing = !isRecorded && outcome === 'requested';
  const request = requestId === undefined ? [] : [`Request ${requestId.shown(MAX_HEADER_CHARACTERS)}.`];
  const entry = isRecorded ? renderEntry(result) : { lines: [], facts: {} };
  const about = [
    ...(changesNothing ? [NOTHING_CHANGED] : []),
    ...(isRecorded ? [] : request),
    ...(change.subject.kind === 'operation' ? [] : [`It is about ${subjectLine(change)}.`]),
    ...(work === undefined ? [] : [workLine(work)]),
  ];
  const next = work && nextOfWork(work);
  const warnings = renderWarnings(change, maxTokens / 6);
  const whyFailed = work?.state === 'failed' ? work.reasons : [];
  return {
    lines: [
      [`${HEADS[outcome]}: ${operation.id} for account ${account} (HTTP ${response.status}).`, ...about].join(
        ' ',
      ),
      ...takeLines(
        whyFailed.map((reason) => `  ${formatReason(reason)}`),
        maxTokens / 3,
        moreLines,
      ),
      ...(isNo ? [`The service would NOT accept it, ${verdict.signs.join(', ')}.`] : []),
      ...(isNo ? renderVerdict(response, verdict, { maxTokens: maxTokens / 3, now }).lines : []),
      ...warnings.lines,
      ...(next === undefined ? [] : [next]),
      ...entry.lines,
    ],
    facts: {
      next_step: [...(changesNothing ? [NOTHING_CHANGED] : []), ...(next === undefined ? [] : [next])].join(
        ' ',
      ),
      ...workFacts(work),
      ...answerFacts(response),
      ...entry.facts,
    },
    details: { ...warnings.details, ...(whyFailed.length > 0 && { reasons: [...whyFailed] }) },
  };
}

const NOTHING_CHANGED = 'Nothing was changed.';

function workLine({ state, status, problem }: StartedWork): string {
  const called = status === undefined ? '' : `: ${showText(status, 80)}`;
  if (state === 'failed') return `The service took it, and the work failed${called}.`;
  if (state === 'done') return `The work is done${called}.`;
  const unread =
    problem === undefined
      ? ''
      : ` Its state could not be read: ${quoteText(shortenToTokens(errorMessageOf(problem), 60))}.`;
  return `The service works on it, and it may still fail${called}.${unread}`;
}

function nextOfWork(work: StartedWork): string | undefined {
  if (work.state === 'failed') return 'Correct what it names, then call again.';
  const how = work.state === 'done' ? undefined : formatReader(work);
  return how && `How far it has come: ${how}. Do not send it again before that says how it ended.`;
}

/** Returns the state of the work; `next_call` is the complete call that reads its progress. */
const workFacts = (work: StartedWork | undefined): JsonObject =>
  dropUndefined({
    work: work && dropUndefined({ state: work.state, status: work.status && escapeText(work.status) }),
    next_call:
      work?.state === 'working' && work.reader !== undefined
        ? { tool: 'read_operation', arguments: toObject(escapeJson(work.reader)) }
        : undefined,
  });

const answerFacts = ({ status, requestId, idempotencyKey }: CallResult) => ({
  status,
  request_id: requestId?.data(MAX_HEADER_CHARACTERS),
  idempotency_key:
    idempotencyKey === undefined ? undefined : escapeText(idempotencyKey.slice(0, MAX_HEADER_CHARACTERS)),
});

/** Renders whether the service has the sent values. The differences come as a list, which can be long. */
function renderReadBack(
  change: Change,
  { differences, notYet, problem }: ReadBack,
  redact: FormOptions['redact'],
) {
  if (problem !== undefined) {
    const why = shortenToTokens(redact(errorMessageOf(problem)), 100);
    const lines = [`It could not be read back: ${quoteText(why)}`];
    return { lines, facts: { problem: escapeText(why) }, details: undefined };
  }
  const details = dropUndefined({
    differences: differences.map(toFound),
    not_visible_yet: undefinedIfEmpty(notYet.map(toFound)),
  });
  if (differences.length + notYet.length === 0)
    return { lines: ['Read back: the service has what was sent.'], facts: { matches: true }, details };
  const { place } = adapterOf(change.subject);
  const differing = describeReadBack(differences, place);
  const old = notYet.map(({ segments }) => place(segments));
  return {
    lines: [
      ...(old.length === 0 ? [] : [`Read back: accepted, not visible yet: ${old.join('; ')}`]),
      ...(differing.length === 0 ? [] : ['Read back: the service differs from what was sent:']),
      ...differing.map((line) => `  ${line}`),
    ],
    // A match is unknown while the change is not visible yet.
    facts: differing.length === 0 ? {} : { matches: false },
    details,
  };
}

/** Renames the sides of a read-back: one is the sent value, the other the service's. */
const toFound = ({ path, kind, before: sent, after: found }: JsonDifference) =>
  dropUndefined({ path, kind, sent, found });

const toFact = ({ path, kind, before, after }: JsonDifference) =>
  dropUndefined({ path, kind, before, after });

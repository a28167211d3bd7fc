/**
 * Writes the question about a write: the change, the marketplace, old and new values, probable mistakes, and
 * the account.
 */

import { thisComputer } from '../../base/invocation.ts';
import { byteLength, isJsonObject } from '../../base/json.ts';
import { escapeText, quoteText } from '../../base/text/escape-text.ts';
import { nameWithin } from '../../base/text/quote-within.ts';
import { shortenToTokens } from '../../base/text/shorten.ts';
import type { PreparedRequest } from '../../call/client-types.ts';
import { effectOfCall } from '../../service/facts/effects.ts';
import type { Operation, OperationEffect } from '../../service/facts/operation.ts';
import type { Change } from '../model/change.ts';
import {
  CANNOT_UNDO,
  changeLines,
  NO_CHANGES,
  NOTHING_ELSE,
  warningLine,
} from '../model/format/change-lines.ts';
import {
  countMembers,
  describeMember,
  describeMembers,
  lineOf,
} from '../model/format/describe-difference.ts';
import { type FittedLines, fitLines, type TextLine } from '../model/format/fit-lines.ts';
import { sellerLines } from '../model/format/seller-lines.ts';
import { areMarketplacesWhole, formatMarketplaceIds, formatSubject } from '../model/format/subject.ts';
import { parameterLines } from './sent-parameters.ts';

export interface PreviewParts {
  operation: Operation;
  account: string;
  /** The parameters as the caller gave them; `request` has those that the account fills in. */
  parameters: Readonly<Record<string, unknown>>;
  request: PreparedRequest;
  change: Change;
  /** The name for saving the documents of the answer; it is no part of what is sent or confirmed. */
  saveAs?: string | undefined;
  /** True for the caller, who gets remedies for the warnings, operation and address. */
  isForCaller?: boolean;
}

/** The limit is long enough for any edit that a user reads before approving. */
export const MAX_QUESTION_TOKENS = 2_000;
/** The bytes reserved for the first line. */
export const NOTICE_BYTES = 250;
const MAX_NAME_BYTES = 300;
/** The max bytes of a single change that shares a sentence with its subject. */
const MAX_SENTENCE_BYTES = 600;

/**
 * Describes a write in at most `maxTokens` (never more than 2,000). The text has everything that is sent, or
 * its first line says, in capitals, how much is missing. No text from outside can make a line of its own:
 * each is quoted and escaped.
 */
export function describePreview(parts: PreviewParts, maxTokens = MAX_QUESTION_TOKENS) {
  const bytes = Math.min(maxTokens, MAX_QUESTION_TOKENS) * 3;
  const lists = listsOf(parts, isHeadWhole(parts, bytes - NOTICE_BYTES));
  const all = layOut(parts, lists, bytes);
  const { lines, notShown } = all.notShown === 0 ? all : layOut(parts, lists, bytes - NOTICE_BYTES);
  const notice = `NOT SHOWN HERE, OR NOT WHOLE: ${notShown} OF ${countAll(lists)} MEMBERS`;
  return {
    /** The number of members that are sent and that the text does not show whole. */
    notShown,
    text: withNotice(lines, all.notShown === 0 ? undefined : notice),
  };
}

/**
 * Puts the notice in capitals into the first line, with the address of the whole list: up to 100 bytes,
 * required where there is a notice.
 */
export const withNotice =
  (lines: readonly string[], notice: string | undefined) =>
  (where = 'this call with dryRun: true'): string =>
    [
      ...(notice === undefined ? [] : [`${notice}. SEE ALL OF THEM BEFORE YOU AGREE: ${where}`]),
      ...lines,
    ].join('\n');

/** The lists of the question, each with the line above it. */
interface Lists {
  /** The changes from old to new values; undefined without anything to compare with. */
  changes: TextLine[] | undefined;
  parameters: TextLine[];
  /** The current values of members that are not compared. */
  now: TextLine[];
  /** The sent values that are part of no change; without a head where it is a single line. */
  content: { head: string; lines: TextLine[] };
  warnings: TextLine[];
  /** The number of body members that a change sends unchanged. */
  unchanged: number;
}

/** @param isTold the first line is whole, so that the parameters need not repeat it */
function listsOf(parts: PreviewParts, isTold: boolean): Lists {
  const { change, request } = parts;
  const { differences, sent = [], toldParameters } = change;
  const warnings = change.warnings.map((warning) => lineOf(() => warningLine(change, warning), 0));
  const rendered = isTold ? toldParameters : [];
  const known = { warnings, parameters: parameterLines({ ...parts, told: rendered }) };
  // Members that are compared and unchanged would otherwise appear nowhere.
  const isAllSent = change.subject.kind === 'operation' && differences?.length === 0 && sent.length > 0;
  if (differences === undefined || isAllSent) {
    const { before } = change;
    const isNothing = isJsonObject(before) && Object.keys(before).length === 0;
    const now = isAllSent || isNothing || before === undefined ? [] : describeMembers(before);
    return {
      ...known,
      changes: undefined,
      now: now.map(withoutMembers),
      content: bodyList(request.body),
      unchanged: 0,
    };
  }
  const others = sent.flatMap(({ segments, value }) => describeMembers(value, segments));
  const changes = changeLines(change);
  const shown = [...changes, ...others].reduce((sum, { members }) => sum + members, 0);
  return {
    ...known,
    changes,
    now: [],
    content: { head: SENT, lines: others },
    unchanged: change.subject.kind === 'listing' ? 0 : Math.max(0, countMembers(request.body) - shown),
  };
}

/** Returns the line with no members, because it is not sent and a cut hides nothing that is. */
const withoutMembers = (line: TextLine): TextLine => ({ ...line, members: 0 });

const SENT = 'Also sent, the values before are not known:';

function bodyList(body: unknown): Lists['content'] {
  const lines = body === undefined ? [] : describeMembers(body);
  if (lines.length !== 1) return { head: 'Body:', lines };
  return { head: '', lines: [describeMember('Body', body, [])] };
}

function countAll({ changes = [], parameters, content }: Lists): number {
  return [...changes, ...parameters, ...content.lines].reduce((sum, { members }) => sum + members, 0);
}

/**
 * Lays out the question within so many bytes: warnings get up to a quarter of the room, parameters up to half
 * of the rest.
 */
function layOut(parts: PreviewParts, lists: Lists, bytes: number): FittedLines {
  const subject = headLine(parts, maxNameBytes(bytes));
  const head = `${subject}${headEnd(parts, lists, subject)}`;
  const end = [
    ...undoLine(parts),
    ...saveLine(parts),
    ...sellerLines(parts, [parts.parameters], bytes, parts.request.url),
  ];
  const reason = reasonLines(parts, bytes / 6);
  let room = bytes - sizeOf([head, ...reason, ...end]);
  const take = (title: string, some: readonly TextLine[], share: number) => {
    const fitted = listed(title, some, Math.max(room * share, 0));
    room -= sizeOf(fitted.lines);
    return fitted;
  };
  const warnings = take('Please check:', lists.warnings, 1 / 4);
  const parameters = take('Parameters:', lists.parameters, 1 / 2);
  const now = take('As it is now:', lists.now, 1 / 4);
  const changes = layOutChanges(parts, lists, { subject, head }, room);
  room -= sizeOf(changes.lines) - sizeOf([head]);
  const { content: sent } = lists;
  const content = sent.head === '' ? fitLines(sent.lines, room, '') : listed(sent.head, sent.lines, room);
  return {
    lines: [
      ...changes.lines,
      ...parameters.lines,
      ...now.lines,
      ...reason,
      ...content.lines,
      ...warnings.lines,
      ...end,
    ],
    notShown: changes.notShown + parameters.notShown + content.notShown,
  };
}

/** Returns the text after the subject if its changes are in other sentences. */
function headEnd({ operation, parameters }: PreviewParts, { changes, content }: Lists, subject: string) {
  // Other sent values may change something, whatever the compared members say.
  if (changes === undefined || (changes.length === 0 && content.lines.length > 0))
    return subject.endsWith('.') ? '' : '.';
  if (changes.length > 0) return ', now -> then:';
  // A reader of "no changes" does not expect a deletion.
  const words = effectOfCall(operation, parameters) === 'delete' ? '' : `${NO_CHANGES}; `;
  return `: ${words}what was read is like this already, and it is sent all the same.`;
}

/**
 * Puts one change into the sentence that names its subject, and several into a list below it.
 * @param bytes the room beside the head
 */
function layOutChanges(
  { change }: PreviewParts,
  { changes = [], unchanged }: Lists,
  { subject, head }: { subject: string; head: string },
  bytes: number,
): FittedLines {
  const [only] = changes;
  if (only === undefined) return { lines: [head], notShown: 0 };
  const end = formatEnd(change, unchanged);
  const sentence = `${subject}${colonAfter(change)}${finish(only.text)}${end === '' ? '' : ` ${end}`}`;
  if (changes.length === 1 && byteLength(sentence) <= Math.min(MAX_SENTENCE_BYTES, bytes)) {
    return { lines: [sentence], notShown: 0 };
  }
  const last = end === '' ? [] : [end];
  const fitted = fitLines(changes, bytes - sizeOf(last));
  // After a list that is cut, this would read as "nothing but these".
  const closing = fitted.notShown === 0 ? last : [];
  return { lines: [head, ...fitted.lines, ...closing], notShown: fitted.notShown };
}

/**
 * Separates subject and change: `Hamburg store (hh01), opening hours: ...`, but `LMP-1 "Lamp", Germany:
 * price: ...`.
 */
function colonAfter({ places, subject }: Change): string {
  return subject.kind === 'operation' || places.length > 0 ? ': ' : ', ';
}

function finish(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}

function formatEnd({ isWhole, sent = [] }: Change, unchanged: number): string {
  if (isWhole && sent.length === 0) return NOTHING_ELSE;
  return unchanged > 0 ? `Members sent as they are: ${unchanged}.` : '';
}

function listed(head: string, lines: readonly TextLine[], bytes: number): FittedLines {
  if (lines.length === 0) return { lines: [], notShown: 0 };
  const fitted = fitLines(lines, bytes - sizeOf([head]));
  return { ...fitted, lines: [head, ...fitted.lines] };
}

export function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + byteLength(line) + 1, 0);
}

const VERBS: Readonly<Record<OperationEffect, string>> = {
  read: 'Request',
  request: 'Request',
  write: 'Write',
  delete: 'Delete',
};

/**
 * Names the thing and the marketplace. The operation joins them if the changes are unknown or something is
 * deleted, because nothing else names the action.
 */
function headLine({ operation, parameters, change }: PreviewParts, most: number): string {
  const effect = effectOfCall(operation, parameters);
  const subject = formatSubject(change.subject, most);
  const isUnknown = subject === undefined || change.differences === undefined;
  const what = [...(isUnknown ? [nameWithin(operation.name, most)] : []), ...(subject ? [subject] : [])];
  const verb = isUnknown || effect !== 'write' ? `${VERBS[effect]}: ` : '';
  const where = formatMarketplaceIds(change.places);
  return `${verb}${[...what, ...(where === '' ? [] : [where])].join(', ')}`;
}

const maxNameBytes = (bytes: number) => Math.min(MAX_NAME_BYTES, bytes / 8);

/** Returns true if nothing in the head is cut. */
function isHeadWhole(parts: PreviewParts, bytes: number): boolean {
  const isWhole = headLine(parts, maxNameBytes(bytes)) === headLine(parts, Infinity);
  return isWhole && areMarketplacesWhole(parts.change.places);
}

function reasonLines({ change: { noDifferences } }: PreviewParts, bytes: number): string[] {
  if (noDifferences === undefined) return [];
  // The service's words in it are already escaped; the escapes survive the cut.
  return [`The values before cannot be shown: ${shortenToTokens(escapeText(noDifferences), bytes / 3)}`];
}

/** Warns before the approval that the write cannot be undone. */
function undoLine({ change: { cannotUndo } }: PreviewParts): string[] {
  return cannotUndo === undefined ? [] : [`${CANNOT_UNDO} ${escapeText(cannotUndo)}`];
}

/** Names the file that the answer's documents are saved as. */
function saveLine({ saveAs }: PreviewParts): string[] {
  return saveAs === undefined
    ? []
    : [`Documents of the answer are saved on ${thisComputer()} as ${quoteText(saveAs)}`];
}

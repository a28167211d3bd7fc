/** What a person reads before a write: what changes, where, from what to what; what is probably wrong; for whom; the request. */

import type { PreparedRequest } from '../client/client.ts';
import { byteLength } from '../json.ts';
import { effectOfCall } from '../service/facts/effects.ts';
import type { Effect, Operation } from '../service/facts/operation.ts';
import { escapeText, quoteText } from '../text/escape-text.ts';
import { shortenToTokens } from '../text/shorten.ts';
import type { Change } from './change.ts';
import { changeLines, warningLine } from './change-lines.ts';
import { countMembers, describeMembers } from './describe-difference.ts';
import { type FittedLines, fitLines, type Line } from './fit-lines.ts';
import { parameterLines } from './sent-parameters.ts';
import { nameWithin, placesWords, quoteWithin, subjectWords } from './words/subject.ts';
import { describeValue, type Show } from './words/value.ts';

export interface PreviewParts {
  operation: Operation;
  account: string;
  /** As the caller gave them; what the account fills in is in `request`. */
  parameters: Readonly<Record<string, unknown>>;
  request: PreparedRequest;
  change: Change;
  /** Under which name the documents of the answer are to be saved: no part of what is sent, or confirmed. */
  saveAs?: string | undefined;
  /** For who makes the call: with what can be done about the warnings. */
  isForCaller?: boolean;
}

export interface Preview {
  /** Members that are sent and that the text does not show, or not whole. */
  notShown: number;
  /** @param where all members can be seen, of up to 100 bytes; needed where `notShown` is more than 0 */
  text(where?: string): string;
}

/** Long enough for any edit that a person reads before saying yes. */
const MOST_TOKENS = 2_000;
const MOST_URL_TOKENS = 200;
/** For the first line, where there is one. */
const NOTICE_BYTES = 250;
const MOST_NAME_BYTES = 300;
/** A change that stands in one sentence with what it is a change of. */
const MOST_SENTENCE_BYTES = 600;

const NOTHING_ELSE = 'Nothing else changes.';

/**
 * At most `maxTokens` long (never more than 2,000). Everything that is sent stands in it, or its first line says, in
 * capitals, how much does not. No text from outside can make a line of its own: each is quoted and escaped.
 * @param show makes foreign text safe for where the preview is shown.
 */
export function describePreview(parts: PreviewParts, show: Show, maxTokens = MOST_TOKENS): Preview {
  const bytes = Math.min(maxTokens, MOST_TOKENS) * 3;
  const lists = listsOf(parts, show, isAddressWhole(parts, bytes - NOTICE_BYTES));
  const all = layOut(parts, lists, bytes);
  if (all.notShown === 0) return { notShown: 0, text: () => all.lines.join('\n') };
  const { lines, notShown } = layOut(parts, lists, bytes - NOTICE_BYTES);
  const total = countAll(lists);
  return {
    notShown,
    text: (where = 'this call with dryRun: true') =>
      [
        `NOT SHOWN HERE, OR NOT WHOLE: ${notShown} OF ${total} MEMBERS. SEE ALL OF THEM BEFORE YOU AGREE: ${where}`,
        ...lines,
      ].join('\n'),
  };
}

/** What is listed, each list with the line above it. */
interface Lists {
  /** From what to what; undefined where there is nothing to compare with. */
  changes: Line[] | undefined;
  parameters: Line[];
  /** What is there now, of what is not compared. */
  now: Line[];
  /** What is sent and is part of no change. */
  content: { head: string; lines: Line[] } | undefined;
  warnings: Line[];
  /** Members of the body that a change sends as they are. */
  unchanged: number;
}

/** @param isAddressWhole what the address tells is not told again among the parameters */
function listsOf(parts: PreviewParts, show: Show, isAddressWhole: boolean): Lists {
  const { change, request } = parts;
  const { differences, sent = [], toldParameters } = change;
  const warnings = change.warnings.map((warning) => {
    const text = warningLine(change, warning, show, parts.isForCaller);
    return { text, short: text, members: 0 };
  });
  const told = isAddressWhole ? toldParameters : [];
  const known = { warnings, parameters: parameterLines({ ...parts, told }, show) };
  if (differences === undefined) {
    const now = change.before === undefined ? [] : describeMembers(change.before, show);
    return {
      ...known,
      changes: undefined,
      now: now.map(withoutMembers),
      content: bodyList(request.body, show),
      unchanged: 0,
    };
  }
  const others = sent.flatMap(({ segments, value }) => describeMembers(value, show, segments));
  const changes = changeLines(change, show);
  const shown = [...changes, ...others].reduce((sum, { members }) => sum + members, 0);
  return {
    ...known,
    changes,
    now: [],
    content: others.length === 0 ? undefined : { head: SENT, lines: others },
    unchanged: change.subject.kind === 'listing' ? 0 : Math.max(0, countMembers(request.body) - shown),
  };
}

/** It is not sent, so a cut of it hides nothing that is. */
const withoutMembers = (line: Line): Line => ({ ...line, members: 0 });

const SENT = 'Also sent, the values before are not known:';

function bodyList(body: unknown, show: Show): Lists['content'] {
  if (body === undefined) return undefined;
  const lines = describeMembers(body, show);
  if (lines.length > 1) return { head: 'Body:', lines };
  const text = `Body: ${describeValue(body, [], show, Infinity)}`;
  const short = `Body: ${describeValue(body, [], show)}`;
  return { head: '', lines: [{ text, short, members: countMembers(body) }] };
}

function countAll({ changes = [], parameters, content }: Lists): number {
  return [...changes, ...parameters, ...(content?.lines ?? [])].reduce(
    (sum, { members }) => sum + members,
    0,
  );
}

/** Within so many bytes: warnings get up to a quarter of the room, parameters up to half of the rest. */
function layOut(parts: PreviewParts, lists: Lists, bytes: number): FittedLines {
  const head = headLine(parts, bytes);
  const end = [...undoLine(parts), ...saveLine(parts), sellerLine(parts, bytes), requestLine(parts, bytes)];
  const reason = reasonLines(parts, bytes / 6);
  let room = bytes - sizeOf([head, ...reason, ...end]);
  const warnings = listed('Please check:', lists.warnings, Math.max(room / 4, 0));
  room -= sizeOf(warnings.lines);
  const parameters = listed('Parameters:', lists.parameters, Math.max(room / 2, 0));
  room -= sizeOf(parameters.lines);
  const now = listed('As it is now:', lists.now, Math.max(room / 4, 0));
  room -= sizeOf(now.lines);
  const changes = layOutChanges(parts.change, lists, head, room);
  room -= sizeOf(changes.lines) - sizeOf([head]);
  const content =
    lists.content === undefined
      ? { lines: [], notShown: 0 }
      : lists.content.head === ''
        ? fitLines(lists.content.lines, room, '')
        : listed(lists.content.head, lists.content.lines, room);
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

/** One change in the sentence that names its subject, several in a list below it. */
function layOutChanges(
  change: Change,
  { changes, content, unchanged }: Lists,
  head: string,
  bytes: number,
): FittedLines {
  // What is sent beside it may change something, whatever the compared members say.
  if (changes === undefined || (changes.length === 0 && content !== undefined))
    return { lines: [`${head}.`.replace(/\.{2}$/, '.')], notShown: 0 };
  const end = endWords(change, unchanged);
  if (changes.length === 0) {
    return { lines: [`${head}: no changes; the current state is already like this.`], notShown: 0 };
  }
  const [only] = changes;
  const sentence = `${head}${colonAfter(change)}${ended(only?.text ?? '')}${end === '' ? '' : ` ${end}`}`;
  if (changes.length === 1 && byteLength(sentence) <= Math.min(MOST_SENTENCE_BYTES, bytes)) {
    return { lines: [sentence], notShown: 0 };
  }
  const last = end === '' ? [] : [end];
  const fitted = fitLines(changes, bytes - sizeOf(last));
  // After a list that is cut, it would be read as "nothing but these".
  const closing = fitted.notShown === 0 ? last : [];
  return { lines: [`${head}, now -> then:`, ...fitted.lines, ...closing], notShown: fitted.notShown };
}

/** `Hamburg store (hh01), opening hours: ...`, but `LMP-1 "Lamp", Germany: price: ...`. */
function colonAfter({ places, subject }: Change): string {
  return subject.kind === 'operation' || places.length > 0 ? ': ' : ', ';
}

function ended(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}

function endWords({ isWhole, sent = [] }: Change, unchanged: number): string {
  if (isWhole && sent.length === 0) return NOTHING_ELSE;
  return unchanged > 0 ? `Members sent as they are: ${unchanged}.` : '';
}

function listed(head: string, lines: readonly Line[], bytes: number): FittedLines {
  if (lines.length === 0) return { lines: [], notShown: 0 };
  const fitted = fitLines(lines, bytes - sizeOf([head]));
  return { ...fitted, lines: [head, ...fitted.lines] };
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + byteLength(line) + 1, 0);
}

const VERBS: Readonly<Record<Effect, string>> = {
  ...{ read: 'Request', request: 'Request', write: 'Write', delete: 'Delete' },
};

/** `write`, `delete`, `request`. */
export function verbOf(operation: Operation, parameters: PreviewParts['parameters']): string {
  return VERBS[effectOfCall(operation, parameters)].toLowerCase();
}

/** What and where; the operation where nothing else is known of it. */
function headLine({ operation, parameters, change }: PreviewParts, bytes: number): string {
  const most = Math.min(MOST_NAME_BYTES, bytes / 8);
  const subject = subjectWords(change.subject, most);
  const what =
    subject ?? `${VERBS[effectOfCall(operation, parameters)]}: ${nameWithin(operation.name, most)}`;
  const where = placesWords(change.places);
  return where === '' ? what : `${what}, ${where}`;
}

/** For whom. */
export function sellerLine(
  { account, request }: { account: string; request: Pick<PreparedRequest, 'owner'> },
  bytes: number,
): string {
  const most = Math.min(MOST_NAME_BYTES, bytes / 8);
  const { sellerId, login, isGiven = false } = request.owner;
  const id = sellerId === undefined ? 'id not known' : nameWithin(sellerId, most);
  const seller = isGiven ? 'NOT VERIFIED, credentials given as arguments' : id;
  const client = login === undefined ? 'not known' : quoteWithin(login.clientId, most);
  return `Seller: ${seller}, client id ${client}, account ${account}`;
}

function reasonLines({ change: { noDifferences } }: PreviewParts, bytes: number): string[] {
  if (noDifferences === undefined) return [];
  // The service's words in it are marked already; the marks survive the cut.
  return [`The values before cannot be shown: ${shortenToTokens(escapeText(noDifferences), bytes / 3)}`];
}

/** Told before the yes. */
function undoLine({ change: { cannotUndo } }: PreviewParts): string[] {
  return cannotUndo === undefined ? [] : [`Cannot be undone afterwards: ${escapeText(cannotUndo)}`];
}

/** What happens here with the answer. */
function saveLine({ saveAs }: PreviewParts): string[] {
  return saveAs === undefined
    ? []
    : [`Documents of the answer are saved on this computer as ${quoteText(saveAs)}`];
}

const mostOfAddress = (bytes: number) => Math.min(MOST_URL_TOKENS, bytes / 12);

function isAddressWhole({ request }: PreviewParts, bytes: number): boolean {
  return byteLength(request.url) <= mostOfAddress(bytes) * 3;
}

/** A long address loses its end: what stands there is among the parameters, and the path is told by their names. */
function requestLine({ operation, parameters, request }: PreviewParts, bytes: number): string {
  const most = mostOfAddress(bytes);
  const verb = verbOf(operation, parameters);
  const head = `Request: ${verb} ${nameWithin(operation.name, most)}, ${request.method}`;
  // Our own address, percent-encoded: nothing in it needs delimiting.
  if (byteLength(request.url) <= most * 3) return `${head} ${request.url}`;
  const path = shortenToTokens(escapeText(operation.path), most / 2);
  const address = shortenToTokens(escapeText(request.owner.baseUrl), most / 2);
  return `${head} ${path} at ${address}`;
}

/** What a person reads before a write: for whom, everything that is sent, what it changes, and what is probably wrong with it. */

import type { PreparedRequest } from '../client/client.ts';
import { byteLength } from '../json.ts';
import { type Difference, formatPath } from '../json-difference.ts';
import { effectOfCall } from '../service/facts/effects.ts';
import type { Effect, Operation } from '../service/facts/operation.ts';
import { escapeText, quoteText } from '../text/escape-text.ts';
import { shortenToTokens } from '../text/shorten.ts';
import {
  countMembers,
  describeDifferences,
  describeMembers,
  describeValue,
  type Show,
} from './describe-difference.ts';
import { type FittedLines, fitLines, type Line } from './fit-lines.ts';
import { parameterLines } from './sent-parameters.ts';
import type { Warning } from './supply-source/warnings.ts';

export interface PreviewParts {
  operation: Operation;
  account: string;
  /** As the caller gave them; what the account fills in is in `request`. */
  parameters: Readonly<Record<string, unknown>>;
  request: PreparedRequest;
  /** Against the current state; undefined where it could not be read, or there is none to read. */
  differences?: readonly Difference[];
  /** Why there are no differences to show, where a reader would expect them. */
  noDifferences?: string;
  warnings: readonly Warning[];
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

/**
 * At most `maxTokens` long (never more than 2,000). Everything that is sent stands in it, or its first line says, in
 * capitals, how much does not. No text from outside can make a line of its own: each is quoted and escaped.
 * @param show makes foreign text safe for where the preview is shown.
 */
export function describePreview(parts: PreviewParts, show: Show, maxTokens = MOST_TOKENS): Preview {
  const bytes = Math.min(maxTokens, MOST_TOKENS) * 3;
  const lists = listsOf(parts, show);
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
  parameters: Line[];
  /** Undefined where nothing is sent but parameters. */
  content: { head: string; lines: Line[]; oneLine: boolean } | undefined;
  warnings: Line[];
}

function listsOf(parts: PreviewParts, show: Show): Lists {
  const { differences, request } = parts;
  const warnings = parts.warnings.map(({ segments, message }) => {
    const text = `${formatPath(segments, show)}: ${show(message)}`;
    return { text, short: text, members: 0 };
  });
  const content =
    differences === undefined ? bodyList(request.body, show) : changeList(differences, request.body, show);
  return { parameters: parameterLines(parts, show), content, warnings };
}

function bodyList(body: unknown, show: Show): Lists['content'] {
  if (body === undefined) return undefined;
  const lines = describeMembers(body, show);
  if (lines.length > 1) return { head: 'Body:', lines, oneLine: false };
  const text = `Body: ${describeValue(body, [], show, Infinity)}`;
  const short = `Body: ${describeValue(body, [], show)}`;
  return { head: '', lines: [{ text, short, members: countMembers(body) }], oneLine: true };
}

function changeList(differences: readonly Difference[], body: unknown, show: Show): Lists['content'] {
  const lines = describeDifferences(differences, show);
  const changed = differences.reduce((sum, { after }) => sum + countMembers(after), 0);
  const unchanged = countMembers(body) - changed;
  const rest = unchanged > 0 ? `; members sent as they are: ${unchanged}` : '';
  const head =
    differences.length === 0
      ? 'Changes: none; the current state is already like this.'
      : `Changes (${differences.length}), current state -> after the write${rest}:`;
  return { head, lines, oneLine: false };
}

function countAll({ parameters, content }: Lists): number {
  return [...parameters, ...(content?.lines ?? [])].reduce((sum, { members }) => sum + members, 0);
}

/** Within so many bytes: parameters get up to half of the room, warnings up to a third of the rest. */
function layOut(parts: PreviewParts, lists: Lists, bytes: number): FittedLines {
  const head = headLines(parts, bytes);
  const end = requestLine(parts, bytes);
  const reason = reasonLines(parts, bytes / 6);
  let room = bytes - sizeOf([...head, ...reason, end]);
  const parameters = listed('Parameters:', lists.parameters, Math.max(room / 2, 0));
  room -= sizeOf(parameters.lines);
  const warnings = listed('Probably wrong, though it can be sent:', lists.warnings, Math.max(room / 3, 0));
  room -= sizeOf(warnings.lines);
  const { content } = lists;
  const shown =
    content === undefined
      ? { lines: [], notShown: 0 }
      : content.oneLine
        ? fitLines(content.lines, room, '')
        : listed(content.head, content.lines, room);
  return {
    lines: [...head, ...parameters.lines, ...reason, ...shown.lines, ...warnings.lines, end],
    notShown: parameters.notShown + shown.notShown,
  };
}

function listed(head: string, lines: readonly Line[], bytes: number): FittedLines {
  if (lines.length === 0) return { lines: head.startsWith('Changes') ? [head] : [], notShown: 0 };
  const fitted = fitLines(lines, bytes - sizeOf([head]));
  return { ...fitted, lines: [head, ...fitted.lines] };
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + byteLength(line) + 1, 0);
}

const VERBS: Readonly<Record<Effect, string>> = {
  ...{ read: 'Request', request: 'Request', write: 'Write', delete: 'Delete' },
};

function headLines({ operation, account, parameters, request }: PreviewParts, bytes: number): string[] {
  const most = Math.min(MOST_NAME_BYTES, bytes / 8);
  const { sellerId, login, isGiven = false } = request.owner;
  const id = sellerId === undefined ? 'id not known' : nameWithin(sellerId, most);
  const seller = isGiven ? 'NOT VERIFIED, credentials given as arguments' : id;
  const client = login === undefined ? 'not known' : quoteWithin(login.clientId, most);
  return [
    `${VERBS[effectOfCall(operation, parameters)]}: ${nameWithin(operation.name, most)}, account ${account}`,
    `Seller: ${seller}, client id ${client}`,
  ];
}

/** As it is where it can only be a name, quoted otherwise. */
function nameWithin(name: string, bytes: number): string {
  return /^[\w-]+$/.test(name) && name.length <= bytes ? name : quoteWithin(name, bytes);
}

/** Spelled out, one character can take eight bytes. */
const MOST_BYTES_A_CHARACTER = 8;

function quoteWithin(text: string, bytes: number): string {
  const whole = quoteText(text);
  if (byteLength(whole) <= bytes) return whole;
  const kept = text.slice(0, bytes / MOST_BYTES_A_CHARACTER);
  return `${quoteText(kept)}... (${text.length - kept.length} more characters)`;
}

function reasonLines({ noDifferences }: PreviewParts, bytes: number): string[] {
  if (noDifferences === undefined) return [];
  // The service's words in it are marked already; the marks survive the cut.
  return [`The changes cannot be shown: ${shortenToTokens(escapeText(noDifferences), bytes / 3)}`];
}

/** A long address loses its end: what stands there is among the parameters, and the path is told by their names. */
function requestLine({ operation, request }: PreviewParts, bytes: number): string {
  const most = Math.min(MOST_URL_TOKENS, bytes / 12);
  // Our own address, percent-encoded: nothing in it needs delimiting.
  if (byteLength(request.url) <= most * 3) return `Request: ${request.method} ${request.url}`;
  const path = shortenToTokens(escapeText(operation.path), most / 2);
  const address = shortenToTokens(escapeText(request.owner.baseUrl), most / 2);
  return `Request: ${request.method} ${path} at ${address}`;
}

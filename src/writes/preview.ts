/** What a person reads before a write: the request, what it changes, and what is probably wrong with it. */

import type { PreparedRequest } from '../client/client.ts';
import { type Difference, formatPath } from '../json-difference.ts';
import type { Operation } from '../service/facts/operation.ts';
import { shortenToTokens, takeLines, tokensOf } from '../text/shorten.ts';
import { describeDifferences, describeMembers, describeValue, type Show } from './describe-difference.ts';
import type { Warning } from './supply-source/warnings.ts';

export interface PreviewParts {
  operation: Operation;
  account: string;
  request: PreparedRequest;
  /** Against the current state; undefined where it could not be read, or there is none to read. */
  differences?: readonly Difference[];
  /** Why there are no differences to show, where a reader would expect them. */
  noDifferences?: string;
  warnings: readonly Warning[];
}

/** Long enough for any edit that a person reads before saying yes. */
const MOST_TOKENS = 2_000;
const MOST_URL_TOKENS = 200;

/**
 * At most `maxTokens` long (never more than 2,000); what is not shown is counted.
 * @param show makes foreign text safe for where the preview is shown.
 */
export function describePreview(parts: PreviewParts, show: Show, maxTokens = MOST_TOKENS): string {
  const { operation, account, request } = parts;
  const head = `${operation.effect === 'delete' ? 'Delete' : 'Write'}: ${operation.name}, account ${account}`;
  const end = [
    ...filledInLines(request, show),
    // Our own address, percent-encoded: nothing in it needs delimiting.
    `Request: ${request.method} ${shortenToTokens(request.url, MOST_URL_TOKENS)}`,
  ];
  const room = Math.min(maxTokens, MOST_TOKENS) - tokensOfLines([head, ...end]);
  const warnings = warningLines(parts.warnings, show, room / 3);
  const changes = changeLines(parts, show, room - tokensOfLines(warnings));
  return [head, ...changes, ...warnings, ...end].join('\n');
}

function tokensOfLines(lines: readonly string[]): number {
  return tokensOf(lines.map((line) => `${line}\n`).join(''));
}

function filledInLines({ filledIn }: PreparedRequest, show: Show): string[] {
  const filled = Object.entries(filledIn).map(([name, value]) => `${name} = ${show(value)}`);
  return filled.length === 0 ? [] : [`Taken from the account: ${filled.join(', ')}`];
}

function changeLines(
  { differences, noDifferences, request }: PreviewParts,
  show: Show,
  maxTokens: number,
): string[] {
  if (differences?.length === 0) return ['Changes: none; the current state is already like this.'];
  if (differences !== undefined) {
    const head = `Changes (${differences.length}), current state -> after the write:`;
    return [head, ...listed(describeDifferences(differences, show), maxTokens - tokensOfLines([head]))];
  }
  const reason =
    noDifferences === undefined
      ? []
      : [`The changes cannot be shown: ${shortenToTokens(noDifferences, maxTokens / 3)}`];
  return [...reason, ...bodyLines(request.body, show, maxTokens - tokensOfLines(reason))];
}

/** On one line where it is short, otherwise a line for each member. */
function bodyLines(body: unknown, show: Show, maxTokens: number): string[] {
  if (body === undefined) return [];
  const [first = '', ...others] = describeMembers(body, show);
  if (others.length === 0) return [`Body: ${describeValue(body, [], show)}`];
  return ['Body:', ...listed([first, ...others], maxTokens - 10)];
}

function warningLines(warnings: readonly Warning[], show: Show, maxTokens: number): string[] {
  if (warnings.length === 0) return [];
  const lines = warnings.map(({ segments, message }) => `${formatPath(segments, show)}: ${show(message)}`);
  return ['Probably wrong, though it can be sent:', ...listed(lines, maxTokens - 15)];
}

/** Indented, as many as fit. */
function listed(lines: readonly string[], maxTokens: number): string[] {
  const indented = lines.map((line) => `  ${line}`);
  return takeLines(indented, maxTokens, (rest) => `  ... and ${rest} more lines that are not listed here`);
}

/** The single catch: turns whatever was thrown into what the assistant reads; never a stack, never a secret. */

import type { CallToolResult } from '@modelcontextprotocol/server';
import { ApiError, AppError, CancelledError, InputError } from '../base/errors.ts';
import { escapeBlock, escapeText } from '../base/text/escape-text.ts';
import { shortenToTokens, takeLines, tokensOf } from '../base/text/shorten.ts';

/** Longest text of an error, in tokens, within the answer budget: a service can make one as long as it likes. */
const MOST_TOKENS = 1_000;

const UNEXPECTED = {
  message: 'Something went wrong inside seller-commerce-mcp; your request may be right.',
  hint: 'Try it once more. If it happens again, start the server with --log-level debug and report what stderr says.',
};

/**
 * What happened, why if known, what to do next. Hidden characters are spelled out.
 * @param redact takes every secret out, before anything is cut: half of one would not be known
 * @param budget of an answer, in tokens; an error takes at most 1,000 of it
 */
export function errorText(error: unknown, redact: (text: string) => string, budget = MOST_TOKENS): string {
  const most = Math.min(budget, MOST_TOKENS);
  const hint = redact(error instanceof AppError ? error.hint : UNEXPECTED.hint);
  const head = shortenToTokens(escapeBlock(redact(messageOf(error))), most * 0.65);
  const end = shortenToTokens(escapeBlock(hint), most * 0.3);
  const lines = error instanceof InputError ? problemLines(error, redact) : [];
  const room = most - tokensOf(`${head}\n${end}\n`);
  const shown = takeLines(lines, room, (rest) => `... and ${rest} more problems`);
  return [head, ...shown, end].filter((part) => part !== '').join('\n');
}

/** What happened; of what is no error of ours, nothing. */
export function messageOf(error: unknown): string {
  return error instanceof AppError ? error.message : UNEXPECTED.message;
}

/** What the message itself tells already is not repeated. */
function problemLines({ message: whole, problems }: InputError, redact: (text: string) => string): string[] {
  return problems
    .filter(({ path, message }) => !whole.includes(`${path} ${message}`))
    .map(({ path, message }) => {
      const place = path === '' ? '(whole)' : shortenToTokens(redact(path), 100);
      return `- ${place}: ${shortenToTokens(redact(message), 150)}`;
    })
    .map(escapeText);
}

/** True when there is nothing that a maintainer would want to see in the log. */
export function isExpected(error: unknown): boolean {
  return error instanceof AppError;
}

/** An `isError` result; `redact` takes every secret out of the text. */
export function errorResult(
  error: unknown,
  redact: (text: string) => string,
  budget?: number,
): CallToolResult {
  const text = redact(errorText(error, redact, budget));
  const kind = error instanceof AppError ? error.name : 'InternalError';
  const meta = error instanceof ApiError ? apiErrorFacts(error, redact) : {};
  return {
    isError: true,
    content: [{ type: 'text', text }],
    _meta: {
      'seller-commerce-mcp/error': { kind, ...meta, cancelled: error instanceof CancelledError || undefined },
    },
  };
}

/** Longest text of one header in a structured form, in characters. */
export const MOST_HEADER = 150;

/** The request id is the service's text like any other. */
function apiErrorFacts({ status, requestId }: ApiError, redact: (text: string) => string) {
  return { status, ...(requestId === undefined ? {} : { requestId: redact(requestId.data(MOST_HEADER)) }) };
}

/**
 * The single catch: it turns any thrown value into a result for the assistant, without stacks and secrets.
 */

import type { CallToolResult } from '@modelcontextprotocol/server';
import { ApiError, AppError, CancelledError, InputError } from '../base/errors.ts';
import { escapeBlock, escapeText } from '../base/text/escape-text.ts';
import { shortenToTokens, takeLines, tokensOf } from '../base/text/shorten.ts';

/**
 * The limit of an error's text in tokens, within the answer budget, because a service can send one of any
 * length.
 */
const MAX_TOKENS = 1_000;

const UNEXPECTED = {
  message: 'Something went wrong inside seller-commerce-mcp; your request may be right.',
  hint: 'Try it once more. If it happens again, start the server with --log-level debug and report what stderr says.',
};

/**
 * Returns what happened, why if known, and what to do next. Hidden characters are spelled out.
 * @param redact removes every secret before anything is cut, because half of one would not be recognized
 * @param budget of an answer, in tokens; an error takes at most 1,000 of it
 */
export function errorText(error: unknown, redact: (text: string) => string, budget = MAX_TOKENS): string {
  const maxTokens = Math.min(budget, MAX_TOKENS);
  const hint = redact(error instanceof AppError ? error.hint : UNEXPECTED.hint);
  const head = shortenToTokens(escapeBlock(redact(errorMessageOf(error))), maxTokens * 0.65);
  const end = shortenToTokens(escapeBlock(hint), maxTokens * 0.3);
  const lines = error instanceof InputError ? problemLines(error, redact) : [];
  const room = maxTokens - tokensOf(`${head}\n${end}\n`);
  const shown = takeLines(lines, room, (rest) => `... and ${rest} more problems`);
  return [head, ...shown, end].filter((part) => part !== '').join('\n');
}

/** Returns the message of an error of ours; a generic one for any other. */
export function errorMessageOf(error: unknown): string {
  return error instanceof AppError ? error.message : UNEXPECTED.message;
}

/** Omits problems that the message itself has already. */
function problemLines({ message: whole, problems }: InputError, redact: (text: string) => string): string[] {
  return problems
    .filter(({ path, message }) => !whole.includes(`${path} ${message}`))
    .map(({ path, message }) => {
      const at = path === '' ? '(whole)' : shortenToTokens(redact(path), 100);
      return `- ${at}: ${shortenToTokens(redact(message), 150)}`;
    })
    .map(escapeText);
}

/** True for an error that no maintainer needs to see in the log. */
export function isExpectedError(error: unknown): boolean {
  return error instanceof AppError;
}

/** Returns an `isError` result; `redact` removes every secret from the text. */
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

/** The limit in characters of one header in a structured form. */
export const MAX_HEADER_CHARACTERS = 150;

/** The request id is untrusted text too, and is redacted. */
function apiErrorFacts({ status, requestId }: ApiError, redact: (text: string) => string) {
  return {
    status,
    ...(requestId === undefined ? {} : { requestId: redact(requestId.data(MAX_HEADER_CHARACTERS)) }),
  };
}

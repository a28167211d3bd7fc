/** The single catch: turns whatever was thrown into what the assistant reads; never a stack, never a secret. */

import type { CallToolResult } from '@modelcontextprotocol/server';
import { ApiError, AppError, CancelledError, InputError } from '../errors.ts';

/** What happened, why if known, what to do next. */
export function errorText(error: unknown): string {
  if (error instanceof InputError) return inputErrorText(error);
  if (error instanceof AppError) return [error.message, error.hint].filter((part) => part !== '').join('\n');
  return [
    'Something went wrong inside seller-commerce-mcp; your request may be right.',
    'Try it once more. If it happens again, start the server with --log-level debug and report what stderr says.',
  ].join('\n');
}

/** What the message itself tells already is not repeated. */
function inputErrorText(error: InputError): string {
  const lines = error.problems
    .filter(({ path, message }) => !error.message.includes(`${path} ${message}`))
    .map(({ path, message }) => `- ${path === '' ? '(whole)' : path}: ${message}`);
  return [error.message, ...lines, error.hint].filter((part) => part !== '').join('\n');
}

/** True when there is nothing that a maintainer would want to see in the log. */
export function isExpected(error: unknown): boolean {
  return error instanceof AppError;
}

/** An `isError` result; `redact` takes every secret out of the text. */
export function errorResult(error: unknown, redact: (text: string) => string): CallToolResult {
  const text = redact(errorText(error));
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

/** The request id is the service's text like any other. */
function apiErrorFacts({ status, requestId }: ApiError, redact: (text: string) => string) {
  return { status, ...(requestId === undefined ? {} : { requestId: redact(requestId) }) };
}

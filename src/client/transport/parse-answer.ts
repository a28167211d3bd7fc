/** From bytes to an answer: valid UTF-8, JSON that is not too deep, no number changed on the way. */

import { isUtf8 } from 'node:buffer';
import { NetworkError } from '../../errors.ts';
import { MAX_DEPTH, nestsDeeperThan } from '../../json.ts';
import { howToCheck } from '../api-error.ts';
import type { ApiRequest, ApiResponse } from '../types.ts';
import type { RawAnswer } from './http-exchange.ts';

/**
 * A success that cannot be read is an error, a failure never is: its status says enough.
 * @throws NetworkError for a 2xx answer whose body is too large, cut short or not JSON.
 */
export function parseAnswer(
  answer: RawAnswer,
  request: ApiRequest,
  limit: number,
): ApiResponse | Promise<ApiResponse> {
  const { status, failure } = answer;
  if (failure !== undefined) {
    if (status < 200 || status >= 300) return toResponse(answer, undefined);
    throw unreadable(failure, BODY_FAILURES[failure](limit), request);
  }
  const json = parseJsonBytes(answer.body);
  return json instanceof Promise
    ? json.then((read) => judge(read, answer, request))
    : judge(json, answer, request);
}

function toResponse({ status, headers, body: { length } }: RawAnswer, body: unknown): ApiResponse {
  return { status, headers, body, bytes: length };
}

function judge(json: ParsedJson, answer: RawAnswer, request: ApiRequest): ApiResponse {
  const { status } = answer;
  const done = (body: unknown) => toResponse(answer, body);
  const failed = status < 200 || status >= 300;
  if (json.ok) return done(json.value);
  if (failed) return done(undefined);
  if (isHtml(answer)) throw unreadable('NOT_JSON', 'the answer is a web page (HTML), not JSON', request);
  if (json.code === 'INVALID_JSON' && isPlainText(answer, request)) return done(answer.body.toString('utf8'));
  throw unreadable(json.code, json.message, request);
}

const BODY_FAILURES = {
  BODY_TOO_LARGE: (limit: number) => `the answer is larger than ${limit} bytes (setting max-response-bytes)`,
  BODY_CUT_SHORT: () => 'the compressed answer ends too early',
  BAD_ENCODING: () => 'the answer is not in the encoding that it claims',
};

function unreadable(code: string, what: string, request: ApiRequest): NetworkError {
  const host = new URL(request.url).host;
  // A success status came back, so the service did receive the request.
  const hint = [howToCheck(request), HINTS[code] ?? ''].filter((part) => part !== '').join(' ');
  return new NetworkError(code, 'unknown', `${request.operation.name}: ${host} answered, but ${what}.`, hint);
}

const HINTS: Readonly<Record<string, string>> = {
  NOT_JSON: 'Check the address: a login page or a proxy may stand in between.',
  BODY_TOO_LARGE: 'Ask for less (fewer included data, a smaller page), or raise the limit.',
};

function isHtml(answer: RawAnswer): boolean {
  const type = answer.headers['content-type'] ?? '';
  return /html/i.test(type) || /^\s*<(!doctype|html)/i.test(answer.body.subarray(0, 200).toString('latin1'));
}

/** Section 2.4 does not show what a write answers: a plain word after a 2xx is kept as it is. */
function isPlainText(answer: RawAnswer, request: ApiRequest): boolean {
  return request.operation.effect !== 'read' && /^text\/plain/i.test(answer.headers['content-type'] ?? '');
}

type ParsedJson =
  | { ok: true; value: unknown }
  | { ok: false; code: 'INVALID_UTF8' | 'INVALID_JSON' | 'TOO_DEEP'; message: string };

/** Sixteen digits in a row, a dot among them or not, or a large exponent: only there a number can lose something. */
const MAY_LOSE_DIGITS = /\d[\d.]{15}|\d[eE][+-]?\d{3}/;

/** Empty bytes are `undefined`. Integers beyond 2^53 and decimals that a number cannot hold stay as text. */
export function parseJsonBytes(bytes: Buffer): ParsedJson | Promise<ParsedJson> {
  if (bytes.length === 0) return { ok: true, value: undefined };
  if (!isUtf8(bytes)) return refused('INVALID_UTF8', 'the answer is not valid UTF-8');
  if (nestsDeeperThan(bytes)) {
    return refused('TOO_DEEP', `the answer is JSON nested deeper than ${MAX_DEPTH} levels`);
  }
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (text.trim() === '') return { ok: true, value: undefined };
  try {
    const value: unknown = JSON.parse(text);
    return MAY_LOSE_DIGITS.test(text) ? parseLossless(text) : { ok: true, value };
  } catch {
    return refused('INVALID_JSON', 'the answer is not valid JSON');
  }
}

function refused(code: 'INVALID_UTF8' | 'INVALID_JSON' | 'TOO_DEEP', message: string): ParsedJson {
  return { ok: false, code, message };
}

/** @param text that `JSON.parse` has accepted. */
async function parseLossless(text: string): Promise<ParsedJson> {
  const lossless = await import('lossless-json');
  const parseNumber = (digits: string) => (lossless.isSafeNumber(digits) ? Number(digits) : digits);
  const onDuplicateKey = ({ newValue }: { newValue: unknown }) => newValue;
  try {
    return { ok: true, value: lossless.parse(text, undefined, { parseNumber, onDuplicateKey }) };
  } catch {
    return refused('INVALID_JSON', 'the answer is not valid JSON');
  }
}

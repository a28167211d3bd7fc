/** Parses the bytes of an answer: valid UTF-8, JSON that is neither too deep nor too large, with every number unchanged. */

import { isUtf8 } from 'node:buffer';
import { NetworkError } from '../../base/errors.ts';
import { LARGE_BYTES, yieldToEventLoop } from '../../base/event-loop.ts';
import { exceedsBounds, MAX_DEPTH } from '../../base/json.ts';
import { count } from '../../base/text/format-value.ts';
import { howToCheck, MAX_FAILURE_BYTES } from '../api-error.ts';
import type { AnswerBound, ApiRequest, ApiResponse, FindPaths } from '../api-request.ts';
import type { RawAnswer } from './http-exchange.ts';

/**
 * Values and member names that one answer may hold: about 3 MB of the service's usual JSON, ten times its largest page.
 * What is made of them takes memory and time by their number, not by their bytes, and holds the process meanwhile.
 */
export const MAX_ANSWER_VALUES = 300_000;

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
    const { bound } = request;
    if (failure === 'BODY_TOO_LARGE' && limit === bound?.maxBytes)
      throw unreadable(failure, largerThan(bound), request, bound.hint());
    throw unreadable(failure, BODY_FAILURES[failure](limit), request);
  }
  const isSuccess = status >= 200 && status < 300;
  if (!isSuccess && answer.body.length > MAX_FAILURE_BYTES) return toResponse(answer, undefined);
  const json = parseJsonBytes(answer.body);
  return json instanceof Promise
    ? json.then((read) => judge(read, answer, request))
    : judge(json, answer, request);
}

function toResponse(
  { status, headers, body: { length } }: RawAnswer,
  body: unknown,
  findNumbersAsText?: FindPaths,
): ApiResponse {
  return {
    status,
    headers,
    body,
    findNumbersAsText,
    bytes: length,
  };
}

function judge(json: ParsedJson, answer: RawAnswer, request: ApiRequest): ApiResponse {
  const { status } = answer;
  const done = (body: unknown) => toResponse(answer, body);
  const failed = status < 200 || status >= 300;
  if (json.ok) return toResponse(answer, json.value, json.findNumbersAsText);
  if (failed) return done(undefined);
  if (isHtml(answer)) throw unreadable('NOT_JSON', 'the answer is a web page (HTML), not JSON', request);
  if (MAY_BE_TEXT.has(json.code) && isPlainText(answer, request)) return done(answer.body.toString('utf8'));
  throw unreadable(json.code, json.message, request);
}

/** Problems of a body that may be text, whose commas count no values. */
const MAY_BE_TEXT: ReadonlySet<string> = new Set(['INVALID_JSON', 'TOO_MANY_VALUES']);

const BODY_FAILURES = {
  BODY_TOO_LARGE: (limit: number) => `the answer is larger than ${limit} bytes (setting max-response-bytes)`,
  BODY_CUT_SHORT: () => 'the compressed answer ends too early',
  BAD_ENCODING: () => 'the answer is not in the encoding that it claims',
};

const largerThan = ({ maxBytes }: AnswerBound) =>
  `the answer is larger than ${count(maxBytes)} bytes, the most that is read of it`;

function unreadable(code: string, what: string, request: ApiRequest, next = HINTS[code] ?? ''): NetworkError {
  const host = new URL(request.url).host;
  // A success status came back, so the service did receive the request.
  const hint = [howToCheck(request), next].filter((part) => part !== '').join(' ');
  return new NetworkError(code, 'unknown', `${request.operation.name}: ${host} answered, but ${what}.`, hint);
}

const HINTS: Readonly<Record<string, string>> = {
  NOT_JSON: 'Check the address: a login page or a proxy may stand in between.',
  BODY_TOO_LARGE: 'Ask for less (fewer included data, a smaller page), or raise the limit.',
  TOO_MANY_VALUES: 'Ask for less: fewer included data, a smaller page (pageSize), a shorter span of time.',
};

function isHtml(answer: RawAnswer): boolean {
  const type = answer.headers['content-type'] ?? '';
  return /html/i.test(type) || /^\s*<(!doctype|html)/i.test(answer.body.subarray(0, 200).toString('latin1'));
}

/** Section 2.4 does not show what a write answers: a plain word after a 2xx is kept as it is. */
function isPlainText(answer: RawAnswer, request: ApiRequest): boolean {
  return request.operation.effect !== 'read' && /^text\/plain/i.test(answer.headers['content-type'] ?? '');
}

type Unreadable = 'INVALID_UTF8' | 'INVALID_JSON' | 'TOO_DEEP' | 'TOO_MANY_VALUES';
export type ParsedJson =
  | { ok: true; value: unknown; findNumbersAsText?: FindPaths }
  | { ok: false; code: Unreadable; message: string };

/** Sixteen digits in a row, a dot among them or not, or a large exponent: only there a number can lose something. */
const MAY_LOSE_DIGITS = /\d[\d.]{15}|\d[eE][+-]?\d{3}/;

/** Empty bytes are `undefined`. Integers beyond 2^53 and decimals that a number cannot hold stay as text. */
export function parseJsonBytes(bytes: Buffer): ParsedJson | Promise<ParsedJson> {
  if (bytes.length === 0) return { ok: true, value: undefined };
  if (!isUtf8(bytes)) return refused('INVALID_UTF8', 'the answer is not valid UTF-8');
  const bound = exceedsBounds(bytes, { depth: MAX_DEPTH, values: MAX_ANSWER_VALUES });
  if (bound !== undefined) return EXCEEDED[bound];
  return bytes.length < LARGE_BYTES ? parseBounded(bytes) : parseInTurns(bytes);
}

/** Parses the body with turns for other calls before and after, because each step takes time. */
async function parseInTurns(bytes: Buffer): Promise<ParsedJson> {
  await yieldToEventLoop(bytes.length);
  const read = await parseBounded(bytes);
  await yieldToEventLoop(bytes.length);
  return read;
}

function parseBounded(bytes: Buffer): ParsedJson | Promise<ParsedJson> {
  const text = withoutMark(bytes.toString('utf8'));
  if (text.trim() === '') return { ok: true, value: undefined };
  try {
    const value: unknown = JSON.parse(text);
    return MAY_LOSE_DIGITS.test(text) ? parseLossless(bytes, value) : { ok: true, value };
  } catch {
    return refused('INVALID_JSON', 'the answer is not valid JSON');
  }
}

/** Some services begin with a byte order mark. */
const withoutMark = (text: string) => (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);

function refused(code: Unreadable, message: string): ParsedJson {
  return { ok: false, code, message };
}

const EXCEEDED = {
  depth: refused('TOO_DEEP', `the answer is JSON nested deeper than ${MAX_DEPTH} levels`),
  values: refused(
    'TOO_MANY_VALUES',
    `the answer holds more than ${MAX_ANSWER_VALUES} values and member names, which is the most that is read`,
  ),
};

/** @param bytes that `JSON.parse` has accepted. @param plain what it made of them */
async function parseLossless(bytes: Buffer, plain: unknown): Promise<ParsedJson> {
  const { findQuoted, quoteUnsafeNumbers } = await import('./lossless-numbers.ts');
  await yieldToEventLoop(bytes.length);
  const quoted = quoteUnsafeNumbers(bytes);
  if (quoted.length === bytes.length) return { ok: true, value: plain };
  const value: unknown = JSON.parse(withoutMark(quoted.toString('utf8')));
  return { ok: true, value, findNumbersAsText: () => findQuoted(plain, value) };
}

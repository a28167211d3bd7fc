/** A raw answer becomes a parsed one; a success that cannot be read is an error, a failure never is. */

import { type Fate, NetworkError } from '../../errors.ts';
import type { ApiRequest, ApiResponse } from '../types.ts';
import { howToCheck } from '../write-fate.ts';
import type { RawAnswer } from './http-exchange.ts';
import { readJson } from './read-json.ts';

/** @throws NetworkError for a 2xx answer whose body is too large, cut short or not JSON. */
export async function readAnswer(
  answer: RawAnswer,
  request: ApiRequest,
  limit: number,
): Promise<ApiResponse> {
  const { status, headers } = answer;
  const done = (body: unknown) => ({ status, headers, body, bytes: answer.body.length });
  const failed = status < 200 || status >= 300;
  if (answer.failure !== undefined) {
    if (failed) return done(undefined);
    throw unreadable(answer.failure, BODY_FAILURES[answer.failure](limit), request);
  }
  const json = await readJson(answer.body);
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
  const fate: Fate = 'unknown';
  const hint = [howToCheck(request), HINTS[code] ?? ''].filter((part) => part !== '').join(' ');
  return new NetworkError(code, fate, `${request.operation.name}: ${host} answered, but ${what}.`, hint);
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

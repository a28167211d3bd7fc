/** What the service says to a request that was read whole: token, rate, body, operation, in this order. */

import { randomUUID } from 'node:crypto';
import { isJsonObject } from '../json.ts';
import { type Answer, fail } from './answer.ts';
import { MAX_BODY_BYTES, parseBody } from './http.ts';
import { formatRate, type RateLimits } from './rate-limits.ts';
import type { Counter } from './records.ts';
import type { Replay, ReplayResult } from './replay.ts';
import type { Target } from './resolve-target.ts';
import type { Route } from './router.ts';
import { refuseKind, refuseToken, showsElement } from './tokens/access.ts';
import type { AccessToken } from './tokens/token-book.ts';
import { exchangeToken, parseTokenRequest, type TokenEndpoint } from './tokens/token-endpoint.ts';
import { ACCESS_TOKEN_HEADER, type SandboxOptions } from './types.ts';

export interface ServiceParts {
  options: SandboxOptions;
  routes: readonly Route[];
  replay: Replay;
  limits: RateLimits;
  tokens: TokenEndpoint;
  counter: Counter;
}

export interface Visit {
  method: string;
  /** Still encoded. */
  path: string;
  query: URLSearchParams;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
  target: Target;
  /** The body; undefined when it passed the limit. */
  text: string | undefined;
}

export interface Decision {
  answer: Answer;
  /** The declared case that answered. */
  caseId?: string;
}

type CallVisit = Visit & { target: Extract<Target, { kind: 'call' }> };

/** No await anywhere below, so that two writes never interleave. */
export function decide(parts: ServiceParts, visit: Visit): Decision {
  const { target } = visit;
  if (target.kind === 'refused') return { answer: target.answer };
  if (visit.text === undefined) {
    const error = { code: 'RequestTooLarge', message: `The body is larger than ${MAX_BODY_BYTES} bytes.` };
    return { answer: fail(413, error, target.kind === 'call' ? target.errorForm : 'object') };
  }
  if (target.kind === 'exchange') {
    const request = parseTokenRequest(visit.headers['content-type'] ?? '', visit.text);
    return { answer: exchangeToken(parts.tokens, request) };
  }
  try {
    return decideCall(parts, { ...visit, target }, visit.text);
  } catch {
    const error = { code: 'InternalFailure', message: 'The sandbox failed at this request.' };
    return { answer: fail(500, error, target.errorForm) };
  }
}

function decideCall(parts: ServiceParts, visit: CallVisit, text: string): Decision {
  const { target } = visit;
  const token = admit(parts, visit);
  if ('status' in token) return { answer: token };
  const body = parseBody(text);
  if ('problem' in body) {
    const error = { code: 'InvalidInput', message: `The body ${body.problem}.` };
    return { answer: fail(400, error, target.errorForm) };
  }
  return answerCall(parts, visit, token, body.value);
}

/** The access token of a call that may pass, or the refusal. */
function admit(parts: ServiceParts, visit: CallVisit): AccessToken | Answer {
  const { method, path, headers, target } = visit;
  const header = (parts.options.accessTokenHeader ?? ACCESS_TOKEN_HEADER).toLowerCase();
  const verdict = parts.tokens.book.check(headers[header]);
  if ('refused' in verdict) {
    parts.counter.rejectedToken();
    return refuseToken(verdict.refused);
  }
  const refusal = refuseKind(verdict.token, target.auth, method, path);
  if (refusal !== undefined) return refusal;
  const waitMs = parts.limits.take(limitName(visit));
  return waitMs > 0 ? tooMany(waitMs, parts.options.sendRetryAfter ?? false) : verdict.token;
}

/** What is only checked has a limit of its own. */
function limitName({ target, query }: Pick<CallVisit, 'target' | 'query'>): string {
  const isPreview = query.get('mode') === 'VALIDATION_PREVIEW';
  return isPreview ? `${target.operation} VALIDATION_PREVIEW` : target.operation;
}

function tooMany(waitMs: number, sendRetryAfter: boolean): Answer {
  const message = 'You exceeded your quota for the requested resource.';
  const answer = fail(429, { code: 'QuotaExceeded', message, details: '' });
  const retryAfter = String(Math.ceil(waitMs / 1000));
  return sendRetryAfter ? { ...answer, headers: { 'retry-after': retryAfter } } : answer;
}

/** A case that names its parameters goes before the sandbox's own state, a general one after it. */
function answerCall(parts: ServiceParts, visit: CallVisit, token: AccessToken, body: unknown): Decision {
  const { route, params } = visit.target;
  const { query, headers } = visit;
  const replayed = parts.replay.answer({ ...visit, body });
  const named = replayed?.caseId !== undefined && !replayed.general;
  const casesAlone =
    parts.options.replayFirst && !(route !== undefined && isUndeclaredPurchase(visit, replayed));
  if (replayed !== undefined && (casesAlone || named || route === undefined)) {
    keepDeclaredToken(parts, visit.target.operation, body, replayed.answer);
    return { answer: replayed.answer, ...(replayed.caseId && { caseId: replayed.caseId }) };
  }
  if (route === undefined) throw new Error('resolved to neither a route nor a case');
  const shows = (element: string): boolean => showsElement(token, visit.method, visit.path, element);
  return { answer: route.handle({ params, query, headers, body, token, shows }) };
}

/** A client buys restricted data tokens by itself, for calls that are declared; the sandbox has to sell them. */
function isUndeclaredPurchase({ target }: CallVisit, replayed: ReplayResult | undefined): boolean {
  return target.operation === 'createRestrictedDataToken' && replayed?.caseId === undefined;
}

/** A declared restricted data token has to open the calls that follow. */
function keepDeclaredToken(parts: ServiceParts, operation: string, request: unknown, answer: Answer): void {
  if (operation !== 'createRestrictedDataToken' || !isJsonObject(answer.body) || !isJsonObject(request))
    return;
  const token = answer.body.restrictedDataToken;
  const resources = Array.isArray(request.restrictedResources) ? request.restrictedResources : [];
  if (typeof token !== 'string') return;
  const known = resources
    .filter(isJsonObject)
    .map(({ method, path }) => ({ method: `${method}`, path: `${path}` }));
  parts.tokens.book.issue('restricted', known, token);
}

/** Headers of section 4.2, under the documented or the public names. */
export function replyHeaders(parts: ServiceParts, visit: Visit): Record<string, string> {
  const prefix = parts.options.headerStyle === 'public' ? 'x-amzn' : 'x-svc';
  const headers: Record<string, string> = { [`${prefix}-RequestId`]: randomUUID() };
  const { target, query } = visit;
  const limit = target.kind === 'call' ? parts.limits.limitOf(limitName({ target, query })) : undefined;
  if (limit !== undefined && (parts.options.sendRateHeader ?? true)) {
    headers[`${prefix}-RateLimit-Limit`] = formatRate(limit);
  }
  return headers;
}

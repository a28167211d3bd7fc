/** The way of one request through the sandbox: read, meet a fault perhaps, be decided, be answered and noted. */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { isJsonObject, parseJson } from '../src/base/json.ts';
import type { ServiceError } from '../src/service/document/error.ts';
import { fitsTemplate } from '../src/service/facts/path-template.ts';
import { type Answer, fail } from './answer.ts';
import { applyFault, type Faults } from './faults.ts';
import { MAX_BODY_BYTES, parseBody, readBody, sendAnswer } from './http.ts';
import { formatRate, type RateLimits } from './rate-limits.ts';
import type { Counter, Recorder } from './records.ts';
import type { Replay, ReplayResult } from './replay.ts';
import { resolveTarget, type Target } from './resolve-target.ts';
import type { Route } from './router.ts';
import type { AccessToken, TokenBook, TokenVerdict } from './tokens/token-book.ts';
import {
  ACCESS_TOKEN_HEADER,
  type Fault,
  type RecordedRequest,
  type SandboxCredentials,
  type SandboxOptions,
} from './types.ts';

export interface HandlerParts extends ServiceParts {
  faults: Faults;
  recorder: Recorder;
  /** Aborts when the sandbox closes. */
  stopped: AbortSignal;
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

export function createHandler(parts: HandlerParts): Listener {
  return (request, response) => {
    // A rejection means that the caller went away or the sandbox is closing: nobody is left to answer.
    serve(parts, request, response).catch(() => response.destroy());
  };
}

async function serve(parts: HandlerParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const visit = await readVisit(parts, request);
  const fault = parts.faults.take(visit.target.operation);
  const delayMs = (parts.options.latencyMs ?? 0) + (fault?.delayMs ?? 0);
  if (delayMs > 0) await sleep(delayMs, undefined, { signal: parts.stopped });
  const outcome = conclude(parts, visit, fault, response);
  note(parts, visit, outcome);
  if (outcome.answer !== 'cut') sendAnswer(response, outcome.answer, replyHeaders(parts, visit));
}

async function readVisit(parts: HandlerParts, request: IncomingMessage): Promise<Visit> {
  const url = request.url ?? '/';
  const at = url.indexOf('?');
  const path = at < 0 ? url : url.slice(0, at);
  const method = request.method ?? 'GET';
  return {
    method,
    path,
    query: new URLSearchParams(at < 0 ? '' : url.slice(at + 1)),
    headers: flatten(request.headers),
    target: resolveTarget(parts.routes, parts.replay, method, path),
    text: await readBody(request),
  };
}

const flatten = (headers: IncomingMessage['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]));

/** The outcome, with the fault in place of the service's own answer where one was asked for. */
function conclude(
  parts: HandlerParts,
  visit: Visit,
  fault: Fault | undefined,
  response: ServerResponse,
): Decision | { answer: 'cut'; caseId?: string } {
  if (fault === undefined) return decide(parts, visit);
  const effect = fault.when === 'after' ? decide(parts, visit) : undefined;
  const failure = applyFault(fault, response);
  if (failure === undefined) return effect ?? decide(parts, visit);
  return { answer: failure };
}

function note(parts: HandlerParts, visit: Visit, { answer, caseId }: ReturnType<typeof conclude>): void {
  const { method, path, target } = visit;
  const status = answer === 'cut' ? 0 : answer.status;
  if (target.operation !== undefined) {
    parts.counter.answered(target.operation, answer === 'cut' ? 'cut' : status);
  }
  parts.options.onAnswer?.({ method, path, operation: target.operation, status });
  if (target.kind === 'exchange') return;
  parts.recorder.add(() => describe(visit, caseId, status));
}

function describe(visit: Visit, caseId: string | undefined, status: number): RecordedRequest {
  const { method, path, query, headers, target, text = '' } = visit;
  const parsed = parseBody(text);
  return {
    method,
    path,
    query: Object.fromEntries([...new Set(query.keys())].map((name) => [name, query.getAll(name)])),
    headers,
    body: 'problem' in parsed ? text : parsed.value,
    operation: target.operation,
    caseId,
    status,
  };
}

// What the service says to a request that was read whole: token, rate, body, operation, in this order.

interface ServiceParts {
  options: SandboxOptions;
  routes: readonly Route[];
  replay: Replay;
  limits: RateLimits;
  tokens: TokenEndpoint;
  counter: Counter;
}

interface Visit {
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

interface Decision {
  answer: Answer;
  /** The declared case that answered. */
  caseId?: string;
}

type CallVisit = Visit & { target: Extract<Target, { kind: 'call' }> };

/** No await anywhere below, so that two writes never interleave. */
function decide(parts: ServiceParts, visit: Visit): Decision {
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
function replyHeaders(parts: ServiceParts, visit: Visit): Record<string, string> {
  const prefix = parts.options.headerStyle === 'public' ? 'x-amzn' : 'x-svc';
  const headers: Record<string, string> = { [`${prefix}-RequestId`]: randomUUID() };
  const { target, query } = visit;
  const limit = target.kind === 'call' ? parts.limits.limitOf(limitName({ target, query })) : undefined;
  if (limit !== undefined && (parts.options.sendRateHeader ?? true)) {
    headers[`${prefix}-RateLimit-Limit`] = formatRate(limit);
  }
  return headers;
}

// Whether an API call may pass: its token is good, and good for this call.

const DENIED = 'Access to requested resource is denied.';
const denied = (details: string): ServiceError => ({ code: 'Unauthorized', message: DENIED, details });

/** 401 for a token that is missing or unknown, 403 for one that has expired (the public service's words). */
function refuseToken(refused: Exclude<TokenVerdict, { token: unknown }>['refused']): Answer {
  if (refused === 'missing') return fail(401, denied('Access token is missing in the request header.'));
  if (refused === 'unknown') {
    return fail(401, denied('The access token you provided is revoked, malformed or invalid.'));
  }
  return fail(403, denied('The access token you provided has expired.'));
}

/** Whether a call with this token is shown a data element (`buyerInfo`). */
function showsElement(token: AccessToken, method: string, path: string, element: string): boolean {
  if (token.kind !== 'restricted') return false;
  const fitting = token.resources?.filter((one) => one.method === method && fitsTemplate(one.path, path));
  return fitting?.some(({ dataElements }) => dataElements?.includes(element) ?? true) ?? false;
}

/** Undefined when the token fits the call. */
function refuseKind(
  token: AccessToken,
  wanted: AccessToken['kind'] | undefined,
  method: string,
  path: string,
): Answer | undefined {
  if (token.kind === 'restricted') {
    if (token.resources?.some((one) => one.method === method && fitsTemplate(one.path, path)))
      return undefined;
    return fail(403, denied('The restricted data token does not cover this resource.'));
  }
  if (wanted === undefined || wanted === token.kind) return undefined;
  const need = {
    restricted: 'a restricted data token',
    grantless: 'a grantless token',
    seller: "a seller's token",
  };
  return fail(403, denied(`This operation needs ${need[wanted]}.`));
}

// The token exchange (section 4.1): refresh tokens for access tokens, and client credentials for grantless ones.

const nonEmpty = z.string().min(1);
const grantSchema = z.object({ grant_type: nonEmpty });
const clientSchema = z.object({ client_id: nonEmpty, client_secret: nonEmpty });
const refreshSchema = z.object({ refresh_token: nonEmpty });
const scopeSchema = z.object({ scope: z.string().regex(/^sellingpartnerapi::[\w:]+$/) });

interface TokenEndpoint {
  book: TokenBook;
  credentials: Readonly<SandboxCredentials>;
  lifetimeSeconds: number;
}

const refuse = (status: number, error: string, description: string): Answer => ({
  status,
  body: { error, error_description: description },
});

/** The members of a token request, sent as JSON or as a form. Undefined when it is neither. */
function parseTokenRequest(contentType: string, body: string): unknown {
  if (contentType.includes('application/x-www-form-urlencoded')) {
    return Object.fromEntries(new URLSearchParams(body));
  }
  return parseJson(body);
}

function exchangeToken(endpoint: TokenEndpoint, request: unknown): Answer {
  const grant = grantSchema.safeParse(request);
  if (!grant.success) {
    return refuse(400, 'invalid_request', 'The request is not JSON or a form, or lacks grant_type.');
  }
  const type = grant.data.grant_type;
  if (type !== 'refresh_token' && type !== 'client_credentials') {
    return refuse(400, 'unsupported_grant_type', 'The grant type is not supported.');
  }
  const client = clientSchema.safeParse(request);
  if (!client.success) {
    return refuse(400, 'invalid_request', 'The request lacks client_id or client_secret.');
  }
  const { clientId, clientSecret } = endpoint.credentials;
  if (client.data.client_id !== clientId || client.data.client_secret !== clientSecret) {
    return refuse(401, 'invalid_client', 'Client authentication failed.');
  }
  return type === 'refresh_token' ? refresh(endpoint, request) : grantless(endpoint, request);
}

function refresh({ book, lifetimeSeconds }: TokenEndpoint, request: unknown): Answer {
  const parsed = refreshSchema.safeParse(request);
  if (!parsed.success) return refuse(400, 'invalid_request', 'The request lacks refresh_token.');
  const successor = book.useRefreshToken(parsed.data.refresh_token);
  if (successor === undefined) {
    return refuse(400, 'invalid_grant', 'The request has an invalid grant parameter: refresh_token.');
  }
  return {
    status: 200,
    body: {
      access_token: book.issue('seller'),
      refresh_token: successor,
      token_type: 'bearer',
      expires_in: lifetimeSeconds,
    },
  };
}

function grantless({ book, lifetimeSeconds }: TokenEndpoint, request: unknown): Answer {
  if (!scopeSchema.safeParse(request).success) {
    return refuse(400, 'invalid_scope', 'The request lacks a scope, or names one that does not exist.');
  }
  return {
    status: 200,
    body: { access_token: book.issue('grantless'), token_type: 'bearer', expires_in: lifetimeSeconds },
  };
}

/** The way of one request through the sandbox: read, meet a fault perhaps, be decided, be answered and noted. */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { stringify } from 'lossless-json';
import * as z from 'zod';
import { byteLength, MAX_DEPTH, nestsTooDeep, parseJson } from '../src/base/json.ts';
import { fitsTemplate } from '../src/service/facts/path-template.ts';
import { type Answer, denied, fail, ok, Refusal, refuse } from './answer.ts';
import { applyFault, type Faults } from './faults.ts';
import { formatRate, type RateLimits } from './rate-limits.ts';
import type { Counter, Recorder } from './records.ts';
import { type Routes, resolveTarget, type Target } from './router.ts';
import {
  ACCESS_TOKEN_HEADER,
  type Fault,
  type RecordedRequest,
  type SandboxCredentials,
  type SandboxOptions,
} from './sandbox.ts';
import type { AccessToken, TokenBook } from './tokens/token-book.ts';

export interface HandlerParts extends ServiceParts {
  faults: Faults;
  recorder: Recorder;
  /** Aborts when the sandbox closes. */
  stopped: AbortSignal;
}

export function createHandler(parts: HandlerParts): RequestListener {
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
  if (outcome !== 'cut') sendAnswer(response, outcome, replyHeaders(parts, visit));
}

async function readVisit(parts: HandlerParts, request: IncomingMessage) {
  const url = request.url ?? '/';
  const at = url.indexOf('?');
  const path = at < 0 ? url : url.slice(0, at);
  const method = request.method ?? 'GET';
  return {
    method,
    /** Still encoded. */
    path,
    query: new URLSearchParams(at < 0 ? '' : url.slice(at + 1)),
    /** Lower-case names. */
    headers: flatten(request.headers),
    target: resolveTarget(parts.routes, method, path),
    /** The body; undefined when it passed the limit. */
    text: await readText(request),
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
): Answer | 'cut' {
  if (fault === undefined) return decide(parts, visit);
  const effect = fault.when === 'after' ? decide(parts, visit) : undefined;
  return applyFault(fault, response) ?? effect ?? decide(parts, visit);
}

function note(parts: HandlerParts, visit: Visit, answer: Answer | 'cut'): void {
  const { method, path, target } = visit;
  const status = answer === 'cut' ? 0 : answer.status;
  if (target.operation !== undefined) {
    parts.counter.answered(target.operation, answer === 'cut' ? 'cut' : status);
  }
  parts.options.onAnswer?.({ method, path, operation: target.operation, status });
  if (target.kind === 'exchange') return;
  parts.recorder.add(() => describe(visit, status));
}

function describe(visit: Visit, status: number): RecordedRequest {
  const { method, path, query, headers, target, text = '' } = visit;
  const parsed = parseBody(text);
  return {
    method,
    path,
    query: Object.fromEntries([...new Set(query.keys())].map((name) => [name, query.getAll(name)])),
    headers,
    body: 'problem' in parsed ? text : parsed.value,
    operation: target.operation,
    status,
  };
}

// The edge to node:http: reading a bounded body, parsing it, sending an answer.

const MAX_BODY_BYTES = 1_048_576;
const MAX_DRAINED_BYTES = 16 * MAX_BODY_BYTES;

/**
 * The body as text; undefined as soon as it passes the limit. What follows is read and dropped, so that the caller
 * gets to see the answer, but not without end.
 */
function readText(request: IncomingMessage): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
      else resolve(undefined);
      if (bytes > MAX_DRAINED_BYTES) request.destroy();
    });
    request.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.once('error', reject);
    request.once('close', () => {
      if (!request.complete) reject(new Error('the caller went away'));
    });
  });
}

/** @returns the value, undefined for no text, or a reason why it is not usable JSON. */
function parseBody(text: string): { value: unknown } | { problem: string } {
  if (text.trim() === '') return { value: undefined };
  if (nestsTooDeep(Buffer.from(text))) return { problem: `is nested deeper than ${MAX_DEPTH} levels` };
  const value = parseJson(text);
  return value === undefined ? { problem: 'is not valid JSON' } : { value };
}

/** Numbers kept as LosslessNumber go out digit by digit. */
function sendAnswer(
  response: ServerResponse,
  answer: Answer,
  headers: Readonly<Record<string, string>>,
): void {
  if (response.destroyed || response.headersSent) return;
  const text = answer.text ?? stringify(answer.body);
  const bodiless = text === undefined || answer.status === 204 || answer.status === 304;
  const about = bodiless ? {} : { 'content-type': 'application/json', 'content-length': byteLength(text) };
  response.writeHead(answer.status, { ...headers, ...about, ...answer.headers });
  response.end(bodiless ? undefined : text);
}

// Answers a request that was read whole: checks token, rate, body and operation, in this order.

interface ServiceParts {
  options: SandboxOptions;
  routes: Routes;
  now: () => number;
  limits: RateLimits;
  book: TokenBook;
  credentials: Readonly<SandboxCredentials>;
  lifetimeSeconds: number;
  counter: Counter;
}

type Visit = Awaited<ReturnType<typeof readVisit>>;

type CallVisit = Visit & { target: Extract<Target, { kind: 'call' }> };

/** No await anywhere below, so that two writes never interleave. */
function decide(parts: ServiceParts, visit: Visit): Answer {
  const { target } = visit;
  if (target.kind === 'refused') return target.answer;
  try {
    const { text } = visit;
    if (text === undefined) {
      const message = `The body is larger than ${MAX_BODY_BYTES} bytes.`;
      return refuse(413, { code: 'RequestTooLarge', message });
    }
    if (target.kind === 'call') return decideCall(parts, { ...visit, target }, text);
    const request = parseTokenRequest(visit.headers['content-type'] ?? '', text);
    return exchangeToken(parts, request);
  } catch (failure) {
    const refusal = failure instanceof Refusal ? failure : FAILED;
    const form = target.kind === 'call' ? target.errorForm : 'object';
    return fail(refusal.status, refusal.errors, refusal.form ?? form);
  }
}

const FAILED = new Refusal(500, [
  { code: 'InternalFailure', message: 'The sandbox failed at this request.' },
]);

function decideCall(parts: ServiceParts, visit: CallVisit, text: string): Answer {
  const token = admit(parts, visit);
  const body = parseBody(text);
  if ('problem' in body) refuse(400, { code: 'InvalidInput', message: `The body ${body.problem}.` });
  return answerCall(parts, visit, token, body.value);
}

/** The access token of a call that may pass. @throws Refusal */
function admit(parts: ServiceParts, visit: CallVisit): AccessToken {
  const { headers } = visit;
  const header = (parts.options.accessTokenHeader ?? ACCESS_TOKEN_HEADER).toLowerCase();
  const verdict = parts.book.check(headers[header]);
  if ('refused' in verdict) {
    parts.counter.rejectedToken();
    const [status, details] = REJECTED[verdict.refused];
    rejectToken(status, details);
  }
  refuseKind(verdict.token, visit);
  if (parts.limits.take(limitName(visit))) return verdict.token;
  const message = 'You exceeded your quota for the requested resource.';
  throw new Refusal(429, [{ code: 'QuotaExceeded', message, details: '' }], 'object');
}

/** A write that is only validated has a limit of its own. */
function limitName({ target, query }: Pick<CallVisit, 'target' | 'query'>): string {
  const isPreview = query.get('mode') === 'VALIDATION_PREVIEW';
  return isPreview ? `${target.operation} VALIDATION_PREVIEW` : target.operation;
}

function answerCall(parts: ServiceParts, visit: CallVisit, token: AccessToken, body: unknown): Answer {
  const { target, query, headers } = visit;
  const { operation, handle } = target.route;
  const shows = (element: string): boolean => showsElement(token, visit, element);
  return handle({ operation, now: parts.now(), params: target.params, query, headers, body, token, shows });
}

/** Headers of section 4.2, under the documented or the public names. */
function replyHeaders(parts: ServiceParts, visit: Visit): Record<string, string> {
  const prefix = parts.options.headerStyle === 'public' ? 'x-amzn' : 'x-svc';
  const headers: Record<string, string> = { [`${prefix}-RequestId`]: randomUUID() };
  const { target, query } = visit;
  const limit = target.kind === 'call' ? parts.limits.limitOf(limitName({ target, query })) : undefined;
  if (limit !== undefined) headers[`${prefix}-RateLimit-Limit`] = formatRate(limit);
  return headers;
}

// Whether an API call may pass: its token is good, and good for this call.

/** 401 for a token that is missing or unknown, 403 for one that has expired (the public service's words). */
const REJECTED = {
  missing: [401, 'Access token is missing in the request header.'],
  unknown: [401, 'The access token you provided is revoked, malformed or invalid.'],
  expired: [403, 'The access token you provided has expired.'],
} as const;

const NEEDED = {
  restricted: 'a restricted data token',
  grantless: 'a grantless token',
  seller: "a seller's token",
};

/** Finds the resources of a restricted data token that this call may read. */
const opened = ({ resources = [] }: AccessToken, { method, path }: CallVisit) =>
  resources.filter((one) => one.method === method && fitsTemplate(one.path, path));

/** Whether a call with this token is shown a data element (`buyerInfo`). */
const showsElement = (token: AccessToken, visit: CallVisit, element: string): boolean =>
  opened(token, visit).some(({ dataElements }) => dataElements?.includes(element) ?? true);

/** @throws Refusal for a token that does not fit the call. */
function refuseKind(token: AccessToken, visit: CallVisit): void {
  const wanted = visit.target.auth;
  if (token.kind === 'restricted') {
    if (opened(token, visit).length > 0) return;
    rejectToken(403, 'The restricted data token does not cover this resource.');
  }
  if (wanted !== undefined && wanted !== token.kind) {
    rejectToken(403, `This operation needs ${NEEDED[wanted]}.`);
  }
}

/** @throws Refusal always, in one form whatever the operation is. */
function rejectToken(status: number, details: string): never {
  throw new Refusal(status, [denied(details)], 'object');
}

// The token exchange (section 4.1): refresh tokens for access tokens, and client credentials for grantless ones.

const text = z.string().min(1).optional().catch(undefined);
const tokenRequestSchema = z
  .object({ grant_type: text, client_id: text, client_secret: text, refresh_token: text, scope: text })
  .partial()
  .catch({});
const SCOPE = /^sellingpartnerapi::[\w:]+$/;

const refuseToken = (status: number, error: string, description: string): Answer =>
  ok({ error, error_description: description }, status);

/** The members of a token request, sent as JSON or as a form. Undefined when it is neither. */
function parseTokenRequest(contentType: string, body: string): unknown {
  if (contentType.includes('application/x-www-form-urlencoded')) {
    return Object.fromEntries(new URLSearchParams(body));
  }
  return parseJson(body);
}

function exchangeToken({ book, credentials, lifetimeSeconds }: ServiceParts, given: unknown): Answer {
  const request = tokenRequestSchema.parse(given);
  const type = request.grant_type;
  if (type === undefined) {
    return refuseToken(400, 'invalid_request', 'The request is not JSON or a form, or lacks grant_type.');
  }
  if (type !== 'refresh_token' && type !== 'client_credentials') {
    return refuseToken(400, 'unsupported_grant_type', 'The grant type is not supported.');
  }
  const { client_id: clientId, client_secret: clientSecret, refresh_token: refreshToken } = request;
  if (clientId === undefined || clientSecret === undefined) {
    return refuseToken(400, 'invalid_request', 'The request lacks client_id or client_secret.');
  }
  if (clientId !== credentials.clientId || clientSecret !== credentials.clientSecret) {
    return refuseToken(401, 'invalid_client', 'Client authentication failed.');
  }
  const more = { token_type: 'bearer', expires_in: lifetimeSeconds };
  if (type === 'client_credentials') {
    if (SCOPE.test(request.scope ?? '')) return ok({ access_token: book.issue('grantless'), ...more });
    return refuseToken(400, 'invalid_scope', 'The request lacks a scope, or names one that does not exist.');
  }
  if (refreshToken === undefined)
    return refuseToken(400, 'invalid_request', 'The request lacks refresh_token.');
  const successor = book.useRefreshToken(refreshToken);
  if (successor === undefined) {
    return refuseToken(400, 'invalid_grant', 'The request has an invalid grant parameter: refresh_token.');
  }
  return ok({ access_token: book.issue('seller'), refresh_token: successor, ...more });
}

/**
 * The single address that clients connect to: reads the body, selects the session, and requires the scope.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  type AuthInfo,
  createMcpHandler,
  isJsonContentType,
  type McpServer,
  requireScopes,
} from '@modelcontextprotocol/server';
import { exceedsBounds, isJsonObject } from '../base/json.ts';
import { MAX_LINE_BYTES, MAX_LINE_VALUES } from '../protocol/line-assembler.ts';
import type { ListedTool } from '../protocol/listed-tool.ts';
import type { Session } from '../write/session.ts';
import { type Caller, keyOf, WRITE_SCOPE } from './caller/caller.ts';
import type { HttpRefusal } from './listen/refuse-request.ts';
import type { Subscriptions } from './subscriptions.ts';

/** Returns the additional scope that a call of the tool requires; the client then requests both scopes. */
export type ChallengeOf = (
  tool: Pick<ListedTool, 'annotations'>,
) => ReturnType<typeof requireScopes> | undefined;

export interface EndpointOptions {
  /**
   * Creates the server of one request, as the SDK requires.
   * @param only the called tool, if the request is a call
   */
  createServer(session: Session, challengeOf: ChallengeOf, only?: string): McpServer;
  subscriptions: Subscriptions;
  onError(error: Error): void;
}

export interface Endpoint {
  /**
   * Serves one request.
   * @returns the refusal, if the request is refused
   */
  serve(
    request: IncomingMessage,
    response: ServerResponse,
    who: RequestOwner,
  ): Promise<HttpRefusal | undefined>;
  close(): Promise<void>;
}

/** The caller of a request and the session that serves it. */
interface RequestOwner {
  caller: Caller;
  session: Session;
  auth: AuthInfo;
}

/** The maximum concurrent requests of one user, whose clients need only a few. */
const MAX_CONCURRENT_REQUESTS = 64;
/** The maximum for the SDK; the limit per user is reached long before. */
const MAX_SUBSCRIPTIONS = 10_000;

export function createEndpoint({ createServer, subscriptions, onError }: EndpointOptions): Endpoint {
  const served = new WeakMap<AuthInfo, { session: Session; only?: string | undefined }>();
  const inFlight = new Map<string, number>();
  const mcp = createMcpHandler(
    ({ authInfo }) => {
      const one = authInfo === undefined ? undefined : served.get(authInfo);
      if (one === undefined) throw new Error('a request without a session');
      return createServer(one.session, challengeOf, one.only);
    },
    { maxSubscriptions: MAX_SUBSCRIPTIONS, maxRequestBodySize: MAX_LINE_BYTES, onerror: onError },
  );

  const listen = (caller: Caller) =>
    toNodeHandler({
      async fetch(request, options) {
        const ended = subscriptions.open(caller, request.signal);
        if (ended === undefined) return tooManySubscriptions(options?.parsedBody);
        return answer(new Request(request, { signal: ended }), options);
      },
    });
  /**
   * The SDK must not decide whether the connection stays open: its event streams would retain one that the
   * client ends.
   */
  const answer: typeof mcp.fetch = async (request, options) => {
    const response = await mcp.fetch(request, options);
    response.headers.delete('connection');
    return response;
  };
  const call = toNodeHandler({ fetch: answer }, { onerror: onError });

  return {
    async serve(request, response, { caller, session, auth }) {
      // A client that disconnected during authentication emits no further `close`, so it is not counted.
      if (response.destroyed) return undefined;
      const userKey = keyOf(caller);
      const running = inFlight.get(userKey) ?? 0;
      if (running >= MAX_CONCURRENT_REQUESTS) return BUSY;
      inFlight.set(userKey, running + 1);
      response.once('close', () => {
        const left = (inFlight.get(userKey) ?? 1) - 1;
        if (left > 0) inFlight.set(userKey, left);
        else inFlight.delete(userKey);
      });
      // `Request` does not support this method, and no legitimate client sends it.
      if (request.method === 'TRACE') return METHOD;
      served.set(auth, { session });
      const withAuth = Object.assign(request, { auth });
      if (request.method !== 'POST') {
        await call(withAuth, response);
        return undefined;
      }
      const body = await readBody(request);
      if ('refusal' in body) return body.refusal;
      served.set(auth, { session, only: toolOf(body.json) });
      const isListening = isJsonObject(body.json) && body.json.method === 'subscriptions/listen';
      await (isListening ? listen(caller) : call)(withAuth, response, body.json);
      return undefined;
    },
    close: () => mcp.close(),
  };
}

const challengeOf: ChallengeOf = ({ annotations }) =>
  annotations.readOnlyHint ? undefined : requireScopes(WRITE_SCOPE);

function toolOf(message: unknown): string | undefined {
  if (!isJsonObject(message) || message.method !== 'tools/call' || !isJsonObject(message.params))
    return undefined;
  const { name } = message.params;
  return typeof name === 'string' ? name : undefined;
}

function tooManySubscriptions(body: unknown): Response {
  const id = isJsonObject(body) ? body.id : undefined;
  const message = 'You listen with as many streams as one person may; close one first.';
  return Response.json({ jsonrpc: '2.0', id: id ?? null, error: { code: -32603, message } });
}

// Refusals and limits apply while the request is read.

const BUSY: HttpRefusal = {
  status: 429,
  reason: 'busy',
  text: `You have ${MAX_CONCURRENT_REQUESTS} requests under way; wait for one.`,
  headers: { 'Retry-After': '1' },
};

const METHOD: HttpRefusal = {
  status: 405,
  reason: 'method',
  text: 'Only POST is served here.',
  headers: { Allow: 'POST' },
};

type Body = { json: unknown } | { refusal: HttpRefusal };

/** Reads the body with the limits of stdio: bytes, values, no batches. */
async function readBody(request: IncomingMessage): Promise<Body> {
  if (!isJsonContentType(request.headers['content-type']))
    return { refusal: { status: 415, reason: 'type', text: 'The body has to be application/json.' } };
  if (Number(request.headers['content-length'] ?? 0) > MAX_LINE_BYTES) return { refusal: TOO_LONG };
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MAX_LINE_BYTES) return { refusal: TOO_LONG };
    chunks.push(bytes);
  }
  return parseBody(Buffer.concat(chunks));
}

const TOO_LONG: HttpRefusal = {
  status: 413,
  reason: 'size',
  text: `The message is longer than ${MAX_LINE_BYTES} bytes. Send less in one call, or a query over collected data where the tool takes one.`,
  headers: { Connection: 'close' },
};

function parseBody(bytes: Buffer): Body {
  const exceeded = exceedsBounds(bytes, { depth: MAX_LEVELS, values: MAX_LINE_VALUES });
  if (exceeded === 'depth') return { refusal: TOO_DEEP };
  if (exceeded === 'values') {
    const text = `The message has more than ${MAX_LINE_VALUES} values and member names. Send less in one call.`;
    return { refusal: { status: 413, reason: 'size', text } };
  }
  try {
    const json: unknown = JSON.parse(bytes.toString('utf8'));
    if (Array.isArray(json)) return { refusal: BATCH };
    return { json };
  } catch {
    return { refusal: { status: 400, reason: 'json', text: 'The body is no JSON.' } };
  }
}

/** The maximum nesting, which the SDK can serialize again; tools accept less, with an error of their own. */
const MAX_LEVELS = 1_000;

const TOO_DEEP: HttpRefusal = {
  status: 400,
  reason: 'json',
  text: `The message is nested deeper than ${MAX_LEVELS} levels.`,
};

const BATCH: HttpRefusal = {
  status: 400,
  reason: 'batch',
  text: 'Batches are not supported; send each message by itself.',
};

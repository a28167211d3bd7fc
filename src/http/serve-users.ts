/**
 * A server for many users: listens, authenticates, passes each request to the user's session, and ends
 * without interrupting running calls.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type AuthInfo,
  bearerAuthChallengeResponse,
  getOAuthProtectedResourceMetadataUrl,
  type McpServer,
  OAuthError,
  oauthMetadataResponse,
  verifyBearerToken,
} from '@modelcontextprotocol/server';
import { AppError } from '../base/errors.ts';
import type { Session } from '../write/session.ts';
import { type Caller, READ_SCOPE, WRITE_SCOPE } from './caller/caller.ts';
import { type CheckToken, localCaller } from './caller/check-token.ts';
import { type Provider, ProviderUnavailable } from './caller/provider.ts';
import { type ChallengeOf, createEndpoint } from './endpoint.ts';
import { type GuardedServer, type ServerLimits, startGuardedServer } from './listen/guarded-server.ts';
import { createRequestCheck, type HttpRefusal } from './listen/refuse-request.ts';
import type { HostAndPort, ServerAddress } from './server-address.ts';
import { createSubscriptions, type SubscriptionOptions } from './subscriptions.ts';
import { createMetrics, type Metrics } from './watch/metrics.ts';
import { type Readiness, startMonitor } from './watch/monitor.ts';

export interface ServeUsersOptions {
  where: ServerAddress;
  monitor?: HostAndPort | undefined;
  login: Login;
  /** Returns the user's session; undefined for a user without access. */
  sessionOf(caller: Caller): Promise<Session | undefined>;
  /** Checks the same access while a user's stream is open, without keeping a session open. */
  hasAccess(caller: Caller): Promise<boolean>;
  createServer(session: Session, challengeOf: ChallengeOf, only?: string): McpServer;
  /** Returns why no user at all can be served now, and other problems. */
  readiness?(): Promise<Readiness>;
  /** The earliest end of a client secret, in milliseconds since the epoch; undefined when unknown. */
  firstSecretEnd?(): number | undefined;
  /** Receives the metrics at once, so that counting can begin. */
  onMetrics?(metrics: Metrics): void;
  /** Receives the reason of a refusal, without any part of the token. */
  onRefused?(reason: string): void;
  /** Receives errors of requests, including those that clients cause. */
  onError(error: unknown): void;
  /** Receives failures that are answered as server errors. */
  onFailure?(error: unknown): void;
  limits?: Partial<ServerLimits>;
  subscriptions?: Pick<SubscriptionOptions, 'mostOfOne' | 'lookAgainMs'>;
}

/** The way in which users are identified. */
export type Login =
  | { by: 'provider'; provider: Provider; issuer: string; check(endpoint: URL): CheckToken }
  | { by: 'token'; check: CheckToken }
  /** The sandbox on this machine needs no login, because it has nothing to protect. */
  | { by: 'nobody' };

export interface UserServer {
  endpoint: URL;
  /** The port of the counters, if there is one. */
  monitorPort: number | undefined;
  /** Accepts nothing new; running requests have this long to finish. */
  drain(maxMs: number): Promise<void>;
  close(): Promise<void>;
}

const NO_STORE = { 'Cache-Control': 'no-store' };

export async function serveUsers(options: ServeUsersOptions): Promise<UserServer> {
  const { where, login, onError, sessionOf } = options;
  let isEnding = false;
  let handle = async (_request: IncomingMessage, response: ServerResponse) => refuse(response, ENDING);
  const subscriptions = createSubscriptions({
    ...options.subscriptions,
    hasAccess: options.hasAccess,
  });
  const server = await startGuardedServer({
    ...where.listen,
    limits: options.limits,
    handle: (request, response) => handle(request, response),
    onError: options.onFailure ?? onError,
  });
  const metrics = createMetrics({
    ...server,
    subscriptions: subscriptions.count,
    firstSecretEnd: options.firstSecretEnd ?? (() => undefined),
  });
  options.onMetrics?.(metrics);
  const endpoint = where.endpoint(server.port);
  const mcp = createEndpoint({ createServer: options.createServer, subscriptions, onError });
  const authenticate = createGate(login, endpoint);
  const check = createRequestCheck({ endpoint, port: server.port, isLocal: where.isLocal });

  const serve = async (
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<HttpRefusal | undefined> => {
    const refusal = check(request);
    if (refusal !== undefined) return refusal;
    if (isEnding) return ENDING;
    const path = (request.url ?? '').split('?')[0] ?? '';
    if (login.by === 'provider' && path.startsWith(WELL_KNOWN))
      return await serveMetadata(request, response, login, endpoint);
    if (path !== endpoint.pathname) return NOT_FOUND;
    const who = await authenticate(request);
    if ('status' in who) return who;
    const session = await sessionOf(who.caller).catch((error: unknown) => {
      if (error instanceof AppError) return NO_ACCOUNTS;
      throw error;
    });
    if (session === undefined) return NO_ACCESS;
    return 'status' in session ? session : await mcp.serve(request, response, { ...who, session });
  };
  handle = async (request, response) => {
    response.once('close', () => metrics.answered(response.statusCode));
    const refusal = await serve(request, response);
    if (refusal === undefined) return;
    metrics.refused(refusal.reason);
    if (LOGGED_REASONS.has(refusal.reason)) options.onRefused?.(refusal.text);
    // A long rest of a refused body need not be received, because nobody reads it.
    if (!request.complete && mayBeLong(request)) response.setHeader('Connection', 'close');
    refuse(response, refusal);
  };

  const monitor = await openMonitor(options, metrics, async () =>
    isEnding ? { why: 'the server ends' } : readinessOf(options),
  );
  return {
    endpoint,
    monitorPort: monitor?.port,
    async drain(maxMs) {
      isEnding = true;
      subscriptions.end();
      await server.drain(maxMs);
    },
    async close() {
      isEnding = true;
      subscriptions.end();
      await mcp.close();
      await Promise.all([server.close(), monitor?.close()]);
      if (login.by === 'provider') await login.provider.close();
    },
  };
}

async function openMonitor(
  { monitor, onError }: ServeUsersOptions,
  metrics: Metrics,
  readiness: () => Promise<Readiness>,
): Promise<GuardedServer | undefined> {
  return monitor && (await startMonitor({ ...monitor, metrics, readiness, onError }));
}

/** No user could be admitted before the provider has published its keys. */
async function readinessOf({ login, readiness }: ServeUsersOptions): Promise<Readiness> {
  const why = login.by === 'provider' ? login.provider.problem() : undefined;
  return why === undefined ? ((await readiness?.()) ?? {}) : { why };
}

// The gate authenticates the caller.

type Gate = (request: IncomingMessage) => Promise<{ caller: Caller; auth: AuthInfo } | HttpRefusal>;

function createGate(login: Login, endpoint: URL): Gate {
  const resourceMetadataUrl = getOAuthProtectedResourceMetadataUrl(endpoint);
  const bearerOptions = login.by === 'provider' ? { resourceMetadataUrl } : {};
  const check =
    login.by === 'provider' ? login.check(endpoint) : login.by === 'token' ? login.check : undefined;
  return async ({ headers }) => {
    if (check === undefined) return { caller: localCaller(), auth: authOf(localCaller(), endpoint) };
    let caller: Caller | undefined;
    const verifyAccessToken = async (token: string) => {
      caller = await check(token);
      return authOf(caller, endpoint);
    };
    try {
      const auth = await verifyBearerToken(headers.authorization, {
        verifier: { verifyAccessToken },
        requiredScopes: [READ_SCOPE],
        ...bearerOptions,
      });
      if (caller === undefined) throw new Error('a token that nobody has checked');
      return { caller, auth };
    } catch (error) {
      if (error instanceof ProviderUnavailable) return AWAY;
      if (!(error instanceof OAuthError)) throw error;
      const answer = bearerAuthChallengeResponse(error, { requiredScopes: [READ_SCOPE], ...bearerOptions });
      return {
        status: answer.status,
        reason: headers.authorization === undefined ? 'credentials' : 'token',
        text: error.message,
        headers: Object.fromEntries(answer.headers),
        body: await answer.text(),
      };
    }
  };
}

/** Builds the SDK's form of the caller, without the token itself. */
function authOf({ scopes, expiresAt }: Caller, resource: URL): AuthInfo {
  return { token: '', clientId: '', scopes: [...scopes], expiresAt, resource };
}

// Clients discover this metadata before they log in.

const WELL_KNOWN = '/.well-known/';

async function serveMetadata(
  { method = 'GET', url = '' }: IncomingMessage,
  response: ServerResponse,
  { provider, issuer }: Extract<Login, { by: 'provider' }>,
  endpoint: URL,
): Promise<HttpRefusal | undefined> {
  const known = provider.metadata() ?? (await provider.ready().then(provider.metadata, () => undefined));
  const oauthMetadata = known ?? {
    issuer,
    authorization_endpoint: issuer,
    token_endpoint: issuer,
    response_types_supported: [],
  };
  const answer = oauthMetadataResponse(new Request(new URL(url, endpoint), { method }), {
    oauthMetadata,
    resourceServerUrl: endpoint,
    scopesSupported: [READ_SCOPE, WRITE_SCOPE],
    resourceName: 'Seller commerce',
  });
  if (answer === undefined) return NOT_FOUND;
  // Older clients look for the provider's metadata here; it is not invented while it is unknown.
  if (known === undefined && !url.includes('protected-resource')) return AWAY;
  response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), ...NO_STORE });
  response.end(await answer.text());
  return undefined;
}

// Refused clients receive these answers.

/** The operator of the server can act on these reasons. */
const LOGGED_REASONS: ReadonlySet<string> = new Set(['token', 'host', 'provider']);

const NOT_FOUND: HttpRefusal = { status: 404, reason: 'path', text: 'Nothing is served here.' };
const ENDING: HttpRefusal = {
  status: 503,
  reason: 'ending',
  text: 'The server ends; try again in a moment.',
  headers: { 'Retry-After': '5', Connection: 'close' },
};
const AWAY: HttpRefusal = {
  status: 503,
  reason: 'provider',
  text: 'The identity provider does not answer, so nobody can be let in; try again in a moment.',
  headers: { 'Retry-After': '5' },
};
const NO_ACCESS: HttpRefusal = {
  status: 403,
  reason: 'no access',
  text: 'You are logged in, and have no access here: ask whoever runs this server.',
};

/** The cause is only logged for the operator, because it names folders. */
const NO_ACCOUNTS: HttpRefusal = {
  status: 503,
  reason: 'accounts',
  text: 'The server cannot read its accounts at the moment, which whoever runs it has been told; try again in a moment.',
  headers: { 'Retry-After': '5' },
};

/**
 * The maximum length of a refused body that is still read to preserve the connection; a body of unknown
 * length is not.
 */
const SHORT_BODY = 65_536;

function mayBeLong({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || Number(length ?? 0) > SHORT_BODY;
}

function refuse(response: ServerResponse, { status, text, headers = {}, body }: HttpRefusal): void {
  if (response.headersSent) return;
  const json = body ?? JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32000, message: text } });
  response.writeHead(status, { 'Content-Type': 'application/json', ...NO_STORE, ...headers });
  response.end(json);
}

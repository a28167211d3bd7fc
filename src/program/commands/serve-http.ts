/** The `serve-http` command serves MCP over HTTP to many users, each with a login and a session. */

import { once } from 'node:events';
import type { Config } from '../../base/config.ts';
import { rememberServer } from '../../base/invocation.ts';
import { lazy } from '../../base/lazy.ts';
import { createLog } from '../../base/log.ts';
import { createOwnTokenCheck, createTokenCheck } from '../../http/caller/check-token.ts';
import { createProvider } from '../../http/caller/provider.ts';
import { type Login, serveUsers } from '../../http/serve-users.ts';
import { readHostAndPort, readServerAddress } from '../../http/server-address.ts';
import type { Metrics } from '../../http/watch/metrics.ts';
import { createServer } from '../../protocol/create-server.ts';
import type { Tool } from '../../protocol/define-tool.ts';
import { ELSEWHERE } from '../../protocol/elsewhere.ts';
import { TOOL_LIST } from '../../protocol/generated/tool-list.ts';
import { openSandboxUserSessions } from '../people/sandbox-user-sessions.ts';
import { openUserSessions } from '../people/user-sessions.ts';
import type { Outside } from '../runtime/outside.ts';
import { createProgram, openLog, type ProgramParts } from '../runtime/program.ts';
import type { Command } from './line/command.ts';

/** The time for running calls to finish once the server is stopped. */
const DRAIN_MS = 30_000;
/** The grace period includes the end of sessions, which takes up to two seconds. */
const GRACE_MS = DRAIN_MS + 5_000;

export const serveHttp: Command = {
  name: 'serve-http',
  summary: 'Serve MCP over HTTP to many people, each with a login (docs/server.md)',
  options: {},
  details: [
    'People connect to <public-url>/mcp. Without --public-url it is for this machine alone.',
    'On SIGTERM it takes nothing new, and what runs has 30 seconds to finish.',
  ].join('\n'),
  graceMs: GRACE_MS,
  async run(_args, io) {
    const { config } = io;
    const where = readServerAddress(config);
    // Texts address remote users while the server runs.
    const forget = rememberServer();
    try {
      await serveUntilStopped(where, io);
    } finally {
      forget();
    }
    return 0;
  },
};

async function serveUntilStopped(where: ReturnType<typeof readServerAddress>, io: Outside): Promise<void> {
  const { config } = io;
  let metrics: Metrics | undefined;
  const program = createProgram(io);
  const watched: ProgramParts = {
    ...program,
    transport: lazy(async () => {
      const transport = await program.transport();
      return metrics?.watchTransport(transport) ?? transport;
    }),
  };
  const log = openLog(io, program.config, { redact: (text) => text });
  const people = config.sandbox ? openSandboxUserSessions(watched) : await openUserSessions(watched);
  const loadTool = createToolLoader(() => metrics);
  const shown = { version: io.version, tools: TOOL_LIST, loadTool, elsewhere: ELSEWHERE };
  const server = await serveUsers({
    where,
    monitor: config.monitor === undefined ? undefined : readHostAndPort(config.monitor),
    login: openLogin(config, (message) => log.warn(message)),
    sessionOf: people.sessionOf,
    hasAccess: people.hasAccess,
    readiness: people.readiness,
    firstSecretEnd: people.firstSecretEnd,
    createServer: (session, challengeOf, only) =>
      createServer({ ...shown, session, challengeOf, only, connected: people.connectedOf(session) }),
    onMetrics: (made) => {
      metrics = made;
    },
    onRefused: reportEachOnce((message) => log.warn(message), program.now),
    onError: (error) => log.debug('HTTP', { err: error instanceof Error ? error.message : String(error) }),
    onFailure: (error) =>
      log.error('A request failed', {
        err: error instanceof Error ? (error.stack ?? error.message) : String(error),
      }),
  });
  const started = createLog({ level: () => 'info', write: io.stderr, redact: (text) => text });
  const read = await people.startWords().catch(() => 'accounts that cannot be read');
  started.info(`${formatStart(server.endpoint, config)} Read: ${read}.`);
  // Connecting now reports an unreachable store at the start instead of with the first call.
  void program.sharedStore().catch(() => undefined);
  // Loading these parts now spares the first callers a wait. A failure is reported by the call that needs the
  // part.
  void Promise.all([warmSearch(program), ...TOOL_LIST.map(({ name }) => loadTool(name))]).catch(() => {});
  if (!io.signal.aborted) await once(io.signal, 'abort');
  await server.drain(DRAIN_MS);
  await people.close();
  await server.close();
  await program.close();
}

/** Builds the search index, which otherwise blocks the first search. */
async function warmSearch(program: ProgramParts): Promise<void> {
  await (await program.registry()).list({ search: 'listings', limit: 0 });
}

/** Loads each tool once, and counts its calls. */
function createToolLoader(metrics: () => Metrics | undefined): (name: string) => Promise<Tool> {
  const loaded = new Map<string, Promise<Tool>>();
  return (name) => {
    const known = loaded.get(name);
    if (known !== undefined) return known;
    const loading = import('../../../tools/index.ts').then(async ({ loadTool }) => {
      const tool = await loadTool(name);
      return metrics()?.watchTool(tool) ?? tool;
    });
    loaded.set(name, loading);
    return loading;
  };
}

const REPORT_AGAIN_MS = 600_000;
const MAX_REASONS = 100;

/**
 * Reports each reason once in ten minutes, so that an operator can debug logins and no flood fills the log.
 */
function reportEachOnce(tell: (message: string) => void, now: () => number): (reason: string) => void {
  const reportedAt = new Map<string, number>();
  return (reason) => {
    if (now() - (reportedAt.get(reason) ?? Number.NEGATIVE_INFINITY) < REPORT_AGAIN_MS) return;
    if (reportedAt.size >= MAX_REASONS) reportedAt.clear();
    reportedAt.set(reason, now());
    tell(`A request was refused: ${reason}`);
  };
}

function openLogin(config: Config, tell: (message: string) => void): Login {
  const { issuer, httpToken, audience, groupsClaim, connectTimeoutMs } = config;
  if (issuer === undefined)
    return httpToken === undefined
      ? { by: 'nobody' }
      : { by: 'token', check: createOwnTokenCheck(httpToken) };
  const provider = createProvider({ issuer, connectTimeoutMs });
  // The request spares the first user a wait, and reports a wrong address at the start.
  provider.ready().catch((error: unknown) => {
    const reason = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
    tell(
      `The provider of logins ${issuer} cannot be used: ${reason}. Nobody can sign in until then; it is asked again.`,
    );
  });
  return {
    by: 'provider',
    provider,
    issuer,
    check: (endpoint) =>
      createTokenCheck(provider, { issuer, audience: audience ?? endpoint.href, groupsClaim }),
  };
}

function formatStart(endpoint: URL, { issuer, httpToken }: Config): string {
  const who =
    issuer !== undefined
      ? `whoever ${issuer} lets log in and has access`
      : httpToken !== undefined
        ? 'whoever has the token SELLER_HTTP_TOKEN, at this machine'
        : 'everybody at this machine: it is the sandbox';
  return `Serving ${endpoint.href} to ${who}.`;
}

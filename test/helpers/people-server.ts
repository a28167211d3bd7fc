/** A server of many people in the test's own process, with one small tool, and requests to it that no client would make. */

import { connect, type Socket } from 'node:net';
import { McpServer } from '@modelcontextprotocol/server';
import { buildConfig } from '../../src/base/config.ts';
import type { Caller } from '../../src/http/caller/caller.ts';
import { createTokenCheck } from '../../src/http/caller/check-token.ts';
import { createProvider, type ProviderOptions } from '../../src/http/caller/provider.ts';
import { type ServeUsersOptions, serveUsers, type UserServer } from '../../src/http/serve-users.ts';
import { readServerAddress } from '../../src/http/server-address.ts';
import { openSession } from '../../src/program/runtime/open-session.ts';
import { createProgram } from '../../src/program/runtime/program.ts';
import { freePort } from './http-service.ts';
import { createTestOutside } from './outside.ts';
import { startTokenIssuer, type TokenIssuer } from './token-issuer.ts';

export interface StartedPeople {
  server: UserServer;
  issuer: TokenIssuer;
  port: number;
  /** Everybody whose session was asked for. */
  callers: Caller[];
  /** Takes their access away. */
  lose(subject: string): void;
  errors: unknown[];
  /** A call of the tool: how long it takes is `ms`. */
  call(token: string | undefined, ms?: number): Promise<Response>;
  close(): Promise<void>;
}

export async function startPeople(
  given: Partial<ServeUsersOptions> & {
    provider?: Partial<ProviderOptions>;
    /** The address of the proxy before the server. */
    publicUrl?: string;
    /** The issuer that several servers share. */
    issuer?: TokenIssuer;
  } = {},
): Promise<StartedPeople> {
  let endpoint = '';
  const { publicUrl, issuer: shared, ...more } = given;
  const issuer = shared ?? (await startTokenIssuer(() => endpoint));
  const listenAt = publicUrl === undefined ? 0 : await freePort();
  const config = buildConfig(
    { listen: `127.0.0.1:${listenAt}`, issuer: issuer.issuer, 'public-url': publicUrl },
    {},
  );
  const provider = createProvider({ issuer: issuer.issuer, connectTimeoutMs: 1_000, ...more.provider });
  const session = openSession(createProgram(createTestOutside()), { name: 'test', isElsewhere: true });
  const callers: Caller[] = [];
  const lost = new Set<string>();
  const errors: unknown[] = [];
  const server = await serveUsers({
    where: readServerAddress(config),
    monitor: { host: '127.0.0.1', port: 0 },
    login: {
      by: 'provider',
      provider,
      issuer: issuer.issuer,
      check: ({ href }) => createTokenCheck(provider, { issuer: issuer.issuer, audience: href }),
    },
    async sessionOf(caller) {
      callers.push(caller);
      return lost.has(caller.subject) ? undefined : session;
    },
    hasAccess: async ({ subject }) => !lost.has(subject),
    createServer: () => createSmallServer(),
    onError: (error) => errors.push(error),
    ...more,
  });
  endpoint = server.endpoint.href;
  return {
    server,
    issuer,
    port: listenAt || Number(server.endpoint.port),
    callers,
    lose: (subject) => lost.add(subject),
    errors,
    call: (token, ms = 0) =>
      fetch(endpoint, {
        method: 'POST',
        headers: {
          ...MCP_HEADERS,
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify(callOf(ms)),
      }),
    async close() {
      await Promise.all([server.close(), session.close(), shared === undefined && issuer.close()]);
    },
  };
}

export const MCP_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
} as const;

export const callOf = (ms = 0) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'wait', arguments: { ms } },
});

function createSmallServer(): McpServer {
  const server = new McpServer({ name: 'small', version: '1' });
  const anything = {
    '~standard': {
      version: 1 as const,
      vendor: 'test',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) },
    },
  };
  server.registerTool('wait', { inputSchema: anything }, async (args) => {
    const { ms } = Object(args);
    await new Promise((resolve) => setTimeout(resolve, Number(ms)));
    return { content: [{ type: 'text', text: 'waited' }] };
  });
  return server;
}

/** Writes the bytes to a new connection, and returns what comes back until it ends or `mostMs` are over. */
export async function sendRaw(
  port: number,
  parts: readonly (string | Buffer)[],
  { mostMs = 5_000, between = 0, from = '127.0.0.1' } = {},
): Promise<{ text: string; isClosed: boolean; ms: number }> {
  const started = performance.now();
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  let text = '';
  let isClosed = false;
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      isClosed = true;
      resolve();
    });
  });
  const write = async () => {
    for (const part of parts) {
      if (socket.destroyed) return;
      socket.write(part);
      if (between > 0) await new Promise((resolve) => setTimeout(resolve, between));
    }
  };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, mostMs);
  });
  void write();
  await Promise.race([closed, late]);
  clearTimeout(timer);
  socket.destroy();
  return { text, isClosed, ms: performance.now() - started };
}

/** A connection that is only held. */
export function holdConnection(port: number, from = '127.0.0.1'): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  socket.on('error', () => {});
  return socket;
}

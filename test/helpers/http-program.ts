/** `serve-http` in the test's own process, and real SDK clients that connect to it. */

import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
} from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { serveHttp } from '../../src/program/commands/serve-http.ts';
import { createTestOutside, type TestOutside } from './outside.ts';
import type { ClientKind, Elicit } from './sessions.ts';

export interface HttpProgram {
  endpoint: URL;
  io: TestOutside;
  /** Stops it as SIGTERM does; resolves to the exit code. */
  stop(): Promise<number>;
}

/** @param env beside an address of its own */
export async function startHttpProgram(env: Readonly<Record<string, string>>): Promise<HttpProgram> {
  const io = createTestOutside({ env: { SELLER_LISTEN: '127.0.0.1:0', ...env } });
  const running = serveHttp.run({ values: {}, positionals: [] }, io);
  const endpoint = await Promise.race([
    startedAt(io),
    running.then((code) => Promise.reject(new Error(`It ended with ${code}: ${io.err()}`))),
  ]);
  return {
    endpoint,
    io,
    async stop() {
      io.stop.abort();
      return running;
    },
  };
}

async function startedAt(io: TestOutside): Promise<URL> {
  for (;;) {
    const found = /Serving (\S+)/.exec(io.err())?.[1];
    if (found !== undefined) return new URL(found);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export interface HttpClientOptions {
  kind: ClientKind;
  token?: string;
  elicit?: Elicit;
  opensPages?: boolean;
  asksForms?: boolean;
}

export async function connectHttp(endpoint: URL, options: HttpClientOptions): Promise<ClientV1 | ClientV2> {
  const { kind, token, elicit, opensPages = false, asksForms = true } = options;
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const reached = { requestInit: { headers } };
  const info = { name: `test-${kind}`, version: '1.0.0' };
  const capabilities =
    elicit === undefined
      ? {}
      : { elicitation: { ...(asksForms && { form: {} }), ...(opensPages && { url: {} }) } };
  if (kind === 'sdk-v1') {
    const client = new ClientV1(info, { capabilities });
    await client.connect(new TransportV1(endpoint, reached));
    return client;
  }
  const client = new ClientV2(info, {
    capabilities,
    versionNegotiation: { mode: kind === 'sdk-v2-modern' ? 'auto' : 'legacy' },
  });
  if (elicit !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      const { action } = await elicit({ message: params.message });
      return action === 'accept' ? { action, content: {} } : { action };
    });
  await client.connect(new TransportV2(endpoint, reached));
  return client;
}

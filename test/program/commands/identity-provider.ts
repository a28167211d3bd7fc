/** A loopback service for tests of commands: gives tokens, refuses, rotates, and tells the time it is told to. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import * as z from 'zod';

/** Returns the answer of the service to `getMarketplaceParticipations`. */
export const participationsIn = (...ids: readonly string[]) => ({
  payload: ids.map((id) => ({ marketplace: { id }, participation: { isParticipating: true } })),
});

export interface IdentityProvider {
  url: string;
  /** Refresh tokens that came in, in order. */
  exchanges: string[];
  /** Requests other than exchanges: `HEAD /`. */
  probes: string[];
  /** Returned instead of the refresh token that came in. */
  rotateTo?: string;
  /** Status of every exchange other than 200. */
  refuse?: { status: number; body: unknown };
  /** How far its clock is off, in milliseconds. */
  clockOffMs: number;
  /** Status of a probe. */
  probeStatus: number;
  /** Answers any request other than an exchange or a HEAD, in place of a bare `probeStatus`. */
  participations?: unknown;
  participationsStatus: number;
  close(): Promise<void>;
}

const requestSchema = z.object({
  grant_type: z.literal('refresh_token'),
  refresh_token: z.string(),
  client_id: z.string(),
  client_secret: z.string(),
});

export async function startIdentityProvider(): Promise<IdentityProvider> {
  const server = createServer(async (request, response) => {
    response.setHeader('date', new Date(Date.now() + provider.clockOffMs).toUTCString());
    if (request.url !== '/auth/o2/token') {
      provider.probes.push(`${request.method} ${request.url}`);
      answerProbe(request, response, provider);
      return;
    }
    const given = requestSchema.parse(JSON.parse(await readText(request)));
    provider.exchanges.push(given.refresh_token);
    response.setHeader('content-type', 'application/json');
    if (provider.refuse !== undefined) {
      response.writeHead(provider.refuse.status).end(JSON.stringify(provider.refuse.body));
      return;
    }
    const answer = {
      access_token: 'Atza|canary-access-5e21',
      refresh_token: provider.rotateTo ?? given.refresh_token,
      token_type: 'bearer',
      expires_in: 3600,
    };
    response.end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const provider: IdentityProvider = {
    url: `http://127.0.0.1:${port}`,
    exchanges: [],
    probes: [],
    clockOffMs: 0,
    probeStatus: 403,
    participationsStatus: 200,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return provider;
}

function answerProbe(
  { method }: IncomingMessage,
  response: ServerResponse,
  { participations, participationsStatus, probeStatus }: IdentityProvider,
): void {
  if (participations === undefined || method === 'HEAD') response.writeHead(probeStatus).end();
  else {
    response.writeHead(participationsStatus, { 'content-type': 'application/json' });
    response.end(JSON.stringify(participations));
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

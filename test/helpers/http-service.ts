/** A real HTTP service on loopback whose answers a test decides. */

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  method: string;
  /** Path and query, as received. */
  path: string;
  headers: IncomingHttpHeaders;
  /** Raw text; empty when there was none. */
  body: string;
  /** The body as JSON, undefined when it is none. */
  json: unknown;
}

export interface Answer {
  status?: number;
  headers?: Record<string, string | string[]>;
  /** Text and buffers go out as they are, anything else as JSON. */
  body?: unknown;
}

/** Answers with a value, or writes to the response itself and returns nothing. */
export type Handler = (
  request: ReceivedRequest,
  response: ServerResponse,
) => Answer | undefined | Promise<Answer | undefined>;

export interface HttpService {
  url: string;
  /** Every request so far, in order of arrival. */
  requests: ReceivedRequest[];
  close(): Promise<void>;
}

export async function startHttpService(handler: Handler): Promise<HttpService> {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString('utf8');
    const { method = '', url = '', headers } = incoming;
    const request = { method, path: url, headers, body, json: parse(body) };
    requests.push(request);
    const answer = await handler(request, response);
    if (answer !== undefined) reply(response, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${portOf(server.address())}`, requests, close };
}

function reply(response: ServerResponse, { status = 200, headers = {}, body }: Answer): void {
  const raw = typeof body === 'string' || Buffer.isBuffer(body) || body === undefined;
  response.writeHead(status, raw ? headers : { 'content-type': 'application/json', ...headers });
  response.end(raw ? body : JSON.stringify(body));
}

export function portOf(address: string | AddressInfo | null): number {
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');
  return address.port;
}

/** Returns a free port for a program that needs to be given one. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server.address());
  server.close();
  return port;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A service that takes prices from processes with a list, and what it got of it. */

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { expect } from 'vitest';
import * as z from 'zod';

export interface PriceService {
  server: Server;
  url: string;
  /** The requests that were sent, in order, with the status that each got. */
  sent: { key: string; body: string; status: number }[];
  applied: Set<string>;
  /** Called when something was sent, before and after it is applied. */
  onSent(when: 'before' | 'after', count: number): void;
  /** Holds back each request that arrived: it is applied and answered once this resolves. */
  gate: Promise<void>;
}

/** Takes prices; says 429 to every fifth, and no to prices that end in 7. */
export async function startPriceService(): Promise<PriceService> {
  const server = createServer(async (request, response) => {
    const key = request.url?.split('/').at(-1) ?? '';
    let body = '';
    for await (const chunk of request) body += String(chunk);
    if (request.method === 'GET') {
      response.end(JSON.stringify({ isApplied: service.applied.has(key) }));
      return;
    }
    service.onSent('before', service.sent.length + 1);
    await service.gate;
    const status = service.sent.length % 5 === 4 ? 429 : body.endsWith('7}') ? 400 : 200;
    service.sent.push({ key, body, status });
    if (status === 200) service.applied.add(key);
    service.onSent('after', service.sent.length);
    response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const service: PriceService = {
    server,
    url: `http://127.0.0.1:${port}`,
    sent: [],
    applied: new Set(),
    onSent: () => {},
    gate: Promise.resolve(),
  };
  return service;
}

/** Expects each item of the batch to be sent at most once, and again only after 429. */
export function checkSent(service: PriceService, count: number) {
  const ended = new Set<string>();
  for (const { key, body, status } of service.sent) {
    const number = Number(key.split('-')[1]);
    expect(number).toBeLessThan(count);
    expect(JSON.parse(body)).toEqual({ price: number });
    expect(ended.has(key), `${key} was sent again`).toBe(false);
    if (status !== 429) ended.add(key);
  }
}

/** A bare socket server that misbehaves as a test says; it reads the whole request before it does. */

import { createServer, type Server, type Socket } from 'node:net';
import { portOf } from './http-service.ts';

export interface FaultyServer {
  url: string;
  /** Whole requests received, as text. */
  requests: string[];
  /** Connections accepted so far, and still open. */
  connections(): { accepted: number; open: number };
  /** Sets what happens to each request from now on. */
  behave(behaviour: Behaviour): void;
  close(): Promise<void>;
}

/** @param count which request this is, from 1. */
export type Behaviour = (socket: Socket, count: number) => void | Promise<void>;

export interface FaultyOptions {
  /** Happens as soon as a connection is accepted, before anything is read; true when nothing more shall happen. */
  onConnect?: (socket: Socket) => boolean;
}

export async function startFaultyServer(
  first: Behaviour,
  options: FaultyOptions = {},
): Promise<FaultyServer> {
  let behaviour = first;
  let accepted = 0;
  const open = new Set<Socket>();
  const requests: string[] = [];
  const server = createServer((socket) => {
    accepted++;
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => undefined);
    if (options.onConnect?.(socket) === true) return;
    readRequests(socket, (request) => {
      requests.push(request);
      void behaviour(socket, requests.length);
    });
  });
  await listen(server);
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    requests,
    connections: () => ({ accepted, open: open.size }),
    behave: (next) => {
      behaviour = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

/** An answer with the right length; what a healthy server sends. */
export function httpAnswer(
  body: string | Buffer,
  headers: readonly string[] = [],
  status = '200 OK',
): Buffer {
  const bytes = Buffer.from(body);
  const type = headers.some((line) => /^content-type:/i.test(line)) ? [] : ['Content-Type: application/json'];
  const lines = [`HTTP/1.1 ${status}`, ...type, `Content-Length: ${bytes.length}`, ...headers, '', ''];
  return Buffer.concat([Buffer.from(lines.join('\r\n')), bytes]);
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
}

/** Understands Content-Length only, which is what our client sends. */
function readRequests(socket: Socket, onRequest: (request: string) => void): void {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    for (let end = endOfRequest(text); end !== undefined; end = endOfRequest(text)) {
      const request = text.slice(0, end);
      text = text.slice(end);
      onRequest(request);
    }
  });
}

function endOfRequest(text: string): number | undefined {
  const head = text.indexOf('\r\n\r\n');
  if (head === -1) return undefined;
  const length = Number(/^content-length: (\d+)/im.exec(text.slice(0, head))?.[1] ?? 0);
  const end = head + 4 + length;
  return text.length >= end ? end : undefined;
}

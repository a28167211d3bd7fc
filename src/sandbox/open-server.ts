/** A port of loopback that answers until it is closed, whatever is sent to it. */

import { createServer, type RequestListener, type Server } from 'node:http';

export interface OpenServer {
  /** `http://127.0.0.1:<port>` */
  url: string;
  /** Ends every connection; resolves within a second. */
  close(): Promise<void>;
}

/**
 * @param port 0: any free one.
 * @throws Error with the system's code when the port cannot be had.
 */
export async function openServer(
  listener: RequestListener,
  port: number,
  onConnection: () => void = () => {},
): Promise<OpenServer> {
  const server = createServer(listener);
  // Longer than the pauses between a person's questions, so that connections get reused.
  server.keepAliveTimeout = 30_000;
  server.on('connection', onConnection);
  // Not HTTP at all: end that connection, keep serving the others.
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
    else socket.destroy();
  });
  const url = `http://127.0.0.1:${await listen(server, port)}`;
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

/** TLS in front of a sandbox, for programs that speak nothing else; what the sandbox cuts is cut here too. */

import { connect } from 'node:net';
import tls from 'node:tls';
import type { Sandbox } from '../../../src/sandbox/types.ts';
import { portOf } from '../../../test/helpers/http-service.ts';

export interface TlsFront {
  port: number;
  close(): Promise<void>;
}

export async function openTlsFront(
  certificate: { key: string; cert: string },
  { baseUrl }: Sandbox,
): Promise<TlsFront> {
  const port = Number(new URL(baseUrl).port);
  const open = new Set<tls.TLSSocket>();
  const server = tls.createServer(certificate, (secure) => {
    open.add(secure);
    const plain = connect(port, '127.0.0.1');
    secure.pipe(plain).pipe(secure);
    plain.on('error', () => secure.destroy());
    secure.on('error', () => plain.destroy());
    plain.on('close', () => secure.destroy());
    secure.on('close', () => {
      open.delete(secure);
      plain.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: portOf(server.address()),
    close: () =>
      new Promise((resolve) => {
        for (const socket of open) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

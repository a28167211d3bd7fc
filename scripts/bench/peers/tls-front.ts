/** TLS in front of a sandbox, for programs that speak nothing else; a connection that the sandbox cuts is cut here too. */

import { createRequire } from 'node:module';
import { connect } from 'node:net';
import tls from 'node:tls';
import * as z from 'zod';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
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

// Its type definitions are full of `any`; the two members used are checked instead.
const made = z.object({ private: z.string(), cert: z.string() });
const library = z.object({ generate: z.function({ input: [z.unknown(), z.unknown()], output: made }) });

const HOSTS = ['api.amazon.com', 'sellingpartnerapi-eu.amazon.com'];

/** For the public addresses, made for one run and trusted by the peers of that run only. */
export function makeCertificate(): { key: string; cert: string } {
  const { generate } = library.parse(createRequire(import.meta.url)('selfsigned'));
  const extensions = [
    { name: 'basicConstraints', cA: true },
    { name: 'subjectAltName', altNames: HOSTS.map((value) => ({ type: 2, value })) },
  ];
  const options = { days: 2, keySize: 2048, algorithm: 'sha256', extensions };
  const pems = generate([{ name: 'commonName', value: HOSTS[0] }], options);
  return { key: pems.private, cert: pems.cert };
}

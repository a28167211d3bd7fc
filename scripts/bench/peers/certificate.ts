/** A certificate for the public addresses, made for one run and trusted by the peers of that run only. */

import { createRequire } from 'node:module';
import * as z from 'zod';

// Its type definitions are full of `any`; the two members that are used are checked instead.
const made = z.object({ private: z.string(), cert: z.string() });
const library = z.object({ generate: z.function({ input: [z.unknown(), z.unknown()], output: made }) });

const HOSTS = ['api.amazon.com', 'sellingpartnerapi-eu.amazon.com'];

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

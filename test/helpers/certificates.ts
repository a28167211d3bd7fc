/** A certificate that nobody trusts, made for one test run. */

import { createRequire } from 'node:module';
import * as z from 'zod';

// Its type definitions are full of `any`; the two members that are used are checked instead.
const made = z.object({ private: z.string(), cert: z.string() });
const library = z.object({ generate: z.function({ input: [z.unknown(), z.unknown()], output: made }) });

export interface Certificate {
  key: string;
  cert: string;
}

let last: Certificate | undefined;

/**
 * Returns one certificate for `service.example`, `localhost` and 127.0.0.1, which is its own authority; all
 * callers share it.
 */
export function selfSignedCertificate(): Certificate {
  last ??= makeCertificate();
  return last;
}

function makeCertificate(): Certificate {
  const { generate } = library.parse(createRequire(import.meta.url)('selfsigned'));
  const altNames = [
    { type: 2, value: 'service.example' },
    { type: 2, value: 'localhost' },
    { type: 7, ip: '127.0.0.1' },
  ];
  const extensions = [
    { name: 'basicConstraints', cA: true },
    { name: 'subjectAltName', altNames },
  ];
  const options = { days: 2, keySize: 2048, algorithm: 'sha256', extensions };
  const pems = generate([{ name: 'commonName', value: 'service.example' }], options);
  return { key: pems.private, cert: pems.cert };
}

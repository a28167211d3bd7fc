/** Reads a posted form: limited in size, each field once, no field we did not ask for. */

import type { IncomingMessage } from 'node:http';
import type { Refusal } from './request-checks.ts';

/** Far more than six fields of 4,096 characters, percent-encoded, can need in earnest. */
export const longestBody = 65_536;

const known = new Set([
  'csrfToken',
  'clientId',
  'clientSecret',
  'refreshToken',
  'region',
  'sellerId',
  'marketplaceId',
]);

export type PostedForm = { fields: Readonly<Record<string, string>> } | { refusal: Refusal };

/** @throws Error when the sender goes away before the end. */
export async function readForm(request: IncomingMessage): Promise<PostedForm> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop must not cut the connection: the refusal still has to go out.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > longestBody) return { refusal: { status: 413, text: 'That is more than the form can hold.' } };
    chunks.push(bytes);
  }
  return parseForm(Buffer.concat(chunks).toString('utf8'));
}

function parseForm(body: string): PostedForm {
  const fields: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(body)) {
    if (!known.has(name) || name in fields) {
      return { refusal: { status: 400, text: 'The form holds a field twice or one that is not asked for.' } };
    }
    fields[name] = value;
  }
  return { fields };
}

/** Addresses that open one document for five minutes, to whoever has them. */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const LIFETIME_SECONDS = 300;
const SIGNATURE = '&X-Amz-Signature=';

/** What an address opens. */
export interface Opened {
  documentId: string;
  /** Whether the download says in a header that it is compressed. */
  announceEncoding: boolean;
}

export interface SignedAddresses {
  /** Path and query. */
  sign(documentId: string, announceEncoding: boolean): string;
  /** What this path and query open, or why they open nothing. */
  check(target: string): Opened | 'expired' | 'wrong';
}

export function createSignedAddresses(now: () => number): SignedAddresses {
  const key = randomBytes(32);
  const signatureOf = (text: string): string => createHmac('sha256', key).update(text).digest('hex');
  return {
    sign(documentId, announceEncoding) {
      const query = new URLSearchParams({
        'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
        'X-Amz-Date': writeDate(now()),
        'X-Amz-Expires': String(LIFETIME_SECONDS),
        ...(announceEncoding && { 'response-content-encoding': 'gzip' }),
      });
      const target = `/documents/${documentId}?${query}`;
      return `${target}${SIGNATURE}${signatureOf(target)}`;
    },
    check(target) {
      const at = target.lastIndexOf(SIGNATURE);
      const signed = target.slice(0, Math.max(at, 0));
      const given = Buffer.from(target.slice(at + SIGNATURE.length));
      const wanted = Buffer.from(signatureOf(signed));
      if (at < 0 || given.length !== wanted.length || !timingSafeEqual(given, wanted)) return 'wrong';
      const [path = '', search = ''] = signed.split('?');
      const query = new URLSearchParams(search);
      if (now() - readDate(query.get('X-Amz-Date') ?? '') > LIFETIME_SECONDS * 1000) return 'expired';
      return {
        documentId: path.slice('/documents/'.length),
        announceEncoding: query.has('response-content-encoding'),
      };
    },
  };
}

/** `20261121T080000Z` */
const writeDate = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;

const readDate = (date: string): number =>
  Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)/, '$1-$2-$3T$4:$5:'));

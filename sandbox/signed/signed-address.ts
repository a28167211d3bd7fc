/** Addresses that open or take one document for five minutes, for whoever has them. */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const LIFETIME_SECONDS = 300;
const SIGNATURE = '&X-Amz-Signature=';
const DOCUMENTS = '/documents/';
const UPLOADS = '/uploads/';

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
  /** Path and query of one that takes an upload; which headers it wants is known by its id. */
  signUpload(uploadId: string, headers: readonly string[]): string;
  checkUpload(target: string): { uploadId: string } | 'expired' | 'wrong';
  /** The same as fields of a form, which stand in the query of the address. */
  signForm(uploadId: string): string;
  checkForm(fields: Readonly<Record<string, string>>): { uploadId: string } | 'expired' | 'wrong';
}

export function createSignedAddresses(now: () => number): SignedAddresses {
  const key = randomBytes(32);
  const signatureOf = (text: string): string => createHmac('sha256', key).update(text).digest('hex');
  const sign = (path: string, more: Readonly<Record<string, string>>): string => {
    const query = new URLSearchParams({
      'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
      'X-Amz-Date': writeDate(now()),
      'X-Amz-Expires': String(LIFETIME_SECONDS),
      ...more,
    });
    const target = `${path}?${query}`;
    return `${target}${SIGNATURE}${signatureOf(target)}`;
  };
  const isSigned = (text: string, signature: string): boolean => {
    const [given, wanted] = [Buffer.from(signature), Buffer.from(signatureOf(text))];
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  };
  const isOver = (date: string): boolean => now() - readDate(date) > LIFETIME_SECONDS * 1000;
  /** What stands behind `root`, and the query. */
  const open = (
    target: string,
    root: string,
  ): { id: string; query: URLSearchParams } | 'expired' | 'wrong' => {
    const at = target.lastIndexOf(SIGNATURE);
    const signed = target.slice(0, Math.max(at, 0));
    if (at < 0 || !signed.startsWith(root) || !isSigned(signed, target.slice(at + SIGNATURE.length)))
      return 'wrong';
    const [path = '', search = ''] = signed.split('?');
    const query = new URLSearchParams(search);
    if (isOver(query.get('X-Amz-Date') ?? '')) return 'expired';
    return { id: path.slice(root.length), query };
  };
  return {
    sign: (documentId, announceEncoding) =>
      sign(`${DOCUMENTS}${documentId}`, announceEncoding ? { 'response-content-encoding': 'gzip' } : {}),
    check(target) {
      const opened = open(target, DOCUMENTS);
      if (typeof opened === 'string') return opened;
      return { documentId: opened.id, announceEncoding: opened.query.has('response-content-encoding') };
    },
    signUpload: (uploadId, headers) =>
      sign(`${UPLOADS}${uploadId}`, { 'X-Amz-SignedHeaders': [...headers, 'host'].join(';') }),
    checkUpload(target) {
      const opened = open(target, UPLOADS);
      return typeof opened === 'string' ? opened : { uploadId: opened.id };
    },
    signForm(uploadId) {
      const date = writeDate(now());
      const policy = Buffer.from(JSON.stringify({ key: uploadId, date })).toString('base64');
      const fields = new URLSearchParams({ 'x-amz-date': date, acl: 'private', key: uploadId, policy });
      return `/?${fields}&x-amz-signature=${signatureOf(`${policy}private${uploadId}`)}`;
    },
    checkForm({ policy = '', acl = '', key: uploadId = '', 'x-amz-date': date = '', ...more }) {
      const { 'x-amz-signature': signature = '', ...others } = more;
      if (Object.keys(others).length > 0 || !isSigned(`${policy}${acl}${uploadId}`, signature))
        return 'wrong';
      return isOver(date) ? 'expired' : { uploadId };
    },
  };
}

/** `20261121T080000Z` */
const writeDate = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;

const readDate = (date: string): number =>
  Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)/, '$1-$2-$3T$4:$5:'));

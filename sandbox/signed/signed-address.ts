/** Addresses that open or take one document for five minutes, for whoever has them. */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { UploadSlot } from './upload-store.ts';

const LIFETIME_SECONDS = 300;
const SIGNATURE = '&X-Amz-Signature=';
const DOCUMENTS = '/documents/';
const UPLOADS = '/uploads/';

type NotOpened = 'expired' | 'wrong';

export type SignedAddresses = ReturnType<typeof createSignedAddresses>;
/** Addresses for callers. */
export type Addresses = ReturnType<SignedAddresses['at']>;

export function createSignedAddresses(now: () => number) {
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
  /** Splits a target into the id behind `root` and the query. */
  const open = (target: string, root: string): { id: string; query: URLSearchParams } | NotOpened => {
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
    /** @param origin where they lead */
    at: (origin: string) => ({
      /** @param announceEncoding whether the download says in a header that it is compressed. */
      document: (id: string, announceEncoding = false): string =>
        origin + sign(DOCUMENTS + id, announceEncoding ? { 'response-content-encoding': 'gzip' } : {}),
      /** Takes an upload with the headers that the place was made for. */
      upload({ id, contentType, md5 }: UploadSlot): string {
        const headers = Object.entries({ 'content-type': contentType, 'content-md5': md5, host: '' });
        const signed = headers.flatMap(([name, value]) => (value === undefined ? [] : [name]));
        return origin + sign(UPLOADS + id, { 'X-Amz-SignedHeaders': signed.join(';') });
      },
      /** Takes an upload as a form, whose fields stand in the query. */
      form({ id: key }: UploadSlot): string {
        const date = writeDate(now());
        const policy = Buffer.from(JSON.stringify({ key, date })).toString('base64');
        const fields = new URLSearchParams({ 'x-amz-date': date, acl: 'private', key, policy });
        return `${origin}/?${fields}&x-amz-signature=${signatureOf(`${policy}private${key}`)}`;
      },
    }),
    /** Opens the document of this path and query, or says why it cannot be opened. */
    openDocument(target: string): { id: string; announceEncoding: boolean } | NotOpened {
      const opened = open(target, DOCUMENTS);
      if (typeof opened === 'string') return opened;
      return { id: opened.id, announceEncoding: opened.query.has('response-content-encoding') };
    },
    openUpload: (target: string) => open(target, UPLOADS),
    openForm(fields: Readonly<Record<string, string>>): { id: string } | NotOpened {
      const { policy = '', acl = '', key: id = '', 'x-amz-date': date = '', ...more } = fields;
      const { 'x-amz-signature': signature = '', ...others } = more;
      if (Object.keys(others).length > 0 || !isSigned(`${policy}${acl}${id}`, signature)) return 'wrong';
      return isOver(date) ? 'expired' : { id };
    },
  };
}

/** `20261121T080000Z` */
const writeDate = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;

const readDate = (date: string): number =>
  Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)/, '$1-$2-$3T$4:$5:'));

/** Where documents are uploaded to: a signed address that takes one file, with the headers that it was made for, and no token. */

import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { SignedAddresses } from './signed-address.ts';
import type { UploadPlace, UploadStore } from './upload-store.ts';

/** How uploads are called in faults and statistics. */
export const UPLOAD = 'uploadDocument';

const MOST_BYTES = 110_000_000;

export interface UploadParts {
  addresses: SignedAddresses;
  uploads: UploadStore;
  /** Lower-case names of the headers that no signed address takes. */
  tokenHeaders: readonly string[];
}

export interface UploadAnswer {
  status: number;
  /** Absent where it was taken. */
  refusal?: string;
}

const refuse = (status: number, code: string, message: string): UploadAnswer => ({
  status,
  refusal: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`,
});

/** Reads the body whatever the answer is, so that the caller gets to see it. */
export async function takeUpload(parts: UploadParts, request: IncomingMessage): Promise<UploadAnswer> {
  const bytes = await readAll(request);
  if (bytes === undefined) return refuse(400, 'EntityTooLarge', 'Your proposed upload is too large.');
  if (parts.tokenHeaders.some((name) => request.headers[name] !== undefined)) {
    return refuse(400, 'InvalidArgument', 'Only one way to authorize is allowed: the address is signed.');
  }
  return request.method === 'POST' ? takeForm(parts, request, bytes) : takePut(parts, request, bytes);
}

function takePut({ addresses, uploads }: UploadParts, request: IncomingMessage, bytes: Buffer): UploadAnswer {
  const { url = '', headers } = request;
  const checked = addresses.checkUpload(url);
  if (checked === 'expired') return refuse(403, 'AccessDenied', 'Request has expired');
  const place = checked === 'wrong' ? undefined : uploads.find(checked.uploadId);
  const isSame = place?.contentType === undefined || headers['content-type'] === place.contentType;
  const isSameMd5 = place?.md5 === undefined || headers['content-md5'] === place.md5;
  if (place === undefined || !isSame || !isSameMd5) {
    return refuse(
      403,
      'SignatureDoesNotMatch',
      'The request signature we calculated does not match the signature you provided.',
    );
  }
  return keep(place, bytes);
}

/** The fields of the form are signed as a whole: any other one is refused. */
function takeForm(
  { addresses, uploads }: UploadParts,
  { headers }: IncomingMessage,
  bytes: Buffer,
): UploadAnswer {
  const form = readForm(bytes, headers['content-type'] ?? '');
  if (form === undefined) return refuse(400, 'MalformedPOSTRequest', 'The body is no multipart form.');
  const checked = addresses.checkForm(form.fields);
  if (checked === 'expired')
    return refuse(403, 'AccessDenied', 'Invalid according to Policy: Policy expired.');
  const place = checked === 'wrong' ? undefined : uploads.find(checked.uploadId);
  if (place === undefined) return refuse(403, 'AccessDenied', 'Invalid according to Policy.');
  if (place.contentType !== undefined && form.contentType !== place.contentType) {
    return refuse(403, 'AccessDenied', 'Invalid according to Policy: Policy Condition failed: Content-Type');
  }
  return keep(place, form.file, 204);
}

function keep(place: UploadPlace, bytes: Buffer, status = 200): UploadAnswer {
  if (place.md5 !== undefined && createHash('md5').update(bytes).digest('base64') !== place.md5) {
    return refuse(400, 'BadDigest', 'The Content-MD5 you specified did not match what we received.');
  }
  place.arrived = bytes;
  return { status };
}

async function readAll(request: IncomingMessage): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request) {
    if (!Buffer.isBuffer(piece)) continue;
    bytes += piece.length;
    if (bytes <= MOST_BYTES) pieces.push(piece);
  }
  return bytes <= MOST_BYTES ? Buffer.concat(pieces) : undefined;
}

// A multipart form with one file: enough of it for a signed upload.

interface UploadForm {
  fields: Readonly<Record<string, string>>;
  file: Buffer;
  /** Of the file. */
  contentType: string;
}

/** Undefined where it is none. */
function readForm(bytes: Buffer, contentType: string): UploadForm | undefined {
  const [, boundary] =
    /^multipart\/form-data; ?boundary="?([\w'()+,./:=?-]{1,70})"?$/.exec(contentType) ?? [];
  if (boundary === undefined) return undefined;
  const fields: Record<string, string> = {};
  let file: Pick<UploadForm, 'file' | 'contentType'> | undefined;
  const opening = Buffer.from(`--${boundary}\r\n`);
  const closing = Buffer.from(`\r\n--${boundary}`);
  for (let at = bytes.indexOf(opening); at >= 0; ) {
    const start = at + opening.length;
    const body = bytes.indexOf('\r\n\r\n', start);
    const end = bytes.indexOf(closing, body);
    if (body < 0 || end < 0) return undefined;
    const head = bytes.subarray(start, body).toString('utf8');
    const [, name = ''] = / name="([^"]*)"/.exec(head) ?? [];
    const content = bytes.subarray(body + 4, end);
    if (/ filename="/.test(head)) {
      const [, type = ''] = /content-type: ?([^\r\n]*)/i.exec(head) ?? [];
      file = { file: Buffer.from(content), contentType: type };
    } else fields[name] = content.toString('utf8');
    at = bytes.indexOf(opening, end);
  }
  return file === undefined ? undefined : { fields, ...file };
}

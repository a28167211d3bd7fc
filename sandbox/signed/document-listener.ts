/** Serves and accepts documents at an address of its own, which needs a signature and no access token. */

import { createHash } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Answer } from '../answer.ts';
import { applyFault, type Faults } from '../faults.ts';
import type { StoredDocument } from '../jobs.ts';
import type { Counter } from '../records.ts';
import type { SignedAddresses } from './signed-address.ts';
import type { UploadSlot, UploadStore } from './upload-store.ts';

/** How downloads and uploads are called in faults and statistics. */
const DOWNLOAD = 'downloadDocument';
const UPLOAD = 'uploadDocument';

const MAX_BYTES = 110_000_000;

interface DocumentParts {
  addresses: SignedAddresses;
  uploads: UploadStore;
  find(documentId: string): StoredDocument | undefined;
  /** Lower-case names of the headers that no signed address takes. */
  tokenHeaders: readonly string[];
  faults: Faults;
  counter: Counter;
  /** Aborts when the sandbox closes. */
  stopped: AbortSignal;
}

/** A reply, which may be a fault or a refusal. */
interface Reply extends Pick<Answer, 'status' | 'headers'> {
  bytes: Buffer;
}

export function createDocumentListener(parts: DocumentParts): RequestListener {
  const packed = new WeakMap<StoredDocument, Promise<Buffer>>();
  const bytesOf = (document: StoredDocument): Promise<Buffer> => {
    if (!document.isCompressed) return Promise.resolve(document.bytes);
    const known = packed.get(document) ?? promisify(gzip)(document.bytes);
    packed.set(document, known);
    return known;
  };
  return (request, response) => {
    serve(parts, bytesOf, request, response).catch(() => response.destroy());
  };
}

async function serve(
  parts: DocumentParts,
  bytesOf: (document: StoredDocument) => Promise<Buffer>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const name = request.method === 'GET' ? DOWNLOAD : UPLOAD;
  const fault = parts.faults.take(name);
  if (fault?.delayMs !== undefined) await sleep(fault.delayMs, undefined, { signal: parts.stopped });
  const failure = fault === undefined ? undefined : applyFault(fault, response);
  if (failure === 'cut') return parts.counter.answered(name, 'cut');
  const reply =
    failure === undefined
      ? await answer(parts, bytesOf, request).catch(refusalOf)
      : { ...failure, bytes: Buffer.from(failure.text ?? JSON.stringify(failure.body)) };
  const { status, headers = {}, bytes } = reply;
  parts.counter.answered(name, status);
  if (response.destroyed || response.headersSent) return;
  response.writeHead(status, { ...headers, 'content-length': bytes.length });
  response.end(bytes);
}

async function answer(
  parts: DocumentParts,
  bytesOf: (document: StoredDocument) => Promise<Buffer>,
  request: IncomingMessage,
): Promise<Reply> {
  const isUpload = request.method !== 'GET';
  // The body is read whatever the answer is, so that the caller gets to see it.
  const body = isUpload ? await readAll(request) : Buffer.of();
  if (parts.tokenHeaders.some((name) => request.headers[name] !== undefined)) {
    refuse(400, 'InvalidArgument', 'Only one way to authorize is allowed: the address is signed.');
  }
  if (isUpload) {
    const status =
      request.method === 'POST' ? await takeForm(parts, request, body) : takePut(parts, request, body);
    return { status, bytes: Buffer.of() };
  }
  const { document, announceEncoding } = open(parts, request);
  const headers = {
    'content-type': document.contentType,
    ...(announceEncoding && document.isCompressed && { 'content-encoding': 'gzip' }),
  };
  return { status: 200, headers, bytes: await bytesOf(document) };
}

/** Told as XML, as the service's storage does it. */
class Refused extends Error {
  readonly status: number;

  constructor(status: number, xml: string) {
    super(xml);
    this.status = status;
  }
}

function refuse(status: number, code: string, message: string): never {
  const error = `<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  throw new Refused(status, `<?xml version="1.0" encoding="UTF-8"?>\n${error}`);
}

function refusalOf(error: unknown): Reply {
  if (!(error instanceof Refused)) throw error;
  const { status, message } = error;
  return { status, headers: { 'content-type': 'application/xml' }, bytes: Buffer.from(message) };
}

function open({ addresses, find }: DocumentParts, { url = '' }: IncomingMessage) {
  const opened = addresses.openDocument(url);
  if (opened === 'expired') refuse(403, 'AccessDenied', 'Request has expired');
  if (opened === 'wrong') {
    refuse(403, 'SignatureDoesNotMatch', 'The signature does not match this request.');
  }
  const document = find(opened.id) ?? refuse(404, 'NoSuchKey', 'The document does not exist.');
  return { document, announceEncoding: opened.announceEncoding };
}

/** @returns the status */
function takePut({ addresses, uploads }: DocumentParts, request: IncomingMessage, bytes: Buffer): number {
  const { url = '', headers } = request;
  const opened = addresses.openUpload(url);
  if (opened === 'expired') refuse(403, 'AccessDenied', 'Request has expired');
  const slot = opened === 'wrong' ? undefined : uploads.find(opened.id);
  const isSame = slot?.contentType === undefined || headers['content-type'] === slot.contentType;
  const isSameMd5 = slot?.md5 === undefined || headers['content-md5'] === slot.md5;
  if (slot === undefined || !isSame || !isSameMd5) {
    refuse(
      403,
      'SignatureDoesNotMatch',
      'The request signature we calculated does not match the signature you provided.',
    );
  }
  keep(slot, bytes);
  return 200;
}

/** The fields of the form are signed as a whole: any other one is refused. @returns the status */
async function takeForm(
  { addresses, uploads }: DocumentParts,
  { headers }: IncomingMessage,
  bytes: Buffer,
): Promise<number> {
  const form = await readForm(bytes, headers['content-type'] ?? '');
  if (form === undefined) return refuse(400, 'MalformedPOSTRequest', 'The body is no multipart form.');
  const opened = addresses.openForm(form.fields);
  if (opened === 'expired') refuse(403, 'AccessDenied', 'Invalid according to Policy: Policy expired.');
  const slot = opened === 'wrong' ? undefined : uploads.find(opened.id);
  if (slot === undefined) return refuse(403, 'AccessDenied', 'Invalid according to Policy.');
  if (slot.contentType !== undefined && form.contentType !== slot.contentType) {
    refuse(403, 'AccessDenied', 'Invalid according to Policy: Policy Condition failed: Content-Type');
  }
  keep(slot, form.file);
  return 204;
}

function keep(slot: UploadSlot, bytes: Buffer): void {
  if (slot.md5 !== undefined && createHash('md5').update(bytes).digest('base64') !== slot.md5) {
    refuse(400, 'BadDigest', 'The Content-MD5 you specified did not match what we received.');
  }
  slot.arrived = bytes;
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request) {
    if (!Buffer.isBuffer(piece)) continue;
    bytes += piece.length;
    if (bytes <= MAX_BYTES) pieces.push(piece);
  }
  if (bytes > MAX_BYTES) refuse(400, 'EntityTooLarge', 'Your proposed upload is too large.');
  return Buffer.concat(pieces);
}

/** A multipart form with one file; undefined where it is none. */
async function readForm(bytes: Buffer, contentType: string) {
  try {
    const form = await new Response(bytes, { headers: { 'content-type': contentType } }).formData();
    const fields: Record<string, string> = {};
    let file: File | undefined;
    for (const [name, value] of form) {
      if (typeof value === 'string') fields[name] = value;
      else file = value;
    }
    return file && { fields, file: Buffer.from(await file.arrayBuffer()), contentType: file.type };
  } catch {
    return undefined;
  }
}

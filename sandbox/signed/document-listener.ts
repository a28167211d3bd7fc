/** Where documents are fetched from and uploaded to: an address of its own, which wants a signature and no access token. */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { applyFault, type Faults } from '../faults.ts';
import type { Counter } from '../records.ts';
import { encode } from '../reports/charsets.ts';
import type { ReportDocument } from '../reports/report-store.ts';
import type { SignedAddresses } from './signed-address.ts';
import { takeUpload, UPLOAD, type UploadParts } from './upload-listener.ts';

/** A file that goes out as it is. */
export interface StoredFile {
  bytes: Buffer;
  contentType: string;
}

/** How downloads are called in faults and statistics. */
export const DOWNLOAD = 'downloadDocument';

export interface DocumentParts extends UploadParts {
  addresses: SignedAddresses;
  find(documentId: string): ReportDocument | StoredFile | undefined;
  faults: Faults;
  counter: Counter;
  /** Aborts when the sandbox closes. */
  stopped: AbortSignal;
}

export function createDocumentListener(parts: DocumentParts): RequestListener {
  const packed = new WeakMap<ReportDocument, Promise<Buffer>>();
  const bytesOf = (document: ReportDocument | StoredFile): Promise<Buffer> => {
    if ('bytes' in document) return Promise.resolve(document.bytes);
    const known = packed.get(document) ?? pack(document);
    packed.set(document, known);
    return known;
  };
  return (request, response) => {
    serve(parts, bytesOf, request, response).catch(() => response.destroy());
  };
}

function pack({ text, type }: ReportDocument): Promise<Buffer> {
  const bytes = encode(text, type.charset);
  return type.isCompressed ? promisify(gzip)(bytes) : Promise.resolve(bytes);
}

async function serve(
  parts: DocumentParts,
  bytesOf: (document: ReportDocument | StoredFile) => Promise<Buffer>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const name = request.method === 'GET' ? DOWNLOAD : UPLOAD;
  const fault = parts.faults.take(name);
  if (fault?.delayMs !== undefined) await sleep(fault.delayMs, undefined, { signal: parts.stopped });
  const failure = fault === undefined ? undefined : applyFault(fault, response);
  if (failure === 'cut') return parts.counter.answered(name, 'cut');
  if (failure !== undefined) {
    const { status, headers = {}, text, body } = failure;
    return send(parts, response, { name, status, headers }, Buffer.from(text ?? JSON.stringify(body)));
  }
  if (name === UPLOAD) {
    const { status, refusal = '' } = await takeUpload(parts, request);
    return send(parts, response, { name, status, headers: refusal === '' ? {} : XML }, Buffer.from(refusal));
  }
  const found = open(parts, request);
  if ('refusal' in found) {
    return send(parts, response, { name, status: found.status, headers: XML }, Buffer.from(found.refusal));
  }
  const { document, announceEncoding } = found;
  const { contentType, isCompressed } =
    'bytes' in document ? { ...document, isCompressed: false } : document.type;
  const headers = {
    'content-type': contentType,
    ...(announceEncoding && isCompressed && { 'content-encoding': 'gzip' }),
  };
  send(parts, response, { name, status: 200, headers }, await bytesOf(document));
}

const XML = { 'content-type': 'application/xml' };

const refuse = (status: number, code: string, message: string) => ({
  status,
  refusal: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`,
});

function open(
  { addresses, find, tokenHeaders }: DocumentParts,
  { method, url = '', headers }: IncomingMessage,
): { document: ReportDocument | StoredFile; announceEncoding: boolean } | ReturnType<typeof refuse> {
  if (tokenHeaders.some((name) => headers[name] !== undefined)) {
    return refuse(400, 'InvalidArgument', 'Only one way to authorize is allowed: the address is signed.');
  }
  const checked = addresses.check(url);
  if (checked === 'expired') return refuse(403, 'AccessDenied', 'Request has expired');
  if (checked === 'wrong' || method !== 'GET') {
    return refuse(403, 'SignatureDoesNotMatch', 'The signature does not match this request.');
  }
  const document = find(checked.documentId);
  if (document === undefined) return refuse(404, 'NoSuchKey', 'The document does not exist.');
  return { document, announceEncoding: checked.announceEncoding };
}

function send(
  { counter }: DocumentParts,
  response: ServerResponse,
  { name, status, headers }: { name: string; status: number; headers: Readonly<Record<string, string>> },
  body: Buffer,
): void {
  counter.answered(name, status);
  if (response.destroyed || response.headersSent) return;
  response.writeHead(status, { ...headers, 'content-length': body.length });
  response.end(body);
}

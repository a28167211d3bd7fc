/** Asks for what lies at a signed address: follows allowed redirects, and explains what is no document. */

import type { Dispatcher } from 'undici';
import { NetworkError } from '../../base/errors.ts';
import { readReason } from '../transport/read-reason.ts';
import { checkRedirect } from './allowed-address.ts';
import { MAX_REDIRECTS } from './limits.ts';
import type { DownloadPool } from './pool.ts';

export interface DocumentRequest {
  url: URL;
  /** Base address of the service that gave the address. */
  givenBy: string;
  userAgent: string;
  signal: AbortSignal;
}

export interface DocumentResponse {
  body: Dispatcher.ResponseData['body'];
  /** Bytes that were announced. */
  ofBytes: number | undefined;
  /** Of the content type: letters, digits and `._-` only. */
  charset: string | undefined;
}

/** @throws NetworkError `ADDRESS_EXPIRED`, `ADDRESS_NOT_ALLOWED`, `HTTP_404` and such; what undici throws */
export async function requestDocument(pool: DownloadPool, asked: DocumentRequest): Promise<DocumentResponse> {
  const { request } = await import('../transport/undici.ts');
  let { url } = asked;
  for (let redirects = 0; ; redirects++) {
    const { signal, userAgent } = asked;
    // No accept-encoding: a document that is packed stays so, and is unpacked where it is read.
    const headers = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': userAgent };
    const answer = await request(url, { dispatcher: pool.for(url), signal, headers });
    const location = answer.headers.location;
    if (answer.statusCode < 300 || answer.statusCode >= 400 || typeof location !== 'string') {
      return answer.statusCode === 200 ? describe(answer) : refuse(answer, url.host);
    }
    discard(answer);
    if (redirects === MAX_REDIRECTS) throw failure('TOO_MANY_REDIRECTS', `${url.host} redirects in circles.`);
    url = checkRedirect(location, url, asked.givenBy);
  }
}

function describe(answer: Dispatcher.ResponseData): DocumentResponse {
  const encoding = `${answer.headers['content-encoding'] ?? ''}`.toLowerCase();
  if (/^(br|deflate|zstd|compress)$/.test(encoding)) {
    discard(answer);
    throw failure(
      'BAD_ENCODING',
      `The document was sent with the encoding ${encoding}, which was not asked for.`,
    );
  }
  const length = Number(answer.headers['content-length'] ?? Number.NaN);
  const type = `${answer.headers['content-type'] ?? ''}`.slice(0, 200);
  const [, charset] = /;\s{0,8}charset="?([\w.-]{1,40})/i.exec(type) ?? [];
  return { body: answer.body, ofBytes: Number.isSafeInteger(length) ? length : undefined, charset };
}

async function refuse(answer: Dispatcher.ResponseData, host: string): Promise<never> {
  const { statusCode: status } = answer;
  const isExpired = [401, 403, 410].includes(status) || /expired/i.test(await readReason(answer));
  discard(answer);
  if (isExpired && status < 500) {
    throw failure(
      'ADDRESS_EXPIRED',
      `The signed address of the document is no longer valid (HTTP ${status} from ${host}).`,
      'Collect it again: that asks for a new address.',
    );
  }
  throw failure(`HTTP_${status}`, `${host} answered HTTP ${status} instead of the document.`);
}

/** Nothing more of it is read. */
function discard(answer: Dispatcher.ResponseData): void {
  answer.body.on('error', () => {}).destroy();
}

function failure(code: string, message: string, hint = 'Collect it again in a few minutes.'): NetworkError {
  return new NetworkError(code, 'not-sent', message, hint);
}

/** A document at a signed address, streamed into a file: without the access token, over HTTPS, within limits of its own. */

import { open, rm, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Dispatcher } from 'undici';
import { NetworkError } from '../../base/errors.ts';
import { checkAddress, checkRedirect, NOT_FETCHED } from './allowed-address.ts';
import { saveBody } from './save-body.ts';
import {
  type AddressAttempt,
  type Direction,
  discard,
  readReason,
  SignedAddresses,
  type SignedOptions,
  type SignedSettings,
} from './signed-address.ts';

export interface DownloadSettings extends SignedSettings {
  /** Bytes free on the disk of a folder. */
  freeBytes?: ((folder: string) => Promise<number>) | undefined;
}

export interface DownloadOptions extends SignedOptions {
  onProgress?: ((progress: { bytes: number; ofBytes?: number }) => void) | undefined;
}

interface Downloaded {
  bytes: number;
  /** That the content type names, if it names one: often wrong. */
  charset: string | undefined;
}

export interface Downloads {
  /**
   * Writes to a new file (mode 600), of which nothing is left after a failure. What broke off is fetched once more from
   * the beginning while the address is young.
   * @throws NetworkError, code `ADDRESS_EXPIRED` where a new address has to be asked for, else `ADDRESS_NOT_ALLOWED`,
   * `BODY_TOO_LARGE`, `BODY_CUT_SHORT`, `DISK_FULL`, `HTTP_404` and such, or a system code; TimeoutError; what the signal
   * was aborted with. Nothing of the address but its host is in a message.
   */
  download(address: string, file: string, options: DownloadOptions): Promise<Downloaded>;
  /** Destroys every socket. */
  close(): Promise<void>;
}

const DOWN: Direction = {
  limits: { bytes: 1_000_000_000, silenceMs: 30_000, totalMs: 30 * 60_000 },
  unused: NOT_FETCHED,
  silent: (host, time) => ({
    message: `${host} sent nothing of the document for ${time}.`,
    hint: 'Collect it again in a few minutes.',
  }),
  tooSlow: (host, time) => ({
    message: `${host} did not send the whole document within ${time}.`,
    hint: 'Ask for less at once, or over a faster connection.',
  }),
};

export function createDownloads(settings: DownloadSettings): Downloads {
  const { freeBytes = freeOnDisk } = settings;
  const addresses = new SignedAddresses(settings, DOWN);
  return {
    async download(address, file, options) {
      options.signal.throwIfAborted();
      const url = checkAddress(address, options.givenBy);
      const handle = await open(file, 'wx', 0o600);
      let done = false;
      try {
        const downloaded = await addresses.use(url, options, async (attempt) => {
          await handle.truncate(0);
          const { givenBy, onProgress } = options;
          const { body, ofBytes, charset } = await requestDocument(url, givenBy, attempt);
          attempt.answered = true;
          const bytes = await saveBody(body, handle, {
            ofBytes,
            limit: addresses.limits.bytes,
            freeBytes: () => freeBytes(dirname(file)),
            onProgress,
          });
          return { bytes, charset };
        });
        done = true;
        return downloaded;
      } finally {
        await handle.close();
        if (!done) await rm(file, { force: true });
      }
    },
    close: () => addresses.close(),
  };
}

async function freeOnDisk(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

// Asks for what lies at a signed address: follows allowed redirects, and explains what is no document.

interface DocumentResponse {
  body: Dispatcher.ResponseData['body'];
  /** Bytes that were announced. */
  ofBytes: number | undefined;
  /** The charset of the content type: letters, digits and `._-` only. */
  charset: string | undefined;
}

/** Redirects followed. */
const MAX_REDIRECTS = 3;

/**
 * @param givenBy base address of the service that gave the address
 * @throws NetworkError `ADDRESS_EXPIRED`, `ADDRESS_NOT_ALLOWED`, `HTTP_404` and such; what undici throws
 */
async function requestDocument(
  first: URL,
  givenBy: string,
  { pool, userAgent, signal }: AddressAttempt,
): Promise<DocumentResponse> {
  const { request } = await import('../transport/undici.ts');
  // No accept-encoding: a document that is packed stays so, and is unpacked where it is read.
  const headers = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': userAgent };
  let url = first;
  for (let redirects = 0; ; redirects++) {
    const answer = await request(url, { dispatcher: pool.for(url), signal, headers });
    const location = answer.headers.location;
    if (answer.statusCode < 300 || answer.statusCode >= 400 || typeof location !== 'string') {
      return answer.statusCode === 200 ? describe(answer) : refuse(answer, url.host);
    }
    discard(answer);
    if (redirects === MAX_REDIRECTS) throw failure('TOO_MANY_REDIRECTS', `${url.host} redirects in circles.`);
    url = checkRedirect(location, url, givenBy);
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

function failure(code: string, message: string, hint = 'Collect it again in a few minutes.'): NetworkError {
  return new NetworkError(code, 'not-sent', message, hint);
}

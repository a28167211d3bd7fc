/** A document to a signed address: over HTTPS, without the access token, with exactly the content type that it was made for. */

import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { NetworkError } from '../../base/errors.ts';
import { byteLength } from '../../base/json.ts';
import { escapeText } from '../../base/text/escape-text.ts';
import { checkAddress, NOTHING_UPLOADED } from '../download/allowed-address.ts';
import {
  type AddressAttempt,
  type Direction,
  discard,
  readReason,
  SignedAddresses,
  type SignedLimits,
  type SignedOptions,
  type SignedSettings,
} from '../download/signed-address.ts';

export interface UploadContent {
  contentType: string;
  bytes: number;
  /** Reads the content from its start, each time. */
  read(): AsyncIterable<Uint8Array>;
}

export interface UploadOptions extends SignedOptions {
  /** The headers that the service needs besides the content type (`Content-MD5`). */
  headers?: Readonly<Record<string, string>> | undefined;
}

export interface Uploads {
  /**
   * Sends all of it, and once more from the beginning where that broke off and the address is young: the same bytes at
   * the same address are the same document. Redirects are refused.
   * @throws InputError for what is too large, and what `read` throws; NetworkError, code `ADDRESS_EXPIRED` where a new
   * address has to be asked for, `UPLOAD_REFUSED` where another one would not help, else `ADDRESS_NOT_ALLOWED`, `HTTP_500`
   * and such, or a system code; TimeoutError; what the signal was aborted with. Nothing of the address but its host is
   * in a message.
   */
  upload(address: string, content: UploadContent, options: UploadOptions): Promise<void>;
  /** Destroys every socket. */
  close(): Promise<void>;
}

/** The max size of one document. A feed of 25,000 messages has about a tenth of it. */
export const MAX_UPLOAD_BYTES = 100_000_000;

const UP: Direction = {
  // Silence counts once all was sent; a signed address lives five minutes.
  limits: { bytes: MAX_UPLOAD_BYTES, silenceMs: 60_000, totalMs: 4 * 60_000 },
  unused: NOTHING_UPLOADED,
  silent: (host, time) => ({
    message: `${host} did not answer to the upload for ${time}.`,
    hint: 'An uploaded document alone changes nothing: call again.',
  }),
  tooSlow: (host, time) => ({
    message: `The document could not be uploaded to ${host} within ${time}.`,
    hint: 'Use a faster connection, or split the document.',
  }),
};

export function createUploads(settings: SignedSettings): Uploads {
  const addresses = new SignedAddresses(settings, UP);
  return {
    async upload(address, content, options) {
      options.signal.throwIfAborted();
      refuseLarge(content, addresses.limits);
      const url = checkAddress(address, options.givenBy, NOTHING_UPLOADED);
      await addresses.use(url, options, (attempt) => send(url, content, options, attempt));
    },
    close: () => addresses.close(),
  };
}

function refuseLarge({ bytes }: UploadContent, limits: SignedLimits): void {
  if (bytes <= limits.bytes) return;
  throw new NetworkError(
    'BODY_TOO_LARGE',
    'not-sent',
    `The document has ${bytes} bytes, and at most ${limits.bytes} are uploaded; nothing was uploaded.`,
    'Split it into several.',
  );
}

async function send(
  url: URL,
  content: UploadContent,
  { headers = {} }: UploadOptions,
  attempt: AddressAttempt,
): Promise<void> {
  async function* reading() {
    try {
      yield* content.read();
    } catch (error) {
      attempt.own = { error };
      throw error;
    }
  }
  const { request } = await import('../transport/undici.ts');
  const form = wantsForm(url) ? buildForm(url, content) : undefined;
  const answer = await request(form?.url ?? url, {
    method: form === undefined ? 'PUT' : 'POST',
    dispatcher: attempt.pool.for(url),
    signal: attempt.signal,
    headers: {
      ...plainHeaders(headers),
      'content-type': form?.contentType ?? content.contentType,
      'content-length': String(form?.bytes ?? content.bytes),
      'user-agent': attempt.userAgent,
    },
    body: Readable.from(form === undefined ? reading() : form.wrap(reading())),
  });
  if (answer.statusCode >= 200 && answer.statusCode < 300) discard(answer);
  else await refuseUpload(answer, url.host, content.contentType);
}

/** The service's headers decide neither what is sent nor whose it is. */
const OURS =
  /^(content-type|content-length|transfer-encoding|host|connection|user-agent|authorization|cookie|expect|.*access-token)$/i;

function plainHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name, value]) => !OURS.test(name) && /^[\w-]+$/.test(name) && /^[\x20-\x7e]*$/.test(value),
    ),
  );
}

// The form in which some signed addresses want a file: their own parameters as fields, the file as the last of them.

/** True for an address whose signature stands for a form (a policy): A+ content gets such ones. */
const wantsForm = (url: URL) => url.searchParams.has('policy');

function buildForm(url: URL, content: UploadContent) {
  const boundary = `----form-${randomBytes(12).toString('hex')}`;
  const fields = [...url.searchParams].map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`,
  );
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="file"\r\nContent-Type: ${content.contentType}\r\n\r\n`;
  const head = fields.join('') + file;
  const end = `\r\n--${boundary}--\r\n`;
  return {
    url: new URL(url.pathname, url.origin),
    contentType: `multipart/form-data; boundary=${boundary}`,
    /** The size of the whole body. */
    bytes: byteLength(head) + content.bytes + byteLength(end),
    async *wrap(pieces: AsyncIterable<Uint8Array>) {
      yield Buffer.from(head);
      yield* pieces;
      yield Buffer.from(end);
    },
  };
}

/** Quotes a name as browsers do. */
const quoted = (name: string) => name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

// Why a signed address did not take a document: ended, another content type than it was made for, or anything else.

/** @throws NetworkError always */
async function refuseUpload(
  answer: Dispatcher.ResponseData,
  host: string,
  contentType: string,
): Promise<never> {
  const { statusCode: status } = answer;
  const reason = await readReason(answer);
  discard(answer);
  // A name of the storage's own, such as SignatureDoesNotMatch: letters only.
  const [, code] = /<Code>([A-Za-z]{1,60})<\/Code>/.exec(reason) ?? [];
  const answered = `HTTP ${status}${code === undefined ? '' : `, ${code}`}`;
  if (status < 500 && /expired/i.test(reason)) {
    throw new NetworkError(
      'ADDRESS_EXPIRED',
      'not-sent',
      `The signed address for the upload is no longer valid (${answered} from ${host}); nothing was uploaded.`,
      'Call again: that asks for a new address.',
    );
  }
  if (code === 'SignatureDoesNotMatch') {
    throw new NetworkError(
      'UPLOAD_REFUSED',
      'not-sent',
      `${host} refused the upload (${answered}): the address was made for another content type than ${escapeText(contentType)}, or for other headers. Nothing was uploaded.`,
      'Check contentType: it has to be one that this kind of document takes.',
    );
  }
  if (status >= 300 && status < 400) {
    throw new NetworkError(
      'UPLOAD_REFUSED',
      'not-sent',
      `${host} redirects uploads (${answered}), which are not sent anywhere else; nothing was uploaded.`,
      'Call again later; report it to the service if it stays so.',
    );
  }
  if (status < 500 && status !== 429 && status !== 408) {
    throw new NetworkError(
      'UPLOAD_REFUSED',
      'not-sent',
      `${host} refused the upload (${answered}); nothing was uploaded.`,
      HINTS[code ?? ''] ?? 'Check the document and its content type.',
    );
  }
  const message = `${host} answered HTTP ${status} to the upload.`;
  throw new NetworkError(`HTTP_${status}`, 'unknown', message, 'Call again in a few minutes.');
}

const HINTS: Readonly<Record<string, string>> = {
  EntityTooLarge: 'It is larger than this address takes: make it smaller.',
  EntityTooSmall: 'It is smaller than this address takes: is the document empty?',
  InvalidDigest: 'The service did not accept the MD5 that it was told; call again.',
  BadDigest: 'It did not arrive as it was sent; call again.',
};

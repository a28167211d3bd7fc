/** A document to a signed address: over HTTPS, without the access token, with exactly the content type that it was made for. */

import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { type Clock, sleep, systemClock } from '../../base/clock.ts';
import { AppError, NetworkError, TimeoutError } from '../../base/errors.ts';
import { byteLength } from '../../base/json.ts';
import { inWords } from '../../base/text/duration.ts';
import { escapeText } from '../../base/text/escape-text.ts';
import { checkAddress, NOTHING_UPLOADED } from '../download/allowed-address.ts';
import { YOUNG_ADDRESS_MS } from '../download/limits.ts';
import { type DownloadPool, type DownloadPoolSettings, openDownloadPool } from '../download/pool.ts';
import type { PoolSettings } from '../transport/connection-pool.ts';
import { isTransient, networkFailure } from '../transport/network-failure.ts';
import { readReason } from '../transport/read-reason.ts';
import { userAgent } from '../transport/user-agent.ts';
import { MOST_UPLOAD_BYTES, UPLOAD_SILENCE_MS, UPLOAD_TOTAL_MS } from './limits.ts';

export interface UploadSettings extends PoolSettings {
  /** Version of this program, for the User-Agent. */
  version: string;
  /** Stricter limits. */
  limits?: Partial<UploadLimits> | undefined;
  clock?: Clock | undefined;
  lookup?: DownloadPoolSettings['lookup'];
}

export interface UploadLimits {
  bytes: number;
  silenceMs: number;
  totalMs: number;
}

export interface UploadContent {
  contentType: string;
  bytes: number;
  /** From the beginning, each time. */
  read(): AsyncIterable<Uint8Array>;
}

export interface UploadOptions {
  /** Base address of the service that gave the address: only one on loopback may lead to loopback, or do without TLS. */
  givenBy: string;
  /** When it gave it, as Date.now(); now, if left out. */
  givenAt?: number | undefined;
  /** What the service wants with it beside the content type (`Content-MD5`). */
  headers?: Readonly<Record<string, string>> | undefined;
  signal: AbortSignal;
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

/** Before the second attempt. */
const PAUSE_MS = 1_000;

export function createUploads(settings: UploadSettings): Uploads {
  const clock = settings.clock ?? systemClock;
  const limits: UploadLimits = {
    bytes: MOST_UPLOAD_BYTES,
    silenceMs: UPLOAD_SILENCE_MS,
    totalMs: UPLOAD_TOTAL_MS,
    ...settings.limits,
  };
  let pool: Promise<DownloadPool> | undefined;
  return {
    async upload(address, content, options) {
      options.signal.throwIfAborted();
      refuseLarge(content, limits);
      const url = checkAddress(address, options.givenBy, NOTHING_UPLOADED);
      pool ??= openDownloadPool({ ...settings, silenceMs: limits.silenceMs, unused: NOTHING_UPLOADED });
      const parts = { settings, limits, pool: await pool };
      await tryTwice(() => attempt(url, content, options, parts), options, clock);
    },
    async close() {
      await (await pool)?.destroy();
    },
  };
}

function refuseLarge({ bytes }: UploadContent, limits: UploadLimits): void {
  if (bytes <= limits.bytes) return;
  throw new NetworkError(
    'BODY_TOO_LARGE',
    'not-sent',
    `The document has ${bytes} bytes, and at most ${limits.bytes} are uploaded; nothing was uploaded.`,
    'Split it into several.',
  );
}

async function tryTwice(run: () => Promise<void>, options: UploadOptions, clock: Clock): Promise<void> {
  const givenAt = options.givenAt ?? clock.wallClock();
  try {
    await run();
  } catch (error) {
    if (!mayPass(error) || clock.wallClock() - givenAt > YOUNG_ADDRESS_MS) throw error;
    await sleep(clock, PAUSE_MS, options.signal);
    await run();
  }
}

/** Silence and a full time limit have cost too much time already. */
function mayPass(error: unknown): boolean {
  return error instanceof NetworkError && (isTransient(error) || /^HTTP_(429|5\d\d)$/.test(error.code));
}

interface Parts {
  settings: UploadSettings;
  limits: UploadLimits;
  pool: DownloadPool;
}

async function attempt(
  url: URL,
  content: UploadContent,
  { headers = {}, signal: caller }: UploadOptions,
  { settings, limits, pool }: Parts,
): Promise<void> {
  const timeLimit = AbortSignal.timeout(limits.totalMs);
  const signal = AbortSignal.any([caller, timeLimit]);
  /** What reading the document has thrown: no failure of the network. */
  let unread: { error: unknown } | undefined;
  async function* reading() {
    try {
      yield* content.read();
    } catch (error) {
      unread = { error };
      throw error;
    }
  }
  try {
    const { request } = await import('../transport/undici.ts');
    const form = wantsForm(url) ? buildForm(url, content) : undefined;
    const answer = await request(form?.url ?? url, {
      method: form === undefined ? 'PUT' : 'POST',
      dispatcher: pool.for(url),
      signal,
      headers: {
        ...plainHeaders(headers),
        'content-type': form?.contentType ?? content.contentType,
        'content-length': String(form?.bytes ?? content.bytes),
        'user-agent': userAgent(settings.version),
      },
      body: Readable.from(form === undefined ? reading() : form.wrap(reading())),
    });
    if (answer.statusCode >= 200 && answer.statusCode < 300) {
      answer.body.on('error', () => {}).destroy();
      return;
    }
    await refuseUpload(answer, { host: url.host, contentType: content.contentType });
  } catch (error) {
    if (unread !== undefined) throw unread.error;
    caller.throwIfAborted();
    if (timeLimit.aborted) throw tooSlow(url.host, limits.totalMs);
    throw explain(error, url.host, { settings, limits });
  }
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

function explain(error: unknown, host: string, { settings, limits }: Omit<Parts, 'pool'>): unknown {
  const own = error instanceof Error && error.cause instanceof AppError ? error.cause : error;
  if (own instanceof AppError) return own;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    const message = `${host} did not answer to the upload for ${inWords(limits.silenceMs)}.`;
    return new TimeoutError(limits.silenceMs, 'unknown', message, AGAIN);
  }
  const { connectTimeoutMs } = settings;
  return networkFailure(error, { host, fate: 'unknown', answered: false, connectTimeoutMs, check: '' });
}

const AGAIN = 'An uploaded document alone changes nothing: call again.';

function tooSlow(host: string, ms: number): TimeoutError {
  const message = `The document could not be uploaded to ${host} within ${inWords(ms)}.`;
  return new TimeoutError(ms, 'unknown', message, 'Use a faster connection, or split the document.');
}

// The form in which some signed addresses want a file: their own parameters as fields, the file as the last of them.

interface FormBody {
  url: URL;
  contentType: string;
  /** Of the whole body. */
  bytes: number;
  wrap(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
}

/** True for an address whose signature stands for a form (a policy): A+ content gets such ones. */
const wantsForm = (url: URL) => url.searchParams.has('policy');

function buildForm(url: URL, content: { contentType: string; bytes: number }): FormBody {
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
    bytes: byteLength(head) + content.bytes + byteLength(end),
    async *wrap(pieces) {
      yield Buffer.from(head);
      yield* pieces;
      yield Buffer.from(end);
    },
  };
}

/** As browsers write it. */
const quoted = (name: string) => name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

// Why a signed address did not take a document: ended, another content type than it was made for, or anything else.

interface Refused {
  host: string;
  contentType: string;
}

/** @throws NetworkError always */
async function refuseUpload(answer: Dispatcher.ResponseData, { host, contentType }: Refused): Promise<never> {
  const { statusCode: status } = answer;
  const reason = await readReason(answer);
  answer.body.on('error', () => {}).destroy();
  // A name of the storage's own, such as SignatureDoesNotMatch: letters only.
  const [, code] = /<Code>([A-Za-z]{1,60})<\/Code>/.exec(reason) ?? [];
  const said = `HTTP ${status}${code === undefined ? '' : `, ${code}`}`;
  if (status < 500 && /expired/i.test(reason)) {
    throw new NetworkError(
      'ADDRESS_EXPIRED',
      'not-sent',
      `The signed address for the upload is no longer valid (${said} from ${host}); nothing was uploaded.`,
      'Call again: that asks for a new address.',
    );
  }
  if (code === 'SignatureDoesNotMatch') {
    throw new NetworkError(
      'UPLOAD_REFUSED',
      'not-sent',
      `${host} refused the upload (${said}): the address was made for another content type than ${escapeText(contentType)}, or for other headers. Nothing was uploaded.`,
      'Check contentType: it has to be one that this kind of document takes.',
    );
  }
  if (status >= 300 && status < 400) {
    throw new NetworkError(
      'UPLOAD_REFUSED',
      'not-sent',
      `${host} redirects uploads (${said}), which are not sent anywhere else; nothing was uploaded.`,
      'Call again later; report it to the service if it stays so.',
    );
  }
  if (status < 500 && status !== 429 && status !== 408) {
    throw new NetworkError(
      'UPLOAD_REFUSED',
      'not-sent',
      `${host} refused the upload (${said}); nothing was uploaded.`,
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

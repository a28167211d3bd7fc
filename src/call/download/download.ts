/** A document at a signed address, streamed into a file: without the access token, over HTTPS, within limits of its own. */

import { type FileHandle, open, rm, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Clock, sleep, systemClock } from '../../base/clock.ts';
import { AppError, NetworkError, TimeoutError } from '../../base/errors.ts';
import { inWords } from '../../base/text/duration.ts';
import type { PoolSettings } from '../transport/connection-pool.ts';
import { isTransient, networkFailure } from '../transport/network-failure.ts';
import { userAgent } from '../transport/user-agent.ts';
import { checkAddress } from './allowed-address.ts';
import { DOWNLOAD_LIMITS, type DownloadLimits, YOUNG_ADDRESS_MS } from './limits.ts';
import { type DownloadPool, type DownloadPoolSettings, openDownloadPool } from './pool.ts';
import { requestDocument } from './request-document.ts';
import { saveBody } from './save-body.ts';

export interface DownloadSettings extends PoolSettings {
  /** Version of this program, for the User-Agent. */
  version: string;
  /** Stricter limits than `DOWNLOAD_LIMITS`. */
  limits?: Partial<DownloadLimits> | undefined;
  clock?: Clock | undefined;
  lookup?: DownloadPoolSettings['lookup'];
  /** Bytes free on the disk of a folder. */
  freeBytes?: ((folder: string) => Promise<number>) | undefined;
}

export interface DownloadOptions {
  /** Base address of the service that gave the address: only one on loopback may lead to loopback, or do without TLS. */
  givenBy: string;
  /** When it gave it, as Date.now(); now, if left out. */
  givenAt?: number | undefined;
  signal: AbortSignal;
  onProgress?: ((progress: { bytes: number; ofBytes?: number }) => void) | undefined;
}

export interface Downloaded {
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

/** Before the second attempt. */
const PAUSE_MS = 1_000;

export function createDownloads(settings: DownloadSettings): Downloads {
  const { clock = systemClock, freeBytes = freeOnDisk } = settings;
  const limits = { ...DOWNLOAD_LIMITS, ...settings.limits };
  let pool: Promise<DownloadPool> | undefined;
  const parts = (): Parts => {
    pool ??= openDownloadPool({ ...settings, silenceMs: limits.silenceMs });
    return { settings, limits, clock, freeBytes, pool };
  };
  return {
    download: (address, file, options) => downloadInto(address, file, options, parts()),
    async close() {
      await (await pool)?.destroy();
    },
  };
}

interface Parts {
  settings: DownloadSettings;
  limits: DownloadLimits;
  clock: Clock;
  freeBytes: (folder: string) => Promise<number>;
  pool: Promise<DownloadPool>;
}

async function downloadInto(
  address: string,
  file: string,
  options: DownloadOptions,
  parts: Parts,
): Promise<Downloaded> {
  options.signal.throwIfAborted();
  const url = checkAddress(address, options.givenBy);
  const handle = await open(file, 'wx', 0o600);
  let done = false;
  try {
    const downloaded = await tryTwice(() => attempt(url, handle, file, options, parts), options, parts.clock);
    done = true;
    return downloaded;
  } finally {
    await handle.close();
    if (!done) await rm(file, { force: true });
  }
}

async function tryTwice<T>(run: () => Promise<T>, options: DownloadOptions, clock: Clock): Promise<T> {
  const givenAt = options.givenAt ?? clock.wallClock();
  try {
    return await run();
  } catch (error) {
    if (!mayPass(error) || clock.wallClock() - givenAt > YOUNG_ADDRESS_MS) throw error;
    await sleep(clock, PAUSE_MS, options.signal);
    return run();
  }
}

/** Silence and a full time limit have cost too much time already. */
function mayPass(error: unknown): boolean {
  return error instanceof NetworkError && (isTransient(error) || /^HTTP_(429|5\d\d)$/.test(error.code));
}

async function attempt(
  url: URL,
  handle: FileHandle,
  file: string,
  options: DownloadOptions,
  { settings, limits, freeBytes, pool }: Parts,
): Promise<Downloaded> {
  const timeLimit = AbortSignal.timeout(limits.totalMs);
  const signal = AbortSignal.any([options.signal, timeLimit]);
  let answered = false;
  try {
    await handle.truncate(0);
    const asked = { url, givenBy: options.givenBy, userAgent: userAgent(settings.version), signal };
    const { body, ofBytes, charset } = await requestDocument(await pool, asked);
    answered = true;
    const bytes = await saveBody(body, handle, {
      ofBytes,
      limit: limits.bytes,
      freeBytes: () => freeBytes(dirname(file)),
      onProgress: options.onProgress,
    });
    return { bytes, charset };
  } catch (error) {
    options.signal.throwIfAborted();
    if (timeLimit.aborted) throw tookTooLong(url.host, limits.totalMs);
    throw explain(error, { host: url.host, answered, limits, settings });
  }
}

interface Failed {
  host: string;
  answered: boolean;
  limits: DownloadLimits;
  settings: DownloadSettings;
}

function explain(error: unknown, { host, answered, limits, settings }: Failed): unknown {
  const own = error instanceof Error && error.cause instanceof AppError ? error.cause : error;
  if (own instanceof AppError) return own;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT')
    return silent(host, limits.silenceMs);
  const { connectTimeoutMs } = settings;
  return networkFailure(error, { host, fate: 'unknown', answered, connectTimeoutMs, check: '' });
}

function silent(host: string, ms: number): TimeoutError {
  const message = `${host} sent nothing of the document for ${inWords(ms)}.`;
  return new TimeoutError(ms, 'unknown', message, 'Collect it again in a few minutes.');
}

function tookTooLong(host: string, ms: number): TimeoutError {
  const message = `${host} did not send the whole document within ${inWords(ms)}.`;
  return new TimeoutError(ms, 'unknown', message, 'Ask for less at once, or over a faster connection.');
}

async function freeOnDisk(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

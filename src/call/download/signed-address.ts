/** An exchange with a signed address, down or up: on sockets apart from the service's, within limits of its own, and twice while the address is young. */

import type { lookup } from 'node:dns';
import type { Dispatcher } from 'undici';
import { type Clock, sleep, systemClock } from '../../base/clock.ts';
import { AppError, codeOf, NetworkError, TimeoutError } from '../../base/errors.ts';
import { formatDuration } from '../../base/text/duration.ts';
import { type ConnectionPool, openPool, type PoolSettings } from '../transport/connection-pool.ts';
import { isTransient, networkFailure } from '../transport/network-failure.ts';
import { userAgent } from '../transport/user-agent.ts';
import { guardLookup, type Unused } from './allowed-address.ts';

/** Stated in the errors that refuse more. */
export interface SignedLimits {
  /** The max size of one document, as it is packed. */
  bytes: number;
  /** The max time without a byte. */
  silenceMs: number;
  /** The max time in all. */
  totalMs: number;
}

export interface SignedSettings extends PoolSettings {
  /** Version of this program, for the User-Agent. */
  version: string;
  /** Stricter limits than those of the direction. */
  limits?: Partial<SignedLimits> | undefined;
  clock?: Clock | undefined;
  /** Instead of the system's name server, for tests. */
  lookup?: typeof lookup | undefined;
}

export interface SignedOptions {
  /** Base address of the service that gave the address: only one on loopback may lead to loopback, or do without TLS. */
  givenBy: string;
  /** When it gave it, as Date.now(); now, if left out. */
  givenAt?: number | undefined;
  signal: AbortSignal;
}

/** The differences between a download and an upload. */
export interface Direction {
  limits: SignedLimits;
  /** The end of the error for an address that is not allowed. */
  unused: Unused;
  /** Said of a host that was silent for so long, and of one that took longer than this in all. */
  silent(host: string, time: string): AddressMessages;
  tooSlow(host: string, time: string): AddressMessages;
}

interface AddressMessages {
  message: string;
  hint: string;
}

/** One attempt, as its work sees it. */
export interface AddressAttempt {
  pool: ConnectionPool;
  userAgent: string;
  signal: AbortSignal;
  /** Set by the work once there is an answer. */
  answered: boolean;
  /** Set by the work where something else failed than the network: that is thrown. */
  own?: { error: unknown };
}

/** A signed address lives five minutes; after four it is not tried again. */
const YOUNG_ADDRESS_MS = 4 * 60_000;

/** Before the second attempt. */
const PAUSE_MS = 1_000;

export class SignedAddresses {
  readonly limits: SignedLimits;
  readonly #settings: SignedSettings;
  readonly #direction: Direction;
  #pool: Promise<ConnectionPool> | undefined;

  constructor(settings: SignedSettings, direction: Direction) {
    this.#settings = settings;
    this.#direction = direction;
    this.limits = { ...direction.limits, ...settings.limits };
  }

  /** Does the work, and once more from the beginning where it broke off and the address is young. */
  async use<T>(url: URL, options: SignedOptions, work: (attempt: AddressAttempt) => Promise<T>): Promise<T> {
    const { clock = systemClock } = this.#settings;
    const givenAt = options.givenAt ?? clock.wallClock();
    try {
      return await this.#attempt(url, options.signal, work);
    } catch (error) {
      if (!mayPass(error) || clock.wallClock() - givenAt > YOUNG_ADDRESS_MS) throw error;
      await sleep(clock, PAUSE_MS, options.signal);
      return this.#attempt(url, options.signal, work);
    }
  }

  /** Destroys every socket. */
  async close(): Promise<void> {
    await (await this.#pool)?.destroy();
  }

  async #attempt<T>(
    { host }: URL,
    caller: AbortSignal,
    work: (attempt: AddressAttempt) => Promise<T>,
  ): Promise<T> {
    const { totalMs } = this.limits;
    const timeLimit = AbortSignal.timeout(totalMs);
    this.#pool ??= this.#openPool();
    const attempt: AddressAttempt = {
      pool: await this.#pool,
      userAgent: userAgent(this.#settings.version),
      signal: AbortSignal.any([caller, timeLimit]),
      answered: false,
    };
    try {
      return await work(attempt);
    } catch (error) {
      if (attempt.own !== undefined) throw attempt.own.error;
      caller.throwIfAborted();
      if (timeLimit.aborted) throw timeout(totalMs, this.#direction.tooSlow(host, formatDuration(totalMs)));
      throw this.#explain(error, host, attempt.answered);
    }
  }

  #openPool(): Promise<ConnectionPool> {
    const { silenceMs } = this.limits;
    return openPool(this.#settings, {
      headersTimeout: silenceMs,
      bodyTimeout: silenceMs,
      lookup: guardLookup(this.#direction.unused, this.#settings.lookup),
    });
  }

  #explain(error: unknown, host: string, answered: boolean): AppError {
    const own = error instanceof Error && error.cause instanceof AppError ? error.cause : error;
    if (own instanceof AppError) return own;
    const code = codeOf(error);
    if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
      const { silenceMs } = this.limits;
      return timeout(silenceMs, this.#direction.silent(host, formatDuration(silenceMs)));
    }
    const { connectTimeoutMs } = this.#settings;
    return networkFailure(error, { host, fate: 'unknown', answered, connectTimeoutMs, check: '' });
  }
}

function timeout(ms: number, { message, hint }: AddressMessages): TimeoutError {
  return new TimeoutError(ms, 'unknown', message, hint);
}

/** Silence and a full time limit have cost too much time already. */
function mayPass(error: unknown): boolean {
  return error instanceof NetworkError && (isTransient(error) || /^HTTP_(429|5\d\d)$/.test(error.code));
}

const MAX_REASON_BYTES = 4_096;

/** Reads the start of a refusal as its reason; empty if none comes. */
export async function readReason(answer: Dispatcher.ResponseData): Promise<string> {
  let reason = '';
  try {
    for await (const piece of answer.body) {
      reason += String(piece);
      if (reason.length >= MAX_REASON_BYTES) break;
    }
  } catch {
    // The status says enough.
  }
  return reason.slice(0, MAX_REASON_BYTES);
}

/** Discards the rest of the answer. */
export function discard(answer: Dispatcher.ResponseData): void {
  answer.body.on('error', () => {}).destroy();
}

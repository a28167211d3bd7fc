/**
 * Checks the network for `status`: whether service and identity provider answer, and whether the clock is
 * right.
 */

import { AppError, TimeoutError } from '../../../base/errors.ts';
import { openPool } from '../../../call/transport/connection-pool.ts';
import { networkFailure } from '../../../call/transport/network-failure.ts';
import type { Outside } from '../../runtime/outside.ts';
import { type Check, note, ok, problem, problemOf } from './check.ts';

/** The answer of a host. The request has no credentials, and only the status and the Date header are used. */
export interface Probe {
  host: string;
  status?: number;
  /** The milliseconds by which the local clock is ahead of the host's; absent when the host sends no time. */
  clockAheadMs?: number;
  /** The reason why no answer arrived. */
  error?: AppError;
}

const PROBE_TIMEOUT_MS = 10_000;
const CLOCK_TOLERANCE_MS = 300_000;

/** Sends one HEAD request to each address concurrently. */
export async function probeHosts(
  addresses: readonly string[],
  { config, signal }: Pick<Outside, 'config' | 'signal'>,
  wallClock: () => number = Date.now,
): Promise<Probe[]> {
  const pool = await openPool(config);
  const { request } = await import('../../../call/transport/undici.ts');
  const probe = async (address: string): Promise<Probe> => {
    const url = new URL(address);
    const limit = AbortSignal.timeout(PROBE_TIMEOUT_MS);
    const before = wallClock();
    try {
      const { statusCode, headers, body } = await request(url, {
        method: 'HEAD',
        dispatcher: pool.for(url),
        signal: AbortSignal.any([limit, signal]),
      });
      await body.dump();
      const local = (before + wallClock()) / 2;
      return { host: url.host, status: statusCode, clockAheadMs: aheadOf(headers.date, local) };
    } catch (error) {
      return { host: url.host, error: explain(error, url.host, limit.aborted, config.connectTimeoutMs) };
    }
  };
  try {
    return await Promise.all(addresses.map(probe));
  } finally {
    await pool.destroy();
  }
}

function aheadOf(date: string | string[] | undefined, local: number): number | undefined {
  const remote = typeof date === 'string' ? Date.parse(date) : Number.NaN;
  // The header has whole seconds, so half a second is the best estimate of the rest.
  return Number.isNaN(remote) ? undefined : local - (remote + 500);
}

function explain(error: unknown, host: string, timedOut: boolean, connectTimeoutMs: number): AppError {
  if (error instanceof AppError) return error;
  if (timedOut) {
    const hint = 'Check the network, a proxy or firewall, and the address.';
    return new TimeoutError(PROBE_TIMEOUT_MS, 'unknown', `${host} did not answer within 10 s.`, hint);
  }
  return networkFailure(error, { host, fate: 'not-sent', answered: false, connectTimeoutMs, check: '' });
}

/**
 * Any answer shows that the host is reachable: without a token most return 403 or 404, and 501 where nothing
 * exists at this path.
 */
export function checkReachable(name: string, { host, status, error }: Probe): Check {
  if (error !== undefined) return problemOf(name, error);
  if (status === undefined || status < 500 || status === 501) return ok(name, `${host} answers`);
  return problem(
    name,
    `${host} answers with status ${status}`,
    'Wait and try again; the service has a problem of its own.',
  );
}

/** Checks the clock, because the server validates tokens and signatures by its own. */
export function checkClock(probes: readonly Probe[]): Check {
  const timed = probes.find(({ clockAheadMs }) => clockAheadMs !== undefined);
  if (timed?.clockAheadMs === undefined) {
    return note('Clock', 'not checked: no host told the time');
  }
  const seconds = Math.round(Math.abs(timed.clockAheadMs) / 1000);
  if (Math.abs(timed.clockAheadMs) <= CLOCK_TOLERANCE_MS) {
    return ok('Clock', `right (compared with ${timed.host})`);
  }
  const direction = timed.clockAheadMs > 0 ? 'ahead of' : 'behind';
  const distance =
    seconds < 7200 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3600)} hours`;
  return problem(
    'Clock',
    `${distance} ${direction} ${timed.host}`,
    'Set the clock of this computer, or turn on setting it automatically: tokens end at the wrong time otherwise.',
  );
}

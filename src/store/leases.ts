/**
 * Leases let one process at a time work on a thing. Each is a row of a store with its process, its last
 * heartbeat and its progress.
 */

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { ConfigError } from '../base/errors.ts';
import { parseJson } from '../base/json.ts';
import { isRunning, processNamespace, startOf } from './process-namespace.ts';
import { execute, put, type StoreStep, select, sql } from './statement.ts';
import type { Store } from './store.ts';

/** Times are milliseconds by the computer's clock, or by that of the store that replicas share. */
export const LEASE_TABLES = `
  CREATE TABLE leases (
    name TEXT PRIMARY KEY,
    mark TEXT NOT NULL,
    place TEXT NOT NULL,
    pid INTEGER NOT NULL,
    started TEXT,
    heard_at REAL NOT NULL,
    progress TEXT
  ) STRICT`;

export interface Lease {
  /** The holder's unique token. */
  mark: string;
  /**
   * The token of the previous holder, if it missed its heartbeats but may only be suspended and still run.
   */
  silent?: string | undefined;
  /** False once another process has taken the lease, because this one missed its heartbeats. */
  isOurs(): Promise<boolean>;
  release(): Promise<void>;
}

const leaseRow = z.object({
  mark: z.string(),
  place: z.string(),
  pid: z.int(),
  started: z.string().nullable(),
  heard_at: z.number(),
  progress: z.string().nullable(),
});

type Holder = z.output<typeof leaseRow>;

/** The parameters that decide whether a holder is still at work. */
interface LeaseTime {
  now: number;
  /** The milliseconds without a heartbeat after which a holder loses the lease. */
  silentMs: number;
  /**
   * `computer`: a process ID shows whether the holder has ended. `inside`: a running holder also never loses
   * the lease. `replicas`: only heartbeats count.
   */
  among: 'computer' | 'inside' | 'replicas';
}

export const newMark = () => randomBytes(8).toString('hex');

/** Returns false for a process that ran on this computer since its last start and has ended. */
const mayRun = ({ place, pid, started }: Holder, { among }: LeaseTime) =>
  among === 'replicas' ||
  place !== processNamespace() ||
  (isRunning(pid) && (started === null || started === startOf(pid)));

/**
 * A heartbeat in the future counts by its distance too, because the clock may have been set back; a live
 * holder soon sends another.
 */
const isAtWork = (holder: Holder, time: LeaseTime) =>
  mayRun(holder, time) &&
  ((time.among === 'inside' && holder.place === processNamespace()) ||
    Math.abs(time.now - holder.heard_at) < time.silentMs);

function* readRow(name: string): StoreStep<Holder | undefined> {
  const [row] = yield* select(sql`SELECT * FROM leases WHERE name = ${name}`, leaseRow);
  return row;
}

/** Returns the holder; undefined when there is none, or when its process is gone. */
export function* readHolder(name: string, time: LeaseTime): StoreStep<Holder | undefined> {
  const row = yield* readRow(name);
  return row !== undefined && isAtWork(row, time) ? row : undefined;
}

/** Takes the lease; undefined while another process holds it. */
export function* takeLease(
  name: string,
  mark: string,
  time: LeaseTime,
  progress?: string,
): StoreStep<Pick<Lease, 'silent'> | undefined> {
  const before = yield* readRow(name);
  if (before !== undefined && isAtWork(before, time)) return undefined;
  const { pid } = process;
  const own = { mark, place: processNamespace(), pid, started: startOf(pid), heard_at: time.now, progress };
  yield put('leases', 'name', { name, ...own });
  yield sql`DELETE FROM leases WHERE heard_at < ${time.now - RETENTION_MS}`;
  return { silent: before !== undefined && mayRun(before, time) ? before.mark : undefined };
}

/**
 * Renews the lease. False when another process has taken it; an expired lease stays its holder's until then.
 */
export function* renewLease(
  name: string,
  mark: string,
  { now, silentMs }: Pick<LeaseTime, 'now' | 'silentMs'>,
): StoreStep<boolean> {
  const row = yield* readRow(name);
  if (row?.mark !== mark) return false;
  if (Math.abs(now - row.heard_at) > silentMs / 10)
    yield sql`UPDATE leases SET heard_at = ${now} WHERE name = ${name}`;
  return true;
}

export const releaseLease = (name: string, mark: string): StoreStep<void> =>
  execute(sql`DELETE FROM leases WHERE name = ${name} AND mark = ${mark}`);

// Holders on this computer send heartbeats by timer.

const HEARTBEAT_MS = 1_000;
const SILENT_MS = 15_000;
const POLL_MS = 20;
/** The age at which leases of killed processes are removed. */
const RETENTION_MS = 31 * 86_400_000;
/** The maximum wait for another process, which then fails. */
const MAX_WAIT_MS = 60_000;

export interface Leases {
  /**
   * Takes the lease; undefined while another process holds it.
   * @param progress reported to other processes, as JSON
   */
  take(name: string, progress?: () => unknown): Promise<Pick<Lease, 'release'> | undefined>;
  /** Returns the holder's progress; undefined when nobody holds the lease. */
  holder(name: string): Promise<{ progress: unknown } | undefined>;
  /**
   * Runs the work as soon as no other process does.
   * @throws ConfigError when another process works for a minute; the work's own errors
   */
  within<T>(name: string, work: () => Promise<T>): Promise<T>;
}

const timeNow = (among: LeaseTime['among'] = 'computer'): LeaseTime => ({
  now: Date.now(),
  silentMs: SILENT_MS,
  among,
});

export function createLeases(open: () => Promise<Store>): Leases {
  const acquire = async (name: string, among: LeaseTime['among'], progress: () => unknown) => {
    const store = await open();
    const mark = newMark();
    const text = () => JSON.stringify(progress());
    const taken = await store.run(() => takeLease(name, mark, timeNow(among), text()));
    if (taken === undefined) return undefined;
    const sendHeartbeat = () =>
      execute(sql`UPDATE leases SET heard_at = ${Date.now()}, progress = ${text()}
        WHERE name = ${name} AND mark = ${mark}`);
    let sending: Promise<unknown> | undefined;
    const timer = setInterval(() => {
      sending ??= store
        .run(sendHeartbeat)
        .catch(() => undefined)
        .finally(() => {
          sending = undefined;
        });
    }, HEARTBEAT_MS).unref();
    return {
      /** Never rejects, because the work is done and a lease without heartbeats expires. */
      async release() {
        clearInterval(timer);
        await sending;
        await store.run(() => releaseLease(name, mark)).catch(() => undefined);
      },
    };
  };
  return {
    take: (name, progress = () => undefined) => acquire(name, 'computer', progress),
    async holder(name) {
      const found = await (await open()).read(() => readHolder(name, timeNow()));
      return found && { progress: parseJson(found.progress ?? '') };
    },
    async within(name, work) {
      const until = performance.now() + MAX_WAIT_MS;
      for (;;) {
        const lease = await acquire(name, 'inside', () => undefined);
        if (lease !== undefined) return work().finally(() => lease.release());
        if (performance.now() > until)
          throw new ConfigError(
            'Another process has been at the same work for a minute.',
            'Try again, or end it.',
          );
        await sleep(POLL_MS);
      }
    },
  };
}

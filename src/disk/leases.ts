/** Leases let one process at a time work on a thing. Each is a row of a store, with the process, when it was last heard of, and how far it is. */

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { ConfigError } from '../base/errors.ts';
import { parseJson } from '../base/json.ts';
import { isRunning, processPlace, startOf } from './process-place.ts';
import { execute, put, type Step, select, sql } from './statement.ts';
import type { Store } from './store.ts';

/** Times are milliseconds: of the clock of the computer, or of that of the store that replicas share. */
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
  /** No other holder has the same. */
  mark: string;
  /** The mark of the previous holder, where it was silent for too long but may still run: it may only be suspended. */
  silent?: string | undefined;
  /** False once another process has taken it: this one was silent for too long. */
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

/** Tells whether a holder is still at work. */
interface LeaseTime {
  now: number;
  /** A holder that says nothing for so many milliseconds has lost it. */
  silentMs: number;
  /** `computer`: the numbers of processes say whether one has ended. `inside`: and one that runs has it, however long it is silent. */
  among: 'computer' | 'inside' | 'replicas';
}

export const newMark = () => randomBytes(8).toString('hex');

/** Returns false for a process of this computer, since its last start, that has ended. */
const mayRun = ({ place, pid, started }: Holder, { among }: LeaseTime) =>
  among === 'replicas' ||
  place !== processPlace() ||
  (isRunning(pid) && (started === null || started === startOf(pid)));

/** A time in the future counts too: the clock was set back since, and whoever is there says so again soon. */
const isAtWork = (holder: Holder, time: LeaseTime) =>
  mayRun(holder, time) &&
  ((time.among === 'inside' && holder.place === processPlace()) ||
    Math.abs(time.now - holder.heard_at) < time.silentMs);

function* readRow(name: string): Step<Holder | undefined> {
  const [row] = yield* select(sql`SELECT * FROM leases WHERE name = ${name}`, leaseRow);
  return row;
}

/** Undefined where nobody holds it; what a process left that is gone counts for nobody. */
export function* readHolder(name: string, time: LeaseTime): Step<Holder | undefined> {
  const row = yield* readRow(name);
  return row !== undefined && isAtWork(row, time) ? row : undefined;
}

/** Undefined while another process holds it. */
export function* takeLease(
  name: string,
  mark: string,
  time: LeaseTime,
  progress?: string,
): Step<Pick<Lease, 'silent'> | undefined> {
  const before = yield* readRow(name);
  if (before !== undefined && isAtWork(before, time)) return undefined;
  const { pid } = process;
  const own = { mark, place: processPlace(), pid, started: startOf(pid), heard_at: time.now, progress };
  yield put('leases', 'name', { name, ...own });
  yield sql`DELETE FROM leases WHERE heard_at < ${time.now - LEFT_MS}`;
  return { silent: before !== undefined && mayRun(before, time) ? before.mark : undefined };
}

/** Returns false where another process has taken it; a lease that is over is still its holder's until then. */
export function* keepLease(
  name: string,
  mark: string,
  { now, silentMs }: Pick<LeaseTime, 'now' | 'silentMs'>,
): Step<boolean> {
  const row = yield* readRow(name);
  if (row?.mark !== mark) return false;
  if (Math.abs(now - row.heard_at) > silentMs / 10)
    yield sql`UPDATE leases SET heard_at = ${now} WHERE name = ${name}`;
  return true;
}

export const releaseLease = (name: string, mark: string): Step<void> =>
  execute(sql`DELETE FROM leases WHERE name = ${name} AND mark = ${mark}`);

// Work of this computer: its holder says by itself that it is there.

const BEAT_MS = 1_000;
const SILENT_MS = 15_000;
const LOOK_MS = 20;
/** The lease of a process that was killed is removed then. */
const LEFT_MS = 31 * 86_400_000;
/** The wait for another process ends then with an error. */
const MAX_WAIT_MS = 60_000;

export interface Leases {
  /** Undefined while another process holds it. @param progress told to those who look, as JSON */
  take(name: string, progress?: () => unknown): Promise<Pick<Lease, 'release'> | undefined>;
  /** How far the holder is; undefined where nobody holds it. */
  holder(name: string): Promise<{ progress: unknown } | undefined>;
  /** Runs it as soon as no other process does. @throws ConfigError where one does for a minute; what it throws */
  within<T>(name: string, work: () => Promise<T>): Promise<T>;
}

const timeNow = (among: LeaseTime['among'] = 'computer'): LeaseTime => ({
  now: Date.now(),
  silentMs: SILENT_MS,
  among,
});

export function createLeases(open: () => Promise<Store>): Leases {
  const hold = async (name: string, among: LeaseTime['among'], progress: () => unknown) => {
    const store = await open();
    const mark = newMark();
    const text = () => JSON.stringify(progress());
    const taken = await store.run(() => takeLease(name, mark, timeNow(among), text()));
    if (taken === undefined) return undefined;
    const beat = () =>
      execute(sql`UPDATE leases SET heard_at = ${Date.now()}, progress = ${text()}
        WHERE name = ${name} AND mark = ${mark}`);
    let beating: Promise<unknown> | undefined;
    const timer = setInterval(() => {
      beating ??= store
        .run(beat)
        .catch(() => undefined)
        .finally(() => {
          beating = undefined;
        });
    }, BEAT_MS).unref();
    return {
      /** Never rejects: what was done counts, and a lease that nobody renews ends by itself. */
      async release() {
        clearInterval(timer);
        await beating;
        await store.run(() => releaseLease(name, mark)).catch(() => undefined);
      },
    };
  };
  return {
    take: (name, progress = () => undefined) => hold(name, 'computer', progress),
    async holder(name) {
      const found = await (await open()).read(() => readHolder(name, timeNow()));
      return found && { progress: parseJson(found.progress ?? '') };
    },
    async within(name, work) {
      const until = performance.now() + MAX_WAIT_MS;
      for (;;) {
        const lease = await hold(name, 'inside', () => undefined);
        if (lease !== undefined) return work().finally(() => lease.release());
        if (performance.now() > until)
          throw new ConfigError(
            'Another process has been at the same work for a minute.',
            'Try again, or end it.',
          );
        await sleep(LOOK_MS);
      }
    },
  };
}

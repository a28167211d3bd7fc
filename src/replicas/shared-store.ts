/**
 * The store that replicas share, on PostgreSQL. It answers each statement within a quarter of a second, or
 * counts as away.
 */

import { createHash, randomUUID } from 'node:crypto';
import * as z from 'zod';
import { execute, put, type StoreStep, select, sql } from '../store/statement.ts';
import type { Postgres, PostgresOptions } from './postgres.ts';
import { CLOCK_SET_US, type Moment, type SharedStep, StoreUnavailable, TopicLocked } from './shared-step.ts';
import { EXPIRING } from './tables.ts';

export interface SharedStore {
  /**
   * Runs a step in one transaction. Steps of a topic run one at a time; a step touches no rows of another
   * topic.
   * @param isDurable false if a crash of the server may undo it, which is faster
   * @throws StoreAway when the store is away or refuses, so that the outcome is unknown
   */
  run<T>(topic: string, step: SharedStep<T>, isDurable?: boolean): Promise<T>;
  /**
   * False while the store does not answer, and for a moment after, until all replicas have noticed its
   * return.
   */
  readonly isHere: boolean;
  /** True when this replica does not reach the store, whether or not others do. */
  readonly isLost: boolean;
  /**
   * Returns the store's time in microseconds, extrapolated by the local clock. Undefined before the first
   * answer.
   */
  now(): number | undefined;
  /** The times of its last loss and its last empty start, in microseconds of its clock; 0 for never. */
  readonly lostAt: number;
  readonly bornAt: number;
  /**
   * Identifies the store's content; it changes when the store starts empty or returns to an older state.
   * Empty before the first answer.
   */
  readonly generation: string;
  /**
   * Checks now whether the store is still the same.
   * @throws StoreAway
   */
  look(): Promise<void>;
  /** The number of replicas, including silent ones that may be cut off, and the index of this one, from 0. */
  readonly replicas: { count: number; own: number };
  /**
   * The share of each limit for the replicas that reach the store; silent ones have the rest. It is 1 when
   * none is silent.
   */
  readonly share: number;
  close(): Promise<void>;
}

/**
 * The microseconds for which a replica that is cut off uses its share of each limit, which the others leave
 * to it. Then it sends nothing until it is back, because it looks the same as a replica that has died.
 */
export const CUT_OFF_US = 3_600_000_000;
/** A replica counts as silent after this time without a heartbeat. */
const SILENT_US = 1_200_000;
/** The time within which all replicas notice a silent one; no replica uses its share before. */
export const NOTICED_US = 2_000_000;
/**
 * The minimum divisor of a limit, so that a replica that knows of no other leaves room for one that starts
 * meanwhile.
 */
export const MIN_SHARERS = 2;

/** The intervals of heartbeats, and of checks whether a lost store is back. */
const BEAT_MS = 500;
const CHECK_MS = 500;
/** The time for which a replica stays known although the store has lost its record. */
const HEARD_MS = 5_000;
/** The time that the first call waits for the first connection. */
const FIRST_MS = 1_000;
/**
 * The time that durable steps wait for a topic. The server ends the transaction of a suspended process
 * before.
 */
const HELD_MS = 2_000;

/** Builds the name of a shared thing, which does not reveal its owner to the store. */
export const nameOf = (whose: string, what: string) => `${digest(whose)}:${what}`;

/** Replaces a text that the store must not learn. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

export interface SharedStoreOptions extends PostgresOptions {
  /** Receives a message when the store is lost, and when it is back. */
  tell(message: string): void;
  now?: () => number;
}

/**
 * Resolves when the store has answered, or after a second without an answer (a second for each of several
 * hosts).
 */
export async function openSharedStore(options: SharedStoreOptions): Promise<SharedStore> {
  const store = new SharedStoreConnection(options);
  await store.begin();
  return store;
}

class SharedStoreConnection implements SharedStore {
  readonly #connect: () => Promise<Postgres>;
  /** Undefined while there is no connection. */
  #postgres: Postgres | undefined;
  readonly #tell: (message: string) => void;
  readonly #clock: () => number;
  readonly #id = randomUUID();
  #hasAnswered = false;
  #failure = 'it has not answered yet';
  /** The store's clock minus the local one, in microseconds. */
  #ahead: number | undefined;
  /** The number of beats in the store at the last check. */
  #beats = 0;
  #sweptAt = Number.NEGATIVE_INFINITY;
  /** The time when each replica, by ID, was last among those present. */
  readonly #heard = new Map<string, { at: number; replica: Replica }>();
  generation = '';
  #resumeAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #isTold = false;
  #isLookedAt = false;
  lostAt = 0;
  bornAt = 0;
  replicas = { count: 1, own: 0 };
  share = 1;

  constructor({ tell, now = () => performance.now(), ...options }: SharedStoreOptions) {
    this.#tell = tell;
    this.#clock = now;
    // Only a process that has a store loads the library.
    this.#connect = async () => (await import('./postgres.ts')).connectPostgres(options);
  }

  async begin(): Promise<void> {
    const until = this.#clock() + FIRST_MS;
    do {
      await this.#beat();
      if (!this.#hasAnswered) await new Promise((resolve) => setTimeout(resolve, 25));
    } while (!this.#hasAnswered && this.#clock() < until);
    if (!this.#hasAnswered) this.#tellLost();
    this.#beatLater();
  }

  get isHere(): boolean {
    return this.#hasAnswered && (this.now() ?? 0) >= this.#resumeAt;
  }

  get isLost(): boolean {
    return !this.#hasAnswered;
  }

  now(): number | undefined {
    return this.#ahead === undefined ? undefined : this.#clock() * 1000 + this.#ahead;
  }

  async run<T>(topic: string, step: SharedStep<T>, isDurable = true): Promise<T> {
    const until = this.#clock() + (isDurable ? HELD_MS : 0);
    for (;;) {
      // The connection may have been lost since the last attempt.
      const postgres = this.#postgres;
      if (!this.#hasAnswered || postgres === undefined) throw new StoreUnavailable(this.#failure);
      try {
        return await this.#send(postgres, topic, step, isDurable);
      } catch (error) {
        if (!(error instanceof TopicLocked) || this.#clock() > until) throw error;
      }
    }
  }

  async look(): Promise<void> {
    const until = this.#clock() + HELD_MS;
    while (!(await this.#beat())) {
      if (!this.#hasAnswered || this.#clock() > until) throw new StoreUnavailable(this.#failure);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const postgres = this.#postgres;
    // The replica leaves the list, so that the others reserve no share of a limit for it.
    const leave = () => execute(sql`DELETE FROM replicas WHERE id = ${this.#id}`);
    if (this.#hasAnswered) await postgres?.run(BEATS, leave, false).catch(() => undefined);
    await postgres?.close();
  }

  async #send<T>(postgres: Postgres, topic: string, step: SharedStep<T>, isDurable: boolean): Promise<T> {
    try {
      return await postgres.run(topic, step, isDurable);
    } catch (error) {
      // A topic that a suspended process holds does not affect other topics, nor an abandoned connection the
      // next one.
      const isNews = error instanceof StoreUnavailable && !(error instanceof TopicLocked);
      if (isNews && postgres === this.#postgres) this.#lose(error.message);
      throw error;
    }
  }

  #lose(reason: string): void {
    this.#failure = reason;
    void this.#postgres?.close();
    this.#postgres = undefined;
    if (this.#isClosed || !this.#hasAnswered) return;
    this.#hasAnswered = false;
    this.lostAt = this.now() ?? 0;
    this.#tellLost();
    this.#beatLater();
  }

  #tellLost(): void {
    if (this.#isTold) return;
    this.#isTold = true;
    const parts = Math.max(MIN_SHARERS, this.replicas.count);
    const limits =
      this.#ahead === undefined
        ? 'and takes the whole of each limit, since it knows of no other'
        : `and takes one part in ${parts} of each limit for an hour at most`;
    this.#tell(
      `The store that replicas share is away (${this.#failure}). Until it is back this one keeps its own tokens, ${limits}.`,
    );
  }

  #beatLater(): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    this.#timer = setTimeout(
      () => void this.#beat().finally(() => this.#beatLater()),
      this.#hasAnswered ? BEAT_MS : CHECK_MS,
    ).unref();
  }

  /** Returns the replicas, including recent ones that a store without its list does not know again yet. */
  #heardLately(replicas: readonly Replica[]): Replica[] {
    const now = this.#clock();
    for (const replica of replicas) this.#heard.set(replica.id, { at: now, replica });
    for (const [id, { at }] of this.#heard) if (now - at > HEARD_MS) this.#heard.delete(id);
    return [...this.#heard.values()].map(({ replica }) => replica);
  }

  #know(all: readonly Replica[]): void {
    // No more silent replicas than living ones are counted, so that one that dies repeatedly does not
    // count many times.
    const living = all.filter(({ isSilent }) => !isSilent);
    const silent = all.filter(({ isSilent }) => isSilent).slice(0, living.length);
    const ids = [...living, ...silent].map(({ id }) => id).sort();
    this.replicas = { count: ids.length, own: Math.max(0, ids.indexOf(this.#id)) };
    const taken = silent.reduce((sum, { sharers }) => sum + 1 / Math.max(MIN_SHARERS, sharers), 0);
    this.share = Math.max(1 - taken, living.length / ids.length);
  }

  /** Sends a heartbeat. Returns false when the store has not answered it. */
  async #beat(): Promise<boolean> {
    try {
      const postgres = this.#postgres ?? (await this.#open());
      const sentAt = this.#clock();
      const own = {
        id: this.#id,
        lostAt: this.lostAt,
        generation: this.generation,
        beats: this.#beats,
        sharers: this.replicas.count,
      };
      const heard = await this.#send(postgres, BEATS, (moment) => beat(own, moment), true);
      if (!this.#isClosed) this.#hear(heard, sentAt);
      return true;
    } catch (error) {
      if (!(error instanceof TopicLocked)) this.#lose(error instanceof Error ? error.message : String(error));
      return false;
    }
  }

  async #open(): Promise<Postgres> {
    const opened = await this.#connect();
    // Another beat may have connected first, or the program ends.
    if (this.#isClosed || this.#postgres !== undefined) await opened.close();
    else this.#postgres = opened;
    if (this.#postgres === undefined) throw new StoreUnavailable('it is closed');
    return this.#postgres;
  }

  #hear(heard: BeatResult, sentAt: number): void {
    // The store read its clock between request and answer; assuming the request's time is the safe side.
    const ahead = heard.now - sentAt * 1000;
    // The store's clock was set, so the level of the buckets is unknown.
    const isPrompt = this.#clock() - sentAt < PROMPT_MS;
    if (isPrompt && Math.abs(ahead - (this.#ahead ?? ahead)) > CLOCK_SET_US) this.lostAt = heard.now;
    this.#ahead = ahead;
    this.generation = heard.generation;
    this.#beats = Math.max(this.#beats, heard.beats);
    this.bornAt = heard.born;
    this.#resumeAt = heard.resume;
    if (heard.now > heard.resume) this.#know(this.#heardLately(heard.replicas));
    this.#hasAnswered = true;
    if (this.#isTold) this.#tell('The store that replicas share is back.');
    this.#isTold = false;
    void this.#sweep();
  }

  /** Removes expired rows once an hour, and warns once when the server does not flush its writes. */
  async #sweep(): Promise<void> {
    if (this.#clock() - this.#sweptAt < SWEEP_MS) return;
    this.#sweptAt = this.#clock();
    const postgres = this.#postgres;
    for (const table of EXPIRING) {
      // A slow sweep does not mean that the store is away.
      const sweep = () => postgres?.run('sweep', ({ now }) => removeExpired(table, now), false);
      while ((await sweep()?.catch(() => false)) === true);
    }
    if (this.#isLookedAt || (await this.#postgres?.isSynced().catch(() => true)) !== false) return;
    this.#isLookedAt = true;
    this.#tell(
      'The database that replicas share does not wait for its disk (fsync = off): after a crash of its machine everything in it can be lost.',
    );
  }
}

// Heartbeats record which replicas are present, and which content the store has.

const BEATS = 'beats';

interface Replica {
  id: string;
  isSilent: boolean;
  /** The number of replicas that share each limit when this one is cut off, itself included. */
  sharers: number;
}

/**
 * The time after which the store forgets a replica. It exceeds the time of a reserved share, because a
 * replica that is cut off stops by its own clock.
 */
const GONE_US = CUT_OFF_US + 60_000_000;
/** The maximum number of replicas that the store lists. */
const MAX_LISTED = 200;
/**
 * The delay after an outage, within which the last replica notices the store's return, so that all begin at
 * one time.
 */
const RESUME_US = 2_500_000;

/** The maximum duration of a beat that is accurate enough to detect a clock change. */
const PROMPT_MS = 1_000;
const SWEEP_MS = 3_600_000;
const REMOVED_AT_ONCE = 500;

interface OwnBeat {
  id: string;
  /** The time when it lost the store, in microseconds of its clock; 0 for never. */
  lostAt: number;
  /** The generation of the store that it knows; empty when it knows none. */
  generation: string;
  /** The number of the last beat that it knows. */
  beats: number;
  sharers: number;
}

interface BeatResult {
  now: number;
  generation: string;
  /** The time when the store started empty; 0 for never. */
  born: number;
  /** The time from which limits are shared again. */
  resume: number;
  beats: number;
  /** The most recently heard replica comes first. */
  replicas: Replica[];
}

const storeRow = z.object({
  generation: z.string(),
  born: z.number(),
  back: z.number(),
  resume: z.number(),
  beats: z.int(),
});
const replicaRow = z.object({ id: z.string(), heard: z.number(), sharers: z.int() });

/**
 * Records that one replica is alive. A store that lacks a beat that a replica remembers has gone back, and
 * gets a new generation.
 */
function* beat({ id, lostAt, generation, beats, sharers }: OwnBeat, { now }: Moment): StoreStep<BeatResult> {
  const [kept] = yield* select(sql`SELECT * FROM store`, storeRow);
  const next = kept ?? {
    generation: randomUUID(),
    born: generation === '' ? 0 : now,
    back: 0,
    resume: 0,
    beats,
  };
  if (next.beats < beats) [next.generation, next.born] = [randomUUID(), now];
  else if (generation !== '' && generation !== next.generation && next.born === 0) next.born = now;
  // These times come from before the clock was set back.
  if (next.back > now + CLOCK_SET_US) next.back = 0;
  if (next.born > now + CLOCK_SET_US) next.born = now;
  if (next.resume > now + RESUME_US) next.resume = 0;
  if (lostAt > next.back) [next.back, next.resume] = [now, now + RESUME_US];
  next.beats = Math.max(next.beats, beats) + 1;
  yield put('store', 'id', { id: 1, ...next });
  yield put('replicas', 'id', { id, heard: now, sharers });
  yield sql`DELETE FROM replicas WHERE heard < ${now - GONE_US} OR heard > ${now + CLOCK_SET_US}`;
  const listed = yield* select(
    sql`SELECT id, heard, sharers FROM replicas ORDER BY heard DESC LIMIT ${MAX_LISTED}`,
    replicaRow,
  );
  const replicas = listed.map((one) => ({ ...one, isSilent: now - one.heard > SILENT_US }));
  return { now, ...next, replicas };
}

/** Removes some of the oldest expired rows. Returns true when there may be more. */
function* removeExpired(table: (typeof EXPIRING)[number], now: number): StoreStep<boolean> {
  const key = table === 'log' ? 'n' : 'name';
  const gone = yield {
    text: `DELETE FROM ${table} WHERE ${key} IN
      (SELECT ${key} FROM ${table} WHERE expires < ? ORDER BY ${table === 'log' ? 'n' : 'expires'} LIMIT ?)
      RETURNING ${key}`,
    values: [now, REMOVED_AT_ONCE],
  };
  return gone.length === REMOVED_AT_ONCE;
}

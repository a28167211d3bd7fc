/** The store that replicas share, on Redis or Valkey: one step at a time, within a quarter of a second, or it counts as away. */

import { createHash, randomUUID } from 'node:crypto';
import { Cluster, Redis } from 'ioredis';
import type { StoreAddress } from '../base/store-address.ts';
import { NOW, type Script, script } from './script.ts';

export interface SharedStore {
  /**
   * One script, in one round trip.
   * @throws StoreAway when the store is away or refuses; nobody knows then whether it was run
   */
  run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>;
  /** False while it does not answer, and for a moment after: until all replicas have noticed that it is back. */
  readonly isHere: boolean;
  /** This replica does not reach the store, whether or not others do. */
  readonly isLost: boolean;
  /** Microseconds of the store's clock, as it goes on here meanwhile. Undefined before the first answer. */
  now(): number | undefined;
  /** When it was last lost, and when it began anew with nothing, in microseconds of its clock; 0 for never. */
  readonly lostAt: number;
  readonly bornAt: number;
  /** Of what it holds: another one once it has begun anew, or gone back to what it held before. Empty before the first answer. */
  readonly generation: string;
  /** Asks it now whether it is still the same. @throws StoreAway */
  look(): Promise<void>;
  /** The number of replicas, with silent ones that may be cut off, and the index of this one, from 0. */
  readonly replicas: { count: number; own: number };
  /**
   * The share of each limit for the replicas that reach the store: the silent ones have the rest. It is 1
   * where none is silent.
   */
  readonly share: number;
  close(): Promise<void>;
}

/** Why, in words for whoever runs the server. */
export class StoreAway extends Error {}

/**
 * A replica that is cut off takes its share of each limit for this many microseconds, and the others leave it
 * that share for as long. Then it sends nothing until it is back, because nobody can tell it from a replica
 * that has died.
 */
export const CUT_OFF_US = 3_600_000_000;
/** A replica counts as silent when it was not heard of for this long. */
const SILENT_US = 1_200_000;
/** All replicas notice within this time that one is silent, so that one takes no share before it is over. */
export const NOTICED_US = 2_000_000;
/** A replica that knows of no other leaves room for one that starts meanwhile. */
const MIN_SHARERS = 2;

/** Longer no call waits for it. */
export const COMMAND_MS = 250;
/** How often each replica says that it is there, and looks whether a store that was lost is back. */
const BEAT_MS = 500;
const LOOK_MS = 500;
/** A replica that was heard of within this time stays known although the store has lost its record. */
const HEARD_MS = 5_000;
/** The first call waits so long for the first connection. */
const FIRST_MS = 1_000;

/** Every key begins so; another form of what is kept has another number. */
export const PREFIX = 'seller-commerce-mcp:1:';

/** In a Cluster all keys of the same lie on one server; none tells whose they are. */
export function keyOf(whose: string, name: string): string {
  return `${PREFIX}{${digest(whose)}}:${name}`;
}

/** In the place of what the store is not to know. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

export interface StoreOptions {
  address: StoreAddress;
  password: string | undefined;
  /** Told when it is lost, and when it is back. */
  tell(message: string): void;
  /** More is put there than what begins anew by itself: where the store does not keep it, that is told. */
  isToKeep?: boolean;
  now?: () => number;
}

/** Resolves when it has answered, or has not for a second. */
export async function openSharedStore(options: StoreOptions): Promise<SharedStore> {
  const store = new Connection(options);
  await store.begin();
  return store;
}

class Connection implements SharedStore {
  readonly #client: Redis | Cluster;
  readonly #tell: (message: string) => void;
  readonly #clock: () => number;
  readonly #id = randomUUID();
  #hasAnswered = false;
  #failure = 'it has not answered yet';
  /** The store's clock less ours, in microseconds. */
  #ahead: number | undefined;
  /** The last beat of anybody's that it held, by its own clock. */
  #seenAt = 0;
  /** When each replica was last among those that are there, by its id. */
  readonly #heard = new Map<string, { at: number; replica: Replica }>();
  generation = '';
  #resumeAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #isTold = false;
  #isLookedAt: boolean;
  lostAt = 0;
  bornAt = 0;
  replicas = { count: 1, own: 0 };
  share = 1;

  constructor({ address, password, tell, isToKeep = false, now = () => performance.now() }: StoreOptions) {
    this.#tell = tell;
    this.#isLookedAt = !isToKeep;
    this.#clock = now;
    this.#client = connect(address, password);
    // Why there is no connection, the next command does not know.
    this.#client.on('error', (error: Error) => {
      this.#failure = lineOf(error);
    });
    // A connection whose password is refused is never ready, so that the refusal stays the reason.
    this.#client.on('ready', () => {
      this.#failure = 'the connection ended';
    });
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

  async run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    if (!this.#hasAnswered) throw new StoreAway(this.#failure);
    return this.#send(script, keys, args);
  }

  async look(): Promise<void> {
    if (this.#client.status !== 'ready') throw new StoreAway(this.#failure);
    await this.#beat();
    if (!this.#hasAnswered) throw new StoreAway(this.#failure);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    // The replica leaves the list, so that the others reserve no share of a limit for it.
    if (this.#hasAnswered && this.#client.status === 'ready')
      await this.#send(LEAVE, KEYS, [this.#id]).catch(() => undefined);
    this.#client.disconnect();
  }

  async #send(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    try {
      return await inTime(
        this.#client.evalsha(script.sha, keys.length, ...keys, ...args).catch((error: unknown) => {
          if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
          return this.#client.eval(script.lua, keys.length, ...keys, ...args);
        }),
      );
    } catch (error) {
      const words = error instanceof Late || isAnswer(error) ? lineOf(error) : this.#failure;
      // One key that holds something else says nothing of the others.
      if (!words.includes('WRONGTYPE')) this.#lose(words);
      throw new StoreAway(words);
    }
  }

  #lose(words: string): void {
    if (this.#isClosed || !this.#hasAnswered) return;
    this.#hasAnswered = false;
    this.#failure = words;
    this.lostAt = this.now() ?? 0;
    this.#tellLost();
    // What it has not answered it must not do later: on another connection nothing is waited for.
    this.#client.disconnect(true);
    this.#beatLater();
  }

  #tellLost(): void {
    if (this.#isTold) return;
    this.#isTold = true;
    const parts = Math.max(MIN_SHARERS, this.replicas.count);
    this.#tell(
      `The store that replicas share is away (${this.#failure}). Until it is back this one keeps its own tokens, and takes one part in ${parts} of each limit for an hour at most.`,
    );
  }

  #beatLater(): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    this.#timer = setTimeout(
      () => void this.#beat().finally(() => this.#beatLater()),
      this.#hasAnswered ? BEAT_MS : LOOK_MS,
    ).unref();
  }

  /** With those that a store which has lost its list of them does not know again yet. */
  #heardLately(replicas: readonly Replica[]): Replica[] {
    const now = this.#clock();
    for (const replica of replicas) this.#heard.set(replica.id, { at: now, replica });
    for (const [id, { at }] of this.#heard) if (now - at > HEARD_MS) this.#heard.delete(id);
    return [...this.#heard.values()].map(({ replica }) => replica);
  }

  #know(all: readonly Replica[]): void {
    // Counts no more silent replicas than living ones, so that a replica that died again and again does not
    // count many times.
    const living = all.filter(({ isSilent }) => !isSilent);
    const silent = all.filter(({ isSilent }) => isSilent).slice(0, living.length);
    const ids = [...living, ...silent].map(({ id }) => id).sort();
    this.replicas = { count: ids.length, own: Math.max(0, ids.indexOf(this.#id)) };
    const taken = silent.reduce((sum, { sharers }) => sum + 1 / Math.max(MIN_SHARERS, sharers), 0);
    this.share = Math.max(1 - taken, living.length / ids.length);
  }

  async #beat(): Promise<void> {
    if (this.#client.status !== 'ready') return;
    const sentAt = this.#clock();
    const { count } = this.replicas;
    const args = [this.#id, Math.round(this.lostAt), this.generation, randomUUID(), this.#seenAt, count];
    const answer = await this.#send(BEAT, KEYS, args).catch(() => undefined);
    if (!Array.isArray(answer) || this.#isClosed) return;
    const [now, generation, born, resume, listed, seen] = answer;
    // It was read between sending and answer; later than it was is the careful side.
    this.#ahead = Number(now) - sentAt * 1000;
    this.generation = String(generation);
    this.#seenAt = Math.max(this.#seenAt, Number(seen));
    this.bornAt = Number(born);
    this.#resumeAt = Number(resume);
    if (Array.isArray(listed) && Number(now) > this.#resumeAt)
      this.#know(this.#heardLately(readReplicas(listed.map(String), Number(now))));
    this.#hasAnswered = true;
    if (this.#isTold) this.#tell('The store that replicas share is back.');
    this.#isTold = false;
    if (this.#isLookedAt) return;
    this.#isLookedAt = true;
    void this.#lookWhetherKept();
  }

  /** Once: what is wrong there nobody mends while it runs without knowing. */
  async #lookWhetherKept(): Promise<void> {
    const reading = Promise.all([this.#client.info('persistence'), this.#client.info('memory')]);
    const words = whyNotKept(await inTime(reading).catch(() => undefined));
    if (words !== undefined && !this.#isClosed) this.#tell(words);
  }
}

/** @param info what the store says of its disk and its memory; undefined where it says nothing of them */
export function whyNotKept(info: readonly string[] | undefined): string | undefined {
  const lines = (info ?? []).flatMap((one) => one.split('\n'));
  const of = (name: string) =>
    lines
      .find((line) => line.startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim();
  const [isAppended, policy] = [of('aof_enabled'), of('maxmemory_policy')];
  if (isAppended === undefined || policy === undefined)
    return 'Whether the store that replicas share keeps what it is given cannot be looked at (INFO is refused): docs/replicas.md says what it needs.';
  const wrong = [
    ...(isAppended === '1' ? [] : ['it writes nothing down as it comes (appendonly no)']),
    ...(policy === 'noeviction'
      ? []
      : [`it throws away what is in use where it is full (maxmemory-policy ${policy})`]),
  ];
  if (wrong.length === 0) return undefined;
  return `The store that replicas share does not keep what it is given: ${wrong.join('; ')}. Codes, and what the other replicas wrote, can be lost there; each replica has its own on its disk.`;
}

function connect(address: StoreAddress, password: string | undefined): Redis | Cluster {
  const { kind, hosts, username, database: db, master, isEncrypted } = address;
  const options = {
    username,
    password,
    db,
    tls: isEncrypted ? {} : undefined,
    connectTimeout: 2_000,
    enableOfflineQueue: false,
    // A place that was asked for is not asked for again behind our back.
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => LOOK_MS,
  };
  if (kind === 'cluster')
    return new Cluster(hosts, {
      redisOptions: options,
      enableOfflineQueue: false,
      clusterRetryStrategy: () => LOOK_MS,
      slotsRefreshTimeout: 1_000,
    });
  if (kind === 'sentinel')
    return new Redis({
      ...options,
      sentinels: hosts,
      name: master,
      enableTLSForSentinelMode: isEncrypted,
      sentinelRetryStrategy: () => LOOK_MS,
    });
  return new Redis({ ...options, ...hosts[0] });
}

class Late extends Error {}

/** What the store itself says, such as `READONLY You can't write against a read only replica.` */
function isAnswer(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError';
}

/** An answer that has come while this process was busy itself is not late. */
function inTime<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => setImmediate(() => setImmediate(() => reject(new Late(`no answer in ${COMMAND_MS} ms`)))),
      COMMAND_MS,
    );
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function lineOf(error: unknown): string {
  const { message } = error instanceof Error ? error : { message: String(error) };
  return (message.split('\n')[0] ?? '').slice(0, 200);
}

// Who is there, and what the store is.

/** The keys hold the list of replicas, the state of the store, and the number of sharers of each replica. */
const KEYS = [`${PREFIX}{all}:replicas`, `${PREFIX}{all}:store`, `${PREFIX}{all}:sharers`];

interface Replica {
  id: string;
  isSilent: boolean;
  /** The number of replicas that share each limit where this one is cut off, itself included. */
  sharers: number;
}

/**
 * @param listed the id, the time when it was last heard of and the sharers of each replica; the last heard
 *   first
 */
function readReplicas(listed: readonly string[], now: number): Replica[] {
  const replicas: Replica[] = [];
  for (let at = 0; at + 2 < listed.length; at += 3) {
    const [id = '', heard, sharers] = listed.slice(at, at + 3);
    replicas.push({ id, isSilent: now - Number(heard) > SILENT_US, sharers: Number(sharers) });
  }
  return replicas;
}

/**
 * The store forgets a replica after this time, which is longer than others leave it a share: a replica that
 * is cut off stops by its own clock.
 */
const GONE_US = CUT_OFF_US + 60_000_000;
/** The store lists at most this many replicas. */
const MAX_LISTED = 200;
/** After an outage all begin at one time: the last has noticed by then that the store is back. */
const RESUME_US = 2_500_000;

/**
 * Records that one replica is alive. KEYS: the list of replicas; the state of the store; the sharers of each
 * replica. ARGV: the replica's id; when it lost the store, or 0; the generation of the store that it knows,
 * or nothing; a new generation for a store that has none, or that no longer holds what it has held; the last
 * beat that it knows of; the number of replicas that it knows of.
 * @returns the time; the generation; when the store began anew with nothing, or 0; from when on limits are
 *   shared again; of each replica the id, when it was last heard of, and how many it knows of; the last beat
 */
const BEAT = script(`${NOW}
local lost, known = tonumber(ARGV[2]), ARGV[3]
local kept = redis.call('HMGET', KEYS[2], 'generation', 'born', 'back', 'resume', 'seen')
local generation, born, back, resume = kept[1], kept[2] or '0', tonumber(kept[3] or 0), kept[4] or '0'
local seen, knows = tonumber(kept[5] or 0), tonumber(ARGV[5])
if not generation then
  generation, born = ARGV[4], known == '' and '0' or text(now)
  redis.call('HSET', KEYS[2], 'generation', generation, 'born', born)
elseif seen < knows then
  generation, born = ARGV[4], text(now)
  redis.call('HSET', KEYS[2], 'generation', generation, 'born', born)
elseif known ~= '' and known ~= generation and born == '0' then
  born = text(now)
  redis.call('HSET', KEYS[2], 'born', born)
end
if lost > 0 and back < lost then
  resume = text(now + ${RESUME_US})
  redis.call('HSET', KEYS[2], 'back', text(now), 'resume', resume)
end
seen = text(math.max(now, seen, knows))
redis.call('HSET', KEYS[2], 'seen', seen)
redis.call('ZADD', KEYS[1], text(now), ARGV[1])
redis.call('HSET', KEYS[3], ARGV[1], ARGV[6])
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', text(now - ${GONE_US}))) do
  redis.call('HDEL', KEYS[3], id)
  redis.call('ZREM', KEYS[1], id)
end
local listed = {}
local found = redis.call('ZREVRANGE', KEYS[1], 0, ${MAX_LISTED - 1}, 'WITHSCORES')
for at = 1, #found, 2 do
  listed[#listed + 1], listed[#listed + 2] = found[at], text(tonumber(found[at + 1]))
  listed[#listed + 1] = redis.call('HGET', KEYS[3], found[at]) or '1'
end
return { text(now), generation, born, resume, listed, seen }
`);

/** Removes a replica that ends. KEYS are those of a beat. ARGV: its id. */
const LEAVE = script(`
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[3], ARGV[1])
return 1
`);

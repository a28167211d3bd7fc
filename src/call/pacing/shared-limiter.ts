/** The limits of a seller, shared by all processes of an application: whoever is first here has a place in the store's order. */

import { type Clock, systemClock } from '../../base/clock.ts';
import { COMMAND_MS, StoreUnavailable, TopicLocked } from '../../replicas/shared-step.ts';
import { CUT_OFF_US, type SharedStore, nameOf as sharedName } from '../../replicas/shared-store.ts';
import { AwayPace } from './away-pace.ts';
import {
  ASK_AGAIN_MS,
  ASSUMED_BURST,
  type Asking,
  type CallEnd,
  createLocalLimiter,
  type Limiter,
  type LimitKey,
  nameOf,
  Order,
  type QueueSlot,
  type StatedRate,
  type Turn,
} from './limiter.ts';
import { giveBack, type KnownLimit, learn, type Reserved, type Reserving, reserve } from './shared-limit.ts';
import { believed, guessRate } from './token-bucket.ts';

const GO: Turn = { go: true };
/** How long a learned limit has to be quiet before the store is told so. */
const QUIET_MS = 10_000;

export function createSharedLimiter(
  store: SharedStore,
  { clock = systemClock }: { clock?: Clock } = {},
): Limiter {
  const limits = new Map<string, SharedLimit>();
  /** Paces limits that nobody has stated while the store is away. */
  const alone = createLocalLimiter({ clock });
  const limitOf = (key: LimitKey, stated?: StatedRate): SharedLimit => {
    const name = nameOf(key);
    const limit = limits.get(name) ?? new SharedLimit(key, stated, { store, clock, alone });
    limits.set(name, limit);
    return limit;
  };
  return {
    ask: (key, stated, asking) => limitOf(key, stated).ask(asking),
    leave: (key, place) => limitOf(key).leave(place),
    ended: (key, end) => limitOf(key).ended(end),
    async close() {
      limits.clear();
      await alone.close();
    },
  };
}

interface Parts {
  store: SharedStore;
  clock: Clock;
  alone: Limiter;
}

/** A place in the store's order, for whoever is first here. */
interface Reservation extends Reserved {
  /** Milliseconds of our clock. */
  at: number;
}

class SharedLimit {
  readonly #key: LimitKey;
  readonly #stated: StatedRate | undefined;
  readonly #parts: Parts;
  readonly #name: string;
  readonly #order = new Order();
  #reservation: Reservation | undefined;
  #known: KnownLimit | undefined;
  /** The last slot that the store gave, in microseconds of its clock. */
  #lastPlace = 0;
  #away: { pace: AwayPace; lostAt: number } | undefined;
  #asking: Promise<unknown> | undefined;
  #accepted = 0;
  /** A call of this process has arrived. */
  #hasAnswer = false;
  /** Calls that are out, of those that nothing is known of and that the store was not asked for. */
  #goneAlone = 0;
  readonly #since: number;
  #toldAt: number;

  constructor(key: LimitKey, stated: StatedRate | undefined, parts: Parts) {
    this.#key = key;
    this.#stated = stated;
    this.#parts = parts;
    const { service, application, seller, operation } = key;
    this.#name = sharedName([service, application, seller].join('\n'), `limit:${operation}`);
    this.#since = parts.clock.now();
    this.#toldAt = this.#since;
  }

  async ask({ place, latest, wake }: Asking): Promise<Turn> {
    const { clock } = this.#parts;
    const own = this.#stand(place, wake);
    while (this.#asking !== undefined) await this.#asking;
    if (!this.#order.isFirst(own)) return this.#stand(own, wake);
    const now = clock.now();
    const reserved = this.#reservation;
    if (reserved !== undefined && now < reserved.at) return this.#stand(own, wake);
    this.#reservation = undefined;
    const isInTime = reserved !== undefined && now - reserved.at <= this.#graceMs(reserved);
    // The place is still this one's, from now on, where no other one follows it.
    if (reserved !== undefined && !isInTime) this.#giveBack(reserved);

    const waitMs = isInTime ? 0 : await this.#askStore(latest - now, reserved !== undefined);
    if (waitMs > 0) {
      this.#stand(own, wake);
      own.waitMs = waitMs;
      return own;
    }
    this.#order.leave(own);
    return GO;
  }

  /**
   * A place that nobody came for in time is a call that was not made: later it would come beside somebody else's. With one
   * at once that is half of what is between two places beyond the limit.
   */
  #graceMs({ each }: Reservation): number {
    return (this.#known?.burst ?? 1) > 1 ? COMMAND_MS : Math.min(50, each / 40_000);
  }

  leave(place: QueueSlot): void {
    this.#order.leave(place);
    if (this.#reservation !== undefined && this.#order.isEmpty(this.#parts.clock.now())) {
      this.#giveBack(this.#reservation);
      this.#reservation = undefined;
    }
  }

  async ended(end: CallEnd): Promise<void> {
    const isRefused = end.status === 429;
    if (end.status !== undefined && !isRefused) this.#accepted += 1;
    const { store, clock, alone } = this.#parts;
    if (isRefused) this.#reservation = undefined;
    if (this.#away !== undefined && isRefused)
      this.#away.pace.refused(store.now() ?? 0, (end.retryAfterMs ?? 0) * 1000);
    if (this.#goneAlone > 0) {
      this.#goneAlone -= 1;
      void alone.ended(this.#key, end);
    }
    if (!this.#isNews(end)) return;
    const isFirst = !this.#hasAnswer && end.status !== undefined;
    if (isFirst) this.#hasAnswer = true;
    this.#toldAt = clock.now();
    const { requestsPerSecond: stated = 0, retryAfterMs = 0 } = end;
    const learned = {
      isRefused,
      stated: stated === 0 ? undefined : believed(stated),
      pause: retryAfterMs * 1000,
      guess: guessRate(this.#accepted, clock.now() - this.#since),
      isFirst,
    };
    try {
      const known = await store.run(this.#name, (moment) => learn(this.#name, learned, moment), false);
      this.#known = known ?? this.#known;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    }
    this.#order.wakeFirst();
  }

  /** Whether the store does not know yet what this answer says. */
  #isNews({ status, requestsPerSecond }: CallEnd): boolean {
    const known = this.#known;
    if (status === 429 || (status !== undefined && !this.#hasAnswer)) return true;
    if (known === undefined || status === undefined) return false;
    if (requestsPerSecond !== undefined && believed(requestsPerSecond) !== known.requestsPerSecond)
      return true;
    if (known.mode === 'probe') return true;
    return known.mode === 'learned' && this.#parts.clock.now() - this.#toldAt >= QUIET_MS;
  }

  #stand(place: QueueSlot | undefined, wake: Asking['wake']): QueueSlot {
    const now = this.#parts.clock.now();
    return this.#order.stand(place, {
      firstMs: Math.max(0, (this.#reservation?.at ?? 0) - now),
      requestsPerSecond: this.#rate(),
      now,
      wake,
    });
  }

  #rate(): number | undefined {
    return (this.#known ?? this.#stated)?.requestsPerSecond;
  }

  /** Milliseconds until the first may go; 0 has counted it as sent. One question at a time. */
  #askStore(mostMs: number, hasLost: boolean): Promise<number> {
    const asking = this.#reserveOrGoAlone(mostMs, hasLost).finally(() => {
      this.#asking = undefined;
    });
    this.#asking = asking;
    return asking;
  }

  async #reserveOrGoAlone(mostMs: number, hasLost: boolean): Promise<number> {
    try {
      return this.#parts.store.isHere ? await this.#reserve(mostMs, hasLost) : await this.#goAlone();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      // The others still have the whole of the limit.
      return error instanceof TopicLocked ? ASK_AGAIN_MS : this.#goAlone();
    }
  }

  async #reserve(mostMs: number, hasLost: boolean): Promise<number> {
    const { store, clock } = this.#parts;
    const now = store.now() ?? 0;
    const { requestsPerSecond, burst } = this.#known ?? this.#stated ?? {};
    const asked: Reserving = {
      stated: requestsPerSecond === undefined ? undefined : { requestsPerSecond, burst },
      most: Math.min(mostMs, 3_600_000) * 1000,
      emptyBefore: store.lostAt,
      emptyAt: this.#known === undefined ? store.bornAt : now + this.#givenUs(),
      latest: now + COMMAND_MS * 1000,
      caller: this.#hasAnswer ? 'warm' : hasLost ? 'lost' : 'cold',
      share: store.share,
    };
    const reserved = await store.run(this.#name, (moment) => reserve(this.#name, asked, moment), false);
    if (reserved.how === 'stale') throw new StoreUnavailable('a clock that jumps');
    this.#away = undefined;
    this.#known = reserved.known;
    this.#lastPlace = reserved.now + reserved.wait;
    const waitMs = reserved.wait / 1000;
    if (reserved.how === 'place') this.#reservation = { ...reserved, at: clock.now() + waitMs };
    return waitMs;
  }

  /** The places that the others may have, of a limit that the store has lost. */
  #givenUs(): number {
    return (1_000_000 * (this.#parts.store.replicas.count - 1)) / (this.#rate() ?? 1);
  }

  /** Takes a turn without the store. */
  async #goAlone(): Promise<number> {
    const { store, alone } = this.#parts;
    const now = store.now();
    const requestsPerSecond = this.#rate();
    if (now === undefined || requestsPerSecond === undefined) {
      const turn = await alone.ask(this.#key, this.#stated, { latest: 0 });
      if (turn.go) {
        this.#goneAlone += 1;
        return 0;
      }
      alone.leave(this.#key, turn);
      return turn.waitMs;
    }
    const { lostAt, replicas } = store;
    if (store.isLost && now - lostAt > CUT_OFF_US) return CUT_OFF_US / 1000;
    if (this.#away?.lostAt !== lostAt) {
      const burst = this.#known?.burst ?? this.#stated?.burst ?? ASSUMED_BURST;
      const share = { requestsPerSecond, burst, replicas, lostAt, lastPlace: this.#lastPlace };
      this.#away = { pace: new AwayPace(share), lostAt };
      this.#reservation = undefined;
    }
    return this.#away.pace.take(now) / 1000;
  }

  #giveBack(place: Reservation): void {
    this.#parts.store.run(this.#name, () => giveBack(this.#name, place), false).catch(() => {});
  }
}

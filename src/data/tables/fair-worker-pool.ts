/**
 * Shares the threads of a process fairly among its users: with limits for each user and in all, the next slot
 * goes to the user with the fewest.
 */

import { InputError } from '../../base/errors.ts';
import { createWorkerPool, type WorkerPool, type WorkerThread } from './worker-thread.ts';

export interface FairWorkerPoolOptions {
  /** Max threads at work for one user. */
  mostOfPerson: number;
  /** Max threads at work in all, counted separately for each purpose. */
  most: number;
  /** The max wait for a slot. */
  waitMs?: number;
  open?: () => WorkerPool;
}

interface WorkerSlot {
  person: string;
  purpose: string;
}

interface WaitingRequest extends WorkerSlot {
  go(): void;
}

/** A user that gets no slot within this time is asked to try again. */
const WAIT_MS = 20_000;

/** @param file a built worker, which answers with `serve` */
export function createFairWorkerPool(file: string, options: FairWorkerPoolOptions) {
  const {
    mostOfPerson: maxPerUser,
    most,
    waitMs = WAIT_MS,
    open = () => createWorkerPool(file, { yields: true }),
  } = options;
  const pool = open();
  /** The slots in use, counted from the request of a thread, which may take a while. */
  const slots = new Set<WorkerSlot>();
  const working = new Map<WorkerThread, { place: WorkerSlot; inner: WorkerThread }>();
  let waiting: WaitingRequest[] = [];
  const countOf = (accepts: (one: WorkerSlot) => boolean) => [...slots].filter(accepts).length;
  const hasRoom = ({ person, purpose }: WorkerSlot) =>
    countOf((one) => one.person === person) < maxPerUser && countOf((one) => one.purpose === purpose) < most;
  const free = (slot: WorkerSlot) => {
    if (!slots.delete(slot)) return;
    const able = waiting.filter(hasRoom);
    const loadOf = ({ person }: WaitingRequest) => countOf((one) => one.person === person);
    // The next slot goes to the first waiting among those with the fewest threads at work.
    const next = able.reduce<WaitingRequest | undefined>(
      (best, one) => (best !== undefined && loadOf(best) <= loadOf(one) ? best : one),
      undefined,
    );
    next?.go();
  };
  const begin = async (person: string, purpose: string): Promise<WorkerThread> => {
    const slot = { person, purpose };
    slots.add(slot);
    try {
      const inner = await pool.take(purpose);
      const worker: WorkerThread = {
        ...inner,
        end: () => {
          working.delete(worker);
          free(slot);
          return inner.end();
        },
      };
      working.set(worker, { place: slot, inner });
      return worker;
    } catch (error) {
      free(slot);
      throw error;
    }
  };
  const waitForRoom = (person: string, purpose: string): Promise<WorkerThread> =>
    new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        waiting = waiting.filter((one) => one !== mine);
      };
      const mine: WaitingRequest = {
        person,
        purpose,
        go: () => {
          leave();
          begin(person, purpose).then(resolve, reject);
        },
      };
      const timer = setTimeout(() => {
        leave();
        reject(tooBusy());
      }, waitMs);
      waiting.push(mine);
    });
  return {
    /** Returns the pool of one user. Closing it ends that user's threads and leaves the others. */
    of: (person: string): WorkerPool => ({
      take: (purpose) =>
        hasRoom({ person, purpose }) ? begin(person, purpose) : waitForRoom(person, purpose),
      giveBack(worker) {
        const known = working.get(worker);
        if (known === undefined) return;
        working.delete(worker);
        // The thread is returned first, so that the next waiting user gets this very thread.
        pool.giveBack(known.inner);
        free(known.place);
      },
      async close() {
        const own = [...working]
          .filter(([, { place: slot }]) => slot.person === person)
          .map(([worker]) => worker);
        await Promise.all(own.map((worker) => worker.end()));
      },
    }),
    /** Returns the number of slots in use, for tests and statistics. */
    atWork: () => slots.size,
    close: () => pool.close(),
  };
}

function tooBusy(): InputError {
  return new InputError(
    'As much is computed at once as this server does for one person, or for all; nothing was done yet.',
    'Call again in a moment, or wait for your own collections to end.',
  );
}

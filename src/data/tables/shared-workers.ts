/** Threads that the people of a process share: so many of each at once, so many in all, and the next place goes to whoever has fewest. */

import { InputError } from '../../base/errors.ts';
import { createWorkerPool, type WorkerPool, type WorkerThread } from './worker-thread.ts';

export interface SharedWorkersOptions {
  /** At work for one person. */
  mostOfPerson: number;
  /** At work in all, by what they are taken for; the others count together. */
  most: number;
  /** How long a place is waited for. */
  waitMs?: number;
  open?: () => WorkerPool;
}

interface Waiting {
  person: string;
  purpose: string;
  go(): void;
}

/** Who cannot have one within this time is told to come again. */
const WAIT_MS = 20_000;

/** @param file a built worker, which answers with `serve` */
export function createSharedWorkers(file: string, options: SharedWorkersOptions) {
  const { mostOfPerson, most, waitMs = WAIT_MS, open = () => createWorkerPool(file) } = options;
  const pool = open();
  /** At work, by person and purpose. */
  const working = new Map<WorkerThread, { person: string; purpose: string; inner: WorkerThread }>();
  let waiting: Waiting[] = [];
  const countOf = (accepts: (one: { person: string; purpose: string }) => boolean) =>
    [...working.values()].filter(accepts).length;
  const hasRoom = ({ person, purpose }: Pick<Waiting, 'person' | 'purpose'>) =>
    countOf((one) => one.person === person) < mostOfPerson &&
    countOf((one) => one.purpose === purpose) < most;
  const free = (worker: WorkerThread) => {
    if (!working.delete(worker)) return;
    const able = waiting.filter(hasRoom);
    const loadOf = ({ person }: Waiting) => countOf((one) => one.person === person);
    // The first to come among those with fewest at work.
    const next = able.reduce<Waiting | undefined>(
      (best, one) => (best !== undefined && loadOf(best) <= loadOf(one) ? best : one),
      undefined,
    );
    next?.go();
  };
  const begin = async (person: string, purpose: string): Promise<WorkerThread> => {
    const inner = await pool.take(purpose);
    const worker: WorkerThread = {
      ...inner,
      end: () => {
        free(worker);
        return inner.end();
      },
    };
    working.set(worker, { person, purpose, inner });
    return worker;
  };
  const waitForRoom = (person: string, purpose: string): Promise<WorkerThread> =>
    new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        waiting = waiting.filter((one) => one !== mine);
      };
      const mine: Waiting = {
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
    /** Its end ends those of this person that are at work, and leaves the pool to the others. */
    of: (person: string): WorkerPool => ({
      take: (purpose) =>
        hasRoom({ person, purpose }) ? begin(person, purpose) : waitForRoom(person, purpose),
      giveBack(worker) {
        const known = working.get(worker);
        free(worker);
        if (known !== undefined) pool.giveBack(known.inner);
      },
      async close() {
        const own = [...working].filter(([, one]) => one.person === person).map(([worker]) => worker);
        await Promise.all(own.map((worker) => worker.end()));
      },
    }),
    /** For tests and figures. */
    atWork: () => working.size,
    close: () => pool.close(),
  };
}

function tooBusy(): InputError {
  return new InputError(
    'As much is computed at once as this server does for one person, or for all; nothing was done yet.',
    'Call again in a moment, or wait for your own collections to end.',
  );
}

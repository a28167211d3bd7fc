/**
 * Semaphores limit concurrent work, in total or per key. Others wait, and work that only waits itself lets
 * another run.
 */

/** Runs a wait without the permit of the work, so that other work uses it meanwhile. */
export type Idle = <T>(wait: () => Promise<T>) => Promise<T>;

/**
 * Creates a semaphore that serves waiters in order of arrival. Work that resumes after a wait precedes work
 * that has not started.
 */
export function createSemaphore(maxConcurrent: number) {
  const waiting: (() => void)[] = [];
  let busy = 0;
  const enter = async (isFirst: boolean, signal: AbortSignal) => {
    signal.throwIfAborted();
    if (busy < maxConcurrent) {
      busy += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const go = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        waiting.splice(waiting.indexOf(go), 1);
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      if (isFirst) waiting.unshift(go);
      else waiting.push(go);
    });
  };
  const leave = () => {
    const next = waiting.shift();
    if (next === undefined) busy -= 1;
    else next();
  };
  return {
    isFull: () => busy >= maxConcurrent,
    async take<T>(signal: AbortSignal, work: (idle: Idle) => Promise<T>): Promise<T> {
      await enter(false, signal);
      let has = true;
      let entering: Promise<void> | undefined;
      let idling = 0;
      // Several parts of one work may wait at once.
      const idle: Idle = async (wait) => {
        idling += 1;
        if (has) {
          has = false;
          leave();
        }
        const value = await wait().finally(() => {
          idling -= 1;
        });
        if (idling > 0 || has) return value;
        entering ??= enter(true, signal).then(() => {
          has = true;
          entering = undefined;
        });
        await entering;
        return value;
      };
      try {
        return await work(idle);
      } finally {
        if (has) leave();
        else void entering?.then(leave, () => undefined);
      }
    },
  };
}

/** Runs work on the same key sequentially, and on different keys concurrently. */
export function createKeyedSemaphore(): <T>(thing: string, work: () => Promise<T>) => Promise<T> {
  /** The end of the last work on each key; never rejects. */
  const ends = new Map<string, Promise<void>>();
  return async (thing, work) => {
    const current = (ends.get(thing) ?? Promise.resolve()).then(work);
    const end = current.then(
      () => undefined,
      () => undefined,
    );
    ends.set(thing, end);
    try {
      return await current;
    } finally {
      if (ends.get(thing) === end) ends.delete(thing);
    }
  };
}

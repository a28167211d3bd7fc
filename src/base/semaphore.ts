/** Semaphores: so many pieces of work run at once, or one on each thing; the others wait, and work that only waits itself lets another run. */

/** Runs what only waits, without the place that the work has: others have it meanwhile. */
export type Idle = <T>(wait: () => Promise<T>) => Promise<T>;

/** In order of arrival; one that has waited for something else goes before those that have not begun. */
export function createSemaphore(most: number) {
  const waiting: (() => void)[] = [];
  let busy = 0;
  const enter = async (isFirst: boolean, signal: AbortSignal) => {
    signal.throwIfAborted();
    if (busy < most) {
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
    isFull: () => busy >= most,
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

/** Lets work on the same thing happen one after the other, and on different things at once. */
export function createKeyedSemaphore(): <T>(thing: string, work: () => Promise<T>) => Promise<T> {
  /** The end of the last work on each thing; never rejects. */
  const ends = new Map<string, Promise<void>>();
  return async (thing, work) => {
    const mine = (ends.get(thing) ?? Promise.resolve()).then(work);
    const end = mine.then(
      () => undefined,
      () => undefined,
    );
    ends.set(thing, end);
    try {
      return await mine;
    } finally {
      if (ends.get(thing) === end) ends.delete(thing);
    }
  };
}

/** Lets work on the same thing happen one after the other, and on different things at once. */

export function createTurns(): <T>(thing: string, work: () => Promise<T>) => Promise<T> {
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

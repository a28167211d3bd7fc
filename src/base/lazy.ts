/** Creates a value once, when it is first needed. */

export interface Lazy<T> {
  (): Promise<T>;
  made(): Promise<T> | undefined;
}

/** A failed attempt is dropped, so that the next call tries again. */
export function lazy<T>(make: () => Promise<T>): Lazy<T> {
  let made: Promise<T> | undefined;
  const get = () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
  return Object.assign(get, { made: () => made });
}

/** Closes all created values concurrently and ignores failures. */
export async function closeCreated(...all: Lazy<{ close(): unknown } | undefined>[]): Promise<void> {
  await Promise.allSettled(all.map(async (one) => (await one.made())?.close()));
}

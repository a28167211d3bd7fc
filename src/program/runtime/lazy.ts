/** Makes a thing once, when it is first needed. */

/** A failed attempt is forgotten, so that the next call tries again. */
export function lazy<T>(make: () => Promise<T>): { (): Promise<T>; made(): Promise<T> | undefined } {
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

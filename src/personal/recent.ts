/** A map that forgets what was not touched for long, within bounds. */

export interface Recent<V> {
  get(key: string): V | undefined;
  /** As the last one that was touched. */
  set(key: string, value: V): void;
}

/**
 * Keeps at least half of `most` entries, and never more than all: the younger half, and the older one that goes whole.
 * Letting the oldest go one by one would make a `Map` look through the places of all that went before.
 */
export function createRecent<V>(most: number): Recent<V> {
  let young = new Map<string, V>();
  let old = new Map<string, V>();
  return {
    get: (key) => young.get(key) ?? old.get(key),
    set(key, value) {
      if (young.size >= most / 2 && !young.has(key)) {
        old = young;
        young = new Map();
      }
      young.set(key, value);
    },
  };
}

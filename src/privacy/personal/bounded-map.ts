/** A map that forgets what was not touched for long, within bounds. */

/**
 * Keeps at least half of `most` (entries, or what they weigh together), and never more than all: the younger half, and
 * the older one that goes whole. Letting the oldest go one by one would make a `Map` look through the places of all that went before.
 */
export function createBoundedMap<V>(most: number, weigh: (value: V) => number = () => 1) {
  let young = new Map<string, V>();
  let old = new Map<string, V>();
  let weight = 0;
  return {
    get: (key: string) => young.get(key) ?? old.get(key),
    /** As the last one that was touched. */
    set(key: string, value: V) {
      if (young.has(key)) {
        young.set(key, value);
        return;
      }
      const more = weigh(value);
      if (weight + more > most / 2) {
        old = young;
        young = new Map();
        weight = 0;
      }
      young.set(key, value);
      weight += more;
    },
  };
}

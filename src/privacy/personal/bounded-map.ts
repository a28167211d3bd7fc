/** A bounded map that drops the entries that were set longest ago. */

/**
 * Stores at least half of `maxWeight` (entries, or their total weight) and never more. The entries are in a
 * younger and an older half, and the older one is dropped as a whole. Deleting the oldest entries one by one
 * would make a `Map` scan the slots of all deleted ones.
 */
export function createBoundedMap<V>(maxWeight: number, weigh: (value: V) => number = () => 1) {
  let young = new Map<string, V>();
  let old = new Map<string, V>();
  let weight = 0;
  return {
    get: (key: string) => young.get(key) ?? old.get(key),
    /** Makes the entry the youngest. */
    set(key: string, value: V) {
      if (young.has(key)) {
        young.set(key, value);
        return;
      }
      const addedWeight = weigh(value);
      if (weight + addedWeight > maxWeight / 2) {
        old = young;
        young = new Map();
        weight = 0;
      }
      young.set(key, value);
      weight += addedWeight;
    },
  };
}

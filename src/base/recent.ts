/** Caches the few most recent of many values, such as the opened parts of a long list. */

export interface Recent<Key, Value> {
  /** Returns the cached value, or makes it when it is not cached. */
  get(key: Key, make: () => Value): Value;
  forget(key: Key): void;
}

/**
 * Creates the cache. It uses no Map, because the tables that a Map discards while it changes retain deleted
 * entries until a full garbage collection. That kept every part of a scanned list in memory.
 */
export function createRecent<Key, Value>(max: number): Recent<Key, Value> {
  /** The most recent entry comes first. */
  let list: readonly { key: Key; value: Value }[] = [];
  return {
    get(key, make) {
      const known = list.find((one) => one.key === key) ?? { key, value: make() };
      if (known !== list[0]) list = [known, ...list.filter((one) => one !== known).slice(0, max - 1)];
      return known.value;
    },
    forget(key) {
      list = list.filter((one) => one.key !== key);
    },
  };
}

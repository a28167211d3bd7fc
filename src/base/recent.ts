/** The last few of what is made again and again, such as the opened parts of a long list. */

export interface Recent<Key, Value> {
  /** Made where it is none of the last few. */
  get(key: Key, make: () => Value): Value;
  forget(key: Key): void;
}

/**
 * No Map: the tables that it leaves behind as it changes hold what was let go until the whole heap is collected, which
 * kept each part of a list that was gone through once.
 */
export function createRecent<Key, Value>(most: number): Recent<Key, Value> {
  /** The last one first. */
  let kept: readonly { key: Key; value: Value }[] = [];
  return {
    get(key, make) {
      const known = kept.find((one) => one.key === key) ?? { key, value: make() };
      if (known !== kept[0]) kept = [known, ...kept.filter((one) => one !== known).slice(0, most - 1)];
      return known.value;
    },
    forget(key) {
      kept = kept.filter((one) => one.key !== key);
    },
  };
}

/**
 * Splits a listing's attributes into their smallest members, such as `purchasable_offer`, the offer to
 * everybody, its price. Changes of neighboring members thus stay distinct.
 */

import { canonicalJson } from '../../../base/canonical-json.ts';
import { groupBy } from '../../../base/group-by.ts';
import { isJsonObject, type JsonObject, parseJson, toObject } from '../../../base/json.ts';
import { type Segments, valueAt } from '../../../base/json-difference.ts';
import { own } from '../../../service/facts/schema-parts.ts';
import type { MemberChange } from '../change.ts';
import type { MemberSplitter } from '../subject-adapter.ts';
import {
  isSelected,
  keyOf,
  marketplaceOfEntry,
  namesIn,
  SELECTORS,
  selectorsOf,
  toAttributes,
  toList,
} from './entries.ts';

/**
 * Splits listings into parts. One instance serves all states that are compared, so that an entry with fewer
 * selectors finds the only one that it can mean.
 */
export function createListingSplitter(): MemberSplitter {
  const known = new Map<string, Map<string, JsonObject>>();
  const keyFor = (attribute: string, entry: unknown): string => {
    if (!isJsonObject(entry)) return NO_KEY;
    const selectors = keyOf(attribute, entry) ?? selectorsOf(entry);
    const key = canonicalJson(selectors);
    const keys = known.get(attribute) ?? new Map<string, JsonObject>();
    known.set(attribute, keys);
    if (keys.has(key)) return key;
    const [like, ...others] = [...keys].filter(([, one]) => isSelected(selectors, one));
    if (like !== undefined && others.length === 0) return like[0];
    keys.set(key, selectors);
    return key;
  };
  /** Groups entries by key: a single entry as it is, or a list of all that have the same key. */
  const byKey = (attribute: string, entries: readonly unknown[]): Record<string, unknown> => {
    const groups = groupBy(entries, (entry) => keyFor(attribute, entry));
    return Object.fromEntries(
      [...groups].map(([key, all]) => [key, all.length === 1 && isJsonObject(all[0]) ? all[0] : all]),
    );
  };
  return {
    splitState: (state) => ({
      attributes: Object.fromEntries(
        Object.entries(toAttributes(toObject(state).attributes)).map(([name, entries]) => [
          name,
          byKey(name, entries),
        ]),
      ),
    }),
    joinState: (parts) => ({ attributes: entriesIn(parts) }),
    splitMember({ segments, before, after }) {
      const name = String(segments[1]);
      const [was, is] = [byKey(name, toList(before)), byKey(name, toList(after))];
      return namesIn(was, is).flatMap((key) =>
        changedParts([key], own(was, key), own(is, key)).map((inner) => ({
          segments: [...segments, ...inner],
          ...present('before', valueAt(was, inner)),
          ...present('after', valueAt(is, inner)),
        })),
      );
    },
    marketplaceOf: ([, , key]) => marketplaceOfEntry(parseJson(String(key ?? NO_KEY))),
    restore,
  };
}

const NO_KEY = '';

const present = <Name extends string>(name: Name, value: unknown) =>
  value === undefined ? {} : { [name]: value };

const attributesIn = (parts: unknown): JsonObject => toObject(toObject(parts).attributes);

/** Returns the entries of each attribute; an attribute without entries is left out. */
function entriesIn(parts: unknown): Record<string, readonly unknown[]> {
  const all = Object.entries(attributesIn(parts)).map(([name, keyed]): [string, unknown[]] => [
    name,
    Object.entries(toObject(keyed)).flatMap(([key, entry]) =>
      Array.isArray(entry) ? entry : [withSelectors(key, toObject(entry))],
    ),
  ]);
  return Object.fromEntries(all.filter(([, entries]) => entries.length > 0));
}

/** Adds the selectors of an entry, because single members do not name the entry that they belong to. */
function withSelectors(key: string, entry: JsonObject): JsonObject {
  const isWhole = SELECTORS.some((name) => Object.hasOwn(entry, name));
  return isWhole ? entry : { ...toObject(parseJson(key)), ...entry };
}

/**
 * Returns the members of an entry that differ between both sides; an entry that only one side has is one
 * part.
 */
function changedParts(segments: Segments, before: unknown, after: unknown): Segments[] {
  if (canonicalJson(before) === canonicalJson(after)) return [];
  if (!isJsonObject(before) || !isJsonObject(after)) return [segments];
  return namesIn(before, after)
    .filter((name) => canonicalJson(own(before, name)) !== canonicalJson(own(after, name)))
    .map((name) => [...segments, name]);
}

/**
 * Returns whole attributes, because a patch takes no less; entries that were there before keep their old
 * order.
 */
function restore(
  segments: readonly Segments[],
  before: unknown,
  after: unknown,
  old: unknown,
): MemberChange[] {
  const [wanted, now] = [entriesIn(before), entriesIn(after)];
  const was = toAttributes(toObject(old).attributes);
  return [...new Set(segments.map(([, name]) => String(name)))].map((name) => {
    const [all, there, first] = [own(wanted, name), own(now, name), own(was, name)];
    return {
      segments: ['attributes', name],
      ...present('before', isSameSet(all, first) ? first : all),
      ...present('after', there),
    };
  });
}

const isSameSet = (one: readonly unknown[] | undefined, other: readonly unknown[] | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  canonicalJson(one.map(canonicalJson).toSorted()) === canonicalJson(other.map(canonicalJson).toSorted());

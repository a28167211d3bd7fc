/**
 * Compares an attribute that was read back, entry by entry: it matches the sent value, the old value, or
 * neither.
 */

import { canonicalJson } from '../../../base/canonical-json.ts';
import { isJsonObject, type JsonObject, toObject } from '../../../base/json.ts';
import { differenceAt, type JsonDifference, type Segments } from '../../../base/json-difference.ts';
import { own } from '../../../service/facts/schema-parts.ts';
import type { ReadBack } from '../change.ts';
import { isSelected, namesIn } from './entries.ts';

/**
 * Compares an attribute. The service may add members to an entry (a language, an audience) and change the
 * order of entries.
 */
export function compareAttribute(
  name: string,
  sides: { before?: readonly unknown[]; sent?: readonly unknown[]; found?: readonly unknown[] },
): ReadBack {
  const { before = [], sent = [], found = [] } = sides;
  const segments = ['attributes', name];
  if (isSame(sent, found)) return { differences: [], notYet: [] };
  if (isSame(before, found))
    return { differences: [], notYet: [attributeDifference(segments, sides.sent, sides.found)] };
  const [one, other] = [sent[0], found[0]];
  // A single entry is compared member by member, to separate new members from old ones.
  if (
    sent.length === 1 &&
    found.length === 1 &&
    isJsonObject(one) &&
    isJsonObject(other) &&
    isSelected(one, other)
  ) {
    const old = before.find((entry) => isSelected(one, entry));
    return compareMembers([...segments, 0], toObject(old), one, other);
  }
  return { differences: [attributeDifference(segments, sides.sent, sides.found)], notYet: [] };
}

function compareMembers(
  segments: Segments,
  before: JsonObject,
  sent: JsonObject,
  found: JsonObject,
): ReadBack {
  const differing = namesIn(sent, before).flatMap((name) => {
    const [wanted, there] = [own(sent, name), own(found, name)];
    if (covers(there, wanted)) return [];
    const isOld = canonicalJson(own(before, name)) === canonicalJson(there);
    return [{ isOld, difference: attributeDifference([...segments, name], wanted, there) }];
  });
  return {
    differences: differing.filter(({ isOld }) => !isOld).map(({ difference }) => difference),
    notYet: differing.filter(({ isOld }) => isOld).map(({ difference }) => difference),
  };
}

/** Makes a difference whose path has the attribute names unquoted. */
export function attributeDifference(segments: Segments, before: unknown, after: unknown): JsonDifference {
  const path = segments.map((one) => (typeof one === 'number' ? `[${one}]` : `.${one}`)).join('');
  return differenceAt(segments, before, after, path.slice(1));
}

/**
 * Returns true for the same entries in any order, each with at least the sent members. An entry with more
 * members can match several, so earlier matches move if they have another one (a bipartite matching).
 */
export function isSame(sent: readonly unknown[], found: readonly unknown[]): boolean {
  if (sent.length !== found.length) return false;
  const holders = new Map<number, number>();
  const assign = (entry: number, tried: Set<number>): boolean => {
    const able = [...found.keys()].filter((at) => !tried.has(at) && covers(found[at], sent[entry]));
    const free = able.find((at) => !holders.has(at));
    const at = free ?? able.find((one) => isMovable(one, tried));
    if (at !== undefined) holders.set(at, entry);
    return at !== undefined;
  };
  const isMovable = (at: number, tried: Set<number>) => {
    const holder = tried.has(at) ? undefined : holders.get(at);
    tried.add(at);
    return holder !== undefined && assign(holder, tried);
  };
  return sent.every((_, entry) => assign(entry, new Set()));
}

/** Returns whether the answer covers what was sent, because the service may add members. */
export function covers(found: unknown, sent: unknown): boolean {
  if (isJsonObject(sent) && isJsonObject(found)) {
    return Object.entries(sent).every(
      ([name, value]) => value === undefined || covers(own(found, name), value),
    );
  }
  if (Array.isArray(sent) && Array.isArray(found)) {
    return sent.length === found.length && sent.every((value, at) => covers(found[at], value));
  }
  // A member that is sent as null is absent afterwards, or null.
  return (sent ?? undefined) === (found ?? undefined);
}

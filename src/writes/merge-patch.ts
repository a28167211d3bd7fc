/** JSON Merge Patch (RFC 7396): `null` removes a member, objects merge, everything else replaces. */

import { isJsonObject, type JsonObject } from '../json.ts';

/**
 * The patched value; neither argument is changed. Members keep the target's order, new ones follow.
 * `Object.fromEntries` makes every name an own member, so `__proto__` in a patch is data and nothing else.
 */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  return isJsonObject(patch) ? mergeObjects(isJsonObject(target) ? target : {}, patch) : patch;
}

/** The same where both are known to be objects. */
export function mergeObjects(target: JsonObject, patch: JsonObject): JsonObject {
  const members = new Map(Object.entries(target));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name);
    else members.set(name, applyMergePatch(members.get(name), value));
  }
  return Object.fromEntries(members);
}

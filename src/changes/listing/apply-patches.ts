/** What the patches of patchListingsItem make of the attributes, as the service applies them: whole attributes, by selectors. */

import { isJsonObject, type JsonObject } from '../../json.ts';
import { own } from '../../service/facts/schema-parts.ts';
import { type Attributes, isMeant, toList } from './entries.ts';

export type Patched =
  /** `touched`: names of the attributes that the patches are about. */
  | { after: Record<string, readonly unknown[]>; touched: string[] }
  /** In a sentence of ours, why it cannot be told. */
  | { problem: string };

const PATH = /^\/attributes\/([^/]+)$/;

/**
 * `add` and `replace` put the value in the place of the whole attribute, `merge` changes the named members of the
 * entries that its selectors mean, `delete` removes the entries that they mean, all of them without a value.
 */
export function applyPatches(before: Attributes, patches: unknown): Patched {
  if (!Array.isArray(patches)) return { problem: 'the patches are no list' };
  const after = new Map(Object.entries(before));
  const touched: string[] = [];
  for (const [at, patch] of patches.entries()) {
    const step = readPatch(patch);
    if (typeof step === 'string') return { problem: `what patch ${at + 1} does is not known here: ${step}` };
    const { name, op, value } = step;
    if (!touched.includes(name)) touched.push(name);
    const result = applyOne(op, after.get(name) ?? [], value);
    if (typeof result === 'string') return { problem: `what patch ${at + 1} does cannot be told: ${result}` };
    if (result.length === 0) after.delete(name);
    else after.set(name, result);
  }
  return { after: Object.fromEntries(after), touched };
}

interface Step {
  name: string;
  op: string;
  value: unknown;
}

function readPatch(patch: unknown): Step | string {
  if (!isJsonObject(patch)) return 'it is no object';
  const { op, path, value } = patch;
  const name = typeof path === 'string' ? PATH.exec(path)?.[1] : undefined;
  if (name === undefined) return 'its path is not that of one attribute';
  if (typeof op !== 'string') return 'it has no op';
  return { name: name.replaceAll('~1', '/').replaceAll('~0', '~'), op, value };
}

function applyOne(op: string, entries: readonly unknown[], value: unknown): readonly unknown[] | string {
  if (op === 'add' || op === 'replace') return toList(value);
  if (op === 'delete') return deleteEntries(entries, value);
  return op === 'merge'
    ? mergeEntries(entries, toList(value))
    : 'its op is none of add, replace, merge, delete';
}

function deleteEntries(entries: readonly unknown[], value: unknown): readonly unknown[] {
  const wanted = toList(value).filter(isJsonObject);
  if (wanted.length === 0) return [];
  return entries.filter((entry) => !wanted.some((one) => isMeant(one, entry)));
}

function mergeEntries(entries: readonly unknown[], values: readonly unknown[]): readonly unknown[] | string {
  let merged = [...entries];
  for (const value of values) {
    if (!isJsonObject(value)) return 'an entry to merge is no object';
    const meant = merged.filter((entry) => isMeant(value, entry));
    if (meant.length > 1) return 'its selectors mean more than one entry';
    merged =
      meant.length === 0
        ? [...merged, value]
        : merged.map((entry) =>
            entry === meant[0] && isJsonObject(entry) ? mergeMembers(entry, value) : entry,
          );
  }
  return merged;
}

/** Members that are named take the place of the old ones, whole; the others stay. */
function mergeMembers(entry: JsonObject, value: JsonObject): JsonObject {
  const names = [...new Set([...Object.keys(entry), ...Object.keys(value)])];
  return Object.fromEntries(names.map((name) => [name, own(value, name) ?? own(entry, name)]));
}

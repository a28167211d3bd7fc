/**
 * Applies the patches of patchListingsItem to attributes as the service does: whole attributes, by selectors,
 * in the marketplaces that they name.
 */

import { canonicalJson } from '../../../base/canonical-json.ts';
import { isJsonObject, type JsonObject, toObject } from '../../../base/json.ts';
import type { Segments } from '../../../base/json-difference.ts';
import { own } from '../../../service/facts/schema-parts.ts';
import {
  type Attributes,
  isInMarketplaces,
  isSelected,
  keyOf,
  LEAVES_UNNAMED,
  marketplaceOfEntry,
  marketplacesOfEntries,
  SELECTORS,
  sortByMarketplace,
  toList,
} from './entries.ts';

type PatchResult =
  | {
      after: Record<string, readonly unknown[]>;
      /** The names of the patched attributes. */
      touched: string[];
      /** The indexes of patches that the changes do not show whole; they are shown as they are. */
      untold: number[];
      /** True if some of these have an unknown form, so that their other effects are unknown. */
      isOdd: boolean;
    }
  /** The reason why the result is unknown, as our sentence. */
  | { problem: string };

/** The operation that patches one listing. */
export const PATCH = 'listings-items/patchListingsItem';
/** The service takes `/item_name` for `/attributes/item_name`; `/attributes` alone names no attribute. */
const PATH = /^\/(?:attributes\/([^/]+)|(?!attributes$)([^/]+))$/;

/** Returns the pointer by which a patch names a member's attribute. */
export const pointerOf = ([, name]: Segments) =>
  `/attributes/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Returns the attribute that a patch changes; undefined if its path is another. */
export function attributeOfPatch(patch: unknown): string | undefined {
  const { path } = toObject(patch);
  const found = typeof path === 'string' ? PATH.exec(path) : undefined;
  const name = found?.[1] ?? found?.[2];
  return name?.replaceAll('~1', '/').replaceAll('~0', '~');
}

/**
 * Applies the patches in order. `add` and `replace` put the value in place of the whole attribute, or of the
 * named entries where the service leaves the others. `merge` changes the named members of the selected
 * entries. `delete` removes the selected entries, or all of them without a value.
 * @param before the attributes in the call's marketplaces and all others that the patches name
 * @param places the call's marketplaces, where an entry that names none applies
 */
export function applyPatches(before: Attributes, patches: unknown, places: readonly string[]): PatchResult {
  if (!Array.isArray(patches)) return { problem: 'the patches are no list' };
  const steps: PatchStep[] = [];
  const after = new Map(Object.entries(before));
  for (const [at, patch] of patches.entries()) {
    const step = readPatch(patch);
    if (typeof step === 'string') return { problem: `what patch ${at + 1} does is not known here: ${step}` };
    const entries = after.get(step.name) ?? [];
    const result = applyOne(step, entries, places);
    if (typeof result === 'string') return { problem: `what patch ${at + 1} does cannot be told: ${result}` };
    if (result.length === 0) after.delete(step.name);
    else after.set(step.name, sortByMarketplace(result, places));
    // An entry that an earlier patch added was not there before, so its removal here shows in no change.
    const old = own(before, step.name) ?? [];
    steps.push({
      ...step,
      removed: old.filter((entry) => entries.includes(entry) && !result.includes(entry)),
    });
  }
  const patched = Object.fromEntries(after);
  return {
    after: patched,
    touched: [...new Set(steps.map(({ name }) => name))],
    untold: steps.flatMap((step, at) => (isOdd(step) || !isShown(step, patched) ? [at] : [])),
    isOdd: steps.some(isOdd),
  };
}

/** Returns every marketplace that patches name. */
export function marketplacesOfPatches(patches: unknown): string[] {
  return toList(patches).flatMap((patch) =>
    isJsonObject(patch) ? marketplacesOfEntries(toList(patch.value)) : [],
  );
}

interface PatchStep {
  name: string;
  op: string;
  value: unknown;
  /** True if it has members beside those of a patch. */
  hasMore: boolean;
  /** The entries that it removes. */
  removed: readonly unknown[];
}

const MEMBERS = ['op', 'path', 'value'];

function readPatch(patch: unknown): PatchStep | string {
  if (!isJsonObject(patch)) return 'it is no object';
  const { op, value } = patch;
  const name = attributeOfPatch(patch);
  if (name === undefined) return 'its path is not that of one whole attribute';
  if (typeof op !== 'string') return 'it has no op';
  const hasMore = Object.keys(patch).some((member) => !MEMBERS.includes(member));
  return { name, op, value, hasMore, removed: [] };
}

function applyOne({ op, value, name }: PatchStep, entries: readonly unknown[], places: readonly string[]) {
  if (op === 'add' || op === 'replace') {
    return LEAVES_UNNAMED.has(name)
      ? replaceNamed(name, entries, toList(value), places)
      : replaceEntries(entries, toList(value), places);
  }
  if (op === 'delete') return deleteEntries(entries, value, places);
  return op === 'merge'
    ? mergeEntries(entries, toList(value), places)
    : 'its op is none of add, replace, merge, delete';
}

/**
 * Replaces all entries that apply in the call's marketplaces, or in those that a value names; entries of
 * others stay.
 */
export function replaceEntries(
  entries: readonly unknown[],
  values: readonly unknown[],
  places: readonly string[],
): readonly unknown[] {
  const here = [...places, ...marketplacesOfEntries(values)];
  return [...values, ...entries.filter((entry) => !isInMarketplaces(entry, here))];
}

/** Replaces each entry that a value names; entries that no value names stay (docs#1714). */
function replaceNamed(
  name: string,
  entries: readonly unknown[],
  values: readonly unknown[],
  places: readonly string[],
): readonly unknown[] {
  const left = new Set(values);
  const stayed = entries.flatMap((entry) => {
    const meant = values.filter((value) => isMeantAt(keyOf(name, value) ?? {}, entry, places));
    if (meant.length === 0) return [entry];
    const put = meant.filter((value) => left.has(value));
    for (const value of put) left.delete(value);
    return put;
  });
  return [...stayed, ...left];
}

function deleteEntries(entries: readonly unknown[], value: unknown, places: readonly string[]) {
  const wanted = toList(value).filter(isJsonObject);
  if (wanted.length === 0) return entries.filter((entry) => !isInMarketplaces(entry, places));
  return entries.filter((entry) => !wanted.some((one) => isMeantAt(one, entry, places)));
}

/** Matches an entry by its selectors; one that names no marketplace selects those of the call. */
function isMeantAt(wanted: JsonObject, entry: unknown, places: readonly string[]): boolean {
  return (
    isSelected(wanted, entry) && (marketplaceOfEntry(wanted) !== undefined || isInMarketplaces(entry, places))
  );
}

function mergeEntries(
  entries: readonly unknown[],
  values: readonly unknown[],
  places: readonly string[],
): readonly unknown[] | string {
  let merged = [...entries];
  for (const value of values) {
    if (!isJsonObject(value)) return 'an entry to merge is no object';
    const meant = merged.filter((entry) => isMeantAt(value, entry, places));
    if (meant.length > 1) return 'its selectors mean more than one entry';
    merged =
      meant.length === 0
        ? [...merged, value]
        : merged.map((entry) => (entry === meant[0] && isJsonObject(entry) ? { ...entry, ...value } : entry));
  }
  return merged;
}

/**
 * Returns true for another form than this operation is known to take, because it may be read in another way.
 */
function isOdd({ op, value, hasMore }: PatchStep): boolean {
  if (hasMore) return true;
  if (op === 'delete' && value === undefined) return false;
  return !areEntries(value) || (op === 'delete' && !value.every(isSelector));
}

/** Returns true for entries that can be rendered: objects whose selectors are texts. */
export function areEntries(value: unknown): value is JsonObject[] {
  return Array.isArray(value) && value.length > 0 && value.every(isEntry);
}

function isEntry(value: unknown): value is JsonObject {
  return (
    isJsonObject(value) &&
    Object.keys(value).length > 0 &&
    SELECTORS.every((name) => !Object.hasOwn(value, name) || typeof value[name] === 'string')
  );
}

const isSelector = (entry: JsonObject) =>
  Object.keys(entry).every((name) => SELECTORS.some((selector) => selector === name));

/** Returns true if the listing has everything in the patch afterwards, or, for a deletion, had it before. */
function isShown({ op, value, name, removed }: PatchStep, made: Attributes): boolean {
  const named = toList(value).filter(isJsonObject);
  if (op !== 'delete')
    return named.every((entry) => (own(made, name) ?? []).some((one) => holds(one, entry)));
  // A removed entry is named by its own selectors.
  return removed.length > 0 && named.every((wanted) => removed.some((one) => holds(one, wanted)));
}

function holds(entry: unknown, members: JsonObject): boolean {
  return (
    isJsonObject(entry) &&
    Object.entries(members).every(
      ([name, value]) => Object.hasOwn(entry, name) && canonicalJson(entry[name]) === canonicalJson(value),
    )
  );
}

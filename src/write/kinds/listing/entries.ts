/** Entries of a listing's attribute: what tells them apart, and which of them belong to a marketplace. */

import { canonicalJson } from '../../../base/canonical-json.ts';
import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import { own } from '../../../service/facts/schema-parts.ts';

/** Members that say which entry is meant; all others are its content. */
export const SELECTORS = [
  'marketplace_id',
  'language_tag',
  'audience',
  'fulfillment_channel_code',
  'currency',
] as const;
/** What an entry without the selector means. */
const DEFAULTS: Readonly<Record<string, string>> = { audience: 'ALL', fulfillment_channel_code: 'DEFAULT' };

export type Attributes = Readonly<Record<string, readonly unknown[]>>;

/** Attributes as the service answers them: a list of entries by name; anything else is no attribute. */
export function toAttributes(value: unknown): Record<string, readonly unknown[]> {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, entries]) => [name, toList(entries)]));
}

export const toList = (value: unknown): readonly unknown[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];

/** The entries that count in these marketplaces; those that name none count in all. */
export function inPlaces(
  attributes: Attributes,
  places: readonly string[],
): Record<string, readonly unknown[]> {
  const isHere = (entry: unknown) => {
    const id = placeOf(entry);
    return id === undefined || places.length === 0 || places.includes(id);
  };
  const kept = Object.entries(attributes).map(([name, entries]) => [name, entries.filter(isHere)] as const);
  return Object.fromEntries(kept.filter(([, entries]) => entries.length > 0));
}

/** The marketplace that an entry names. */
export function placeOf(entry: unknown): string | undefined {
  const id = isJsonObject(entry) ? entry.marketplace_id : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** Every marketplace that entries name, each once. */
export const placesIn = (entries: readonly unknown[]): string[] => [
  ...new Set(entries.flatMap((entry) => placeOf(entry) ?? [])),
];

/** Those of these places first, then those of each other, in an order that does not depend on what was written last. */
export function inOrderOfPlaces(entries: readonly unknown[], places: readonly string[]): readonly unknown[] {
  const others = placesIn(entries)
    .filter((id) => !places.includes(id))
    .toSorted();
  if (places.length === 0 || others.length === 0) return entries;
  const rank = (entry: unknown) => others.indexOf(placeOf(entry) ?? '');
  return entries.toSorted((one, other) => rank(one) - rank(other));
}

/** A selector's value, its default included; undefined where any would do. */
export function selectorOf(entry: JsonObject, name: string): string | undefined {
  const value = own(entry, name) ?? DEFAULTS[name];
  return typeof value === 'string' ? value : value === undefined ? undefined : canonicalJson(value);
}

/** Whether `wanted` means `entry`: no selector that both have differs. */
export function isMeant(wanted: JsonObject, entry: unknown): boolean {
  if (!isJsonObject(entry)) return false;
  return SELECTORS.every((name) => {
    const [a, b] = [selectorOf(wanted, name), selectorOf(entry, name)];
    return a === undefined || b === undefined || a === b;
  });
}

/** What an entry says, without what says which one it is. */
export function contentOf(entry: unknown): unknown {
  if (!isJsonObject(entry)) return entry;
  const members = Object.entries(entry).filter(([name]) => !SELECTORS.some((selector) => selector === name));
  return Object.fromEntries(members);
}

/** The names that the tables of a collection get, different from those of all others of the account. */

import { sourceKey } from './collection-file.ts';
import type { CollectionInfo, CollectionSource, TableInfo } from './types.ts';

/** Tables that every query finds beside the collected ones. */
export const BUILT_IN = ['changes', 'columns', 'tables'] as const;

/**
 * New names by old ones. A collection that takes the place of an earlier one of the same source takes its names too;
 * otherwise the first number is taken that makes all of them free: `orders_2`, `orders_2_items`.
 */
export function nameTables(
  source: CollectionSource,
  tables: readonly TableInfo[],
  others: readonly CollectionInfo[],
): Map<string, string> {
  const key = sourceKey(source);
  const taken = new Set<string>(BUILT_IN);
  for (const other of others) {
    if (sourceKey(other.source) === key) continue;
    for (const { name } of other.tables) taken.add(name);
  }
  const before = others.find((other) => sourceKey(other.source) === key);
  const numbers = [
    numberOf(before, tables[0]?.name),
    ...Array.from({ length: others.length + 4 }, (_, i) => i + 1),
  ];
  for (const number of numbers) {
    const names = new Map(tables.map(({ name }) => [name, numbered(name, number, tables)]));
    const isFree = [...names.values()].every((name) => !taken.has(name));
    if (isFree && new Set(names.values()).size === names.size) return names;
  }
  return new Map(tables.map(({ name }) => [name, `${name}_${Date.now().toString(36)}`]));
}

function numberOf(before: CollectionInfo | undefined, name: string | undefined): number {
  const found = before?.tables[0]?.name ?? '';
  if (name === undefined || !found.startsWith(`${name}_`)) return 1;
  const number = Number(found.slice(name.length + 1));
  return Number.isInteger(number) && number > 1 ? number : 1;
}

/** The number stands behind the name that all of them begin with. */
function numbered(name: string, number: number, tables: readonly TableInfo[]): string {
  if (number === 1) return name;
  const base = tables
    .map((table) => table.name)
    .filter((candidate) => name === candidate || name.startsWith(`${candidate}_`))
    .sort((one, other) => one.length - other.length)[0];
  return base === undefined ? `${name}_${number}` : `${base}_${number}${name.slice(base.length)}`;
}

export function renameTables(tables: readonly TableInfo[], names: ReadonlyMap<string, string>): TableInfo[] {
  return tables.map((table) => ({
    ...table,
    name: names.get(table.name) ?? table.name,
    ...(table.parent === undefined ? {} : { parent: names.get(table.parent) ?? table.parent }),
  }));
}

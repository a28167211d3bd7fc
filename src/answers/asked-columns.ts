/** The table of a list of which members were selected: a column for each of them, named by its path, on every page. */

import { isJsonObject } from '../json.ts';
import { isEach, parsePath, rangeOf } from './select/path.ts';

/** More make no table. */
const MOST_COLUMNS = 30;

/** What was selected, as names from the top; indexes and `*` name no member. */
export type Asked = readonly (readonly string[])[];

export function askedNames(select: readonly string[]): Asked {
  return select.flatMap((path) => {
    const segments = parsePath(path);
    if (segments === undefined) return [];
    return [
      segments
        .filter((segment) => !isEach(segment) && rangeOf(segment) === undefined)
        .map(({ text }) => text),
    ];
  });
}

/** What was selected below the member `name`. */
export function askedBelow(asked: Asked, name: string): Asked {
  return asked.flatMap(([first, ...rest]) => (first === name ? [rest] : []));
}

export interface AskedTable {
  /** Each a path from the row. */
  columns: readonly (readonly string[])[];
  /** Undefined where a row has nothing there. */
  rows: readonly (readonly unknown[])[];
}

/**
 * Undefined where no members of the rows were selected, or they hold lists of their own.
 * @param isLeaf true for an object that is read as one value
 */
export function askedTable(
  elements: readonly unknown[],
  asked: Asked,
  isLeaf: (value: Record<string, unknown>) => boolean,
): AskedTable | undefined {
  if (asked.length === 0 || asked.some((path) => path.length === 0)) return undefined;
  const rows = elements.filter(isJsonObject);
  if (rows.length === 0 || rows.length !== elements.length) return undefined;
  const columns = asked.flatMap((path) => expand(path, rows, isLeaf));
  const once = [...new Map(columns.map((path) => [JSON.stringify(path), path])).values()];
  if (once.length > MOST_COLUMNS) return undefined;
  const found = rows.map((row) => once.map((path) => valueAt(row, path)));
  if (found.flat().some((value) => value === THROUGH_LIST)) return undefined;
  return { columns: once, rows: found };
}

/** A path to objects becomes the paths to their members. */
function expand(
  path: readonly string[],
  rows: readonly unknown[],
  isLeaf: (value: Record<string, unknown>) => boolean,
): (readonly string[])[] {
  const values = rows.map((row) => valueAt(row, path));
  const objects = values
    .filter(isJsonObject)
    .filter((value) => Object.keys(value).length > 0 && !isLeaf(value));
  if (objects.length === 0 || path.length > MOST_COLUMNS) return [path];
  const names = [...new Set(objects.flatMap((value) => Object.keys(value)))].slice(0, MOST_COLUMNS + 1);
  const plain = values.some((value) => value !== undefined && value !== null && !isJsonObject(value));
  return [...(plain ? [path] : []), ...names.flatMap((name) => expand([...path, name], rows, isLeaf))];
}

const THROUGH_LIST = Symbol('through a list');

function valueAt(row: unknown, path: readonly string[]): unknown {
  let value: unknown = row;
  for (const name of path) {
    if (Array.isArray(value)) return THROUGH_LIST;
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

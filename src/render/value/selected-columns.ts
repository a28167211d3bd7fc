/**
 * Makes the table of a list of which members were selected: one column for each, named by its path, on every
 * page.
 */

import { isJsonObject } from '../../base/json.ts';
import { isEach, parsePath, rangeOf } from './select/path.ts';

/** More columns make no table. */
const MAX_COLUMNS = 30;

/** Precedes the members of a list in a path if another path selects other elements of the list. */
const MIXED = Symbol('of other elements');

/** The selected members, as names from the top. */
export type SelectedColumns = readonly (readonly (string | typeof MIXED)[])[];

/** Returns the member names of the paths, without indexes and `*`. */
export function namesOfSelect(select: readonly string[]): (readonly string[])[] {
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

/** Does the same, but marks levels at which the paths select different elements of one list. */
export function columnsOfSelect(select: readonly string[]): SelectedColumns {
  const paths = select.map(levelsOf).filter((path) => path !== undefined);
  const elements = new Map<string, Set<string>>();
  for (const { names, ranges } of paths) {
    for (const [level, range] of ranges.entries()) {
      const levelKey = JSON.stringify(names.slice(0, level));
      elements.set(levelKey, (elements.get(levelKey) ?? new Set()).add(range));
    }
  }
  return paths.map(({ names }) => {
    const isMixed = (level: number) => (elements.get(JSON.stringify(names.slice(0, level)))?.size ?? 0) > 1;
    return names.flatMap((name, level) => (isMixed(level) ? [MIXED, name] : [name]));
  });
}

interface PathLevels {
  names: readonly string[];
  /**
   * The indexes and ranges at each level, from no names to all of them; empty if every element is selected.
   */
  ranges: readonly string[];
}

function levelsOf(path: string): PathLevels | undefined {
  const segments = parsePath(path);
  if (segments === undefined) return undefined;
  const names: string[] = [];
  const ranges: string[] = [];
  let range = '';
  for (const segment of segments.filter((one) => !isEach(one))) {
    if (rangeOf(segment) !== undefined) range += `${segment.text}.`;
    else {
      names.push(segment.text);
      ranges.push(range);
      range = '';
    }
  }
  return { names, ranges: [...ranges, range] };
}

/** Returns the members selected below the member `name`. */
export function selectedBelow(asked: SelectedColumns, name: string): SelectedColumns {
  return asked.flatMap((path) => {
    const [first, ...rest] = path[0] === MIXED ? path.slice(1) : path;
    return first === name ? [rest] : [];
  });
}

/**
 * Returns columns, each a path from the row, and the values of each row; undefined if a row has none.
 * Returns undefined for the whole if no members of the rows were selected, or if they contain lists. The same
 * applies if a cell would seem empty because it was not selected in that row.
 * @param isLeaf true for an object that is rendered as one value
 */
export function buildSelectedTable(
  elements: readonly unknown[],
  asked: SelectedColumns,
  isLeaf: (value: Record<string, unknown>) => boolean,
) {
  if (asked.length === 0 || asked.some((path) => path.length === 0)) return undefined;
  const rows = elements.filter(isJsonObject);
  if (rows.length === 0 || rows.length !== elements.length) return undefined;
  const isMixed = asked.some((path) => path.includes(MIXED));
  const columns = asked.flatMap((path) => expand(path.filter(isName), rows, isLeaf));
  const once = [...new Map(columns.map((path) => [JSON.stringify(path), path])).values()];
  if (once.length > MAX_COLUMNS) return undefined;
  const found = rows.map((row) => once.map((path) => valueAt(row, path)));
  if (found.flat().some((value) => value === THROUGH_LIST || (isMixed && value === undefined)))
    return undefined;
  return { columns: once, rows: found };
}

const isName = (step: string | typeof MIXED) => step !== MIXED;

/** Expands a path to objects into the paths to their members. */
function expand(
  path: readonly string[],
  rows: readonly unknown[],
  isLeaf: (value: Record<string, unknown>) => boolean,
): (readonly string[])[] {
  const values = rows.map((row) => valueAt(row, path));
  const objects = values
    .filter(isJsonObject)
    .filter((value) => Object.keys(value).length > 0 && !isLeaf(value));
  if (objects.length === 0 || path.length > MAX_COLUMNS) return [path];
  const names = [...new Set(objects.flatMap((value) => Object.keys(value)))].slice(0, MAX_COLUMNS + 1);
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

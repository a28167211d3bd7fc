/** The fields that a Data Kiosk query returns: found by name, and written as a GraphQL selection. */

import type { Dataset, Members } from './datasets.ts';

/** One scalar value of an item, with the path to it. */
export interface DatasetField {
  path: readonly string[];
  /** The GraphQL type of the value, without list and null marks. */
  type: string;
}

/**
 * The member that compares a figure with the previous week, month or year. Only weeks and months have it, so
 * it has to be named.
 */
const BENCHMARK = 'timeRangeBenchmarking';
/** The currency member, without which an amount is meaningless. */
const CURRENCY = 'currencyCode';

export const namedType = (type: string): string => type.replace(/[[\]!]/g, '');

/** Lists the fields below a type, in the order of the schema. A type within itself is left out. */
export function fieldsOf(dataset: Dataset, type: string): DatasetField[] {
  return walk(dataset, type, [], new Set([type]));
}

function walk(
  dataset: Dataset,
  type: string,
  path: readonly string[],
  within: ReadonlySet<string>,
): DatasetField[] {
  const members: Members = dataset.types[type] ?? {};
  return Object.entries(members).flatMap(([name, written]) => {
    const below = namedType(written);
    const here = [...path, name];
    if (!Object.hasOwn(dataset.types, below)) return [{ path: here, type: below }];
    return within.has(below) ? [] : walk(dataset, below, here, new Set([...within, below]));
  });
}

/** Returns the default fields: all except comparisons with an earlier time. */
export const usualFields = (fields: readonly DatasetField[]): DatasetField[] =>
  fields.filter(({ path }) => !path.includes(BENCHMARK));

/**
 * Finds the fields of a name: a path from the item (`totals.sales`), or the end of one (`sales`,
 * `unitsOrdered`), which may exist in several groups. A group means all of its fields.
 */
export function fieldsNamed(fields: readonly DatasetField[], name: string): DatasetField[] {
  const wanted = name.split('.');
  const isWithin = ({ path }: DatasetField) =>
    path.some((_, at) => wanted.every((part, n) => path[at + n]?.toLowerCase() === part.toLowerCase()));
  const found = fields.filter(isWithin);
  return wanted.includes(BENCHMARK) ? found : usualFields(found);
}

/** Adds the currency of each amount, so that no amount lacks it. */
export function withCurrencies(
  all: readonly DatasetField[],
  chosen: readonly DatasetField[],
): DatasetField[] {
  const groups = new Set(chosen.map(({ path }) => path.slice(0, -1).join('.')));
  const names = new Set(chosen.map(({ path }) => path.join('.')));
  return all.filter(
    ({ path }) =>
      names.has(path.join('.')) || (path.at(-1) === CURRENCY && groups.has(path.slice(0, -1).join('.'))),
  );
}

/** Writes the selection without white space, because a query is limited to 8,000 characters. */
export function selectionOf(fields: readonly DatasetField[]): string {
  const groups = new Map<string, (DatasetField | undefined)[]>();
  for (const field of fields) {
    const [name = '', ...below] = field.path;
    const known = groups.get(name) ?? [];
    groups.set(name, [...known, below.length === 0 ? undefined : { ...field, path: below }]);
  }
  return [...groups]
    .map(([name, below]) => {
      const inner = below.filter((field) => field !== undefined);
      return inner.length === 0 ? name : `${name}{${selectionOf(inner)}}`;
    })
    .join(' ');
}

/**
 * Builds an item with a value of the right type for each field, from which tables can be created before any
 * item arrives.
 */
export function templateOf(dataset: Dataset, type: string, fields: readonly DatasetField[]): object {
  const members: Members = dataset.types[type] ?? {};
  const template: Record<string, unknown> = {};
  for (const [name, written] of Object.entries(members)) {
    const below = fields
      .filter(({ path }) => path[0] === name)
      .map((field) => ({ ...field, path: field.path.slice(1) }));
    if (below.length === 0) continue;
    const inner = namedType(written);
    const value = Object.hasOwn(dataset.types, inner)
      ? templateOf(dataset, inner, below)
      : (EXAMPLES[inner] ?? 'x');
    template[name] = written.startsWith('[') ? [value] : value;
  }
  return template;
}

const EXAMPLES: Readonly<Record<string, unknown>> = {
  Int: 0,
  Long: 0,
  Float: 0,
  Boolean: false,
  Date: '2026-01-01',
};

/**
 * Describes the tables that collecting an operation will give, so that a statement over them can be written
 * in advance.
 */

import { byteLength, jsonText } from '../base/json.ts';
import { count } from '../base/text/format-value.ts';
import {
  type ExpectedTable,
  type ExpectedTables,
  expectedReport,
  expectedTables,
  isOftenRequested,
} from '../data/collections/expected-tables.ts';
import type { ColumnInfo } from '../data/tables/table-types.ts';
import { answerShapeOf } from '../service/facts/answer-shapes.ts';
import { singleOf } from '../service/facts/batches.ts';
import { loadDataset } from '../service/facts/datasets.ts';
import type { Operation } from '../service/facts/operation.ts';
import type { Registry } from '../service/registry/registry.ts';
import { isSecret } from './secret-answers.ts';

export interface ExpectedDescription {
  /** Returns lines of at max so many bytes as JSON. */
  lines(bytes: number): string[];
  /** Describes one of the tables with all its columns. */
  table(name: string): string | undefined;
}

/** Returns undefined for an operation that cannot be collected, or whose answer is unknown. */
export async function describeExpected(
  operation: Operation,
  registry: Pick<Registry, 'find'>,
): Promise<ExpectedDescription | undefined> {
  if (operation.effect !== 'read' || isSecret(operation)) return undefined;
  const shape = await answerShapeOf(registry.find(singleOf(operation.id)));
  if (shape === undefined) return undefined;
  const expected = expectedTables(operation, shape);
  return {
    lines: (bytes) => fitLines(expected, bytes),
    table: (name) => {
      const found = expected.tables.find((table) => table.name === name);
      return found && `${headOf(expected)}\n${lineOf(found, Number.POSITIVE_INFINITY)}`;
    },
  };
}

/** Describes the tables of a report with all known columns, and the options that they depend on. */
export async function describeReportTables(type: string): Promise<string[]> {
  const { columnsOfReport } = await import('../service/facts/report-columns.ts');
  const known = columnsOfReport(type);
  if (known === undefined) {
    return [
      'What its columns are called is not known here: collect_data tells it with the collected tables.',
    ];
  }
  return [
    `collect_data gives (others depend on ${known.depends}):`,
    ...expectedReport(type, known).map((table) => lineOf(table, all)),
  ];
}

/** Describes one type of a report request; undefined for anything else. */
export async function describeReportRequest({ id }: Operation, type: string): Promise<string | undefined> {
  const { reportRequests } = await import('../service/describe/type-warnings.ts');
  if (!reportRequests.includes(id) && id !== 'data-kiosk/createQuery') return undefined;
  const { reportType } = await import('../service/facts/report-types.ts');
  const found = reportType(type);
  if (found === undefined) return undefined;
  const { describeReportType } = await import('../service/describe/report-lines.ts');
  const dataset = await loadDataset(type);
  if (dataset !== undefined) {
    const { datasetLines } = await import('../service/describe/dataset-lines.ts');
    return [describeReportType(found), ...datasetLines(dataset)].join('\n');
  }
  return [describeReportType(found), ...(await describeReportTables(type))].join('\n');
}

interface LinesLayout {
  /** The highest number of columns of the first table, and of each other table that is shown with them. */
  max: number;
  each: number;
  /** The number of tables outside other lists that are shown with columns, and of the rest by name. */
  shown: number;
  named: number;
  /** True if tables inside other lists are shown too. */
  isAll?: boolean;
}

const all = Number.POSITIVE_INFINITY;
const ATTEMPTS: readonly LinesLayout[] = [
  ...[all, 60, 45, 34, 26, 20].map(
    (max) => ({ max, each: max / 2, shown: all, named: all, isAll: true }) as const,
  ),
  ...[20, 15, 11, 8].map((max) => ({ max, each: max / 2, shown: all, named: all })),
  { max: 20, each: 10, shown: 4, named: 12 },
  { max: 15, each: 8, shown: 3, named: 10 },
  { max: 11, each: 8, shown: 2, named: 8 },
  { max: 11, each: 6, shown: 1, named: 6 },
  { max: 8, each: 0, shown: 0, named: 6 },
  { max: 4, each: 0, shown: 0, named: 0 },
];

function fitLines(expected: ExpectedTables, bytes: number): string[] {
  for (const attempt of ATTEMPTS) {
    const lines = linesOf(expected, attempt);
    if (byteLength(jsonText(lines.join('\n'))) <= bytes) return lines;
  }
  return [];
}

/**
 * Lists the requested table first, then independent tables, then lists by their number of requested columns.
 */
function linesOf(
  expected: ExpectedTables,
  { max, each, shown, named, isAll = false }: LinesLayout,
): string[] {
  const [main, ...others] = expected.tables;
  if (main === undefined) return [];
  const names = new Set(expected.tables.flatMap(({ name, parent }) => (parent === undefined ? [name] : [])));
  const isOuter = ({ parent }: ExpectedTable) => parent === undefined || names.has(parent);
  const requested = ({ parent, columns }: ExpectedTable) =>
    parent === undefined ? all : columns.filter(isOftenRequested).length;
  const outer = others.filter(isOuter).toSorted((one, other) => requested(other) - requested(one) || 0);
  const withColumns = isAll ? others : outer.slice(0, shown);
  const rest = [...outer, ...others.filter((one) => !isOuter(one))].filter(
    (one) => !withColumns.includes(one),
  );
  const isWhole =
    rest.length === 0 && isShown(main, max) && withColumns.every((table) => isShown(table, each));
  return [
    headOf(expected),
    lineOf(main, max),
    ...withColumns.map((table) => lineOf(table, each)),
    ...namesOf(rest, named, main.name),
    ...(isWhole ? [] : [MORE]),
  ];
}

const isShown = ({ columns }: ExpectedTable, max: number) => columns.length <= max;

const MORE = '  All columns of one: member set to the table.';

function namesOf(tables: readonly ExpectedTable[], max: number, main: string): string[] {
  if (tables.length === 0) return [];
  const isBelow = tables.every(({ name }) => name.startsWith(`${main}_`));
  const names = tables.slice(0, max).map(({ name }) => (isBelow ? name.slice(main.length) : name));
  const rest = tables.length - names.length;
  const more = rest === 0 ? [] : [`${count(rest)} more`];
  return [`  also${isBelow ? `, behind ${main}` : ''}: ${[...names, ...more].join(', ')}`];
}

function headOf({ by, tables }: ExpectedTables): string {
  const what =
    by === 'pages'
      ? 'collect_data gives tables'
      : "collect_data with each gives, beside the SELECT's columns and error";
  const columns = tables.flatMap((table) => table.columns.map(({ name }) => `${table.name}.${name}`));
  const isTwice = columns.some((name) => /_2$/.test(name) && columns.includes(name.slice(0, -2)));
  const below = tables.find(({ parent }) => parent !== undefined);
  const joining = below?.joining.map(({ name }) => name).filter((name) => name !== PARENT) ?? [];
  const joined = below === undefined ? '' : `; those of lists have ${joining.join(', ')} too`;
  const isNested = tables.some(({ joining: all }) => all.some(({ name }) => name === PARENT));
  return [
    `${what} (what no row fills is left out`,
    joined,
    isNested ? `, and ${PARENT}, n of the parent, where it is said` : '',
    isTwice ? '; _2 is the second of a name that came' : '',
    '):',
  ].join('');
}

const PARENT = 'parent_n';

function lineOf({ name, joining, columns }: ExpectedTable, max: number): string {
  const parent = joining.some((column) => column.name === PARENT) ? ` (${PARENT})` : '';
  const shown = columns.slice(0, max);
  const groups = KINDS.flatMap(({ words }) => {
    const names = shown.filter((column) => kindOf(column) === words).map((column) => column.name);
    return names.length === 0 ? [] : [`${words}${names.join(', ')}`];
  });
  const rest = columns.length - shown.length;
  if (columns.length === 0) return `  ${name}${parent}: no column that has a name before it comes`;
  return `  ${name}${parent}: ${[...groups, ...(rest === 0 ? [] : [`${count(rest)} more`])].join('; ')}`;
}

/** The kinds of columns; the first that matches counts. */
const KINDS: readonly { words: string; is(column: ColumnInfo): boolean }[] = [
  { words: '', is: ({ type }) => type === 'text' },
  { words: '1 or 0: ', is: ({ type, note }) => type === 'number' && note !== undefined },
  { words: 'number: ', is: ({ type }) => type === 'number' },
  { words: 'date: ', is: ({ type }) => type === 'date' },
  { words: 'JSON: ', is: () => true },
];

const kindOf = (column: ColumnInfo) => KINDS.find(({ is }) => is(column))?.words;

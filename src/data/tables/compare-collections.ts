/**
 * Compares a collection with the last one of its kind and finds impossible figures. It is pure:
 * collection-history.ts stores the counts.
 */

import * as z from 'zod';
import { count, plural } from '../../base/text/format-value.ts';
import { utcMinute } from '../../base/text/local-time.ts';
import { reportType } from '../../service/facts/report-types.ts';
import { type CollectionSource, type LastOfKind, type TableInfo, tableProfileSchema } from './table-types.ts';

/** The settings that decide when a difference is reported. */
export interface ComparisonLimits {
  /** Rows, or a sum, below this part of the last collection's are reported. */
  below: number;
  /** Min rows, or nonzero values, of the last collection before its size is conclusive. */
  fromRows: number;
}

// The limits of the other findings follow the settings: at the defaults (a half, 20 rows) they are 0.7, 12, 7
// and 5.

/**
 * A sum that falls with the number of rows is not reported: its value for each row must be below this part.
 */
const belowForEachRow = ({ below }: ComparisonLimits) => below * 1.4;
/** Min rows expected from the last collection in days or a marketplace that now have none. */
const minMissingRows = ({ fromRows }: ComparisonLimits) => fromRows * 0.6;
/** Min values expected from the last collection in a column that is all zero. */
const minMissingValues = ({ fromRows }: ComparisonLimits) => fromRows * 0.35;
/** Min rows after which an all-zero column is reported if it was filled in every row. */
const minFilledRows = ({ fromRows }: ComparisonLimits) => fromRows * 0.25;

/** Periods whose lengths differ by more than this part are not compared. */
const PERIOD_TOLERANCE = 0.15;
/** Min part of the last collection's days with rows before a day without rows is conclusive. */
const MIN_DAYS_FILLED = 0.9;
/** Min days with rows before they are evidence about the others. */
const MIN_DAYS = 3;
/** Min columns, and their part of all, with different names before the headings count as another language. */
const MIN_RENAMED = 3;
const MIN_RENAMED_PART = 0.4;

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;

/** Max findings and names in one line. */
const MAX_FINDINGS = 4;
const MAX_NAMES = 3;

/** Columns that join tables, or that were added here. */
const OWN_COLUMNS: ReadonlySet<string> = new Set(['item', 'n', 'parent_n', 'report_id']);

const comparedTableSchema = z.object({
  /** The part of its name after that of the main table, which the caller chooses. */
  suffix: z.string(),
  columns: z.array(z.string()),
  profile: tableProfileSchema,
  /** Rows by the English name of their country. */
  marketplaces: z.record(z.string(), z.number()).optional(),
});
type ComparedTable = z.output<typeof comparedTableSchema>;

/** The stored facts of a complete collection: counts and names of columns, but no value of a row. */
export const pastCollectionSchema = z.object({
  /** The moment in ISO 8601, UTC; the end is never later than the collection. */
  at: z.iso.datetime(),
  start: z.string().optional(),
  end: z.string().optional(),
  tables: z.array(comparedTableSchema),
});
export type PastCollection = z.output<typeof pastCollectionSchema>;

/** The kinds of findings, worst first, since a line has room for some of them. */
const FINDINGS = [
  'no rows',
  'other headings',
  'columns gone',
  'fewer rows',
  'zero measure',
  'no number',
  'smaller sum',
  'days without rows',
  'marketplace without rows',
  'columns new',
] as const;

export interface Finding {
  kind: (typeof FINDINGS)[number];
  words: string;
}

/** Facts about a source beside its arguments. */
export interface KindHints {
  /** The text of the Data Kiosk query that a document answers. */
  query?: string | undefined;
  /** The columns of the main table. */
  columns?: readonly string[];
}

/**
 * Returns the kind and period of a collection: equal kinds are compared. The kind of a document is that of
 * its query, or else of its columns; undefined if neither is known.
 */
export function kindOf(
  source: CollectionSource,
  { query, columns = [] }: KindHints = {},
): { kind: object; start?: string; end?: string } | undefined {
  const starts: string[] = [];
  const ends: string[] = [];
  if (source.kind === 'document') {
    if (query === undefined) return columns.length === 0 ? undefined : { kind: { of: source.of, columns } };
    const days = (query.match(DAYS) ?? []).filter((day) => !Number.isNaN(Date.parse(day))).sort();
    const [start, last] = [days[0], days.at(-1)];
    // The last day of a query counts whole.
    const end = last === undefined ? undefined : new Date(Date.parse(last) + DAY_MS).toISOString();
    return {
      kind: { of: source.of, query: query.replace(DAYS, 'time').replace(/\s+/g, ' ').trim() },
      ...(start === undefined ? {} : { start }),
      ...(end === undefined ? {} : { end }),
    };
  }
  // A time is a value that begins with a day, in any member; an open end means now.
  const withoutTimes = (value: unknown, name = ''): unknown => {
    if (typeof value === 'string' && BEGINS_WITH_DAY.test(value)) {
      const [first = value, last] = value.split('--');
      if (last === undefined && NAMES_END.test(name)) {
        ends.push(first);
        return undefined;
      }
      starts.push(first);
      if (last !== undefined) ends.push(last);
      return 'time';
    }
    if (Array.isArray(value)) return value.map((one) => withoutTimes(one, name));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutTimes(one, key)]));
  };
  const kind = withoutTimes(
    source.kind === 'report' ? { ...source, reportId: undefined, madeAt: undefined } : source,
  );
  const [start] = starts.sort();
  const end = ends.sort().at(-1);
  return {
    kind: { kind },
    ...(start === undefined ? {} : { start }),
    ...(end === undefined ? {} : { end }),
  };
}

const DAYS = /\d{4}-\d\d-\d\d/g;
const BEGINS_WITH_DAY = /^\d{4}-\d\d-\d\d/;
const NAMES_END = /(?:before|end|until|to)(?:date|time)?$/i;

/** @param tables the tables as returned by the worker, before they get their names */
export function describePast(
  source: CollectionSource,
  at: string,
  tables: readonly TableInfo[],
  hints?: KindHints,
): PastCollection {
  const { start, end } = kindOf(source, hints) ?? {};
  const main = tables[0]?.name ?? '';
  const isPast = end !== undefined && Date.parse(end) < Date.parse(at);
  return {
    at,
    ...(start === undefined ? {} : { start, end: isPast ? end : at }),
    tables: tables.map(({ name, rows, columns, profile, channels }): ComparedTable => {
      const isKept = (column: string) =>
        !OWN_COLUMNS.has(column) &&
        columns.some((one) => one.name === column && one.personal === undefined && one.type === 'number');
      const byCountry = channels?.values.flatMap(({ marketplace, rows: of }) =>
        marketplace === null ? [] : [[marketplace, of] as const],
      );
      return {
        suffix: name.startsWith(main) ? name.slice(main.length) : name,
        columns: columns
          .map((column) => column.name)
          .filter((column) => !OWN_COLUMNS.has(column) && column !== channels?.added),
        profile: {
          rows,
          // The sum of one row is its value, so sums of personal columns are not stored.
          measures: (profile?.measures ?? []).filter(({ column }) => isKept(column)),
          ...(start === undefined || profile?.day === undefined ? {} : { day: profile.day }),
        },
        ...(byCountry === undefined ? {} : { marketplaces: Object.fromEntries(sumUp(byCountry)) }),
      };
    }),
  };
}

function sumUp(counts: readonly (readonly [string, number])[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [name, rows] of counts) sums.set(name, (sums.get(name) ?? 0) + rows);
  return sums;
}

const lengthOf = ({ start, end }: PastCollection) =>
  start === undefined || end === undefined ? undefined : Date.parse(end) - Date.parse(start);

export const rowsOf = ({ tables }: PastCollection) =>
  tables.reduce((sum, { profile }) => sum + profile.rows, 0);

/** Max empty collections in a row before older ones are no longer compared. */
const MAX_EMPTY = 2;

/**
 * Returns the newest with rows and a period of about the same length. For periods under a week, one with the
 * same weekdays is preferred: `isSameDays` is false if there is none.
 */
export function findLast(
  now: PastCollection,
  earlier: readonly PastCollection[],
): { last: PastCollection; isSameDays: boolean } | undefined {
  const length = lengthOf(now);
  const alike = earlier.filter((one) => {
    const other = lengthOf(one);
    if (length === undefined || other === undefined) return length === other;
    return Math.abs(length - other) <= PERIOD_TOLERANCE * Math.max(length, other);
  });
  const recent = alike.toSorted((one, other) => other.at.localeCompare(one.at));
  const from = recent.findIndex((one) => rowsOf(one) > 0);
  if (from < 0 || from > MAX_EMPTY) return undefined;
  const filled = recent.slice(from).filter((one) => rowsOf(one) > 0);
  const [newest] = filled;
  if (newest === undefined) return undefined;
  // Half a day more or less moves no weekday; a period shorter than that may compare weekdays with weekends.
  if (length === undefined || length >= WEEK_MS - DAY_MS / 2) return { last: newest, isSameDays: true };
  const same = filled.find((one) => weekdayOf(one.start) === weekdayOf(now.start));
  return { last: same ?? newest, isSameDays: same !== undefined };
}

const weekdayOf = (time: string | undefined) => new Date(time ?? '').getUTCDay();

export interface ComparisonOptions {
  limits: ComparisonLimits;
  /** False if sizes may differ for other reasons, such as weekdays; sizes are then not compared. */
  isSameDays: boolean;
}

export function compareCollections(
  source: CollectionSource,
  now: PastCollection,
  last: PastCollection,
  { limits, isSameDays }: ComparisonOptions,
): Finding[] {
  if (rowsOf(now) === 0) return rowsOf(last) === 0 ? [] : [{ kind: 'no rows', words: '' }];
  const findings: Finding[] = [];
  let isMainShort = false;
  for (const before of last.tables) {
    const table = now.tables.find(({ suffix }) => suffix === before.suffix);
    // A nested list has fewer rows if its items have fewer, so only the items are reported.
    if (table === undefined || (isMainShort && before.suffix !== '')) continue;
    const of = before.suffix === '' ? '' : ` of ${before.suffix.replace(/^_/, '')}`;
    const found = [
      ...compareColumns(table, before, isTabular(source), limits),
      ...compareMeasures(table, before, { limits, isSameDays }),
      ...(isSameDays
        ? [
            ...compareRows(table, before, limits),
            ...compareDays({ collection: now, table }, { collection: last, table: before }, limits),
            ...compareMarketplaces(table, before, limits),
          ]
        : []),
    ];
    isMainShort ||= before.suffix === '' && found.some(({ kind }) => kind === 'fewer rows');
    findings.push(...found.map(({ kind, words }) => ({ kind, words: `${words}${of}` })));
  }
  return findings.sort((one, other) => FINDINGS.indexOf(one.kind) - FINDINGS.indexOf(other.kind));
}

/**
 * Returns false for JSON, whose columns are the members that occurred and differ from one time to the next.
 */
function isTabular(source: CollectionSource): boolean {
  if (source.kind !== 'report') return false;
  const format = reportType(source.reportType)?.format;
  return format !== 'json' && format !== 'xml';
}

function compareColumns(
  now: ComparedTable,
  last: ComparedTable,
  isWhole: boolean,
  { below, fromRows }: ComparisonLimits,
): Finding[] {
  if (now.profile.rows === 0) return [];
  const missing = last.columns.filter((column) => !now.columns.includes(column));
  const isDense = (name: string) =>
    last.profile.measures.some(
      ({ column, nonzero }) => column === name && nonzero >= Math.max(fromRows, last.profile.rows * below),
    );
  const gone = isWhole ? missing : missing.filter(isDense);
  const added = isWhole ? now.columns.filter((column) => !last.columns.includes(column)) : [];
  const isOther =
    gone.length >= Math.max(MIN_RENAMED, last.columns.length * MIN_RENAMED_PART) &&
    added.length * 2 >= gone.length;
  if (isOther) {
    const words = `${gone.length} of ${last.columns.length} headings are others (another language?), such as ${namesOf(added)} for ${namesOf(gone)}`;
    return [{ kind: 'other headings', words }];
  }
  return [
    ...(gone.length === 0
      ? []
      : [
          { kind: 'columns gone' as const, words: `${plural(gone.length, 'column')} gone: ${namesOf(gone)}` },
        ]),
    ...(added.length === 0
      ? []
      : [
          { kind: 'columns new' as const, words: `${plural(added.length, 'column')} new: ${namesOf(added)}` },
        ]),
  ];
}

function namesOf(names: readonly string[]): string {
  const rest = names.length - MAX_NAMES;
  return `${names.slice(0, MAX_NAMES).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function compareRows(
  { profile: now }: ComparedTable,
  { profile: last }: ComparedTable,
  { below, fromRows }: ComparisonLimits,
): Finding[] {
  if (last.rows < fromRows || now.rows >= last.rows * below) return [];
  return [{ kind: 'fewer rows', words: `${count(now.rows)} rows instead of ${count(last.rows)}` }];
}

function compareMeasures(
  now: ComparedTable,
  last: ComparedTable,
  { limits, isSameDays }: ComparisonOptions,
): Finding[] {
  const rows = now.profile.rows;
  if (rows === 0) return [];
  const findNow = (name: string) => now.profile.measures.find(({ column }) => column === name);
  const hasOther = (name: string) =>
    now.profile.measures.some(({ column, nonzero }) => column !== name && nonzero > 0);
  return last.profile.measures.flatMap(({ column, nonzero, size }): Finding[] => {
    if (nonzero === 0 || !now.columns.includes(column)) return [];
    const found = findNow(column);
    if (found === undefined || found.nonzero === 0) {
      const expected = (nonzero / last.profile.rows) * rows;
      const wasFilled = nonzero === last.profile.rows && Math.min(nonzero, rows) >= minFilledRows(limits);
      const isFault = wasFilled || expected >= minMissingValues(limits);
      if (!isFault || !(hasOther(column) || nonzero >= limits.fromRows)) return [];
      const had = `had values in ${count(nonzero)} of ${count(last.profile.rows)} rows`;
      return [
        found === undefined
          ? { kind: 'no number', words: `${column} is empty or no number in all rows, and ${had}` }
          : { kind: 'zero measure', words: `${column} is zero in all rows, and ${had}` },
      ];
    }
    const forEach = found.size / rows / (size / last.profile.rows);
    const isSmall = found.size < size * limits.below && forEach < belowForEachRow(limits);
    if (!isSameDays || nonzero < limits.fromRows || !isSmall) return [];
    return [
      { kind: 'smaller sum', words: `sum of ${column} ${amount(found.size)} instead of ${amount(size)}` },
    ];
  });
}

const amount = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 2 });

/**
 * Returns the whole days of the period, oldest first: its first and last day are partial in some time zone.
 */
function wholeDays({ start, end }: PastCollection): string[] {
  if (start === undefined || end === undefined) return [];
  const days: string[] = [];
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 'yyyy-mm-dd'.length);
  const until = dayOf(Date.parse(end));
  for (let at = Date.parse(start.slice(0, 'yyyy-mm-dd'.length)) + DAY_MS; dayOf(at) < until; at += DAY_MS) {
    days.push(dayOf(at));
    if (days.length > MAX_DAYS) return [];
  }
  return days;
}

const MAX_DAYS = 800;

interface TableOfCollection {
  collection: PastCollection;
  table: ComparedTable;
}

/** Finds runs of days without rows for which the last collection's weekdays predict enough of them. */
function compareDays(now: TableOfCollection, last: TableOfCollection, limits: ComparisonLimits): Finding[] {
  const { day: dayNow, rows } = now.table.profile;
  const { day: dayLast } = last.table.profile;
  if (dayNow === undefined || dayLast === undefined || dayNow.column !== dayLast.column) return [];
  const lastDays = wholeDays(last.collection);
  const countLast = (day: string) => dayLast.rows[day] ?? 0;
  const byWeekday = averageByWeekday(lastDays, countLast);
  const open = lastDays.filter((day) => (byWeekday.get(weekdayOf(day)) ?? 0) > 0);
  const filled = open.filter((day) => countLast(day) > 0);
  if (filled.length < MIN_DAYS || filled.length < open.length * MIN_DAYS_FILLED) return [];
  // Rows that come some days late were late the last time too.
  const late = lastDays.toReversed().findIndex((day) => countLast(day) > 0);
  const all = wholeDays(now.collection);
  // Days without rows the last time are no evidence, nor are days before its first row if it began without
  // any.
  const [first = ''] = lastDays;
  const isSilent = (day: string) =>
    countLast(day) === 0 && (lastDays.includes(day) || (day < first && countLast(first) === 0));
  const days = all.slice(0, all.length - late).filter((day) => !isSilent(day));
  const average = filled.reduce((sum, day) => sum + countLast(day), 0) / filled.length;
  const filledNow = days.filter((day) => (dayNow.rows[day] ?? 0) > 0).length;
  const pace = filledNow === 0 ? 1 : Math.min(1, rows / filledNow / average);
  const expect = (day: string) => (byWeekday.get(weekdayOf(day)) ?? average) * pace;
  return runsOf(days, (day) => (dayNow.rows[day] ?? 0) === 0).flatMap((run): Finding[] => {
    const expected = run.reduce((sum, day) => sum + expect(day), 0);
    if (expected < minMissingRows(limits)) return [];
    const time = run.length === 1 ? `${run[0]}` : `${run[0]} to ${run.at(-1)}`;
    return [
      {
        kind: 'days without rows',
        words: `no rows of ${time} by ${dayNow.column}, where about ${count(Math.round(expected))} were to be expected`,
      },
    ];
  });
}

function averageByWeekday(days: readonly string[], rowsOn: (day: string) => number): Map<number, number> {
  const sums = new Map<number, { rows: number; days: number }>();
  for (const day of days) {
    const { rows, days: before } = sums.get(weekdayOf(day)) ?? { rows: 0, days: 0 };
    sums.set(weekdayOf(day), { rows: rows + rowsOn(day), days: before + 1 });
  }
  return new Map([...sums].map(([weekday, sum]) => [weekday, sum.rows / sum.days]));
}

function runsOf(days: readonly string[], isIn: (day: string) => boolean): string[][] {
  const runs: string[][] = [];
  let run: string[] = [];
  for (const day of days) {
    if (isIn(day)) {
      if (run.length === 0) runs.push(run);
      run.push(day);
    } else run = [];
  }
  return runs;
}

function compareMarketplaces(now: ComparedTable, last: ComparedTable, limits: ComparisonLimits): Finding[] {
  const { marketplaces: found } = now;
  if (found === undefined) return [];
  const gone = Object.entries(last.marketplaces ?? {}).filter(([name, rows]) => {
    // The rows of the other marketplaces show how many to expect here.
    const expected = (rows / (last.profile.rows - rows)) * now.profile.rows;
    return found[name] === undefined && Math.min(rows, expected) >= minMissingRows(limits);
  });
  return gone.map(([name, rows]) => ({
    kind: 'marketplace without rows' as const,
    words: `no rows of ${name} instead of ${count(rows)}`,
  }));
}

/** Returns one line with the figures; undefined if there are no findings. */
export function findingsLine(findings: readonly Finding[], last: PastCollection): string | undefined {
  if (findings.length === 0) return undefined;
  if (findings.some(({ kind }) => kind === 'no rows')) return noRowsLine({ at: last.at, rows: rowsOf(last) });
  const rest = findings.length - MAX_FINDINGS;
  const texts = findings.slice(0, MAX_FINDINGS).map(({ words }) => words);
  if (rest > 0) texts.push(`${rest} more`);
  return `Unlike the last collection of its kind (${utcMinute(last.at)}, ${count(rowsOf(last))} rows): ${texts.join('; ')}. The data may be incomplete or wrong: check before you use the figures, or collect again with fresh: true.`;
}

export const noRowsLine = (last: LastOfKind) =>
  `Amazon answered no rows; the last collection of ${utcMinute(last.at)} had ${count(last.rows)}: do not read this as "nothing is there". Collect again later with fresh: true, or check in Seller Central.`;

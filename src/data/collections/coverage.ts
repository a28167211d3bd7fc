/** Reports the time range of a collection's rows, and whether that is less than requested. */

import { isDay, utcMinute } from '../../base/text/local-time.ts';
import { MONTHS } from '../tables/dates.ts';
import type { CollectionInfo, CollectionSource, ColumnInfo } from '../tables/table-types.ts';

/** Max columns of a table that the note names. */
const MAX_NAMED_COLUMNS = 2;

/** Returns the notes on tables that are no lists within others. */
export function coverageNotes({ source, tables, collectedAt }: CollectionInfo): string[] {
  // A review shows the current state: the time of a change is unrelated to what is there.
  if (source.kind === 'operation' && source.operation === 'review_listings') return [];
  const asked = requestedRangeOf(source);
  return tables.flatMap(({ name, parent, columns, rows }) => {
    const all = columns.filter(isCovered);
    // Columns about the settlement itself are not the time of its rows, unless there is no other.
    const own = all.filter((column) => !OF_THE_SETTLEMENT.test(column.name));
    const dates = own.length > 0 ? own : all;
    if (parent !== undefined || dates.length === 0) return [];
    const namedDates = dates.slice(0, MAX_NAMED_COLUMNS);
    const ranges = namedDates.map(
      (column) => `${column.name} ${timeOf(column.first)} to ${timeOf(column.last)}`,
    );
    const named = dates.filter((column) => asked.word.test(column.name));
    const likely = named.length > 0 ? named : dates.slice(0, 1);
    // The requested time concerns the column that fills it best.
    const begins =
      likely.filter(({ first }) => !isBefore(first, asked.start)).toSorted(byFirst)[0] ?? likely[0];
    const ends =
      likely
        .filter(({ last }) => !isBefore(asked.end, last))
        .toSorted(byLast)
        .at(-1) ?? begins;
    return [
      `${name}: ${ranges.join(', ')}.`,
      // One row is no evidence of a time without rows: it is often the head of the other tables.
      ...(begins === undefined || ends === undefined || rows === 1
        ? []
        : gapNotes(begins, ends, asked, collectedAt)),
    ];
  });
}

/** Returns true if more than a day lies between: a day is the difference of time zones. */
const isBefore = (one: string | undefined, other: string | undefined) =>
  one !== undefined && other !== undefined && daysBetween(one, other) > 1;
const byFirst = (one: Covered, other: Covered) => Date.parse(one.first) - Date.parse(other.first);
const byLast = (one: Covered, other: Covered) => Date.parse(one.last) - Date.parse(other.last);

const OF_THE_SETTLEMENT = /^(?:settlement_|deposit_date)/;

type Covered = ColumnInfo & { first: string; last: string };

const isCovered = (column: ColumnInfo): column is Covered =>
  column.first !== undefined && column.last !== undefined && column.personal === undefined;

interface AskedRange {
  start?: string | undefined;
  end?: string | undefined;
  /** Matches the name of the column that the time concerns. */
  word: RegExp;
}

const CREATED = /creat|purchase|order.?date|posted|date/i;
const UPDATED = /updat/i;

/** Returns the requested days or moments; empty if none was given. */
function requestedRangeOf(source: CollectionSource): AskedRange {
  if (source.kind === 'report') {
    const { start, end, reportType } = source;
    return { start, end, word: /LAST_UPDATE/.test(reportType) ? UPDATED : CREATED };
  }
  if (source.kind === 'document') return { word: CREATED };
  const given = Object.entries(source.parameters);
  const find = (which: RegExp) => {
    const [, value] = given.find(([name, one]) => which.test(name) && typeof one === 'string') ?? [];
    return typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value) ? value : undefined;
  };
  const isUpdated = given.some(([name]) => /^lastUpdated/i.test(name));
  return {
    start: find(/(?:After|startDate|StartDate|startTime|StartTime)$/),
    end: find(/(?:Before|endDate|EndDate|endTime|EndTime)$/),
    word: isUpdated ? UPDATED : CREATED,
  };
}

/** Returns notes on missing days; the future has no rows yet. */
function gapNotes(begins: Covered, ends: Covered, { start, end }: AskedRange, collectedAt: string): string[] {
  const until = end === undefined || end > collectedAt ? undefined : end;
  // A month lasts to its last day, though the table contains its first.
  const isMonth = ends.note === MONTHS;
  const last = isMonth ? lastDayOfMonth(ends.last) : ends.last;
  return [
    ...(start !== undefined && daysBetween(start, begins.first) >= 1
      ? [`Asked from ${timeOf(start)}; the first ${begins.name} is of ${timeOf(begins.first)}.`]
      : []),
    ...(until !== undefined && daysBetween(last, until) > 1
      ? [
          `Asked to ${timeOf(until)}; the last ${ends.name} is of ${isMonth ? last.slice(0, 7) : timeOf(last)}.`,
        ]
      : []),
  ];
}

function lastDayOfMonth(day: string): string {
  const next = new Date(day);
  next.setUTCMonth(next.getUTCMonth() + 1, 0);
  return next.toISOString().slice(0, 10);
}

/** Formats a day, or a minute of UTC. */
const timeOf = (text: string) => (isDay(text) ? text : utcMinute(text));

const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000;

/** From when to when the rows of a collection are, and where that is less than was asked for. */

import { isDay, utcMinute } from '../../base/text/local-time.ts';
import { MONTHS } from '../tables/dates.ts';
import type { CollectionInfo, CollectionSource, ColumnInfo } from '../tables/table-types.ts';

/** Columns of a table that are told. */
const MOST_COLUMNS = 2;

/** Of the tables that are no lists within others. */
export function coverageNotes({ source, tables, collectedAt }: CollectionInfo): string[] {
  // The state of things now: when each was changed says nothing of what is there.
  if (source.kind === 'operation' && source.operation === 'review_listings') return [];
  const asked = askedOf(source);
  return tables.flatMap(({ name, parent, columns, rows }) => {
    const all = columns.filter(isCovered);
    // What a settlement says of itself is no time of its rows, unless there is no other.
    const own = all.filter((column) => !OF_THE_SETTLEMENT.test(column.name));
    const dates = own.length > 0 ? own : all;
    if (parent !== undefined || dates.length === 0) return [];
    const told = dates.slice(0, MOST_COLUMNS);
    const ranges = told.map((column) => `${column.name} ${timeOf(column.first)} to ${timeOf(column.last)}`);
    const named = dates.filter((column) => asked.word.test(column.name));
    const likely = named.length > 0 ? named : dates.slice(0, 1);
    // The time that was asked for is about the column that fills it best.
    const begins =
      likely.filter(({ first }) => !isBefore(first, asked.start)).toSorted(byFirst)[0] ?? likely[0];
    const ends =
      likely
        .filter(({ last }) => !isBefore(asked.end, last))
        .toSorted(byLast)
        .at(-1) ?? begins;
    return [
      `${name}: ${ranges.join(', ')}.`,
      // One row says nothing of a time without rows: it is often the head of the other tables.
      ...(begins === undefined || ends === undefined || rows === 1
        ? []
        : gaps(begins, ends, asked, collectedAt)),
    ];
  });
}

/** Returns true where more than a day lies between: a day is the difference of time zones. */
const isBefore = (one: string | undefined, other: string | undefined) =>
  one !== undefined && other !== undefined && daysBetween(one, other) > 1;
const byFirst = (one: Covered, other: Covered) => Date.parse(one.first) - Date.parse(other.first);
const byLast = (one: Covered, other: Covered) => Date.parse(one.last) - Date.parse(other.last);

const OF_THE_SETTLEMENT = /^(?:settlement_|deposit_date)/;

type Covered = ColumnInfo & { first: string; last: string };

const isCovered = (column: ColumnInfo): column is Covered =>
  column.first !== undefined && column.last !== undefined && column.personal === undefined;

interface Asked {
  start?: string | undefined;
  end?: string | undefined;
  /** In the name of the column that it is about. */
  word: RegExp;
}

const CREATED = /creat|purchase|order.?date|posted|date/i;
const UPDATED = /updat/i;

/** Days, or moments; empty where it was not said. */
function askedOf(source: CollectionSource): Asked {
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

/** A day or more that nothing is of; what is to come has no rows yet. */
function gaps(begins: Covered, ends: Covered, { start, end }: Asked, collectedAt: string): string[] {
  const until = end === undefined || end > collectedAt ? undefined : end;
  // A month lasts to its last day, though the table has its first.
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

/** A day, or a minute of UTC. */
const timeOf = (text: string) => (isDay(text) ? text : utcMinute(text));

const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000;

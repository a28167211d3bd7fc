/**
 * Counts the rows of one table during loading: rows by day, sizes of measures, missing keys, sales channels.
 */

import { isChannelName } from '../../../service/facts/report-traits.ts';
import { KEY_KINDS, type KeyKind, type KeyLacks, keyKindOf } from '../key-columns.ts';
import type { SqlValue, TableInfo, TableProfile } from '../table-types.ts';

/** Max sales channels; a column with more values contains something else. */
const MAX_CHANNELS = 40;

/** Matches dates that are unrelated to the time of a row. */
const OTHER_DATES = /settlement|deposit|updat/;

const DAY_LENGTH = 'yyyy-mm-dd'.length;

interface KeyCount {
  at: number;
  name: string;
  kind: KeyKind;
  filled: number;
  /** The rows that lack it, by the other key column that they have. */
  elsewhere: Map<string, number>;
}

export type RowProfile = ReturnType<typeof createRowProfile>;

/** @param channelHeadings column names, the likeliest first; undefined if channels are not needed */
export function createRowProfile(
  columns: readonly { name: string }[],
  channelHeadings: readonly string[] | undefined,
) {
  let rows = 0;
  const keys = findKeys(columns);
  const measures: { at: number; name: string; filled: number; nonzero: number; size: number }[] = [];
  let day: ReturnType<typeof newDay> | undefined;
  let channel = findChannel(columns, channelHeadings ?? []);
  const canFindChannel = channelHeadings !== undefined && channel === undefined;

  return {
    see(values: readonly SqlValue[]): void {
      rows += 1;
      for (const measure of measures) {
        const value = values[measure.at];
        if (typeof value !== 'number') continue;
        measure.filled += 1;
        if (value === 0) continue;
        measure.nonzero += 1;
        measure.size += Math.abs(value);
      }
      if (day !== undefined) {
        const value = values[day.at];
        if (typeof value === 'string') day.count(value);
      }
      if (channel !== undefined) {
        channel.count(values[channel.at] ?? null);
      }
      let lacks = false;
      for (const key of keys) {
        if ((values[key.at] ?? null) === null) lacks = true;
        else key.filled += 1;
      }
      if (lacks) seeElsewhere(keys, values);
    },
    /** Receives the first value of each column, before its row is seen. */
    begin(at: number, name: string, value: SqlValue): void {
      if (typeof value === 'number') measures.push({ at, name, filled: 0, nonzero: 0, size: 0 });
      if (typeof value !== 'string') return;
      if (day === undefined && /^\d{4}-\d\d-\d\d/.test(value) && !OTHER_DATES.test(name)) {
        day = newDay(at, name);
      }
      if (canFindChannel && channel === undefined && isChannelName(value)) {
        channel = newChannel(at, name);
        if (rows > 0) channel.count(null, rows);
      }
    },
    /** Returns the number of rows with a number, by column. */
    filled: () => new Map(measures.map(({ name, filled }) => [name, filled])),
    /** Returns the counts after all rows were seen. @param table provides the final columns */
    result({ columns: settled }: Pick<TableInfo, 'columns'>) {
      const isOf = (name: string, type: string) =>
        settled.some((column) => column.name === name && column.type === type);
      const counts: TableProfile = {
        rows,
        measures: measures
          .filter(({ name }) => isOf(name, 'number'))
          .map(({ name, nonzero, size }) => ({ column: name, nonzero, size })),
        ...(day === undefined || !isOf(day.name, 'date')
          ? {}
          : { day: { column: day.name, rows: Object.fromEntries(day.rows) } }),
      };
      return {
        counts,
        channels: channel?.result(),
        /** The missing keys by column. */
        lacking: new Map(
          keys
            .filter(({ name, filled }) => filled < rows && isOf(name, 'text'))
            .map(({ name, filled, elsewhere }): [string, KeyLacks] => [
              name,
              { rows: rows - filled, of: rows, elsewhere: Object.fromEntries(elsewhere) },
            ]),
        ),
      };
    },
  };
}

const add = <Key>(counts: Map<Key, number>, key: Key, by = 1) => counts.set(key, (counts.get(key) ?? 0) + by);

/** Returns the first column of each kind. */
function findKeys(columns: readonly { name: string }[]): KeyCount[] {
  const kinds = columns.map(({ name }) => keyKindOf(name));
  return KEY_KINDS.flatMap((kind) => {
    const at = kinds.indexOf(kind);
    const name = columns[at]?.name;
    return name === undefined ? [] : [{ at, name, kind, filled: 0, elsewhere: new Map() }];
  });
}

/**
 * Counts other keys in rows that lack one: product keys can replace each other, but only its id identifies an
 * order.
 */
function seeElsewhere(keys: readonly KeyCount[], values: readonly SqlValue[]): void {
  for (const key of keys) {
    if (key.kind === 'order' || (values[key.at] ?? null) !== null) continue;
    for (const other of keys) {
      if (other.kind !== 'order' && (values[other.at] ?? null) !== null) add(key.elsewhere, other.name);
    }
  }
}

function findChannel(columns: readonly { name: string }[], headings: readonly string[]) {
  for (const heading of headings) {
    const at = columns.findIndex(({ name }) => name === heading);
    if (at >= 0) return newChannel(at, heading);
  }
  return undefined;
}

function newDay(at: number, name: string) {
  const rows = new Map<string, number>();
  return {
    at,
    name,
    rows,
    count: (value: string) => add(rows, value.slice(0, DAY_LENGTH)),
  };
}

function newChannel(at: number, name: string) {
  const counts = new Map<SqlValue, number>();
  return {
    at,
    count(value: SqlValue, by = 1): void {
      if (counts.size <= MAX_CHANNELS) add(counts, value, by);
    },
    /** Returns undefined if the column contains something else. */
    result() {
      if (counts.size > MAX_CHANNELS) return undefined;
      const values = [...counts].sort(([, one], [, other]) => other - one);
      return { column: name, values: values.map(([value, count]) => ({ value, rows: count })) };
    },
  };
}

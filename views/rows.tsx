/** Rows as they are: each column sorts, all of it can be looked through. */

import { useMemo } from 'preact/hooks';
import type { ViewProps } from './ask.ts';
import type { TableView } from './data.ts';
import { type Column, Table } from './table.tsx';
import { numberWords, plural, visible } from './words.ts';

interface Row {
  at: number;
  values: TableView['rows'][number];
}

export function TableOf({ view: { name, columns, rows, total, notes } }: ViewProps<TableView>) {
  const numbered = useMemo(() => rows.map((values, at): Row => ({ at, values })), [rows]);
  const all = useMemo(
    () =>
      columns.map(
        (column, at): Column<Row> => ({
          name: String(at),
          label: visible(column.name),
          value: ({ values }) => values[at] ?? null,
          isNumber: column.isNumber,
        }),
      ),
    [columns],
  );
  return (
    <>
      {notes.map((note) => (
        <p key={note} class="soft">
          {visible(note)}
        </p>
      ))}
      {total > rows.length ? (
        <p>{`${numberWords(rows.length)} of ${plural(total, 'row')} are here.`}</p>
      ) : undefined}
      <Table caption={visible(name)} rows={numbered} columns={all} rowKey={({ at }) => String(at)} />
    </>
  );
}

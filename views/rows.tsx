/** Rows as they are: each column sorts, all of it can be looked through. */

import { useMemo } from 'preact/hooks';
import type { ViewProps } from './ask.ts';
import { Chart, seriesOf } from './chart.tsx';
import type { RowsView } from './data.ts';
import { formatNumber, plural, visible } from './format.ts';
import { Notes } from './parts.tsx';
import { type Column, Table } from './table.tsx';

/** Columns that share the width of a page. */
const MAX_SHARED = 7;

/** The max number of columns for which a chart is drawn, because a row with more is a thing, not a point. */
const MAX_OF_A_CHART = 4;

interface NumberedRow {
  at: number;
  values: RowsView['rows'][number];
}

export function Rows({ view: { name, columns, rows, total, notes } }: ViewProps<RowsView>) {
  const numbered = useMemo(() => rows.map((values, at): NumberedRow => ({ at, values })), [rows]);
  const all = useMemo(
    () =>
      columns.map(
        (column, at): Column<NumberedRow> => ({
          name: String(at),
          label: visible(column.name),
          value: ({ values }) => values[at] ?? null,
          isNumber: column.isNumber,
        }),
      ),
    [columns],
  );
  const series = useMemo(
    () => (columns.length > MAX_OF_A_CHART ? undefined : seriesOf({ columns, rows })),
    [columns, rows],
  );
  return (
    <>
      <Notes of={notes} />
      {series === undefined ? undefined : <Chart series={series} />}
      {total > rows.length ? (
        <p>{`${formatNumber(rows.length)} of ${plural(total, 'row')} are here.`}</p>
      ) : undefined}
      <Table
        caption={visible(name)}
        rows={numbered}
        columns={all}
        rowKey={({ at }) => String(at)}
        isWide={columns.length > MAX_SHARED}
      />
    </>
  );
}

/** A query's numbers by category or by time, as bars: a picture of what the table below it has as numbers. */

import type { RowsView } from './data.ts';
import { compare, formatNumber, visible } from './format.ts';
import { Bar, Text } from './parts.tsx';

const MAX_CATEGORIES = 20;
const MAX_TIMES = 400;

const TIME = /^\d{4}(?:-\d\d(?:-\d\d)?|-W\d\d)?(?:[T ].*)?$/;

export interface Series {
  kind: 'category' | 'time';
  by: string;
  of: string;
  points: readonly { name: string; value: number }[];
  /** Points that are not drawn. */
  left: number;
}

/** Undefined where no column tells rows apart, or none is a number; nothing is added up here. */
export function seriesOf({ columns, rows }: Pick<RowsView, 'columns' | 'rows'>): Series | undefined {
  const [by, of] = [
    columns.findIndex(({ isNumber }) => !isNumber),
    columns.findLastIndex(({ isNumber }) => isNumber),
  ];
  const [byColumn, ofColumn] = [columns[by], columns[of]];
  if (byColumn === undefined || ofColumn === undefined || rows.length < 2) return undefined;
  const points = rows.flatMap((row) => {
    const [name, value] = [row[by], row[of]];
    return typeof value === 'number' && Number.isFinite(value) ? [{ name: String(name ?? '–'), value }] : [];
  });
  // Rows that share a name have something more that tells them apart: a bar of one would say too much of it.
  if (points.length < 2 || new Set(points.map(({ name }) => name)).size < points.length) return undefined;
  const isTime = points.every(({ name }) => TIME.test(name));
  const sorted = isTime
    ? points.toSorted((one, other) => compare(one.name, other.name))
    : points.toSorted((one, other) => other.value - one.value);
  const most = isTime ? MAX_TIMES : MAX_CATEGORIES;
  const names = { by: byColumn.name, of: ofColumn.name };
  return {
    kind: isTime ? 'time' : 'category',
    ...names,
    points: sorted.slice(0, most),
    left: Math.max(0, sorted.length - most),
  };
}

export function Chart({ series }: { series: Series }) {
  const { kind, by, of, points, left } = series;
  return (
    <figure class="card spaced">
      <figcaption>
        <Text of={of} /> by <Text of={by} />
        {left > 0 ? (
          <span class="soft">{` (${formatNumber(points.length)} of ${formatNumber(points.length + left)}; the table has all)`}</span>
        ) : undefined}
      </figcaption>
      {kind === 'time' ? <Columns series={series} /> : <Bars series={series} />}
    </figure>
  );
}

function Bars({ series: { points, by, of } }: { series: Series }) {
  const most = Math.max(...points.map(({ value }) => Math.abs(value)), Number.MIN_VALUE);
  return (
    <table class="bars">
      <caption class="unseen">{`${visible(of)} by ${visible(by)}`}</caption>
      <thead class="unseen">
        <tr>
          <th scope="col">{visible(by)}</th>
          <th scope="col">{visible(of)}</th>
        </tr>
      </thead>
      <tbody>
        {points.map(({ name, value }) => (
          <tr key={name}>
            <th scope="row" class="label">
              <Text of={name} whole />
            </th>
            <td class="point">
              <Bar part={Math.abs(value) / most} kind={value < 0 ? 'bad' : undefined} />
              <span class="number">{formatNumber(value)}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const WIDTH = 1_000;
const HEIGHT = 220;

/** Columns over a line at zero, first and last named; the numbers stand in the table. */
function Columns({ series: { points, by, of } }: { series: Series }) {
  const values = points.map(({ value }) => value);
  const [top, bottom] = [Math.max(0, ...values), Math.min(0, ...values)];
  const scale = HEIGHT / Math.max(top - bottom, Number.MIN_VALUE);
  const step = WIDTH / points.length;
  const [first, last] = [points[0], points.at(-1)];
  const highest = points.find(({ value }) => value === Math.max(...values));
  const words = `${visible(of)} by ${visible(by)}: from ${first?.name} to ${last?.name}, at most ${formatNumber(top)}${highest === undefined ? '' : ` (${highest.name})`}, at least ${formatNumber(Math.min(...values))}`;
  return (
    <>
      <p class="scale soft">{formatNumber(top)}</p>
      <svg
        class="columns-chart"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words}
      >
        {points.map(({ name, value }, at) => (
          <rect
            key={name}
            class={value < 0 ? 'bad' : undefined}
            x={at * step + step * 0.1}
            width={step * 0.8}
            y={(top - Math.max(0, value)) * scale}
            height={Math.max(1, Math.abs(value) * scale)}
          >
            <title>{`${visible(name)}: ${formatNumber(value)}`}</title>
          </rect>
        ))}
      </svg>
      <p class="axis soft">
        <span>{visible(first?.name ?? '')}</span>
        <span>{visible(last?.name ?? '')}</span>
      </p>
    </>
  );
}

/** The results of the benchmark as rows, and as one table on the screen. */

import Table from 'cli-table3';
import type { Spread } from './statistics.ts';

export interface Row {
  /** Number of the point in the list of measurements. */
  point: number;
  measure: string;
  program: string;
  value: Spread;
  unit: string;
  /** Compared with another program, from pairs in the same run. */
  ratio?: { to: string; value: Spread };
  target?: { text: string; met: boolean };
}

/** Judged by its median. */
export function atMost(value: Spread, most: number, unit: string): NonNullable<Row['target']> {
  return { text: `at most ${Number(most.toFixed(2))} ${unit}`, met: value.median <= most };
}

/** Compared with a program, and judged by that where it may take so many times as much at most. */
export function timesOf(to: string, value: Spread, most?: number): Pick<Row, 'ratio' | 'target'> {
  const ratio = { to, value };
  return most === undefined ? { ratio } : { ratio, target: atMost(value, most, `x ${to}`) };
}

const HEAD = ['', 'measured', 'program', 'figure', 'spread', 'ratio', 'target'];

/** Three digits are enough: 1234, 123, 12.3, 1.23. */
export function formatNumber(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 1000) return String(Math.round(value));
  return value.toFixed(Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2);
}

/** Formats the median with its unit. */
export const formatFigure = ({ value, unit }: Pick<Row, 'value' | 'unit'>): string =>
  `${formatNumber(value.median)} ${unit}`.trim();

function cells(row: Row): string[] {
  const { value, ratio, target } = row;
  const spread = value.n > 1 ? `${formatNumber(value.low)}..${formatNumber(value.high)} (${value.n})` : '';
  return [
    row.point === 0 ? '' : String(row.point),
    row.measure,
    row.program,
    formatFigure(row),
    spread,
    ratio === undefined ? '' : `${ratio.value.median.toFixed(2)} x ${ratio.to}`,
    target === undefined ? '' : `${target.met ? 'met' : 'MISSED'}: ${target.text}`,
  ];
}

export function renderTable(rows: readonly Row[]): string {
  const table = new Table({ head: HEAD, style: { head: [], border: [], compact: true } });
  for (const row of rows) table.push(cells(row));
  return table.toString();
}

export function missedTargets(rows: readonly Row[]): Row[] {
  return rows.filter(({ target }) => target !== undefined && !target.met);
}

/** The figures of the hostile soak in lines. */

import { percentile } from '../../bench/statistics.ts';

export interface Measured {
  kind: string;
  succeeded: boolean;
  callMs: number;
  /** Longest that a ping waited meanwhile. */
  waitMs: number;
}

export interface Figures {
  measured: readonly Measured[];
  /** From the end of stdin to the end of the process. */
  endings: readonly number[];
  memoryMb: number;
}

export function linesOf({ measured, endings, memoryMb }: Figures): string[] {
  const kinds = [...new Set(measured.map(({ kind }) => kind))].sort();
  return [
    ...kinds.map((kind) =>
      lineOf(
        kind,
        measured.filter((each) => each.kind === kind),
      ),
    ),
    lineOf('all', measured),
    `${endings.length} processes ended; the slowest ${most(endings)} ms after its stdin was closed`,
    `memory: at most ${Math.round(memoryMb)} MB`,
  ];
}

function lineOf(kind: string, of: readonly Measured[]): string {
  const waits = of.map(({ waitMs }) => waitMs);
  const succeeded = of.filter((each) => each.succeeded).length;
  const p99 = waits.length === 0 ? 0 : Math.round(percentile(waits, 0.99));
  return `${kind.padEnd(10)} ${of.length} cases, ${succeeded} succeeded; longest wait of a ping ${most(waits)} ms, p99 ${p99} ms; longest call ${most(of.map(({ callMs }) => callMs))} ms`;
}

const most = (values: readonly number[]): number => Math.round(Math.max(0, ...values));

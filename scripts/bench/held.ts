/** Our program, watched by a monitor within it: how long its main thread does nothing else, and the memory of its process. */

import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Context } from './context.ts';
import { peakMemoryMb } from './process-facts.ts';
import { atMost, type Row } from './report.ts';
import type { Session } from './session.ts';
import { spreadOf } from './statistics.ts';

export interface Held {
  /** Highest memory of the process; undefined where there is no /proc. */
  memoryMb: number | undefined;
  /** Longest time for which the main thread did nothing else. */
  holdMs: number;
}

interface Watched {
  session: Session;
  /** Starts the measurement; earlier pauses do not count. */
  begin(): void;
  /** Ends the program. */
  end(): Promise<Held>;
}

/** @param folder where the monitor writes */
export async function openWatched(
  { open, programs }: Context,
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<Watched> {
  const file = join(folder, 'hold');
  const options = `--import=${resolve(programs.holdMonitor.file)}`;
  const session = await open(programs.ours, { env: { ...env, NODE_OPTIONS: options, HOLD_FILE: file } });
  return {
    session,
    begin: () => void process.kill(session.pid, 'SIGUSR2'),
    async end() {
      const memoryMb = peakMemoryMb(session.pid);
      await session.close();
      return { memoryMb, holdMs: Number(await readFile(file, 'utf8')) };
    },
  };
}

/** Judged by what each may be at most. */
export function heldRows(
  row: Pick<Row, 'point' | 'program' | 'measure'>,
  all: readonly Held[],
  most: { memoryMb: number; holdMs: number },
): Row[] {
  const judged = (what: string, values: readonly number[], unit: string, limit: number): Row[] => {
    if (values.length === 0) return [];
    const value = spreadOf(values);
    return [{ ...row, measure: `${row.measure}: ${what}`, value, unit, target: atMost(value, limit, unit) }];
  };
  const memory = all.flatMap(({ memoryMb }) => memoryMb ?? []);
  const holds = all.map(({ holdMs }) => holdMs);
  return [
    ...judged('peak memory of the process', memory, 'MB', most.memoryMb),
    ...judged('main thread held', holds, 'ms', most.holdMs),
  ];
}

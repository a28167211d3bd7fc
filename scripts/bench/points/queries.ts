/** Point 9: GROUP BY over a collected report, next to the same file read by the engine alone. */

import { dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { TABLES_WORKER } from '../../bundle.ts';
import { tempFolder } from '../../process/closing.ts';
import { runQuietly } from '../../process/run.ts';
import type { Context } from '../context.ts';
import { writeLargeReport } from '../large-report.ts';
import { type Row, timesOf } from '../report.ts';
import { ratioOf, spreadOf } from '../statistics.ts';

const ROWS = 200_000;
const ROUNDS = 9;
const FIRST_USES = 7;
const MOST = { plain: 1.3, byWeek: 5, first: 1.5 };

const times = z.array(z.number());
const measuredSchema = z.object({ bare: times, plain: times, byWeek: times, bareFirst: times, first: times });

export async function measureQueries({ programs, quick }: Context): Promise<Row[]> {
  await using folder = await tempFolder('seller-bench-');
  const report = join(folder.path, 'report.gz');
  const rows = quick ? ROWS / 20 : ROWS;
  await writeLargeReport(report, rows);
  const worker = resolve(dirname(programs.ours.file), TABLES_WORKER);
  const rounds = quick ? [1, 1] : [ROUNDS, FIRST_USES];
  const files = [programs.queryTables.file, folder.path, report, worker, resolve(programs.bareQuery.file)];
  const args = [...files, ...rounds.map(String)];
  const { stdout } = await runQuietly(process.execPath, args, { timeoutMs: 0 });
  const found = measuredSchema.parse(JSON.parse(stdout));
  const base = programs.bareQuery.name;
  const bare = (measure: string, values: number[]): Row => {
    return { point: 9, measure, program: base, value: spreadOf(values), unit: 'ms' };
  };
  const ours = (measure: string, values: number[], to: number[], most: number): Row => {
    const row = { ...bare(measure, values), program: programs.ours.name };
    return { ...row, ...timesOf(base, ratioOf(values, to), most) };
  };
  const what = `GROUP BY over ${rows} rows`;
  return [
    bare(what, found.bare),
    ours(what, found.plain, found.bare, MOST.plain),
    ours(`${what}, by local_week`, found.byWeek, found.bare, MOST.byWeek),
    bare(`${what}, first use in a new worker`, found.bareFirst),
    ours(`${what}, first use in a new worker`, found.first, found.bareFirst, MOST.first),
  ];
}

/** Point 9: all rows of a query as a workbook of Excel, next to the same rows as CSV, each by a process that does nothing else. */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { buildProgram } from '../../../test/helpers/keychain.ts';
import { accountAt } from '../account.ts';
import type { Context } from '../context.ts';
import { writeLargeReport } from '../large-report.ts';
import { peakMemoryMb } from '../process-facts.ts';
import type { Row } from '../report.ts';
import { ratioOf, spreadOf } from '../statistics.ts';
import { collect, startReportService } from './collecting.ts';

const ROWS = 200_000;
const QUICK_ROWS = 5_000;
const ROUNDS = 5;
const MOST_MEMORY_MB = 200;
const MOST_HOLD_MS = 100;

/** Twelve columns of every kind, none of them masked. */
const SQL = `SELECT amazon_order_id, purchase_date, last_updated_date, order_status, fulfillment_channel, product_name, sku,
  quantity, currency, item_price, item_tax, ship_country FROM report_document`;

const savedSchema = z.object({ structuredContent: z.object({ saved: z.object({ rows: z.number() }) }) });

interface Setting {
  env: Readonly<Record<string, string>>;
  holdFile: string;
  rows: number;
}

/** One file. */
interface Save {
  ms: number;
  /** Highest memory of the process; undefined where there is no /proc. */
  memoryMb: number | undefined;
  /** Longest time for which the main thread did nothing else. */
  holdMs: number;
}

export async function measureSaving(context: Context): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'seller-bench-'));
  const report = join(folder, 'report.gz');
  const rows = context.quick ? QUICK_ROWS : ROWS;
  await writeLargeReport(report, rows);
  const service = await startReportService(report);
  const holdFile = join(folder, 'hold');
  const env = {
    HOME: folder,
    NODE_OPTIONS: `--import=${buildProgram('scripts/bench/programs/hold-monitor.ts', folder)}`,
    HOLD_FILE: holdFile,
    SELLER_DATA_DIR: folder,
    SELLER_FILES_DIR: join(folder, 'files'),
    // Found by the processes that save.
    SELLER_KEEP_DATA_HOURS: '1',
    ...accountAt(service.url, 'A1PA6795UKMFR9'),
  };
  const csv: Save[] = [];
  const workbook: Save[] = [];
  try {
    const session = context.start(context.programs.ours, { env });
    await session.initialize();
    await collect(session);
    await session.close();
    for (let round = 0; round < (context.quick ? 1 : ROUNDS); round++) {
      csv.push(await save(context, { env, holdFile, rows }, 'rows.csv'));
      workbook.push(await save(context, { env, holdFile, rows }, 'rows.xlsx'));
    }
  } finally {
    await service.close();
    await rm(folder, { recursive: true, force: true });
  }
  return rowsOf(context, `${rows} rows of 12 columns`, csv, workbook);
}

async function save(context: Context, { env, holdFile, rows }: Setting, name: string): Promise<Save> {
  const session = context.start(context.programs.ours, { env });
  await session.initialize();
  // What every query loads.
  await session.call('query_data', { sql: 'SELECT count(*) FROM report_document' });
  process.kill(session.pid, 'SIGUSR2');
  const started = performance.now();
  const { result, error } = await session.request('tools/call', {
    name: 'query_data',
    arguments: { sql: SQL, save_as: name },
  });
  const ms = performance.now() - started;
  const answer = savedSchema.safeParse(result);
  if (answer.data?.structuredContent.saved.rows !== rows)
    throw new Error(`query_data: ${JSON.stringify(error ?? result)}`);
  const memoryMb = peakMemoryMb(session.pid);
  await session.close();
  return { ms, memoryMb, holdMs: Number(await readFile(holdFile, 'utf8')) };
}

function rowsOf({ programs }: Context, what: string, csv: readonly Save[], workbook: readonly Save[]): Row[] {
  const times = (saves: readonly Save[]) => saves.map(({ ms }) => ms);
  const row = { point: 9, program: programs.ours.name };
  const judged = (measure: string, values: readonly number[], unit: string, most: number): Row => {
    const value = spreadOf(values);
    const target = { text: `at most ${most} ${unit}`, met: value.median <= most };
    return { ...row, measure: `${what} as .xlsx: ${measure}`, value, unit, target };
  };
  const memory = workbook.flatMap(({ memoryMb }) => memoryMb ?? []);
  return [
    { ...row, measure: `${what}: saved as .csv`, value: spreadOf(times(csv)), unit: 'ms' },
    {
      ...row,
      measure: `${what}: saved as .xlsx`,
      value: spreadOf(times(workbook)),
      unit: 'ms',
      ratio: { to: 'the .csv', value: ratioOf(times(workbook), times(csv)) },
    },
    ...(memory.length === 0 ? [] : [judged('peak memory of the process', memory, 'MB', MOST_MEMORY_MB)]),
    judged(
      'main thread held',
      workbook.map(({ holdMs }) => holdMs),
      'ms',
      MOST_HOLD_MS,
    ),
  ];
}

/** Point 9: all rows of a query as a workbook of Excel, next to the same rows as CSV, each by a process that does nothing else. */

import { join } from 'node:path';
import * as z from 'zod';
import { closing, tempFolder } from '../../process/closing.ts';
import { accountAt } from '../account.ts';
import type { Context } from '../context.ts';
import { type Held, heldRows, openWatched } from '../held.ts';
import { writeLargeReport } from '../large-report.ts';
import { type Row, timesOf } from '../report.ts';
import { ratioOf, spreadOf } from '../statistics.ts';
import { collect, startReportService } from './collecting.ts';

const ROWS = 200_000;
const QUICK_ROWS = 5_000;
const ROUNDS = 5;
const MOST = { memoryMb: 200, holdMs: 100 };

/** Twelve columns of every kind, none of them masked. */
const SQL = `SELECT amazon_order_id, purchase_date, last_updated_date, order_status, fulfillment_channel, product_name, sku,
  quantity, currency, item_price, item_tax, ship_country FROM report_document`;

const savedSchema = z.object({ saved: z.object({ rows: z.number() }) });

interface Setting {
  env: Readonly<Record<string, string>>;
  folder: string;
  rows: number;
}

/** One file. */
interface Save extends Held {
  ms: number;
}

export async function measureSaving(context: Context): Promise<Row[]> {
  await using temporary = await tempFolder('seller-bench-');
  const folder = temporary.path;
  const report = join(folder, 'report.gz');
  const rows = context.quick ? QUICK_ROWS : ROWS;
  await writeLargeReport(report, rows);
  await using service = closing(await startReportService(report));
  const env = {
    HOME: folder,
    SELLER_DATA_DIR: folder,
    SELLER_FILES_DIR: join(folder, 'files'),
    // Found by the processes that save.
    SELLER_KEEP_DATA_HOURS: '1',
    ...accountAt(service.url, 'A1PA6795UKMFR9'),
  };
  const session = await context.open(context.programs.ours, { env });
  await collect(session);
  await session.close();
  const csv: Save[] = [];
  const workbook: Save[] = [];
  for (let round = 0; round < (context.quick ? 1 : ROUNDS); round++) {
    csv.push(await save(context, { env, folder, rows }, 'rows.csv'));
    workbook.push(await save(context, { env, folder, rows }, 'rows.xlsx'));
  }
  return rowsOf(context, `${rows} rows of 12 columns`, csv, workbook);
}

async function save(context: Context, { env, folder, rows }: Setting, name: string): Promise<Save> {
  const { session, begin, end } = await openWatched(context, folder, env);
  // What every query loads.
  await session.call('query_data', { sql: 'SELECT count(*) FROM report_document' });
  begin();
  const started = performance.now();
  const { saved } = await session.ask('query_data', { sql: SQL, save_as: name }, savedSchema);
  const ms = performance.now() - started;
  if (saved.rows !== rows) throw new Error(`query_data saved ${saved.rows} of ${rows} rows`);
  return { ms, ...(await end()) };
}

function rowsOf({ programs }: Context, what: string, csv: readonly Save[], workbook: readonly Save[]): Row[] {
  const times = (saves: readonly Save[]) => saves.map(({ ms }) => ms);
  const row = { point: 9, program: programs.ours.name };
  return [
    { ...row, measure: `${what}: saved as .csv`, value: spreadOf(times(csv)), unit: 'ms' },
    {
      ...row,
      measure: `${what}: saved as .xlsx`,
      value: spreadOf(times(workbook)),
      unit: 'ms',
      ...timesOf('the .csv', ratioOf(times(workbook), times(csv))),
    },
    ...heldRows({ ...row, measure: `${what} as .xlsx` }, workbook, MOST),
  ];
}

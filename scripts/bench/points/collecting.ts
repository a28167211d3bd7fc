/** Point 9: a report of 2,000,000 rows through collect_data, next to a bare script that loads the same one with the same engine. */

import { createReadStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { type HttpService, startHttpService } from '../../../test/helpers/http-service.ts';
import { closing, tempFolder } from '../../process/closing.ts';
import { runQuietly } from '../../process/run.ts';
import { accountAt, TOKEN_ANSWER, TOKEN_PATH } from '../account.ts';
import type { Context } from '../context.ts';
import { type Held, heldRows, openWatched } from '../held.ts';
import { writeLargeReport } from '../large-report.ts';
import { type Row, timesOf } from '../report.ts';
import { ratioOf, spreadOf } from '../statistics.ts';

const ROWS = 2_000_000;
const QUICK_ROWS = 20_000;
const ROUNDS = 5;
const MAX_RATIO = 1;
const MOST = { memoryMb: 250, holdMs: 50 };
const DOCUMENT = '/signed/report';

const answerSchema = z.looseObject({ state: z.string() });

interface Setting {
  folder: string;
  service: HttpService;
}

/** One load by our program. */
interface Load extends Held {
  ms: number;
}

export async function measureCollecting(context: Context): Promise<Row[]> {
  await using temporary = await tempFolder('seller-bench-');
  const folder = temporary.path;
  const report = join(folder, 'report.gz');
  const rows = context.quick ? QUICK_ROWS : ROWS;
  await writeLargeReport(report, rows);
  await using service = closing(await startReportService(report));
  const bare: number[] = [];
  const ours: Load[] = [];
  for (let round = 0; round < (context.quick ? 1 : ROUNDS); round++) {
    bare.push(await loadBare(context, { folder, service }));
    ours.push(await loadOurs(context, { folder, service }));
  }
  return rowsOf(context, `${rows} rows of 28 columns`, bare, ours);
}

function rowsOf({ programs }: Context, what: string, bare: readonly number[], ours: readonly Load[]): Row[] {
  const times = ours.map(({ ms }) => ms);
  const row = { point: 9, measure: `${what}: fetched and loaded`, unit: 'ms' };
  const own = { ...row, program: programs.ours.name };
  return [
    { ...row, program: programs.bareLoad.name, value: spreadOf(bare) },
    { ...own, value: spreadOf(times), ...timesOf(programs.bareLoad.name, ratioOf(times, bare), MAX_RATIO) },
    ...heldRows({ ...own, measure: what }, ours, MOST),
  ];
}

async function loadBare({ programs }: Context, { folder, service }: Setting): Promise<number> {
  const own = join(folder, 'bare');
  await mkdir(own);
  const args = [programs.bareLoad.file, `${service.url}${DOCUMENT}`, own];
  const { stdout } = await runQuietly(process.execPath, args, { timeoutMs: 0 });
  await rm(own, { recursive: true });
  return Number(stdout);
}

/** Measures from the call to the answer that everything is there, after one ordinary call, as in any session. */
async function loadOurs(context: Context, { folder, service }: Setting): Promise<Load> {
  const own = join(folder, 'ours');
  const env = { HOME: own, SELLER_DATA_DIR: own, ...accountAt(service.url, 'A1PA6795UKMFR9') };
  const { session, begin, end } = await openWatched(context, folder, env);
  await session.call('read_operation', { operation: 'getMarketplaceParticipations' });
  begin();
  const started = performance.now();
  const args = { document: { id: 'document-of-the-bench', of: 'report' } };
  await session.ask('collect_data', args, answerSchema, ({ state }) => state !== 'done');
  const ms = performance.now() - started;
  const held = await end();
  await rm(own, { recursive: true });
  return { ms, ...held };
}

/** A service that has one document, whose address it gives at once. */
async function startReportService(report: string): Promise<HttpService> {
  const bytes = (await stat(report)).size;
  const service = await startHttpService(({ path }, response) => {
    if (path === TOKEN_PATH) return TOKEN_ANSWER;
    if (path.startsWith('/reports/2021-06-30/documents/')) {
      const url = `${service.url}${DOCUMENT}`;
      return { body: { reportDocumentId: 'document-of-the-bench', url, compressionAlgorithm: 'GZIP' } };
    }
    if (path !== DOCUMENT) return { body: { payload: [] } };
    response.writeHead(200, { 'content-length': bytes });
    createReadStream(report).pipe(response);
    return undefined;
  });
  return service;
}

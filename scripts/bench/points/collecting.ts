/** Point 9: a report of 2,000,000 rows through collect_data, next to a bare script that loads the same one with the same engine. */

import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { type HttpService, startHttpService } from '../../../test/helpers/http-service.ts';
import { buildProgram } from '../../../test/helpers/keychain.ts';
import { accountAt, TOKEN_ANSWER, TOKEN_PATH } from '../account.ts';
import type { Context } from '../context.ts';
import { writeLargeReport } from '../large-report.ts';
import { peakMemoryMb } from '../process-facts.ts';
import type { Row } from '../report.ts';
import type { Session } from '../session.ts';
import { ratioOf, spreadOf } from '../statistics.ts';

const ROWS = 2_000_000;
const QUICK_ROWS = 20_000;
const ROUNDS = 5;
const MOST_RATIO = 1;
const MOST_MEMORY_MB = 250;
const MOST_HOLD_MS = 50;
/** How often another question is asked meanwhile. */
const ASK_MS = 200;
const DOCUMENT = '/signed/report';

const answerSchema = z.object({ structuredContent: z.looseObject({ state: z.string() }) });

interface Setting {
  folder: string;
  service: HttpService;
  monitor: string;
}

/** One load by our program. */
interface Load {
  ms: number;
  /** Highest memory of the process; undefined where there is no /proc. */
  memoryMb: number | undefined;
  /** Longest time for which the main thread did nothing else. */
  holdMs: number;
  /** Slowest of the answers to tools/list meanwhile. */
  listMs: number;
}

export async function measureCollecting(context: Context): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'seller-bench-'));
  const report = join(folder, 'report.gz');
  const rows = context.quick ? QUICK_ROWS : ROWS;
  await writeLargeReport(report, rows);
  const monitor = buildProgram('scripts/bench/programs/hold-monitor.ts', folder);
  const service = await startReportService(report);
  const bare: number[] = [];
  const ours: Load[] = [];
  try {
    for (let round = 0; round < (context.quick ? 1 : ROUNDS); round++) {
      bare.push(await loadBare(context, { folder, service, monitor }));
      ours.push(await loadOurs(context, { folder, service, monitor }));
    }
  } finally {
    await service.close();
    await rm(folder, { recursive: true, force: true });
  }
  return rowsOf(context, `${rows} rows of 28 columns`, bare, ours);
}

function rowsOf({ programs }: Context, what: string, bare: readonly number[], ours: readonly Load[]): Row[] {
  const ratio = ratioOf(
    ours.map(({ ms }) => ms),
    bare,
  );
  const judged = (measure: string, values: readonly number[], unit: string, most: number): Row => {
    const value = spreadOf(values);
    const target = { text: `at most ${most} ${unit}`, met: value.median <= most };
    return { point: 9, measure: `${what}: ${measure}`, program: programs.ours.name, value, unit, target };
  };
  const memory = ours.map(({ memoryMb }) => memoryMb).filter((value) => value !== undefined);
  const row = { point: 9, measure: `${what}: fetched and loaded`, unit: 'ms' };
  return [
    { ...row, program: programs.bareLoad.name, value: spreadOf(bare) },
    {
      ...row,
      program: programs.ours.name,
      value: spreadOf(ours.map(({ ms }) => ms)),
      ratio: { to: programs.bareLoad.name, value: ratio },
      target: { text: `at most ${MOST_RATIO} x ${programs.bareLoad.name}`, met: ratio.median <= MOST_RATIO },
    },
    ...(memory.length === 0 ? [] : [judged('peak memory of the process', memory, 'MB', MOST_MEMORY_MB)]),
    judged(
      'main thread held',
      ours.map(({ holdMs }) => holdMs),
      'ms',
      MOST_HOLD_MS,
    ),
    {
      ...row,
      measure: `${what}: slowest tools/list meanwhile`,
      program: programs.ours.name,
      value: spreadOf(ours.map(({ listMs }) => listMs)),
    },
  ];
}

async function loadBare({ programs }: Context, { folder, service }: Setting): Promise<number> {
  const own = join(folder, 'bare');
  await mkdir(own);
  const { stdout } = await promisify(execFile)(process.execPath, [
    programs.bareLoad.file,
    `${service.url}${DOCUMENT}`,
    own,
  ]);
  await rm(own, { recursive: true });
  return Number(stdout);
}

/** From the call to the answer that all is there; before it one ordinary call, as in any session. */
async function loadOurs(context: Context, { folder, service, monitor }: Setting): Promise<Load> {
  const own = join(folder, 'ours');
  const holdFile = join(folder, 'hold');
  const env = {
    HOME: own,
    NODE_OPTIONS: `--import=${monitor}`,
    HOLD_FILE: holdFile,
    SELLER_DATA_DIR: own,
    ...accountAt(service.url, 'A1PA6795UKMFR9'),
  };
  const session = context.start(context.programs.ours, { env });
  await session.initialize();
  await session.call('read_operation', { operation: 'getMarketplaceParticipations' });
  process.kill(session.pid, 'SIGUSR2');
  const asking = askMeanwhile(session);
  const started = performance.now();
  await collect(session);
  const ms = performance.now() - started;
  const listMs = await asking.stop();
  const memoryMb = peakMemoryMb(session.pid);
  await session.close();
  await rm(own, { recursive: true });
  return { ms, memoryMb, listMs, holdMs: Number(await readFile(holdFile, 'utf8')) };
}

/** Again while it is under way. @throws Error when it fails */
export async function collect(session: Session): Promise<void> {
  for (let state = ''; state !== 'done'; ) {
    const { result, error } = await session.request('tools/call', {
      name: 'collect_data',
      arguments: { document: { id: 'document-of-the-bench', of: 'report' } },
    });
    const answer = answerSchema.safeParse(result);
    if (!answer.success) throw new Error(`collect_data: ${JSON.stringify(error ?? result)}`);
    state = answer.data.structuredContent.state;
  }
}

function askMeanwhile(session: Session) {
  let isOver = false;
  const asked = (async () => {
    let slowest = 0;
    while (!isOver) {
      const started = performance.now();
      await session.request('tools/list');
      slowest = Math.max(slowest, performance.now() - started);
      await new Promise((resolve) => setTimeout(resolve, ASK_MS));
    }
    return slowest;
  })();
  return {
    stop: () => {
      isOver = true;
      return asked;
    },
  };
}

/** A service that has one document, whose address it gives at once. */
export async function startReportService(report: string): Promise<HttpService> {
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

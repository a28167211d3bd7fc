/** Point 2: the highest memory at idle, and after 1,000 calls; that it does not grow with the hours, the soak watches. */

import { setTimeout as sleep } from 'node:timers/promises';
import { environmentOf } from '../../../sandbox/environment.ts';
import { closing } from '../../process/closing.ts';
import { callCatalog } from '../catalog-call.ts';
import type { Context } from '../context.ts';
import { runLoad } from '../load.ts';
import { peakMemoryMb } from '../process-facts.ts';
import type { Program } from '../programs.ts';
import { type Row, timesOf } from '../report.ts';
import { type RunningService, startService } from '../service.ts';
import { ratioOf, spreadOf } from '../statistics.ts';

const ROUNDS = 5;
const CALLS = 1000;
const IN_FLIGHT = 8;
const SETTLE_MS = 300;
const MOST = 1.2;

export async function measureMemory(context: Context): Promise<Row[]> {
  await using service = closing(await startService(context));
  const { emptyServer, bareTool, ours } = context.programs;
  const calls = context.quick ? CALLS / 5 : CALLS;
  return [
    ...(await compare(context, service, 'peak memory at idle, after tools/list', [emptyServer, ours], 0)),
    ...(await compare(context, service, `peak memory after ${CALLS} calls`, [bareTool, ours], calls)),
  ];
}

async function compare(
  context: Context,
  service: RunningService,
  measure: string,
  [base, ours]: readonly [Program, Program],
  calls: number,
): Promise<Row[]> {
  const [bases, own]: [number[], number[]] = [[], []];
  for (let round = 0; round < (context.quick ? 1 : ROUNDS); round++) {
    bases.push(await measurePeak(context, service, base, calls));
    own.push(await measurePeak(context, service, ours, calls));
  }
  // There is no /proc.
  if ([...bases, ...own].some(Number.isNaN)) return [];
  const row = { point: 2, measure, unit: 'MB' };
  return [
    { ...row, program: base.name, value: spreadOf(bases) },
    { ...row, program: ours.name, value: spreadOf(own), ...timesOf(base.name, ratioOf(own, bases), MOST) },
  ];
}

async function measurePeak(
  context: Context,
  { env, account }: RunningService,
  program: Program,
  calls: number,
): Promise<number> {
  await using session = await context.open(program, { env: { ...env, ...environmentOf(account) } });
  await session.request('tools/list');
  await sleep(SETTLE_MS);
  await runLoad(calls, IN_FLIGHT, () => callCatalog(session, account.marketplaceId));
  return peakMemoryMb(session.pid) ?? Number.NaN;
}

/** Point 2: memory at idle, after 1,000 calls, and over 10,000 more. */

import { environmentOf } from '../../../sandbox/environment.ts';
import { callCatalog } from '../catalog-call.ts';
import type { Context } from '../context.ts';
import { runLoad } from '../load.ts';
import { memoryMb, peakMemoryMb } from '../process-facts.ts';
import type { Program } from '../programs.ts';
import type { Row } from '../report.ts';
import { type RunningService, startService } from '../service.ts';
import type { Session } from '../session.ts';
import { exactly, ratioOf, spreadOf } from '../statistics.ts';

const ROUNDS = 5;
const CALLS = 1000;
const FURTHER_CALLS = 10_000;
const SAMPLES = 50;
const IN_FLIGHT = 8;
const SETTLE_MS = 300;
const MOST = 1.2;
/** How much the floor varies by itself. */
const GROWTH_MB = 4;

/** Places of the programs that are compared. */
const [EMPTY_SERVER, OURS, BARE_TOOL] = [1, 2, 3];

type Measured = Record<'idle' | 'afterCalls', number[]>;

export async function measureMemory(context: Context): Promise<Row[]> {
  const service = await startService(context);
  try {
    const idle = { measure: 'peak memory at idle, after tools/list', key: 'idle' as const };
    const after = { measure: `peak memory after ${CALLS} calls`, key: 'afterCalls' as const };
    const { programs, measured } = await measureRounds(context, service);
    const rows = [idle, after].flatMap(({ measure, key }) =>
      programs.flatMap((program, i): Row[] => {
        const own = measured[i]?.[key] ?? [];
        if (own.length === 0) return [];
        const row = { point: 2, measure, program: program.name, value: spreadOf(own), unit: 'MB' };
        if (i < 2) return [row];
        // What calls take is held against a tool that makes them.
        const to = key === 'afterCalls' && i === OURS ? BARE_TOOL : EMPTY_SERVER;
        const ratio = { to: programs[to]?.name ?? '', value: ratioOf(own, measured[to]?.[key] ?? []) };
        return [withRatio(row, ratio, i === OURS)];
      }),
    );
    return [...rows, ...(await measureGrowth(context, service))];
  } finally {
    await service.close();
  }
}

async function measureRounds(context: Context, service: RunningService) {
  const { bareNode, emptyServer, bareTool, ours } = context.programs;
  const programs = [bareNode, emptyServer, ours, bareTool];
  const measured = programs.map((): Measured => ({ idle: [], afterCalls: [] }));
  for (let round = 0; round < (context.quick ? 1 : ROUNDS); round++) {
    for (const [i, program] of programs.entries()) {
      const session = context.start(program, { env: { ...service.env, ...environmentOf(service.account) } });
      await session.initialize();
      await session.request('tools/list');
      await pause(SETTLE_MS);
      keep(measured[i]?.idle, peakMemoryMb(session.pid));
      await runLoad(context.quick ? CALLS / 5 : CALLS, IN_FLIGHT, callOf(program, context, service, session));
      keep(measured[i]?.afterCalls, peakMemoryMb(session.pid));
      await session.close();
    }
  }
  return { programs, measured };
}

function callOf(program: Program, { programs }: Context, service: RunningService, session: Session) {
  const { emptyServer, bareNode } = programs;
  if (program === emptyServer || program === bareNode) return () => session.call('idle', {});
  return () => callCatalog(session, service.account.marketplaceId);
}

/**
 * Memory goes up and down as garbage is collected, over thousands of calls; a leak lifts its floor. So the lowest of
 * as many calls before is compared with the lowest of the further ones.
 */
async function measureGrowth(context: Context, service: RunningService): Promise<Row[]> {
  const session = context.start(context.programs.ours, { env: environmentOf(service.account) });
  await session.initialize();
  const further = context.quick ? FURTHER_CALLS / 10 : FURTHER_CALLS;
  const call = () => callCatalog(session, service.account.marketplaceId);
  await runLoad(further / 2, IN_FLIGHT, call);
  const before = await sampleMemory(session, further, call);
  const after = await sampleMemory(session, further, call);
  await session.close();
  if (before.length === 0 || after.length === 0) return [];
  const growth = Math.min(...after) - Math.min(...before);
  const row = { point: 2, program: context.programs.ours.name, unit: 'MB' };
  return [
    { ...row, measure: `memory during ${further} calls`, value: spreadOf(before) },
    { ...row, measure: `memory during ${further} further calls`, value: spreadOf(after) },
    {
      ...row,
      measure: 'growth of its floor over the further calls',
      value: exactly(growth),
      target: { text: `no growth (up to ${GROWTH_MB} MB is noise)`, met: growth <= GROWTH_MB },
    },
  ];
}

async function sampleMemory(
  session: Session,
  calls: number,
  call: () => Promise<boolean>,
): Promise<number[]> {
  const samples: number[] = [];
  for (let i = 0; i < SAMPLES; i++) {
    await runLoad(calls / SAMPLES, IN_FLIGHT, call);
    keep(samples, memoryMb(session.pid));
  }
  return samples;
}

function withRatio(row: Row, ratio: NonNullable<Row['ratio']>, judged: boolean): Row {
  const compared = { ...row, ratio };
  if (!judged) return compared;
  return { ...compared, target: { text: `at most ${MOST} x ${ratio.to}`, met: ratio.value.median <= MOST } };
}

function keep(list: number[] | undefined, value: number | undefined): void {
  if (value !== undefined) list?.push(value);
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

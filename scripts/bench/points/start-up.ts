/** Point 1: from spawning the program to its answer to `initialize`, with a warm compile cache, as after the first start. */

import type { Context } from '../context.ts';
import { processorMs } from '../process-facts.ts';
import type { Program } from '../programs.ts';
import type { Row } from '../report.ts';
import { ratioOf, spreadOf } from '../statistics.ts';

const ROUNDS = 40;
const QUICK_ROUNDS = 4;
const WARM_UP_ROUNDS = 2;
const MOST = 1.1;

interface Start {
  wallMs: number;
  processorMs: number | undefined;
}

export async function measureStartUp(context: Context): Promise<Row[]> {
  const { bareNode, emptyServer, ours } = context.programs;
  const withFlags = { ...ours, name: `${ours.name} --sandbox`, args: ['--sandbox'] };
  const programs = [bareNode, emptyServer, ours, withFlags];
  const starts = programs.map((): Start[] => []);
  const rounds = context.quick ? QUICK_ROUNDS : ROUNDS;
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    for (const [i, program] of programs.entries()) {
      const start = await startOnce(context, program);
      if (round >= 0) starts[i]?.push(start);
    }
  }
  const rows = (measure: string, pick: (start: Start) => number | undefined) =>
    programs.flatMap((program, i) => {
      const values = (all: readonly Start[] = []) => all.map(pick).filter((value) => value !== undefined);
      const own = values(starts[i]);
      if (own.length === 0) return [];
      const row = { point: 1, measure, program: program.name, value: spreadOf(own), unit: 'ms' };
      if (program === bareNode || program === emptyServer) return [row];
      return [{ ...row, ratio: { to: emptyServer.name, value: ratioOf(own, values(starts[1])) } }];
    });
  const wall = rows('spawn to initialize', ({ wallMs }) => wallMs).map((row) => withTarget(row, ours.name));
  return [...wall, ...rows('the same, processor time', (start) => start.processorMs)];
}

async function startOnce({ start }: Context, program: Program): Promise<Start> {
  const session = start(program);
  await session.initialize();
  const wallMs = performance.now() - session.startedAt;
  const used = processorMs(session.pid);
  await session.close();
  return { wallMs, processorMs: used };
}

function withTarget(row: Row, judged: string): Row {
  if (row.program !== judged || row.ratio === undefined) return row;
  const met = row.ratio.value.median <= MOST;
  return { ...row, target: { text: `at most ${MOST} x empty server`, met } };
}

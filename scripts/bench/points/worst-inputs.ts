/** Point 8: the worst answers and arguments within the limits: how long each blocks the event loop, and its memory. */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WORST_ANSWERS } from '../../../test/attack/worst-answers.ts';
import { WORST_ARGUMENTS } from '../../../test/attack/worst-arguments.ts';
import { startHttpService } from '../../../test/helpers/http-service.ts';
import { buildProgram } from '../../../test/helpers/keychain.ts';
import { accountAt, TOKEN_ANSWER, TOKEN_PATH } from '../account.ts';
import type { Context } from '../context.ts';
import { peakMemoryMb } from '../process-facts.ts';
import type { Row } from '../report.ts';
import { exactly } from '../statistics.ts';

const MOST_HOLD_MS = 100;
const MOST_MEMORY_MB = 500;
const QUICK_KINDS = 2;
/** The call that requests an answer of any kind, which the program has loaded before the measured call. */
const TOOL = 'read_operation';
const OPERATION = 'getSupplySources';

interface Kind {
  kind: string;
  body: () => string;
  call: () => [tool: string, args: object];
}

export async function measureWorstInputs(context: Context): Promise<Row[]> {
  const answers = WORST_ANSWERS.map(({ kind, make, select }): Kind => {
    const args = { operation: OPERATION, ...(select === undefined ? {} : { select }) };
    return { kind: `answer: ${kind}`, body: make, call: () => [TOOL, args] };
  });
  const asked = WORST_ARGUMENTS.map(({ kind, tool, make }): Kind => {
    return { kind: `arguments: ${kind}`, body: () => '{}', call: () => [tool, make()] };
  });
  const kinds = [...answers, ...asked];
  const folder = await mkdtemp(join(tmpdir(), 'seller-bench-'));
  const monitor = buildProgram('scripts/bench/programs/hold-monitor.ts', folder);
  const rows: Row[] = [];
  for (const kind of context.quick ? kinds.slice(0, QUICK_KINDS) : kinds) {
    rows.push(...(await measureKind(context, kind, { monitor, holdFile: join(folder, 'hold') })));
  }
  await rm(folder, { recursive: true, force: true });
  return rows;
}

/** Runs in its own process, after a call that has loaded everything. */
async function measureKind(
  context: Context,
  { kind, body, call }: Kind,
  { monitor, holdFile }: { monitor: string; holdFile: string },
): Promise<Row[]> {
  let answer = '{}';
  const service = await startHttpService(({ path }) =>
    path === TOKEN_PATH
      ? TOKEN_ANSWER
      : { status: 200, headers: { 'content-type': 'application/json' }, body: answer },
  );
  const env = {
    HOME: '/nonexistent',
    NODE_OPTIONS: `--import=${monitor}`,
    HOLD_FILE: holdFile,
    ...accountAt(service.url, 'ATVPDKIKX0DER'),
  };
  const session = context.start(context.programs.ours, { env });
  await session.initialize();
  const [tool, args] = call();
  await session.call(TOOL, { operation: OPERATION });
  await session.call(tool, { operation: 'getListingsItem', dryRun: true });
  answer = body();
  process.kill(session.pid, 'SIGUSR2');
  await session.call(tool, args);
  const memory = peakMemoryMb(session.pid);
  await session.close();
  await service.close();
  const hold = Number(await readFile(holdFile, 'utf8'));
  const row = { point: 8, measure: kind, program: context.programs.ours.name };
  return [
    { ...row, value: exactly(Math.round(hold)), unit: 'ms held', target: within(hold, MOST_HOLD_MS, 'ms') },
    ...(memory === undefined
      ? []
      : [
          {
            ...row,
            value: exactly(Math.round(memory)),
            unit: 'MB',
            target: within(memory, MOST_MEMORY_MB, 'MB'),
          },
        ]),
  ];
}

function within(value: number, most: number, unit: string) {
  return { text: `at most ${most} ${unit}`, met: value <= most };
}

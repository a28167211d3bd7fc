/** Point 8: the worst answers and arguments within the limits: how long each blocks the event loop, and its memory. */

import { WORST_ANSWERS } from '../../../test/attack/worst-answers.ts';
import { WORST_ARGUMENTS } from '../../../test/attack/worst-arguments.ts';
import { startHttpService } from '../../../test/helpers/http-service.ts';
import { closing, tempFolder } from '../../process/closing.ts';
import { accountAt, TOKEN_ANSWER, TOKEN_PATH } from '../account.ts';
import type { Context } from '../context.ts';
import { openWatched } from '../held.ts';
import { atMost, type Row } from '../report.ts';
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
  await using folder = await tempFolder('seller-bench-');
  const rows: Row[] = [];
  for (const kind of context.quick ? kinds.slice(0, QUICK_KINDS) : kinds) {
    rows.push(...(await measureKind(context, kind, folder.path)));
  }
  return rows;
}

/** Runs in its own process, after a call that has loaded everything. */
async function measureKind(context: Context, { kind, body, call }: Kind, folder: string): Promise<Row[]> {
  let answer = '{}';
  await using service = closing(
    await startHttpService(({ path }) =>
      path === TOKEN_PATH
        ? TOKEN_ANSWER
        : { status: 200, headers: { 'content-type': 'application/json' }, body: answer },
    ),
  );
  const env = { HOME: '/nonexistent', ...accountAt(service.url, 'ATVPDKIKX0DER') };
  const { session, begin, end } = await openWatched(context, folder, env);
  const [tool, args] = call();
  await session.call(TOOL, { operation: OPERATION });
  await session.call(tool, { operation: 'getListingsItem', dryRun: true });
  answer = body();
  begin();
  await session.call(tool, args);
  const { memoryMb, holdMs } = await end();
  const row = { point: 8, measure: kind, program: context.programs.ours.name };
  const judged = (value: number, most: number, unit: string) => ({
    ...row,
    value: exactly(Math.round(value)),
    target: atMost(exactly(value), most, unit),
  });
  return [
    { ...judged(holdMs, MOST_HOLD_MS, 'ms'), unit: 'ms held' },
    ...(memoryMb === undefined ? [] : [{ ...judged(memoryMb, MOST_MEMORY_MB, 'MB'), unit: 'MB' }]),
  ];
}

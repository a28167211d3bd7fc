/** Point 8: the worst answers and arguments within the limits: how long each blocks the event loop, and its memory. */

import { WORST_ANSWERS } from '../../../test/attack/worst-answers.ts';
import { WORST_ARGUMENTS } from '../../../test/attack/worst-arguments.ts';
import { startHttpService } from '../../../test/helpers/http-service.ts';
import { closing, tempFolder } from '../../process/closing.ts';
import { accountAt, TOKEN_ANSWER, TOKEN_PATH } from '../account.ts';
import type { Context } from '../context.ts';
import { heldRows, openWatched } from '../held.ts';
import type { Row } from '../report.ts';

/** Answers are read in the one thread, arguments are checked in steps. */
const MAX_HOLD_MS = { answer: 1_500, arguments: 100 };
const MAX_MEMORY_MB = 500;
const QUICK_KINDS = 2;
/** The call that requests an answer of any kind, which the program has loaded before the measured call. */
const TOOL = 'read_operation';
const OPERATION = 'getSupplySources';

interface Kind {
  of: keyof typeof MAX_HOLD_MS;
  kind: string;
  body: () => string;
  call: () => [tool: string, args: object];
}

export async function measureWorstInputs(context: Context): Promise<Row[]> {
  const answers = WORST_ANSWERS.map(({ kind, make, select }): Kind => {
    const args = { operation: OPERATION, ...(select === undefined ? {} : { select }) };
    return { of: 'answer', kind, body: make, call: () => [TOOL, args] };
  });
  const asked = WORST_ARGUMENTS.map(({ kind, tool, make }): Kind => {
    return { of: 'arguments', kind, body: () => '{}', call: () => [tool, make()] };
  });
  const kinds = [...answers, ...asked];
  await using folder = await tempFolder('seller-bench-');
  const rows: Row[] = [];
  for (const kind of context.quick ? kinds.slice(0, QUICK_KINDS) : kinds)
    rows.push(...(await measureKind(context, kind, folder.path)));
  return rows;
}

/** Runs in its own process, after a call that has loaded everything. */
async function measureKind(context: Context, { of, kind, body, call }: Kind, folder: string): Promise<Row[]> {
  let answer = '{}';
  await using service = closing(
    await startHttpService(({ path }) => (path === TOKEN_PATH ? TOKEN_ANSWER : { body: answer })),
  );
  const env = { HOME: '/nonexistent', ...accountAt(service.url, 'ATVPDKIKX0DER') };
  const { session, begin, end } = await openWatched(context, folder, env);
  const [tool, args] = call();
  await session.call(TOOL, { operation: OPERATION });
  await session.call(tool, { operation: 'getListingsItem', dryRun: true });
  answer = body();
  begin();
  await session.call(tool, args);
  const row = { point: 8, measure: `${of}: ${kind}`, program: context.programs.ours.name };
  return heldRows(row, [await end()], { memoryMb: MAX_MEMORY_MB, holdMs: MAX_HOLD_MS[of] });
}

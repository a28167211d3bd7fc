/** Point 5: 50 calls at once, with no token and with one that has just been rejected. */

import { environmentOf } from '../../../sandbox/environment.ts';
import { startSandbox } from '../../../sandbox/start-sandbox.ts';
import { callCatalog } from '../catalog-call.ts';
import type { Context } from '../context.ts';
import { runLoad } from '../load.ts';
import type { Row } from '../report.ts';
import { exactly } from '../statistics.ts';

export const CALLS = 50;
/** Long enough for all calls to be in flight when the first is rejected. */
export const LATENCY_MS = 150;

export interface TokenFigures {
  exchanges: number;
  failures: number;
  /** Requests that the service refused for their token. */
  rejected: number;
}

export async function measureTokens(context: Context): Promise<Row[]> {
  const sandbox = await startSandbox({ rateLimits: false, latencyMs: LATENCY_MS });
  const session = context.start(context.programs.ours, { env: environmentOf(sandbox) });
  try {
    await session.initialize();
    const calls = () => runLoad(CALLS, CALLS, () => callCatalog(session, sandbox.marketplaceId));
    const cold = await countTokens(sandbox, calls);
    sandbox.expireTokens();
    const rejected = await countTokens(sandbox, calls);
    return [
      ...tokenRows(5, context.programs.ours.name, `${CALLS} cold calls`, cold, true),
      ...tokenRows(5, context.programs.ours.name, `${CALLS} calls in flight, token rejected`, rejected, true),
    ];
  } finally {
    await session.close();
    await sandbox.close();
  }
}

type Counted = Pick<Awaited<ReturnType<typeof startSandbox>>, 'stats'>;

/** How many exchanges the calls cost, as the service saw it. */
export async function countTokens(
  { stats }: Counted,
  calls: () => Promise<{ failures: number }>,
): Promise<TokenFigures> {
  const before = stats();
  const { failures } = await calls();
  const after = stats();
  return {
    failures,
    exchanges: after.exchanges - before.exchanges,
    rejected: after.rejectedTokens - before.rejectedTokens,
  };
}

/** @param judged adds the targets: one exchange, no failure. */
export function tokenRows(
  point: number,
  program: string,
  what: string,
  { exchanges, failures, rejected }: TokenFigures,
  judged: boolean,
): Row[] {
  const row = { point, program, unit: '' };
  const target = (text: string, met: boolean) => (judged ? { target: { text, met } } : {});
  const seen = rejected === 0 ? {} : { note: `${rejected} requests refused for their token` };
  return [
    {
      ...row,
      measure: `${what}: token exchanges`,
      value: exactly(exchanges),
      ...seen,
      ...target('exactly 1', exchanges === 1),
    },
    {
      ...row,
      measure: `${what}: failures`,
      value: exactly(failures),
      ...seen,
      ...target('0', failures === 0),
    },
  ];
}

/** Point 12: 25,000 prices changed as a feed and undone, by code; the service answers at once, so that what is measured is ours. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { environmentOf } from '../../../sandbox/environment.ts';
import { startSandbox } from '../../../sandbox/start-sandbox.ts';
import type { Context } from '../context.ts';
import { peakMemoryMb } from '../process-facts.ts';
import type { Row } from '../report.ts';
import type { Session } from '../session.ts';
import { exactly } from '../statistics.ts';

const LISTINGS = 25_000;
const FEW_LISTINGS = 500;
const MOST_MB = 400;
/** Of every operation: no call waits for its turn. */
const NO_LIMIT = { requestsPerSecond: 10_000, burst: 10_000 };
/** Feeds are done at once. */
const FEED_SPEED = 50;
/** A call that goes on with what is under way, at most so often. */
const MOST_CALLS = 100;

const answerSchema = z.object({
  structuredContent: z.looseObject({
    outcome: z.string(),
    confirmation_code: z.string().optional(),
    batch_id: z.string().optional(),
  }),
});
type Told = z.infer<typeof answerSchema>['structuredContent'];

export async function measureLongLists(context: Context): Promise<Row[]> {
  const listings = context.quick ? FEW_LISTINGS : LISTINGS;
  const folder = await mkdtemp(join(tmpdir(), 'seller-bench-'));
  const sandbox = await startSandbox({
    moreListings: listings,
    feedSpeed: FEED_SPEED,
    rateLimits: { '*': NO_LIMIT },
  });
  const session = context.start(context.programs.ours, {
    env: { ...environmentOf(sandbox), HOME: folder, XDG_RUNTIME_DIR: folder },
    args: ['--state-dir', folder, '--data-dir', folder, '--writes=code'],
  });
  try {
    await session.initialize();
    const query = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${listings})
      SELECT printf('MORE-%05d', i) AS sku, 9 + i % 50 + 0.49 AS price FROM n`;
    const changed = await agree(session, 'change_listings', { query });
    const changedMb = peakMemoryMb(session.pid);
    const undone = await agree(session, 'undo_change', { id: changed.id });
    return [
      ...rowsOf(context, `${listings} prices changed`, changed.seconds, changedMb),
      ...rowsOf(context, `${listings} prices undone`, undone.seconds, peakMemoryMb(session.pid)),
    ];
  } finally {
    await session.close();
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function rowsOf(
  { programs }: Context,
  measure: string,
  seconds: number,
  megabytes: number | undefined,
): Row[] {
  const row = { point: 12, program: programs.ours.name };
  if (megabytes === undefined) return [];
  const target = { text: `at most ${MOST_MB} MB`, met: megabytes <= MOST_MB };
  return [
    { ...row, measure: `${measure}: from the call to its answer`, unit: 's', value: exactly(seconds) },
    { ...row, measure: `${measure}: peak memory`, unit: 'MB', value: exactly(megabytes), target },
  ];
}

/** Asked, agreed to by its code, and followed to its end. @throws Error when it ends in another way */
async function agree(session: Session, tool: string, args: object): Promise<{ id: string; seconds: number }> {
  const started = performance.now();
  const asked = await follow(session, tool, args, ['still_reading', 'under_way']);
  const confirmationCode = asked.confirmation_code;
  let told = await call(session, tool, { ...args, confirmationCode });
  if (told.outcome === 'under_way') told = await follow(session, tool, args, ['under_way']);
  if (told.outcome !== 'done') throw new Error(`${tool} ended with ${JSON.stringify(told).slice(0, 500)}`);
  return { id: told.batch_id ?? '', seconds: (performance.now() - started) / 1000 };
}

async function follow(
  session: Session,
  tool: string,
  args: object,
  goesOn: readonly string[],
): Promise<Told> {
  for (let calls = 0; calls < MOST_CALLS; calls += 1) {
    const told = await call(session, tool, args);
    if (!goesOn.includes(told.outcome)) return told;
  }
  throw new Error(`${tool} was still under way after ${MOST_CALLS} calls`);
}

async function call(session: Session, name: string, args: object): Promise<Told> {
  const { result, error } = await session.request('tools/call', { name, arguments: args });
  const answer = answerSchema.safeParse(result);
  if (!answer.success) throw new Error(`${name}: ${JSON.stringify(error ?? result).slice(0, 500)}`);
  return answer.data.structuredContent;
}

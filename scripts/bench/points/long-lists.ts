/** Point 12: 25,000 prices changed as a feed and undone, by code; the service answers at once, so that what is measured is ours. */

import * as z from 'zod';
import { environmentOf } from '../../../sandbox/environment.ts';
import { startSandbox } from '../../../sandbox/start-sandbox.ts';
import { closing, tempFolder } from '../../process/closing.ts';
import type { Context } from '../context.ts';
import { peakMemoryMb } from '../process-facts.ts';
import { atMost, type Row } from '../report.ts';
import type { Session } from '../session.ts';
import { exactly } from '../statistics.ts';

const LISTINGS = 25_000;
const FEW_LISTINGS = 500;
const MAX_MB = 400;
/** The limit of every operation, so high that no call waits. */
const NO_LIMIT = { requestsPerSecond: 10_000, burst: 10_000 };
/** Feeds are done at once. */
const FEED_SPEED = 50;

const answerSchema = z.looseObject({
  outcome: z.string(),
  confirmation_code: z.string().optional(),
  batch_id: z.string().optional(),
});

export async function measureLongLists(context: Context): Promise<Row[]> {
  const listings = context.quick ? FEW_LISTINGS : LISTINGS;
  await using folder = await tempFolder('seller-bench-');
  await using sandbox = closing(
    await startSandbox({
      moreListings: listings,
      feedSpeed: FEED_SPEED,
      rateLimits: { '*': NO_LIMIT },
    }),
  );
  await using session = await context.open(context.programs.ours, {
    env: { ...environmentOf(sandbox), HOME: folder.path, XDG_RUNTIME_DIR: folder.path },
    args: ['--state-dir', folder.path, '--data-dir', folder.path, '--writes=code'],
  });
  const query = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${listings})
    SELECT printf('MORE-%05d', i) AS sku, 9 + i % 50 + 0.49 AS price FROM n`;
  const changed = await agree(session, 'change_listings', { query });
  const changedMb = peakMemoryMb(session.pid);
  const undone = await agree(session, 'undo_change', { id: changed.id });
  return [
    ...rowsOf(context, `${listings} prices changed`, changed.seconds, changedMb),
    ...rowsOf(context, `${listings} prices undone`, undone.seconds, peakMemoryMb(session.pid)),
  ];
}

function rowsOf(
  { programs }: Context,
  measure: string,
  seconds: number,
  megabytes: number | undefined,
): Row[] {
  const row = { point: 12, program: programs.ours.name };
  if (megabytes === undefined) return [];
  const value = exactly(megabytes);
  return [
    { ...row, measure: `${measure}: from the call to its answer`, unit: 's', value: exactly(seconds) },
    { ...row, measure: `${measure}: peak memory`, unit: 'MB', value, target: atMost(value, MAX_MB, 'MB') },
  ];
}

/** Asked, agreed to by its code, and followed to its end. @throws Error when it ends in another way */
async function agree(session: Session, tool: string, args: object): Promise<{ id: string; seconds: number }> {
  const started = performance.now();
  const isUnderWay = ({ outcome }: { outcome: string }) => outcome === 'under_way';
  const asked = await session.ask(
    tool,
    args,
    answerSchema,
    (one) => isUnderWay(one) || one.outcome === 'still_reading',
  );
  let answer = await session.ask(tool, { ...args, confirmationCode: asked.confirmation_code }, answerSchema);
  if (isUnderWay(answer)) answer = await session.ask(tool, args, answerSchema, isUnderWay);
  if (answer.outcome !== 'done')
    throw new Error(`${tool} ended with ${JSON.stringify(answer).slice(0, 500)}`);
  return { id: answer.batch_id ?? '', seconds: (performance.now() - started) / 1000 };
}

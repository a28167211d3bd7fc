/** Point 11: one list of 100 prices through change_listings, next to the least time in which the limit lets the patches through. */

import * as z from 'zod';
import { environmentOf } from '../../../sandbox/environment.ts';
import { startSandbox } from '../../../sandbox/start-sandbox.ts';
import { closing, tempFolder } from '../../process/closing.ts';
import type { Context } from '../context.ts';
import { type Row, timesOf } from '../report.ts';
import type { Session } from '../session.ts';
import { exactly, spreadOf } from '../statistics.ts';

const LISTINGS = 100;
const FEW_LISTINGS = 20;
const RUNS = 3;
/** Of the public service, for patchListingsItem; the sandbox enforces it and answers 429 beyond. */
const LIMIT = { requestsPerSecond: 5, burst: 5 };
/** 95 % of what the limit allows. */
const MOST_RATIO = 1 / 0.95;

const toldSchema = z.looseObject({ outcome: z.enum(['done', 'under_way']) });

interface Patched {
  /** From the first patch that was answered to the last. */
  patches: number;
  /** From the call to its answer: current values read, looked at once more, patched, read back. */
  call: number;
  refused: number;
}

export async function measurePatches(context: Context): Promise<Row[]> {
  const listings = context.quick ? FEW_LISTINGS : LISTINGS;
  const runs: Patched[] = [];
  for (let run = 0; run < (context.quick ? 1 : RUNS); run += 1) runs.push(await patch(context, listings));
  const least = (listings - LIMIT.burst) / LIMIT.requestsPerSecond;
  const [limit, to] = [`${LIMIT.requestsPerSecond}/s burst ${LIMIT.burst}`, 'the limit'];
  const of = { point: 11, program: context.programs.ours.name };
  const row = { ...of, measure: `${listings} prices patched, ${limit}`, unit: 's' };
  const seconds = spreadOf(runs.map(({ patches }) => patches));
  const ratio = spreadOf(runs.map(({ patches }) => patches / least));
  const whole = spreadOf(runs.map(({ call }) => call));
  const refused = Math.max(...runs.map((run) => run.refused));
  return [
    { ...row, program: to, value: exactly(least) },
    { ...row, value: seconds, ...timesOf(to, ratio, MOST_RATIO) },
    {
      ...row,
      measure: `${row.measure}: 429s`,
      unit: '',
      value: exactly(refused),
      target: { text: 'none', met: refused === 0 },
    },
    {
      ...row,
      measure: `${row.measure}: the whole call`,
      value: whole,
      ...timesOf(to, spreadOf(runs.map(({ call }) => call / least))),
    },
  ];
}

async function patch(context: Context, listings: number): Promise<Patched> {
  await using folder = await tempFolder('seller-bench-');
  const patched: number[] = [];
  let refused = 0;
  await using sandbox = closing(
    await startSandbox({
      moreListings: listings,
      rateLimits: { patchListingsItem: LIMIT },
      onAnswer: ({ operation, status }) => {
        if (operation !== 'patchListingsItem') return;
        if (status === 429) refused += 1;
        else patched.push(performance.now());
      },
    }),
  );
  const env = { ...environmentOf(sandbox), HOME: folder.path, XDG_RUNTIME_DIR: folder.path };
  const args = ['--state-dir', folder.path, '--data-dir', folder.path, '--writes=allow'];
  await using session = await context.open(context.programs.ours, { env, args });
  await session.call('read_operation', { operation: 'supply-sources/getSupplySources' });
  const started = performance.now();
  await changePrices(session, listings);
  const call = (performance.now() - started) / 1000;
  if (patched.length !== listings) throw new Error(`${patched.length} of ${listings} listings were patched`);
  const between = (patched.at(-1) ?? 0) - (patched[0] ?? 0);
  return { patches: between / 1000, call, refused };
}

/** The same call again tells how far it is. @throws Error where not all was accepted */
async function changePrices(session: Session, listings: number): Promise<void> {
  const items = Array.from({ length: listings }, (_, i) => ({
    sku: `MORE-${String(i + 1).padStart(5, '0')}`,
    set: { price: 15 + i / 100 },
  }));
  await session.ask('change_listings', { items }, toldSchema, ({ outcome }) => outcome === 'under_way');
}

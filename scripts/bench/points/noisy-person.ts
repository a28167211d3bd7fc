/** Point 14: what another person's reads are held up by somebody's large report, hostile query and 25,000 prices, in turn with quiet. */

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import * as z from 'zod';
import { closing, tempFolder } from '../../process/closing.ts';
import { askHttp, callHttp, NOISY, SHOP, startHttp, startIssuer, writeAgency } from '../agency.ts';
import type { Context } from '../context.ts';
import { writeLargeReport } from '../large-report.ts';
import { atMost, type Row } from '../report.ts';
import { startService } from '../service.ts';
import { percentile, spreadOf } from '../statistics.ts';

const SIZES = { rows: 2_000_000, prices: 25_000, quietMs: 5_000, rounds: 2 };
const QUICK_SIZES = { rows: 20_000, prices: 500, quietMs: 1_000, rounds: 1 };
const READ_EVERY_MS = 40;
const MOST_ABOVE_MS = 100;
const MOST_CALLS = 200;
const LONGEST_NOISE_MS = 60_000;

const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n';
const REPORT = { document: { id: 'document-of-the-bench', of: 'report' }, account: 'seller-1' };

const toldSchema = z.looseObject({
  state: z.string().optional(),
  outcome: z.string().optional(),
  confirmation_code: z.string().optional(),
});
const eventSchema = z.object({ result: z.looseObject({ structuredContent: toldSchema.optional() }) });

export async function measureNoisyPerson(context: Context): Promise<Row[]> {
  const { rows, prices, quietMs, rounds } = context.quick ? QUICK_SIZES : SIZES;
  await using folder = await tempFolder('bench-noisy-');
  const report = join(folder.path, 'report.gz');
  await writeLargeReport(report, rows);
  await using service = closing(
    await startService(context, { REPORT: report, MORE_LISTINGS: String(prices) }),
  );
  await using issuer = closing(await startIssuer());
  const flags = await writeAgency(folder.path, service, issuer.issuer);
  await using ours = closing(await startHttp(context.programs.ours, ['serve-http', ...flags]));
  const [noisyAgent, agent] = [new Agent({ bodyTimeout: 0 }), new Agent()];
  const tokenOf = (person: string) => issuer.token(person, ours.endpoint.href);
  const [noisy, anna] = [await tokenOf(NOISY), await tokenOf('anna')];
  const ask = async (name: string, args: object) => {
    const { text } = await askHttp(ours.endpoint, noisyAgent, name, args, noisy);
    const data = /^(?:data: )?(\{.*\})$/m.exec(text)?.[1] ?? text;
    return eventSchema.parse(JSON.parse(data)).result;
  };
  /** Again for as long as it goes on. */
  const askOn = async (name: string, args: object) => {
    for (let calls = 0; calls < MOST_CALLS; calls += 1) {
      const { structuredContent: told, ...rest } = await ask(name, args);
      if (told === undefined) throw new Error(`${name}: ${JSON.stringify(rest).slice(0, 500)}`);
      const goesOn = ['still_reading', 'under_way'].includes(told.outcome ?? '');
      if (!goesOn && (told.state ?? 'done') === 'done') return told;
    }
    throw new Error(`${name} was still under way after ${MOST_CALLS} calls`);
  };
  const change = async (round: number) => {
    const query = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${prices})
      SELECT printf('MORE-%05d', i) AS sku, ${9 + round} + i % 50 + 0.49 AS price FROM n`;
    const args = { query, account: SHOP };
    const { confirmation_code: confirmationCode } = await askOn('change_listings', args);
    await ask('change_listings', { ...args, confirmationCode });
    await askOn('change_listings', args);
  };
  const endless = () => ask('query_data', { sql: ENDLESS, account: 'seller-1' });
  const noises: readonly (readonly [string, (round: number) => Promise<unknown>])[] = [
    [`a report of ${rows} rows`, () => askOn('collect_data', { ...REPORT, fresh: true })],
    ['two endless queries at once', () => Promise.all([endless(), endless()])],
    [`${prices} prices`, change],
  ];
  const args = { operation: 'getListingsItem', parameters: { sku: 'LAMP-OAK-E27' }, account: 'seller-0' };
  const readMeanwhile = async (isOver: () => boolean): Promise<number[]> => {
    const [times, reads]: [number[], Promise<void>[]] = [[], []];
    while (!isOver() || times.length === 0) {
      const started = performance.now();
      const read = callHttp(ours.endpoint, agent, 'read_operation', args, anna);
      reads.push(read.then((isGood) => void times.push(isGood ? performance.now() - started : Infinity)));
      await sleep(READ_EVERY_MS);
      if (reads.length === 1) await read;
    }
    await Promise.all(reads);
    return times;
  };
  const found: Row[] = [];
  try {
    await readMeanwhile(() => true);
    for (const [what, make] of noises) {
      const above: number[] = [];
      for (let round = 0; round < rounds; round++) {
        const until = performance.now() + quietMs;
        const quiet = await readMeanwhile(() => performance.now() >= until);
        let isOver = false;
        const noise = make(round).finally(() => {
          isOver = true;
        });
        // A list that is still under way when it has been looked at for long enough ends with the server.
        noise.catch(() => undefined);
        const enough = performance.now() + LONGEST_NOISE_MS;
        const loud = await readMeanwhile(() => isOver || performance.now() >= enough);
        if (isOver) await noise;
        above.push(percentile(loud, 0.95) - percentile(quiet, 0.95));
        context.say(
          `${what}: ${loud.length} reads meanwhile, p95 ${percentile(loud, 0.95).toFixed(0)} ms; quiet ${percentile(quiet, 0.95).toFixed(0)} ms`,
        );
        // Another of its kind would wait for this one.
        if (!isOver) break;
      }
      found.push({
        point: 14,
        measure: `a read of one person while another has ${what}: p95, above quiet`,
        program: context.programs.ours.name,
        value: spreadOf(above),
        unit: 'ms',
        target: atMost(spreadOf(above), MOST_ABOVE_MS, 'ms'),
      });
    }
  } finally {
    await Promise.all([noisyAgent.close(), agent.close()]);
  }
  return found;
}

/** `watch --once`, also in the built program, over a service whose listings change between two runs. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import * as z from 'zod';
import { execute, type StoreStatement, select, sql } from '../../src/store/statement.ts';
import { openStateStore } from '../../src/write/state-store.ts';
import { type HttpService, startHttpService } from '../helpers/http-service.ts';
import { runInside } from '../helpers/inside.ts';
import { type Outside, startOutside } from '../helpers/outside-service.ts';
import { runProgram } from '../helpers/run-program.ts';
import { type SellerListing, sellerService } from '../helpers/seller-service.ts';

const DE = 'A1PA6795UKMFR9';
const HIDDEN = {
  code: '99300',
  severity: 'WARNING',
  message: 'About 99300',
  enforcements: { actions: [{ action: 'SEARCH_SUPPRESSED' }] },
};

let outside: Outside;
let service: HttpService;
let listings: SellerListing[];
let isCutOff: boolean;

beforeEach(async () => {
  listings = Array.from({ length: 60 }, (_, i) => ({
    sku: `V-${i}`,
    title: `Vase ${i}`,
    prices: { [DE]: 1_999 + i },
    own: 5,
    issues: [],
  }));
  isCutOff = false;
  outside = await startOutside();
  const answer = sellerService({
    listings,
    before: ({ searchParams }) =>
      isCutOff && searchParams.has('pageToken')
        ? { status: 400, body: { errors: [{ code: 'InvalidInput' }] } }
        : undefined,
  });
  service = await startHttpService((request, response) =>
    request.path === '/auth/o2/token'
      ? { body: { access_token: 'Atza|1', token_type: 'bearer', expires_in: 3600 } }
      : answer(request, response),
  );
});
afterEach(async () => {
  await service.close();
  await outside.close();
});

const env = () => ({
  ...outside.env,
  SELLER_BASE_URL: service.url,
  SELLER_AUTH_URL: service.url,
  SELLER_MARKETPLACE_ID: DE,
  SELLER_REGION: 'eu',
  SELLER_STATE_DIR: join(outside.folder, 'state'),
});
/** In the test's own process, where processes and exit status do not matter. */
const watchHere = (...more: string[]) => runInside(['watch', '--once', ...more], { env: env() });
const watch = (...more: string[]) => runProgram(['watch', '--once', ...more], { env: env() });

function change(at: number, to: Partial<SellerListing>): void {
  const listing = listings[at];
  if (listing !== undefined) Object.assign(listing, to);
}

it('says by its exit status whether something is new, tells it once, and to each --only what it asked for', async () => {
  expect(await watch()).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('the first review that is kept'),
  });
  expect(await watch()).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing is new') });
  change(3, { issues: [HIDDEN] });
  change(4, { own: 0 });
  const stock = await watch('--only', 'stock');
  expect(stock).toMatchObject({ code: 10, stderr: '', stdout: expect.stringContaining('1 sold out: V-4') });
  expect(stock.stdout).not.toContain('V-3');
  const all = await watch('--save', 'news.txt');
  expect(all.code).toBe(10);
  expect(all.stdout).toContain('1 has new or more suppression');
  expect(all.stdout).toContain('V-3 (hidden from search: 99300)');
  expect(all.stdout).toContain('1 sold out: V-4');
  const path = /^Saved: (.*)$/m.exec(all.stdout)?.[1] ?? '';
  expect(path).toMatch(/news \d{4}-\d\d-\d\d \d{4}\.txt$/);
  expect(all.stdout).toContain(await readFile(path, 'utf8'));
  const again = await watch('--json', '--save', 'news.txt');
  expect(again.code).toBe(0);
  expect(JSON.parse(again.stdout)).toMatchObject({
    is_new: false,
    complete: true,
    since: [{ marketplace: 'Germany' }],
  });
  expect(
    service.requests.every(({ method, path: asked }) => method === 'GET' || asked === '/auth/o2/token'),
  ).toBe(true);
});

it('--only offers reads who has the featured offer, twenty a call, and tells what was lost and won', async () => {
  change(5, { featured: false });
  expect(await watchHere('--only', 'offers')).toMatchObject({ code: 0 });
  expect(service.requests.filter(({ path }) => path.startsWith('/batches/'))).toHaveLength(3);
  // A review between does not ask, and knows of no change.
  expect(await watchHere()).toMatchObject({ code: 0 });
  change(3, { featured: false });
  change(5, { featured: true });
  const result = await watchHere('--only', 'offers');
  expect(result.code).toBe(10);
  expect(result.stdout).toContain('1 is not the featured offer any more');
  expect(result.stdout).toContain(': V-3; 1 is the featured offer now: V-5');
  expect(await watchHere('--only', 'offers')).toMatchObject({ code: 0 });
});

it('two at once are one review, told once', async () => {
  await watchHere();
  change(7, { own: 0 });
  const before = service.requests.length;
  const both = await Promise.all([watch(), watch()]);
  expect(both.map(({ code }) => code).sort()).toEqual([0, 10]);
  expect(both.filter(({ stdout }) => stdout.includes('V-7'))).toHaveLength(1);
  const reads = service.requests.slice(before).filter(({ path }) => path.startsWith('/listings/'));
  expect(reads).toHaveLength(3);
});

it('what it could not tell, the next one tells; what is refused ends with the usual exit status', async () => {
  await watchHere();
  change(9, { own: 0 });
  expect(await watch('--save', '../news.txt')).toMatchObject({ code: 2, stdout: '' });
  expect((await watch()).stdout).toContain('V-9');
  change(10, { own: 0 });
  isCutOff = true;
  const failed = await watch();
  expect(failed.code).toBe(1);
  isCutOff = false;
  expect((await watch()).stdout).toContain('V-10');
  for (const [args, words] of [
    [['watch'], 'Say --once'],
    [['watch', '--once', '--only', 'stocks'], 'There are suppressed, stock, prices, listings, offers'],
    [['watch', '--once', '--marketplaces', 'Narnia'], 'Narnia'],
  ] as const) {
    const refused = await runProgram(args, { env: env() });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
  }
});

// These tests cover what is stored to compare with.

const kept = z.object({
  reviews: z.array(z.looseObject({ id: z.string(), account: z.string(), reviews: z.number() })),
});

const dataHere = (...more: string[]) => runInside(['data', ...more], { env: env() });
const data = (...more: string[]) => runProgram(['data', ...more], { env: env() });
const reviewsKept = async (...more: string[]) => {
  const { stdout } = await dataHere('list', '--json', ...more);
  return kept.parse(JSON.parse(stdout)).reviews;
};

const inStore = async <Result>(work: (store: ReturnType<typeof openStateStore>) => Promise<Result>) => {
  const store = openStateStore(join(outside.folder, 'state'));
  return work(store).finally(() => store.close());
};

/** The reviews, oldest first. */
const momentsOf = () =>
  inStore((store) =>
    store.read(() => select(sql`SELECT at FROM snapshots ORDER BY at`, z.object({ at: z.string() }))),
  );

/** Moves the last review back by so many hours, by the clock of that time. */
async function moveLast(hours: number): Promise<void> {
  const at = (await momentsOf()).at(-1)?.at ?? '';
  const moved = new Date(Date.parse(at) + hours * 3_600_000).toISOString();
  const change = (statement: StoreStatement) => inStore((store) => store.run(() => execute(statement)));
  await change(sql`UPDATE snapshots SET at = ${moved} WHERE at = ${at}`);
  await change(sql`UPDATE told SET at = ${moved} WHERE at = ${at}`);
}

it('what reviews left is kept for the days that were set, listed and removed', async () => {
  expect(await reviewsKept()).toEqual([]);
  await watchHere();
  await moveLast(-5 * 24);
  await watchHere();
  const [{ id = '' } = {}] = await reviewsKept();
  expect(id).toMatch(/^snapshots-default-[0-9a-f]{8}$/);
  expect(await dataHere('list')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(new RegExp(`^${id}: what 2 reviews left to compare with; `, 'm')),
  });
  expect(await reviewsKept('--keep-snapshots-days', '3')).toMatchObject([{ reviews: 1 }]);
  expect(await momentsOf()).toHaveLength(2);
  change(3, { own: 0 });
  expect(await watchHere('--keep-snapshots-days', '3')).toMatchObject({
    code: 10,
    stdout: expect.stringContaining('V-3'),
  });
  expect(await momentsOf()).toHaveLength(2);
  expect((await watch('--keep-snapshots-days', '0')).code).toBe(2);
  expect(await data('remove', `${id}0`)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`Kept: `),
  });
  expect(await dataHere('remove', id)).toMatchObject({ code: 0, stdout: `Removed ${id}.\n` });
  expect(await reviewsKept()).toEqual([]);
  expect((await watchHere()).stdout).toContain('the first review that is kept');
  expect((await dataHere('remove', 'all')).stdout).toContain(id);
  expect(await reviewsKept()).toEqual([]);
});

it('after the clock went back it compares with what was before, and loses nothing', async () => {
  await watchHere();
  change(4, { own: 0 });
  expect((await watchHere()).code).toBe(10);
  await moveLast(5);
  change(5, { own: 0 });
  const result = await watchHere();
  expect(result).toMatchObject({ code: 10, stderr: '' });
  expect(result.stdout).toContain('2 sold out: V-4 (5 -> 0), V-5 (5 -> 0)');
  expect(await watchHere()).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing is new') });
});

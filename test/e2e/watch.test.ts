/** `watch --once` in the built program, over a service whose listings change between two runs. */

import { readdir, readFile, rename, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import * as z from 'zod';
import { type HttpService, startHttpService } from '../helpers/http-service.ts';
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
});
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
  expect(await watch('--only', 'offers')).toMatchObject({ code: 0 });
  expect(service.requests.filter(({ path }) => path.startsWith('/batches/'))).toHaveLength(3);
  // A review between does not ask, and knows of no change.
  expect(await watch()).toMatchObject({ code: 0 });
  change(3, { featured: false });
  change(5, { featured: true });
  const told = await watch('--only', 'offers');
  expect(told.code).toBe(10);
  expect(told.stdout).toContain('1 is not the featured offer any more');
  expect(told.stdout).toContain(': V-3; 1 is the featured offer now: V-5');
  expect(await watch('--only', 'offers')).toMatchObject({ code: 0 });
});

it('two at once are one review, told once', async () => {
  await watch();
  change(7, { own: 0 });
  const before = service.requests.length;
  const both = await Promise.all([watch(), watch()]);
  expect(both.map(({ code }) => code).sort()).toEqual([0, 10]);
  expect(both.filter(({ stdout }) => stdout.includes('V-7'))).toHaveLength(1);
  const reads = service.requests.slice(before).filter(({ path }) => path.startsWith('/listings/'));
  expect(reads).toHaveLength(3);
});

it('what it could not tell, the next one tells; what is refused ends with the usual exit status', async () => {
  await watch();
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

// What is kept to compare with.

const kept = z.object({
  reviews: z.array(z.looseObject({ id: z.string(), folder: z.string(), reviews: z.number() })),
});

const data = (...more: string[]) => runProgram(['data', ...more], { env: env() });
const reviewsKept = async (...more: string[]) => {
  const { stdout } = await data('list', '--json', ...more);
  return kept.parse(JSON.parse(stdout)).reviews;
};

/** Files of reviews, oldest first. */
async function filesOf(): Promise<string[]> {
  const [{ folder = '' } = {}] = await reviewsKept();
  const names = (await readdir(folder)).filter((name) => name.endsWith('.gz')).sort();
  return names.map((name) => join(folder, name));
}

/** As if it had been made then, by the clock of that time. */
async function moveTo(file: string, hours: number): Promise<void> {
  const content = await contentOf(file);
  const at = new Date(Date.parse(content.at) + hours * 3_600_000).toISOString();
  await write(file, { ...content, at });
  const told = join(file, '..', 'told.json');
  const moved = (await readFile(told, 'utf8')).replaceAll(content.at, at);
  await writeFile(told, moved);
  const name = `${DE}.${at.replace(/[-:.]/g, '')}.gz`;
  await rename(file, join(file, '..', name));
}

const contentOf = async (file: string) =>
  z.looseObject({ at: z.string() }).parse(JSON.parse(String(await promisify(gunzip)(await readFile(file)))));

const write = async (file: string, content: object) =>
  writeFile(file, await promisify(gzip)(JSON.stringify(content)));

it('what reviews left is kept for the days that were set, listed and removed', async () => {
  expect(await reviewsKept()).toEqual([]);
  await watch();
  const [first = ''] = await filesOf();
  await moveTo(first, -5 * 24);
  await watch();
  const [{ id = '' } = {}] = await reviewsKept();
  expect(id).toMatch(/^snapshots-default-[0-9a-f]{8}$/);
  expect(await data('list')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(new RegExp(`^${id}: what 2 reviews left to compare with; `, 'm')),
  });
  expect(await reviewsKept('--keep-snapshots-days', '3')).toMatchObject([{ reviews: 1 }]);
  expect(await filesOf()).toHaveLength(2);
  change(3, { own: 0 });
  expect(await watch('--keep-snapshots-days', '3')).toMatchObject({
    code: 10,
    stdout: expect.stringContaining('V-3'),
  });
  expect(await filesOf()).toHaveLength(2);
  expect((await watch('--keep-snapshots-days', '0')).code).toBe(2);
  expect(await data('remove', `${id}0`)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`Kept: `),
  });
  expect(await data('remove', id)).toMatchObject({ code: 0, stdout: `Removed ${id}.\n` });
  expect(await reviewsKept()).toEqual([]);
  expect((await watch()).stdout).toContain('the first review that is kept');
  expect((await data('remove', 'all')).stdout).toContain(id);
  expect(await reviewsKept()).toEqual([]);
});

it.each<[string, (file: string) => Promise<void>]>([
  ['cut in half', async (file) => truncate(file, Math.floor((await readFile(file)).length / 2))],
  ['of a later version', async (file) => write(file, { ...(await contentOf(file)), version: 2 })],
])(
  'a review whose file is %s is passed over: what it told is told again, with what is new',
  async (_what, damage) => {
    await watch();
    change(4, { own: 0 });
    expect((await watch()).code).toBe(10);
    await damage((await filesOf()).at(-1) ?? '');
    change(5, { own: 0 });
    const told = await watch();
    expect(told).toMatchObject({ code: 10, stderr: '' });
    expect(told.stdout).toContain('2 sold out: V-4 (5 -> 0), V-5 (5 -> 0)');
    expect(await watch()).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing is new') });
  },
);

it('where no earlier review can be read it says so, and the next one tells what is new', async () => {
  await watch();
  const [file = ''] = await filesOf();
  await truncate(file, 20);
  change(4, { own: 0 });
  expect(await watch()).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('the earlier reviews that are kept cannot be read'),
  });
  change(5, { own: 0 });
  expect((await watch()).stdout).toContain('1 sold out: V-5');
});

it('after the clock went back it compares with what was before, and loses nothing', async () => {
  await watch();
  change(4, { own: 0 });
  expect((await watch()).code).toBe(10);
  await moveTo((await filesOf()).at(-1) ?? '', 5);
  change(5, { own: 0 });
  const told = await watch();
  expect(told).toMatchObject({ code: 10, stderr: '' });
  expect(told.stdout).toContain('2 sold out: V-4 (5 -> 0), V-5 (5 -> 0)');
  expect(await watch()).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing is new') });
});

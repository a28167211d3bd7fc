/** `watch --once` in the built program, over a service whose listings change between two runs. */

import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
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
  expect(all.stdout).toContain('1 is worse');
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

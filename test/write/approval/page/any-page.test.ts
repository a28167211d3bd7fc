/** Any list, whatever is done at its page and around it: nothing is sent before the page's own yes, then exactly what stood on it and was not taken out, once. */

import * as fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { changeListings } from '../../../../tools/change-listings.ts';
import { all, bits, openApprovalPage } from '../../../helpers/approval-page.ts';
import { type Chat, openShop, type Shop } from '../../../helpers/killable-shop.ts';
import { RUNS_ALL } from '../../../helpers/launch.ts';

/** A guard against hanging alone: other work may take the machine. */
vi.setConfig({ testTimeout: 600_000 });

type Page = ReturnType<typeof openApprovalPage>;

const total = 12;
const positions = fc.uniqueArray(fc.nat(total - 1), { maxLength: total });

/** Each of them is turned away, whatever it asks for. */
const INTRUDERS = {
  'another site': { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' },
  'another port': { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' },
  'a page without a name': { origin: 'null', 'sec-fetch-site': 'cross-site' },
  rebound: { host: 'rebind.example' },
  'no cookie': { cookie: '' },
  "another's cookie": { cookie: `page=${'A'.repeat(43)}` },
  'no JSON': { 'content-type': 'text/plain' },
} as const;

const step = fc.oneof(
  fc.record({ do: fc.constant('take out' as const), out: positions }),
  fc.record({ do: fc.constant('yes to something else' as const), kept: positions }),
  fc.record({ do: fc.constant('yes of nothing that it sends' as const), kept: fc.string({ maxLength: 4 }) }),
  fc.record({ do: fc.constant('intrude' as const), as: fc.constantFrom(...Object.values(INTRUDERS)) }),
  fc.record({ do: fc.constant('call with the handle' as const), isAlone: fc.boolean() }),
  fc.record({ do: fc.constant('open its address once more' as const) }),
);

const story = fc.record({
  prices: fc.array(fc.integer({ min: 10, max: 999 }), { minLength: total, maxLength: total }),
  wanted: fc.array(fc.integer({ min: 10, max: 999 }), { minLength: total, maxLength: total }),
  steps: fc.array(step, { maxLength: 8 }),
  end: fc.constantFrom('yes', 'yes', 'yes twice at once', 'no', 'the host ends', 'killed in its midst'),
  killAfter: fc.nat(20),
});

type Story = typeof story extends fc.Arbitrary<infer T> ? T : never;

const skuAt = (at: number) => `LAMP-${at + 1}`;
const factsOf = (answer: { structured: unknown } | undefined) => Object(answer?.structured);

async function play({ prices, wanted, steps, end, killAfter }: Story): Promise<void> {
  // Each of them is a change.
  const then = wanted.map((price, at) => (price === prices[at] ? price + 1 : price));
  const shop = openShop(Object.fromEntries(prices.map((price, at) => [skuAt(at), price])));
  try {
    const chat = shop.open({ SELLER_WRITES: 'page' });
    const items = then.map((price, at) => ({ sku: skuAt(at), set: { price } }));
    const out = await playSteps(steps, { shop, chat, items });
    const { page, rows, handle } = out;
    // The rows and prices that the page showed.
    const stood = rows.map(({ key, change }) => ({
      key,
      price: Number(/-> ([\d.]+) USD/.exec(change)?.[1]),
    }));
    expect(stood.map(({ key, price }) => [key, price]).sort()).toEqual(
      items.map(({ sku, set }) => [sku, set.price]).sort(),
    );
    const kept = all(total, out.taken);
    const sends = end.startsWith('yes') || end === 'killed in its midst';
    if (end === 'the host ends') {
      await chat.end();
      await expect(page.yes(kept, total)).rejects.toThrow(/ECONNREFUSED|socket hang up|ECONNRESET/);
    } else if (end === 'no') {
      await page.no();
      expect((await chat.call(changeListings, { confirmationCode: handle }))?.error).toContain('said no');
    } else {
      if (end === 'killed in its midst') chat.killAfter(killAfter, true);
      const answers = await Promise.all(
        (end === 'yes twice at once' ? [1, 2] : [1]).map(() => page.yes(kept, total)),
      );
      const isSome = kept.length > 0;
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(isSome ? 1 : 0);
      if (isSome) await checkEnd({ shop, chat, items, handle, isKilled: end === 'killed in its midst' });
    }
    const arrived = shop.arrived.map(({ sku, price }) => [sku, price]).sort();
    const expected = sends ? kept.map((at) => [stood[at]?.key, stood[at]?.price]).sort() : [];
    if (end !== 'killed in its midst') expect(arrived).toEqual(expected);
    // A write that was in flight then is only read, as in any batch.
    else {
      for (const one of arrived) expect(expected).toContainEqual(one);
      expect(new Set(arrived.map(([sku]) => sku)).size).toBe(arrived.length);
    }
  } finally {
    await shop.close();
  }
}

interface Played {
  shop: Shop;
  chat: Chat;
  items: { sku: string; set: { price: number } }[];
}

/** @returns the page, how it stands, and what is taken out of it */
async function playSteps(steps: Story['steps'], { shop, chat, items }: Played) {
  chat.callMs = 3_100;
  const waiting = factsOf(await chat.call(changeListings, { items }));
  expect(waiting.outcome).toBe('waiting');
  const handle = String(waiting.handle);
  const page = openApprovalPage(chat.opened[0] ?? '');
  await page.enter();
  const rows = await page.rows();
  let taken = new Set<number>();
  for (const one of steps) {
    if (one.do === 'take out') {
      expect((await page.takeOut(one.out, total)).status).toBe(200);
      taken = new Set(one.out);
    } else if (one.do === 'yes to something else') {
      const isTheSame = bits(one.kept, total) === bits(all(total, taken), total);
      if (!isTheSame) expect((await page.yes(one.kept, total)).status).toBe(409);
    } else if (one.do === 'yes of nothing that it sends') {
      const bytes = Buffer.from(one.kept, 'base64').length;
      if (bytes !== Math.ceil(total / 8))
        expect((await page.ask('yes', { kept: one.kept })).status).toBe(400);
    } else if (one.do === 'intrude') {
      expect(await intrude(page, one.as, all(total, taken))).toBeGreaterThanOrEqual(400);
    } else if (one.do === 'call with the handle') {
      const args = { confirmationCode: handle, ...(one.isAlone ? {} : { items }) };
      expect(factsOf(await chat.call(changeListings, args))).toMatchObject({ outcome: 'waiting', handle });
    } else {
      const other = openApprovalPage(chat.opened[0] ?? '');
      expect((await other.ask('', undefined, { path: page.page.door })).status).toBe(410);
      expect((await other.enter()).status).not.toBe(200);
    }
    expect(shop.arrived).toEqual([]);
  }
  return { page, rows, handle, taken };
}

async function intrude(page: Page, headers: Readonly<Record<string, string>>, kept: number[]) {
  const { cookie = '' } = page.page.room ?? {};
  const own = { cookie, origin: `http://${page.page.host}`, 'sec-fetch-site': 'same-origin' };
  const reply = await page.ask(
    'yes',
    { kept: bits(kept, total) },
    { headers: { ...own, 'content-type': 'application/json', ...headers } },
  );
  return reply.status;
}

/** The handle tells it, or after a kill the same call in another process, which asks nobody. */
async function checkEnd({
  shop,
  chat,
  items,
  handle,
  isKilled,
}: Played & { handle: string; isKilled: boolean }) {
  chat.callMs = 20_000;
  const result = await chat.call(changeListings, { confirmationCode: handle });
  if (!isKilled || result !== undefined) return;
  const next = shop.open({ SELLER_WRITES: 'page' });
  next.callMs = 20_000;
  const done = factsOf(await next.call(changeListings, { items }));
  // Killed before it was on the disk, it is asked about anew.
  if (next.opened.length > 0) expect(shop.arrived).toEqual([]);
  else expect(done.counts).not.toHaveProperty('pending');
}

it('nothing is sent that did not stand there, nothing that was taken out, nothing without the yes, nothing twice', async () => {
  await fc.assert(
    fc.asyncProperty(story, (one) => play(one)),
    { numRuns: RUNS_ALL ? 100 : 20 },
  );
});

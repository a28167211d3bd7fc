/** A yes at the page: what is sent is what stood on it and was not taken out, once, and nothing else counts as a yes. */

import { afterEach, describe, expect, it, vi } from 'vitest';
import { changeListings } from '../../../../tools/change-listings.ts';
import { updateSupplySource } from '../../../../tools/update-supply-source.ts';
import { all, openApprovalPage } from '../../../helpers/approval-page.ts';
import { openShop, type Shop } from '../../../helpers/killable-shop.ts';
import { noBrowser } from '../../../helpers/outside.ts';
import { failureOf } from '../../../helpers/test-client.ts';
import { startToolRunner } from '../../../helpers/tool-runner.ts';

/** A guard against hanging alone: other work may take the machine. */
vi.setConfig({ testTimeout: 300_000, hookTimeout: 60_000 });

const skus = Array.from({ length: 5 }, (_, at) => `LAMP-${at + 1}`);
const items = skus.map((sku) => ({ sku, set: { price: 90 } }));
const facts = (answer: { structured: unknown } | undefined) => Object(answer?.structured);

describe('the page for a yes', () => {
  let shop: Shop;
  afterEach(() => shop.close());
  const start = () => {
    shop = openShop(Object.fromEntries(skus.map((sku) => [sku, 100])));
    return shop.open({ SELLER_WRITES: 'page' });
  };
  const pageOf = async (chat: ReturnType<typeof start>) => {
    await expect.poll(() => chat.opened.length).toBeGreaterThan(0);
    const page = openApprovalPage(chat.opened.at(-1) ?? '');
    expect((await page.enter()).status).toBe(200);
    return page;
  };

  it('sends what was not taken out, and tells the call what was', async () => {
    const chat = start();
    const called = chat.call(changeListings, { items });
    const page = await pageOf(chat);
    const rows = await page.rows();
    expect(rows.map(({ key }) => key)).toEqual(skus);
    expect(rows[0]).toMatchObject({ change: expect.stringContaining('100.00 USD -> 90.00 USD'), size: -0.1 });
    expect((await page.takeOut([1, 3], 5)).status).toBe(200);
    // A tab that does not know of it.
    expect((await page.yes(all(5), 5)).status).toBe(409);
    expect(shop.arrived).toEqual([]);
    expect((await page.yes([0, 2, 4], 5)).status).toBe(200);
    expect((await page.yes([0, 2, 4], 5)).status).toBe(409);
    expect((await page.takeOut([0], 5)).status).toBe(409);
    expect((await page.state()).standing).toBe('yes');
    const done = await called;
    expect(facts(done)).toMatchObject({
      outcome: 'done',
      items: 3,
      taken_out: { number: 2, keys: ['LAMP-2', 'LAMP-4'] },
    });
    expect(done?.text).toContain('Taken out by the person, and not sent: LAMP-2, LAMP-4.');
    expect(shop.arrived.map(({ sku }) => sku).sort()).toEqual(['LAMP-1', 'LAMP-3', 'LAMP-5']);
    await expect.poll(async () => (await page.state()).isOver).toBe(true);
    const state = await page.state();
    expect(state.ends.map(([at, kind]) => [at, kind])).toEqual([
      [0, 'accepted'],
      [2, 'accepted'],
      [4, 'accepted'],
    ]);
  });

  it('a no is final, and is told to the call', async () => {
    const chat = start();
    const called = chat.call(changeListings, { items });
    const page = await pageOf(chat);
    expect((await page.no()).status).toBe(200);
    expect((await called)?.error).toBe('The person said no at the page; nothing was sent.');
    expect(shop.arrived).toEqual([]);
  });

  it('where no browser can be opened, it is refused, and says so', async () => {
    const state = { body: { supplySourceId: 's-1', alias: 'Old' } };
    const runner = await startToolRunner(
      () => state,
      { SELLER_WRITES: 'page' },
      { openInBrowser: noBrowser },
    );
    try {
      const args = { supplySourceId: 's-1', changes: { alias: 'New' } };
      for (const more of [{}, { confirmationCode: 'aaaa-bbbb-cccc-dddd-eeee-ffff' }]) {
        const error = await failureOf(runner.run(updateSupplySource, { ...args, ...more }));
        expect(String(error)).toContain('no browser can be opened on this computer');
        expect(String(error)).toContain('nothing was sent');
      }
      expect(runner.calls().filter(({ method }) => method !== 'GET')).toEqual([]);
    } finally {
      await runner.close();
    }
  });

  it('a call ends in time with a handle, which confirms nothing, and tells how it stands', async () => {
    const chat = start();
    chat.callMs = 3_200;
    const waiting = await chat.call(changeListings, { items });
    const { handle, ...told } = facts(waiting);
    expect(told).toMatchObject({ outcome: 'waiting', items: 5 });
    expect(told).not.toHaveProperty('confirmation_code');
    for (const args of [{ confirmationCode: handle }, { items, confirmationCode: handle }]) {
      expect(facts(await chat.call(changeListings, args))).toMatchObject({ outcome: 'waiting', handle });
    }
    expect(JSON.stringify(waiting)).not.toContain('127.0.0.1');
    const page = await pageOf(chat);
    await page.rows();
    await page.yes(all(5), 5);
    await expect.poll(() => shop.arrived.length).toBe(5);
    chat.callMs = 60_000;
    const done = facts(await chat.call(changeListings, { confirmationCode: handle }));
    expect(done).toMatchObject({ outcome: 'done', counts: { accepted: 5 } });
    expect(facts(await chat.call(changeListings, { confirmationCode: handle }))).toEqual(done);
  });
});

/**
 * A question about a listing with a pending write shows the value at the service as "now" and the pending
 * write after it, and other writes send the pending value along instead of the old one.
 */

import { describe, expect, it, onTestFinished } from 'vitest';
import { changeListings } from '../../tools/change-listings.ts';
import { undoChange } from '../../tools/undo-change.ts';
import { updateSupplySource } from '../../tools/update-supply-source.ts';
import {
  type OfferedListing,
  offer,
  offeredListings,
  price,
  stock,
  US,
} from '../helpers/offered-listings.ts';
import { startToolRunner } from '../helpers/tool-runner.ts';

const OFFER = 'purchasable_offer';
const STOCK = 'fulfillment_availability';
const SALE = { sale_price: 15, sale_from: '2099-01-01', sale_to: '2099-02-01' };
const bullet = (value: string) => ({ value, language_tag: 'en_US', marketplace_id: US });

/** Opens a shop that stores each write at once, and shows it once it is revealed. */
async function open() {
  const listing = (): OfferedListing => ({
    attributes: {
      [OFFER]: [offer(20)],
      [STOCK]: [stock(5, { lead_time_to_ship_max_days: 2 })],
      bullet_point: [bullet('Oak')],
    },
  });
  const there = { 'LAMP-1': listing() };
  const shown = { 'LAMP-1': listing() };
  const stores = { there: storeOf('Mill shop'), shown: storeOf('Mill shop') };
  const [takes, shows] = [offeredListings(there), offeredListings(shown)];
  const reveal = () => {
    shown['LAMP-1'].attributes = structuredClone(there['LAMP-1'].attributes);
    stores.shown = structuredClone(stores.there);
  };
  const shop = {
    isSlow: true,
    reveal,
    /** Changes an attribute as somebody else or a sale does: it is stored and shown at once. */
    change(name: string, more: object) {
      for (const { attributes } of [there['LAMP-1'], shown['LAMP-1']])
        attributes[name] = (attributes[name] ?? []).map((entry) => ({ ...entry, ...more }));
    },
    now: (name: string) => there['LAMP-1'].attributes[name],
    store: () => stores.there,
    set: (values: object, more: object = {}) =>
      runner.run(changeListings, { items: [{ sku: 'LAMP-1', set: values }], ...more }),
    async ask(values: object) {
      const { text, structured } = await shop.set(values, { dryRun: true });
      return { text, structured: JSON.stringify(structured) };
    },
    undo: (id: unknown) => runner.run(undoChange, { id }),
    update: (changes: object, more: object = {}) =>
      runner.run(updateSupplySource, { supplySourceId: 's-1', changes, ...more }),
  };
  const runner = await startToolRunner(
    (request, response) => {
      const headers = { 'x-amzn-RateLimit-Limit': '1000' };
      const isRead = request.method === 'GET';
      if (request.path.startsWith('/supplySources')) {
        if (isRead) return { headers, body: stores.shown };
        stores.there = { ...stores.there, ...Object(request.json) };
        if (!shop.isSlow) reveal();
        return { headers, status: 204 };
      }
      if (isRead) return shows(request, response);
      const answer = takes(request, response);
      if (!shop.isSlow) reveal();
      return answer;
    },
    { SELLER_WRITES: 'allow' },
  );
  onTestFinished(runner.close);
  return shop;
}

const storeOf = (alias: string) => ({
  supplySourceId: 's-1',
  alias,
  status: 'Active',
  configuration: { timezone: 'UTC' },
});

describe('what set does not name', () => {
  it('of an offer goes out with the pending price, which the question marks behind the one that is shown', async () => {
    const shop = await open();
    await shop.set({ price: 19 });
    const { text, structured } = await shop.ask(SALE);
    for (const form of [text, structured]) expect(form).toMatch(/price: 20\.00 USD -> 19\.00 USD/);
    await shop.set(SALE);
    expect(shop.now(OFFER)).toMatchObject([{ our_price: price(19), discounted_price: expect.anything() }]);
  });

  it('of a stock goes out with the pending quantity', async () => {
    const shop = await open();
    await shop.set({ quantity: 9 });
    await shop.set({ handling_time: 4 });
    expect(shop.now(STOCK)).toMatchObject([{ quantity: 9, lead_time_to_ship_max_days: 4 }]);
  });

  it('of a text is added to what is pending', async () => {
    const shop = await open();
    await shop.set({ add_bullet_points: ['Dimmable'] });
    await shop.set({ add_bullet_points: ['Two meters'] });
    expect(shop.now('bullet_point')).toMatchObject(
      ['Oak', 'Dimmable', 'Two meters'].map((value) => ({ value })),
    );
  });

  it('of a store goes out as it is pending', async () => {
    const shop = await open();
    await shop.update({ alias: 'Dock shop' });
    const { text } = await shop.update({ configuration: { timezone: 'Europe/Berlin' } }, { dryRun: true });
    expect(text).toMatch(/"Mill shop" -> "Dock shop"/);
    await shop.update({ configuration: { timezone: 'Europe/Berlin' } });
    expect(shop.store()).toMatchObject({ alias: 'Dock shop', configuration: { timezone: 'Europe/Berlin' } });
  });
});

it('the price that is shown is sent where it is wanted, since a pending one would overwrite it', async () => {
  const shop = await open();
  await shop.set({ price: 19 });
  const { text } = await shop.ask({ price: 20 });
  expect(text).toMatch(/price: 20\.00 USD -> 20\.00 USD.*19\.00 USD/);
  await shop.set({ price: 20 });
  expect(shop.now(OFFER)).toMatchObject([{ our_price: price(20) }]);
});

it('an undo of the later of two leaves the pending one, also where neither is visible', async () => {
  const shop = await open();
  await shop.set({ price: 19 });
  const { structured } = await shop.set(SALE);
  await shop.undo(structured.batch_id);
  expect(shop.now(OFFER)).toEqual([offer(19)]);
});

describe('once a list was visible', () => {
  it('sales count: neither the question nor the write knows of the quantity that was set', async () => {
    const shop = await open();
    shop.isSlow = false;
    await shop.set({ quantity: 98_765 });
    // A sale brings the quantity down to what it was before the list.
    shop.change(STOCK, { quantity: 5 });
    const { text, structured } = await shop.ask({ handling_time: 3 });
    for (const form of [text, structured]) expect(form).not.toContain('98765');
    await shop.set({ handling_time: 3 });
    expect(shop.now(STOCK)).toMatchObject([{ quantity: 5, lead_time_to_ship_max_days: 3 }]);
  });

  it.each([
    [20, 'the price from before the list'],
    [50, 'another price'],
  ])('a colleague who sets %s, %s, is what the next question goes back from', async (theirs) => {
    const shop = await open();
    shop.isSlow = false;
    await shop.set({ price: 30 });
    shop.change(OFFER, { our_price: price(theirs) });
    const { text, structured } = await shop.ask({ price: 45 });
    for (const form of [text, structured]) {
      expect(form).toContain(`price: ${theirs}.00 USD -> 45.00 USD`);
      expect(form).not.toContain('30.00');
    }
    await shop.set(SALE);
    expect(shop.now(OFFER)).toMatchObject([{ our_price: price(theirs) }]);
  });

  it('which a later question has shown, what a colleague sets after it counts too', async () => {
    const shop = await open();
    await shop.set({ price: 30 });
    shop.reveal();
    await shop.ask({ price: 40 });
    shop.change(OFFER, { our_price: price(20) });
    await shop.set(SALE);
    expect(shop.now(OFFER)).toMatchObject([{ our_price: price(20) }]);
  });
});

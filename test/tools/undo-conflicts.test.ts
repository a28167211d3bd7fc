/**
 * An undo restores each member that still has the value of our write; a member that anybody else changed
 * since is a conflict, which is named and not overwritten unless the undo is forced.
 */

import { describe, expect, it, onTestFinished } from 'vitest';
import { changeListings } from '../../tools/change-listings.ts';
import { undoChange } from '../../tools/undo-change.ts';
import { updateSupplySource } from '../../tools/update-supply-source.ts';
import { writeOperation } from '../../tools/write-operation.ts';
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
type Entry = Readonly<Record<string, unknown>>;

async function open() {
  const listing: OfferedListing = {
    attributes: {
      [OFFER]: [offer(20)],
      [STOCK]: [stock(5, { lead_time_to_ship_max_days: 2 })],
      item_name: [{ value: 'Lamp', language_tag: 'en_US', marketplace_id: US }],
    },
  };
  let store: Entry = {
    supplySourceId: 's-1',
    alias: 'Mill shop',
    status: 'Active',
    configuration: {
      timezone: 'UTC',
      operationalConfiguration: {
        throughputConfig: { throughputUnit: 'Order', throughputCap: { value: 9, timeUnit: 'Hours' } },
      },
    },
  };
  const answer = offeredListings({ 'LAMP-1': listing });
  const runner = await startToolRunner(
    (request, response) => {
      if (!request.path.startsWith('/supplySources')) return answer(request, response);
      if (request.method === 'PUT') store = { ...store, ...Object(request.json) };
      return { headers: { 'x-amzn-RateLimit-Limit': '1000' }, body: store };
    },
    { SELLER_WRITES: 'allow' },
  );
  onTestFinished(runner.close);
  const run = async (tool: typeof undoChange, args: object) => {
    const { structured } = await runner
      .run(tool, args)
      .catch((error: unknown) => ({ structured: { outcome: 'refused', error: String(error) } }));
    return Object(structured);
  };
  const patch = (name: string, value: readonly Entry[]) => ({
    op: 'replace',
    path: `/attributes/${name}`,
    value,
  });
  return {
    listing,
    /** Writes one listing in either way: as a list or as a single write. */
    async write(how: 'list' | 'single', attributes: Record<string, readonly Entry[]>): Promise<string> {
      const patches = Object.entries(attributes).map(([name, value]) => patch(name, value));
      const done =
        how === 'list'
          ? await run(changeListings, { items: [{ sku: 'LAMP-1', patches }] })
          : await run(writeOperation, {
              operation: 'patchListingsItem',
              parameters: { sku: 'LAMP-1', marketplaceIds: [US] },
              body: { productType: 'LAMP', patches },
            });
      expect(done.outcome).toBe('done');
      return done.batch_id ?? done.journal_id;
    },
    set: async (values: object) =>
      (await run(changeListings, { items: [{ sku: 'LAMP-1', set: values }] })).batch_id,
    undo: (id: string, more: object = {}) => run(undoChange, { id, ...more }),
    /** Undoes by force, with the confirmation code that this needs. */
    async force(id: string) {
      const asked = await run(undoChange, { id, force: true });
      expect(asked.outcome).toBe('needs_confirmation');
      return run(undoChange, { id, force: true, confirmationCode: asked.confirmation_code });
    },
    /** Changes an attribute as a colleague, the service or a sale does. */
    change(name: string, change: (entry: Entry) => Entry) {
      listing.attributes[name] = (listing.attributes[name] ?? []).map(change);
    },
    priceNow: () => listing.attributes[OFFER]?.[0]?.our_price,
    saleNow: () => listing.attributes[OFFER]?.[0]?.discounted_price,
    stockNow: () => listing.attributes[STOCK]?.[0],
    update: async (changes: object) =>
      (await run(updateSupplySource, { supplySourceId: 's-1', changes })).journal_id,
    storeNow: () => store,
    changeStore(more: object) {
      store = { ...store, ...more };
    },
  };
}

const SALE = { sale_price: 15, sale_from: '2099-01-01', sale_to: '2099-02-01' };
const repriced = (value: number) => (entry: Entry) => ({ ...entry, our_price: price(value) });

describe.each(['list', 'single'] as const)('a price of a %s', (how) => {
  it('that a colleague changed is left, although a later write of ours carried it along', async () => {
    const shop = await open();
    const id = await shop.write(how, { [OFFER]: [offer(19)] });
    shop.change(OFFER, repriced(86));
    await shop.set(SALE);
    const undone = await shop.undo(id);
    expect(shop.priceNow()).toEqual(price(86));
    expect(shop.saleNow()).toBeDefined();
    expect(JSON.stringify(undone)).toMatch(/86/);
    const forced = await shop.force(id);
    expect(forced.outcome).toBe('done');
    // The sale is ours, and was not asked about.
    expect(shop.priceNow()).toEqual(price(20));
    expect(shop.saleNow()).toBeDefined();
  });

  it('that a colleague changed between two of ours is a conflict of the first, and what the second went back from', async () => {
    const shop = await open();
    const first = await shop.write(how, { [OFFER]: [offer(19)] });
    shop.change(OFFER, repriced(86));
    const second = await shop.write(how, { [OFFER]: [offer(90)] });
    await shop.undo(first);
    expect(shop.priceNow()).toEqual(price(90));
    expect((await shop.undo(second)).outcome).toBe('done');
    expect(shop.priceNow()).toEqual(price(86));
  });

  it('that a colleague set back to the one before is theirs', async () => {
    const shop = await open();
    const first = await shop.write(how, { [OFFER]: [offer(19)] });
    await shop.write(how, { [OFFER]: [offer(18)] });
    shop.change(OFFER, repriced(19));
    await shop.undo(first);
    expect(shop.priceNow()).toEqual(price(19));
  });

  it('goes back, and a price for others that a colleague added meanwhile stays', async () => {
    const shop = await open();
    const id = await shop.write(how, { [OFFER]: [offer(19)] });
    const theirs = offer(17, { audience: 'B2B' });
    shop.listing.attributes[OFFER] = [offer(19), theirs];
    expect((await shop.undo(id)).outcome).toBe('done');
    expect(shop.listing.attributes[OFFER]).toEqual(expect.arrayContaining([offer(20), theirs]));
  });

  it('of an undo that is undone is made again, over nothing of anybody else', async () => {
    const shop = await open();
    const id = await shop.write('single', { [OFFER]: [offer(19)] });
    const { journal_id: undone } = await shop.undo(id);
    shop.change(OFFER, (entry) => ({ ...entry, minimum_seller_allowed_price: price(7) }));
    expect((await shop.undo(undone)).outcome).toBe('done');
    expect(shop.listing.attributes[OFFER]).toEqual([offer(19, { minimum_seller_allowed_price: price(7) })]);
    shop.change(OFFER, repriced(86));
    await shop.undo(id);
    expect(shop.priceNow()).toEqual(price(86));
  });
});

describe('stock', () => {
  it('that was sold meanwhile is left, although a later write of ours carried it along', async () => {
    const shop = await open();
    const id = await shop.set({ quantity: 3 });
    shop.change(STOCK, (entry) => ({ ...entry, quantity: 2 }));
    await shop.set({ handling_time: 4 });
    const undone = await shop.undo(id);
    expect(shop.stockNow()).toMatchObject({ quantity: 2, lead_time_to_ship_max_days: 4 });
    expect(JSON.stringify(undone)).toMatch(/\b2\b/);
  });

  it('is no part of the undo of a handling time', async () => {
    const shop = await open();
    const id = await shop.set({ handling_time: 4 });
    shop.change(STOCK, (entry) => ({ ...entry, quantity: 1 }));
    expect((await shop.undo(id)).outcome).toBe('done');
    expect(shop.stockNow()).toMatchObject({ quantity: 1, lead_time_to_ship_max_days: 2 });
  });
});

describe('of one write', () => {
  it('what nobody changed goes back, the conflict is named, and is restored by force', async () => {
    const shop = await open();
    const id = await shop.write('single', {
      [OFFER]: [offer(19)],
      [STOCK]: [stock(9, { lead_time_to_ship_max_days: 2 })],
    });
    shop.change(STOCK, (entry) => ({ ...entry, quantity: 6 }));
    const undone = await shop.undo(id);
    expect(undone).toMatchObject({
      outcome: 'done',
      undoes: { id, changed_since: true, conflicts: [{ member: 'quantity', set_from_here: 9, now: 6 }] },
    });
    expect([shop.priceNow(), shop.stockNow()]).toMatchObject([price(20), { quantity: 6 }]);
    expect((await shop.undo(id)).outcome).toBe('changed_since');
    expect((await shop.force(id)).outcome).toBe('done');
    expect([shop.priceNow(), shop.stockNow()]).toMatchObject([price(20), { quantity: 5 }]);
  });

  it('the same of a list, which names it among what is left', async () => {
    const shop = await open();
    const id = await shop.set({ price: 19, quantity: 9 });
    shop.change(STOCK, (entry) => ({ ...entry, quantity: 6 }));
    const undone = await shop.undo(id);
    expect(undone).toMatchObject({ outcome: 'done', items: 1 });
    expect([shop.priceNow(), shop.stockNow()]).toMatchObject([price(20), { quantity: 6 }]);
    expect(JSON.stringify(undone)).toMatch(/LAMP-1.*quantity.*9.*6/);
    expect((await shop.force(id)).outcome).toBe('done');
    expect(shop.stockNow()).toMatchObject({ quantity: 5 });
  });

  it('the same of a store', async () => {
    const shop = await open();
    const configuration = { timezone: 'Europe/Berlin' };
    const id = await shop.update({ alias: 'Dock shop', configuration });
    shop.changeStore({ alias: 'Their shop' });
    await shop.update({
      configuration: {
        operationalConfiguration: { throughputConfig: { throughputCap: { value: 4, timeUnit: 'Hours' } } },
      },
    });
    const undone = await shop.undo(id);
    expect(undone).toMatchObject({ outcome: 'done', undoes: { conflicts: [{ now: 'Their shop' }] } });
    expect(shop.storeNow()).toMatchObject({
      alias: 'Their shop',
      configuration: {
        timezone: 'UTC',
        operationalConfiguration: { throughputConfig: { throughputCap: { value: 4 } } },
      },
    });
  });
});

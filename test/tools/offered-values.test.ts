/** Every comparison of a listing is made with what is on offer now, never with what was submitted for it last. */

import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { changeListings } from '../../tools/change-listings.ts';
import { undoChange } from '../../tools/undo-change.ts';
import { writeOperation } from '../../tools/write-operation.ts';
import {
  held,
  type OfferedListing,
  offer,
  offered,
  offeredListings,
  stock,
  US,
} from '../helpers/offered-listings.ts';
import { startToolRunner } from '../helpers/tool-runner.ts';

async function open(listing: OfferedListing, writes = 'allow') {
  const runner = await startToolRunner(offeredListings({ 'LAMP-1': listing }), { SELLER_WRITES: writes });
  onTestFinished(runner.close);
  const sent = () =>
    runner
      .calls()
      .filter(({ method, path }) => method === 'PATCH' && !path.includes('VALIDATION_PREVIEW'))
      .map(({ json }) => json);
  const set = (values: object, more: object = {}) =>
    runner.run(changeListings, { items: [{ sku: 'LAMP-1', set: values }], ...more });
  return { runner, sent, set };
}

const codeSchema = z.object({ confirmation_code: z.string() });
const batchSchema = z.object({ batch_id: z.string() });

const DAY_MS = 86_400_000;
const daysFromNow = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
const sale = (from: number, to: number) => [
  { schedule: [{ value_with_tax: 15, start_at: daysFromNow(from), end_at: daysFromNow(to) }] },
];

/** Submitted and offered, of each pair that the service answers. */
const PAIRS = {
  quantity: {
    word: 'quantity',
    submitted: 21,
    there: 3,
    shown: '3 -> 21',
    listing: (): OfferedListing => ({
      attributes: { fulfillment_availability: [stock(21)] },
      fulfillmentAvailability: [held(3)],
    }),
  },
  price: {
    word: 'price',
    submitted: 20,
    there: 25,
    shown: '25.00 USD -> 20.00 USD',
    listing: (): OfferedListing => ({
      attributes: { purchasable_offer: [offer(20)] },
      offers: [offered(25)],
    }),
  },
  title: {
    word: 'title',
    submitted: 'Lamp, oak',
    there: 'Lamp',
    shown: '"Lamp" -> "Lamp, oak"',
    listing: (): OfferedListing => ({
      attributes: { item_name: [{ value: 'Lamp, oak', language_tag: 'en_US', marketplace_id: US }] },
      summaries: [{ marketplaceId: US, productType: 'LAMP', itemName: 'Lamp' }],
    }),
  },
};

describe.each(Object.entries(PAIRS))('%s', (_name, { word, submitted, there, shown, listing }) => {
  it('that is not what was submitted is shown as it is offered, and sent', async () => {
    const { sent, set } = await open(listing(), 'code');
    const preview = await set({ [word]: submitted });
    expect(preview.structured).toMatchObject({ outcome: 'needs_confirmation' });
    expect(preview.text).toContain(shown);
    expect(JSON.stringify(preview.structured)).toContain(JSON.stringify(shown).slice(1, -1));
    const { confirmation_code: confirmationCode } = codeSchema.parse(preview.structured);
    const done = await set({ [word]: submitted }, { confirmationCode });
    expect(done.structured).toMatchObject({ outcome: 'accepted_not_visible' });
    expect(sent()).toHaveLength(1);
  });

  it('that is offered already is not sent again', async () => {
    const { sent, set } = await open(listing());
    expect((await set({ [word]: there })).structured).toMatchObject({ outcome: 'no_change' });
    expect(sent()).toEqual([]);
  });

  it('that was accepted and is not offered yet is not read back as done', async () => {
    const { set } = await open(listing());
    const { structured } = await set({ [word]: submitted });
    expect(structured).toMatchObject({ counts: { accepted_not_visible: 1 } });
  });

  it('is the same through write_operation', async () => {
    const { runner } = await open(listing(), 'code');
    const [name = '', value] = Object.entries(listing().attributes)[0] ?? [];
    const body = { productType: 'LAMP', patches: [{ op: 'replace', path: `/attributes/${name}`, value }] };
    const { text } = await runner.run(writeOperation, {
      operation: 'patchListingsItem',
      parameters: { sku: 'LAMP-1' },
      body,
    });
    expect(text).toContain(shown);
  });
});

it('a member that set does not name goes out as it is offered, not as it was submitted last', async () => {
  const { sent, set } = await open({
    attributes: { fulfillment_availability: [stock(21)], purchasable_offer: [offer(20)] },
    fulfillmentAvailability: [held(3)],
    offers: [offered(25)],
  });
  await set({ handling_time: 2, minimum_price: 10 });
  expect(JSON.stringify(sent())).toContain('"quantity":3');
  expect(JSON.stringify(sent())).toContain('"value_with_tax":25');
  expect(JSON.stringify(sent())).not.toContain('"quantity":21');
});

describe('undo', () => {
  it('puts back the quantity that was offered, not the one that was submitted before', async () => {
    const listing = PAIRS.quantity.listing();
    const { runner, sent, set } = await open(listing);
    const { batch_id: id } = batchSchema.parse((await set({ quantity: 50 })).structured);
    listing.fulfillmentAvailability = [held(50)];
    await runner.run(undoChange, { id });
    expect(sent().map((body) => JSON.stringify(body))).toEqual([
      expect.stringContaining('"quantity":50'),
      expect.stringContaining('"quantity":3'),
    ]);
  });

  it('is refused over a price that another program has set since, although what was submitted is as it was left', async () => {
    const listing = PAIRS.price.listing();
    const { runner, sent, set } = await open(listing);
    const { batch_id: id } = batchSchema.parse((await set({ price: 20 })).structured);
    listing.offers = [offered(30)];
    await expect(runner.run(undoChange, { id })).rejects.toThrow('30.00 USD');
    expect(sent()).toHaveLength(1);
    const forced = await runner.run(undoChange, { id, force: true, dryRun: true });
    expect(forced.text).toContain('30.00 USD -> 25.00 USD');
  });
});

describe('a price', () => {
  const listing = (there: number, from: number, to: number): OfferedListing => ({
    attributes: { purchasable_offer: [offer(20, { discounted_price: sale(from, to) })] },
    offers: [offered(there)],
  });

  it('of a sale that runs is the sale price, so that the price itself is as it was submitted', async () => {
    const { sent, set } = await open(listing(15, -2, 2));
    expect((await set({ price: 20 })).structured).toMatchObject({ outcome: 'no_change' });
    await set({ price: 22 });
    const [body] = sent();
    expect(JSON.stringify(body)).toContain('"our_price":[{"schedule":[{"value_with_tax":22}]}]');
    expect(JSON.stringify(body)).toContain('"value_with_tax":15');
  });

  it.each([
    [-9, -4],
    [4, 9],
  ])('is not that of a sale from day %i to %i', async (from, to) => {
    const { set } = await open(listing(15, from, to), 'code');
    expect((await set({ price: 20 })).text).toContain('15.00 USD -> 20.00 USD');
  });

  it('that is neither of the two is told, and the price that is wanted is sent whatever was submitted', async () => {
    const { sent, set } = await open(listing(12, -2, 2));
    const preview = await set({ price: 20 }, { dryRun: true });
    expect(preview.text).toContain('12.00 USD');
    expect(JSON.stringify(preview.structured)).toContain('12.00 USD');
    await set({ price: 20 });
    expect(sent()).toHaveLength(1);
  });

  it('that is not offered at all is sent, although it was submitted', async () => {
    const { sent, set } = await open({ attributes: { purchasable_offer: [offer(20)] }, offers: [] });
    const { structured } = await set({ price: 20 });
    expect(sent()).toHaveLength(1);
    expect(structured).toMatchObject({ counts: { accepted_not_visible: 1 } });
  });

  it('for businesses is compared with the offer to businesses', async () => {
    const { runner } = await open(
      {
        attributes: { purchasable_offer: [offer(20), offer(18, { audience: 'B2B' })] },
        offers: [offered(17, { offerType: 'B2B' }), offered(20)],
      },
      'code',
    );
    const value = [offer(20), offer(18, { audience: 'B2B' })];
    const { text } = await runner.run(writeOperation, {
      operation: 'patchListingsItem',
      parameters: { sku: 'LAMP-1' },
      body: {
        productType: 'LAMP',
        patches: [{ op: 'replace', path: '/attributes/purchasable_offer', value }],
      },
    });
    expect(text).toContain('17.00 USD -> 18.00 USD');
    expect(text).not.toContain('20.00 USD ->');
  });
});

it('the condition that is shown counts too', async () => {
  const condition = (value: string) => [{ value, marketplace_id: US }];
  const { runner } = await open(
    {
      attributes: { condition_type: condition('new_new') },
      summaries: [{ marketplaceId: US, productType: 'LAMP', conditionType: 'used_good' }],
    },
    'code',
  );
  const value = condition('new_new');
  const { text } = await runner.run(changeListings, {
    items: [{ sku: 'LAMP-1', patches: [{ op: 'replace', path: '/attributes/condition_type', value }] }],
  });
  expect(text).toContain('"used_good" -> "new_new"');
});

it('whatever was submitted: what is offered is left alone, and anything else is sent and shown from there', async () => {
  const listing: OfferedListing = { attributes: {} };
  const { set } = await open(listing, 'code');
  const quantity = fc.integer({ min: 0, max: 4 });
  const amount = fc.integer({ min: 1, max: 4 });
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(quantity, quantity, quantity),
      fc.tuple(amount, amount, amount),
      async (some, prices) => {
        listing.attributes = {
          fulfillment_availability: [stock(some[0])],
          purchasable_offer: [offer(prices[0])],
        };
        listing.fulfillmentAvailability = [held(some[1])];
        listing.offers = [offered(prices[1])];
        const { structured, text } = await set({ quantity: some[2], price: prices[2] }, { dryRun: true });
        const isSame = some[1] === some[2] && prices[1] === prices[2];
        expect(structured).toMatchObject({ outcome: isSame ? 'no_change' : 'preview' });
        if (some[1] !== some[2]) expect(text).toContain(`quantity: ${some[1]} -> ${some[2]}`);
        if (prices[1] !== prices[2]) expect(text).toContain(`${prices[1]}.00 USD -> ${prices[2]}.00 USD`);
      },
    ),
    { numRuns: 60 },
  );
});

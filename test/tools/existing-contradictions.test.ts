/** Tests that a listing's existing contradiction hinders no other change, and is reported with what to set. */

import { expect, it, onTestFinished } from 'vitest';
import { changeListings } from '../../tools/change-listings.ts';
import { offer, offered, offeredListings, price, stock } from '../helpers/offered-listings.ts';
import { startToolRunner } from '../helpers/tool-runner.ts';

const crossed = { minimum_seller_allowed_price: price(30), maximum_seller_allowed_price: price(10) };
const reversed = [{ schedule: [{ value_with_tax: 15, start_at: '2036-12-24', end_at: '2036-12-01' }] }];
const over = [{ schedule: [{ value_with_tax: 99, start_at: '2020-12-01', end_at: '2020-12-24' }] }];

async function open(more: object) {
  const listing = {
    attributes: { purchasable_offer: [offer(20, more)], fulfillment_availability: [stock(1)] },
    offers: [offered(20)],
  };
  const runner = await startToolRunner(offeredListings({ 'LAMP-1': listing }), { SELLER_WRITES: 'code' });
  onTestFinished(runner.close);
  return (set: object) => runner.run(changeListings, { items: [{ sku: 'LAMP-1', set }] });
}

it.each<[string, object, object]>([
  ['bounds and a price', crossed, { price: 22 }],
  ['bounds and a sale', crossed, { sale_price: 12, sale_from: '2036-01-01', sale_to: '2036-02-01' }],
  ['bounds and a quantity', crossed, { quantity: 9 }],
  ['bounds that are set right', crossed, { minimum_price: 10 }],
  ['a sale with its days reversed', { discounted_price: reversed }, { price: 22 }],
  ['a sale that is over and above the price', { discounted_price: over }, { price: 22 }],
])('%s: what is wanted is shown and can be approved', async (_what, more, set) => {
  const change = await open(more);
  expect((await change(set)).structured).toMatchObject({ outcome: 'needs_confirmation' });
});

it('bounds that exclude each other are told in both forms, with the figures', async () => {
  const change = await open(crossed);
  const { text, structured } = await change({ price: 22 });
  for (const form of [text, JSON.stringify(structured)]) {
    expect(form).toContain('minimum price of 30');
    expect(form).toContain('maximum price of 10');
  }
});

it.each([
  ['minimum_price', { minimum_price: 40 }],
  ['maximum_price', { maximum_price: 5 }],
])('a %s that would be wrong is refused by its own name', async (word, set) => {
  const change = await open(crossed);
  await expect(change(set)).rejects.toMatchObject({
    problems: [{ path: expect.stringContaining(word) }],
  });
});

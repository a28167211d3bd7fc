/** The history counts items, not attempts: one that was tried again counts once, by what became of it, and one that was never sent has not failed. */

import { afterEach, expect, it, vi } from 'vitest';
import { changeListings } from '../../../../tools/change-listings.ts';
import { undoChange } from '../../../../tools/undo-change.ts';
import { type Chat, openShop, type Shop } from '../../../helpers/killable-shop.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let shop: Shop;
afterEach(() => shop.close());

const SKUS = Array.from({ length: 6 }, (_, at) => `LAMP-${at + 1}`);
const items = SKUS.map((sku, at) => ({ sku, set: { price: 90 + at } }));
const start = () => {
  shop = openShop(Object.fromEntries(SKUS.map((sku, at) => [sku, 100 + at])));
};
const listed = async (chat: Chat) => {
  const answer = await chat.call(undoChange, {});
  const [change] = Object(answer?.structured).changes;
  const single: { what: string; outcome: string }[] = change.single ?? [];
  return { ...change, outcomes: single.map(({ outcome }) => outcome) };
};

it('counts an item that was cut off and sent again once, as done', async () => {
  start();
  for (const cut of [2, 3]) {
    const chat = shop.open();
    chat.killAfter(cut, false);
    expect(await chat.call(changeListings, { items })).toBeUndefined();
  }
  const chat = shop.open();
  await chat.call(changeListings, { items });
  const { items: number, outcomes } = await listed(chat);
  const sent = shop.arrived.length;
  expect(outcomes).toHaveLength(SKUS.length);
  expect(number).toBe(SKUS.length);
  expect(outcomes.filter((outcome: string) => outcome === 'done').length).toBe(sent);
});

it('tells what came too fast, and was never sent, as not sent', async () => {
  start();
  for (const sku of SKUS.slice(2)) shop.busy.add(sku);
  const chat = shop.open();
  chat.callMs = 8_000;
  await chat.call(changeListings, { items });
  await chat.call(changeListings, { items, stop: true });
  const { outcomes } = await listed(chat);
  expect(outcomes).not.toContain('failed');
  expect(outcomes.filter((outcome: string) => outcome === 'done').length).toBe(shop.arrived.length);
  expect(shop.arrived.length).toBe(2);
});

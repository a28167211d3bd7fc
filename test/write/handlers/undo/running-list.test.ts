/**
 * An undo of a list that is still being sent pauses it: nothing more is sent while the question is open, an
 * approval restores all of it, and a decline resumes it.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { changeListings } from '../../../../tools/change-listings.ts';
import { undoChange } from '../../../../tools/undo-change.ts';
import { type Answered, type Chat, openShop, type Shop } from '../../../helpers/killable-shop.ts';

/** The long limits guard only against a hang, because other work may take the machine. */
vi.setConfig({ testTimeout: 300_000, hookTimeout: 60_000 });

const COUNT = 60;
const skus = Array.from({ length: COUNT }, (_, at) => `LAMP-${at + 1}`);
const OLD = new Map(skus.map((sku, at) => [sku, 100 + at]));
const NEW = new Map(skus.map((sku, at) => [sku, 90 + at]));
const items = skus.map((sku) => ({ sku, set: { price: NEW.get(sku) } }));

let shop: Shop;
afterEach(() => shop.close());

const facts = (answer: Answered | undefined) => Object(answer?.structured);
/** Reads the prices as the service has them now. */
const prices = () => new Map(shop.prices);
const changed = () => skus.filter((sku) => shop.prices.get(sku) === NEW.get(sku));

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(5);
}

/** Begins a list, which is sent on in the background, and resolves when some of it has arrived. */
async function begin(chat: Chat, count = 12) {
  // The list takes long enough for another call to come in between, also beside other work.
  shop.writeMs = 200;
  const list = chat.call(changeListings, { items });
  await until(() => shop.arrived.length >= count);
  const { changes } = facts(await chat.call(undoChange, {}));
  return { list, id: String(changes[0].id) };
}

/** Sets how long the user thinks, so that far more of the list would be sent meanwhile. */
const THINKS_MS = 2_000;

/** Returns what was sent of the batch while the user thought about the question. */
function thinking(isYes: boolean) {
  const seen: { asked: string[]; answered: string[] } = { asked: [], answered: [] };
  const answer = async () => {
    seen.asked = changed();
    await sleep(THINKS_MS);
    seen.answered = changed();
    return isYes;
  };
  return { seen, answer };
}

const PROCESSES = [
  ['in the process that sends it', (chat: Chat) => chat],
  ['in another process', () => shop.openBeside()],
] as const;

describe.each(PROCESSES)('asked for %s', (_where, other) => {
  it('sends nothing while the person thinks, takes back all of it after a yes, and tells what was not sent', async () => {
    shop = openShop(Object.fromEntries(OLD));
    const { list, id } = await begin(shop.open());
    const { seen, answer } = thinking(true);
    const undone = await other(shop.openBeside()).call(undoChange, { id }, answer);
    expect(seen.asked.length).toBeGreaterThan(0);
    expect(seen.asked.length).toBeLessThan(COUNT);
    expect(seen.answered).toEqual(seen.asked);
    expect(prices()).toEqual(OLD);
    const { outcome, items: number, left_out: leftOut } = facts(undone);
    expect(outcome).toBe('done');
    expect(number).toBe(seen.asked.length);
    expect(JSON.stringify(leftOut)).toContain(`${COUNT - seen.asked.length} of the list ${id}`);
    const result = facts(await list);
    expect(result.counts).toEqual({ accepted: seen.asked.length, not_sent: COUNT - seen.asked.length });
    await sleep(1_000);
    expect(prices()).toEqual(OLD);
  });

  it('goes on after a no, and each is sent once', async () => {
    shop = openShop(Object.fromEntries(OLD));
    const { list, id } = await begin(shop.open());
    const { seen, answer } = thinking(false);
    await other(shop.openBeside()).call(undoChange, { id }, answer);
    expect(seen.answered).toEqual(seen.asked);
    expect(seen.asked.length).toBeLessThan(COUNT);
    expect(facts(await list).counts).toEqual({ accepted: COUNT });
    expect(prices()).toEqual(NEW);
    expect(new Set(shop.arrived.map(({ sku }) => sku)).size).toBe(shop.arrived.length);
  });
});

it('says of a list that is paused why it is, and takes all of it back by a code', async () => {
  shop = openShop(Object.fromEntries(OLD));
  const chat = shop.open({ SELLER_WRITES: 'allow' });
  const { list, id } = await begin(chat);
  const careful = shop.openBeside({ SELLER_WRITES: 'code' });
  const asked = await careful.call(undoChange, { id });
  const sent = changed();
  await sleep(THINKS_MS);
  expect(changed()).toEqual(sent);
  chat.callMs = 4_000;
  const standing = facts(await chat.call(changeListings, { items }));
  expect(standing).toMatchObject({ outcome: 'under_way', counts: { pending: COUNT - sent.length } });
  expect(standing.why).toMatch(/\d\d:\d\d:\d\d/);
  const code = facts(asked).confirmation_code;
  const undone = facts(await careful.call(undoChange, { id, confirmationCode: code }));
  expect(undone.items).toBe(sent.length);
  expect(prices()).toEqual(OLD);
  await list;
});

it('a preview pauses nothing', async () => {
  shop = openShop(Object.fromEntries(OLD));
  const chat = shop.open();
  const { list, id } = await begin(chat);
  await chat.call(undoChange, { id, dryRun: true });
  expect(facts(await list).counts).toEqual({ accepted: COUNT });
});

it('some of a list: what is not sent of it leaves the list too, and the rest goes on', async () => {
  shop = openShop(Object.fromEntries(OLD));
  const chat = shop.open();
  const { list, id } = await begin(chat);
  const [first = ''] = changed();
  const last = skus.at(-1) ?? '';
  const { answer } = thinking(true);
  const undone = facts(await chat.call(undoChange, { id, skus: [first, last] }, answer));
  expect(undone).toMatchObject({ outcome: 'done', items: 1 });
  // The restored item reads as before again, so its write may count as not visible.
  const { accepted, accepted_not_visible: unseen = 0, ...others } = facts(await list).counts;
  expect([accepted + unseen, others]).toEqual([COUNT - 1, { not_sent: 1 }]);
  expect(prices()).toEqual(new Map([...NEW, [first, OLD.get(first)], [last, OLD.get(last)]]));
});

it('some of a list of which nothing was sent yet says so, and the list goes on', async () => {
  shop = openShop(Object.fromEntries(OLD));
  const chat = shop.open();
  const { list, id } = await begin(chat);
  const refused = await chat.call(undoChange, { id, skus: skus.slice(-2) });
  expect(refused).toMatchObject({ isError: true });
  expect(facts(await list).counts).toEqual({ accepted: COUNT });
  expect(prices()).toEqual(NEW);
});

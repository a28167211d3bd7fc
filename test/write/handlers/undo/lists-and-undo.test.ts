/** Lists and their way back, in chats that are killed: what was taken back stays back, what is unfinished is said, and an undo tells the truth. */

import { afterEach, describe, expect, it, vi } from 'vitest';
import { changeListings } from '../../../../tools/change-listings.ts';
import { readOperation } from '../../../../tools/read-operation.ts';
import { undoChange } from '../../../../tools/undo-change.ts';
import { writeOperation } from '../../../../tools/write-operation.ts';
import { type Answered, type Chat, openShop, type Shop, US } from '../../../helpers/killable-shop.ts';
import { expectOnlyIn } from '../../../helpers/only-in.ts';
import { onStore } from '../../../helpers/state-rows.ts';

/** A guard against hanging alone: other work may take the machine. */
vi.setConfig({ testTimeout: 300_000, hookTimeout: 60_000 });

let shop: Shop;
afterEach(() => shop.close());

const COUNT = 12;
const skus = Array.from({ length: COUNT }, (_, at) => `LAMP-${at + 1}`);
/** Each 10 less. */
const items = skus.map((sku, at) => ({ sku, set: { price: 90 + at } }));
const start = (count = COUNT) => {
  shop = openShop(Object.fromEntries(skus.slice(0, count).map((sku, at) => [sku, 100 + at])));
};
const pricesAre = (...expected: number[]) => expect([...shop.prices.values()]).toEqual(expected);
const OLD = skus.map((_, at) => 100 + at);

/** The list, killed at a request: one reads, one looks again, then they are written. */
async function begin(requests: number, settings = {}, takesEffect = true): Promise<void> {
  const chat = shop.open(settings);
  chat.killAfter(requests, takesEffect);
  expect(await chat.call(changeListings, { items })).toBeUndefined();
}
async function idOf(chat: Chat): Promise<string> {
  return Object((await chat.call(undoChange, {}))?.structured).changes[0].id;
}
const facts = (answer: Answered | undefined) => Object(answer?.structured);

describe('after an undo', () => {
  it.each(['ask', 'allow'])(
    'a list that was taken back whole is over: the same words ask anew (%s)',
    async (writes) => {
      start();
      await begin(7, { SELLER_WRITES: writes });
      const chat = shop.open({ SELLER_WRITES: writes });
      const id = await idOf(chat);
      const preview = await chat.call(undoChange, { id, dryRun: true });
      expect(preview?.text).toContain(`This ends the list ${id} (12 listings; unfinished, `);
      const undone = await chat.call(undoChange, { id });
      // The cut write reads as before, so that its undo cannot be seen.
      expect(facts(undone).outcome).toMatch(/^(?:done|accepted_not_visible)$/);
      pricesAre(...OLD);
      const before = shop.arrived.length;
      const refused = await chat.call(changeListings, { items }, false);
      expect(refused?.question).toContain('12 listings, United States, now -> then:');
      expect(shop.arrived).toHaveLength(before);
      const again = await chat.call(changeListings, { items });
      expect(again?.question).toBeDefined();
      expect(facts(again)).toMatchObject({ outcome: 'done', counts: { accepted: 12 } });
      pricesAre(...items.map(({ set }) => set.price));
    },
  );

  it('a finished list that was taken back asks anew too where every write is allowed; any other goes without', async () => {
    start();
    const chat = shop.open({ SELLER_WRITES: 'allow' });
    const done = await chat.call(changeListings, { items });
    expect(done?.question).toBeUndefined();
    await chat.call(undoChange, { id: facts(done).batch_id });
    expect((await chat.call(changeListings, { items }, false))?.question).toBeDefined();
    pricesAre(...OLD);
    expect((await chat.call(changeListings, { items: items.slice(1) }))?.question).toBeUndefined();
  });

  it.each([
    ['by its id', (id: string, sku: string) => ({ id: `${id}/${sku}` })],
    ['as some of the list', (id: string, sku: string) => ({ id, skus: [sku] })],
  ])(
    'what was taken back (%s) leaves its list for good, the others go on without a question',
    async (_how, named) => {
      start();
      // Killed as the first ones leave: none of them has arrived.
      await begin(2, {}, false);
      const chat = shop.open();
      const id = await idOf(chat);
      const { changes } = facts(await chat.call(undoChange, {}));
      const taken = changes[0].single.map(({ what }: { what: string }) => what.split(' ')[0]);
      expect(taken.length).toBeGreaterThan(1);
      const [sku] = taken;
      const undone = await chat.call(undoChange, named(id, sku));
      expect(undone?.question).toContain(`leaves the list ${id} (12 listings; unfinished, `);
      expect(undone?.question).toContain('for good; the rest of it can still go on.');
      const rest = await chat.call(changeListings, { items });
      expect(rest?.question).toBeUndefined();
      expect(shop.prices.get(sku)).toBe(OLD[skus.indexOf(sku)]);
      expect(shop.arrived.filter((one) => one.sku === sku).map(({ price }) => price)).toEqual([
        OLD[skus.indexOf(sku)],
      ]);
      // The items still waiting were sent, and the doubtful ones reported.
      expect(facts(rest).counts.accepted + facts(rest).counts.unknown).toBeGreaterThan(4);
    },
  );

  it('a no to the undo ends nothing: the list goes on', async () => {
    start();
    await begin(7);
    const chat = shop.open();
    await chat.call(undoChange, { id: await idOf(chat) }, false);
    const rest = await chat.call(changeListings, { items });
    expect(rest?.question).toBeUndefined();
    expect(facts(rest).counts.pending).toBeUndefined();
  });
});

describe('what is unfinished or just done', () => {
  it('stands in the first answer, in the list of changes and in the question of other words', async () => {
    start();
    await begin(7);
    const chat = shop.open();
    const first = await chat.call(readOperation, {
      operation: 'getListingsItem',
      parameters: { sku: 'LAMP-1', marketplaceIds: ['US'] },
    });
    expect(first?.text).toMatch(
      /Unfinished: 12 listings \(change_listings, batch \w{8}, confirmed just now\)/,
    );
    expect(facts(first).unfinished).toHaveLength(1);
    const list = await chat.call(undoChange, {});
    expectOnlyIn('Unfinished: ', first?.text, list?.text);
    expect(facts(list)).not.toHaveProperty('unfinished');
    const [{ id, outcome }] = facts(list).changes;
    expect(outcome).toMatch(/^\d of 12, unfinished; /);
    const others = items.slice(2).map(({ sku, set }) => ({ sku, set: { price: set.price - 20 } }));
    const asked = await chat.call(changeListings, { items: others }, false);
    expect(asked?.question).toMatch(
      new RegExp(
        `\\d of these were changed from here just now, and \\d+ of these are still to be changed, by a list of 12 that is unfinished \\(\\d done\\): go on with that one instead\\? change_listings with confirmationCode ${id} alone goes on\\.`,
      ),
    );
    const single = await chat.call(writeOperation, priceOf('LAMP-1', 50), false);
    expect(single?.question).toContain(
      'This was changed from here just now, by a list of 12 that is unfinished',
    );
    const gone = await chat.call(changeListings, { confirmationCode: id });
    expect(gone?.question).toBeUndefined();
    expect(facts(gone)).toMatchObject({ batch_id: id });
    expect(facts(gone).outcome).not.toBe('unfinished');
  });

  it('names a finished list of the last day, unless it was taken back', async () => {
    start(3);
    const chat = shop.open();
    const done = await chat.call(changeListings, { items: items.slice(0, 3) });
    const id = facts(done).batch_id;
    const lower = [{ sku: 'LAMP-2', set: { price: 5 } }];
    const asked = await chat.call(changeListings, { items: lower }, false);
    expect(asked?.question).toContain(
      `This was changed from here just now, by a list of 3 that is finished (${id}).`,
    );
    await chat.call(undoChange, { id });
    const after = await chat.call(changeListings, { items: lower }, false);
    expect(after?.question).not.toContain(`(${id})`);
  });

  it('an unfinished list writes nothing over what was changed from here since, also where that is not seen yet', async () => {
    start();
    await begin(4);
    shop.isSlow = true;
    const chat = shop.open();
    const left = skus.filter((sku) => !shop.arrived.some((one) => one.sku === sku)).at(-1) ?? '';
    await chat.call(changeListings, { items: [{ sku: left, set: { price: 42 } }] });
    expect(shop.prices.get(left)).toBe(42);
    const rest = await chat.call(changeListings, { items });
    expect(shop.prices.get(left)).toBe(42);
    expect(facts(rest).counts.changed_since).toBe(1);
  });
});

describe('a list that is sent whole', () => {
  const isReadBack = (operation: string) =>
    operation === 'searchListingsItems' && shop.arrived.length === COUNT;

  it('while its caller went away is told to the next call, and not asked for anew', async () => {
    start();
    const chat = shop.open();
    const gone = new AbortController();
    shop.onRequest = (operation) => {
      if (isReadBack(operation)) gone.abort();
      return true;
    };
    await chat.call(changeListings, { items }, true, gone.signal);
    expect(gone.signal.aborted).toBe(true);
    const result = await chat.call(changeListings, { items }, false);
    expect(result?.question).toBeUndefined();
    expect(facts(result)).toMatchObject({ outcome: 'done', counts: { accepted: COUNT } });
    expect(shop.arrived).toHaveLength(COUNT);
    expect((await chat.call(changeListings, { items }, false))?.question).toBeUndefined();
  });

  it('and cannot be read back is told as accepted and not read, never as not visible yet', async () => {
    start();
    const chat = shop.open();
    let refused = 0;
    shop.onRequest = (operation) => {
      if (!isReadBack(operation)) return true;
      refused += 1;
      return false;
    };
    const done = await chat.call(changeListings, { items });
    expect(facts(done)).toMatchObject({ outcome: 'done', counts: { accepted: COUNT } });
    expect(refused).toBeGreaterThan(0);
    expect(facts(done).counts).not.toHaveProperty('accepted_not_visible');
  });
});

describe('an undo', () => {
  it('of what was cut off and sent again tells one of it, and groups what is alike', async () => {
    start();
    await begin(3, {}, false);
    const second = shop.open();
    second.killAfter(3, false);
    expect(await second.call(changeListings, { items })).toBeUndefined();
    const third = shop.open();
    const rest = await third.call(changeListings, { items });
    const { accepted } = facts(rest).counts;
    const undone = await third.call(undoChange, { id: facts(rest).batch_id });
    const lines = undone?.question?.split('\n') ?? [];
    for (const sku of skus) expect(lines.filter((line) => line.split(/[ :,]/).includes(sku))).toHaveLength(1);
    const { accepted: seen, accepted_not_visible: unseen = 0 } = facts(undone).counts;
    expect(seen + unseen).toBe(facts(undone).items);
    expect(facts(undone).items).toBeGreaterThanOrEqual(accepted);
    pricesAre(...OLD);
  });

  it('says in a line for each group what was changed again, what is not seen, and what is left out and why', async () => {
    start();
    const chat = shop.open();
    for (const sku of skus.slice(0, 3)) shop.refused.add(sku);
    const first = await chat.call(changeListings, { items });
    const lower = items.slice(3, 8).map(({ sku }) => ({ sku, set: { price: 50 } }));
    await chat.call(changeListings, { items: lower });
    shop.refused.clear();
    const { text = '' } = (await chat.call(undoChange, { id: facts(first).batch_id, dryRun: true })) ?? {};
    expect(text).toContain('5 were changed from here again since; that is undone too.');
    expect(text).toMatch(
      /^3 are not undone: LAMP-[123], LAMP-[123], LAMP-[123]: it was not accepted, so there is nothing to undo\.$/m,
    );
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
    expect(text.match(/changed from here again since; that is undone too/g)).toHaveLength(1);
  });

  it('of a list leaves what somebody else changed since, and takes it back by force, after a question in any mode', async () => {
    start(3);
    const chat = shop.open({ SELLER_WRITES: 'allow' });
    const { batch_id: id } = facts(await chat.call(changeListings, { items: items.slice(0, 3) }));
    shop.setElsewhere('LAMP-2', 55);
    const undone = await chat.call(undoChange, { id });
    expect(undone?.question).toBeUndefined();
    expect(facts(undone)).toMatchObject({ outcome: 'done', items: 2 });
    pricesAre(100, 55, 102);
    const refused = await chat.call(undoChange, { id });
    expect(refused?.error).toMatch(/SOMEBODY ELSE CHANGED IT SINCE.*101\.00 USD.*91\.00 USD.*55\.00 USD/s);
    const forced = await chat.call(undoChange, { id, force: true });
    expect(forced?.question).toContain('SOMEBODY ELSE CHANGED IT SINCE');
    expect(facts(forced)).toMatchObject({ outcome: 'done', items: 1 });
    pricesAre(100, 101, 102);
  });

  it("takes nothing back of the account's earlier owner", async () => {
    start(2);
    const first = shop.open();
    const { batch_id: id } = facts(await first.call(changeListings, { items: items.slice(0, 2) }));
    const second = shop.open({ SELLER_ID: 'A2ANOTHER' });
    expect(facts(await second.call(undoChange, {})).changes).toEqual([]);
    const refused = await second.call(undoChange, { id });
    expect(refused?.error).toContain('or while this one had other credentials');
    pricesAre(90, 91);
  });

  it('of a list with one listing in two places takes back both', async () => {
    start(1);
    const chat = shop.open();
    const call = (place: string, price: number) => ({
      parameters: { sku: 'LAMP-1', marketplaceIds: [place] },
      body: { productType: 'LAMP', patches: [offerPatch(price, place)] },
    });
    const calls = [call(US, 70), call('A2EUQ1WTGCTBG2', 71)];
    const done = await chat.call(writeOperation, { operation: 'patchListingsItem', calls });
    // The shop shows one place only.
    expect(facts(done).counts).toEqual({ accepted: 1, accepted_not_visible: 1 });
    const undone = await chat.call(undoChange, { id: facts(done).batch_id });
    expect(facts(undone).items).toBe(2);
    pricesAre(100);
    const { batch_id: id } = facts(
      await chat.call(writeOperation, { operation: 'patchListingsItem', calls }),
    );
    await chat.call(writeOperation, { operation: 'patchListingsItem', ...call(US, 60) });
    const later = await chat.call(undoChange, { id, dryRun: true });
    expectOnlyIn('changed from here again', later?.text, undone?.question);
  });
});

describe('short ways', () => {
  it('a stop tells the counts and the first ten', async () => {
    start();
    await begin(7);
    const chat = shop.open();
    const stopped = await chat.call(changeListings, { items, stop: true });
    expect(facts(stopped).outcome).toBe('stopped');
    const { results = [], accepted = [], counts } = facts(stopped);
    expect(results.length + accepted.length).toBe(10);
    expect(Object.values(counts).reduce((sum: number, one) => sum + Number(one), 0)).toBe(12);
    expect(stopped?.text).toContain('Every outcome: the resource');
    expect(stopped?.text.split('\n').length).toBeLessThan(18);
  });

  it.each([
    ['a list', changeListings, { items }],
    [
      'calls',
      writeOperation,
      { operation: 'patchListingsItem', calls: [callOf('LAMP-1', 70), callOf('LAMP-2', 71)] },
    ],
    ['a single write', writeOperation, { operation: 'patchListingsItem', ...callOf('LAMP-1', 70) }],
  ])(
    'the code alone is enough for %s and for its undo, works once, and for no other tool',
    async (_what, tool, args) => {
      start();
      const chat = shop.open({ SELLER_WRITES: 'code' });
      const shown = await chat.call(tool, args);
      const code = facts(shown).confirmation_code;
      const wrong = await chat.call(undoChange, { confirmationCode: code });
      expect(wrong?.error).toContain('is not known here');
      const done = await chat.call(tool, { confirmationCode: code });
      expect(facts(done).outcome).toBe('done');
      const sent = shop.arrived.length;
      await chat.call(tool, { confirmationCode: code });
      expect(shop.arrived).toHaveLength(sent);
      const id = facts(done).batch_id ?? facts(done).journal_id;
      const undo = await chat.call(undoChange, { id });
      const back = await chat.call(undoChange, { confirmationCode: facts(undo).confirmation_code });
      expect(facts(back).outcome).toBe('done');
      pricesAre(...OLD);
    },
  );

  it('a list whose values are gone tells what was sent', async () => {
    start();
    await begin(7);
    onStore(shop.folder(), 'DELETE FROM batch_values');
    const chat = shop.open();
    const result = await chat.call(changeListings, { items });
    expect(facts(result)).toMatchObject({ outcome: 'stopped', items: 12 });
    expect(result?.text).toMatch(/^Stopped: 12 listings, account default: .*\d+ not sent/m);
    expect(result?.text).toContain('LAMP-1 "Lamp LAMP-1", United States: price: 100.00 USD -> 90.00 USD');
  });
});

function offerPatch(price: number, place: string) {
  const offer = { currency: 'USD', audience: 'ALL', marketplace_id: place };
  const value = [{ ...offer, our_price: [{ schedule: [{ value_with_tax: price }] }] }];
  return { op: 'replace', path: '/attributes/purchasable_offer', value };
}

function callOf(sku: string, price: number) {
  return {
    parameters: { sku, marketplaceIds: [US] },
    body: { productType: 'LAMP', patches: [offerPatch(price, US)] },
  };
}

function priceOf(sku: string, price: number) {
  return { operation: 'patchListingsItem', ...callOf(sku, price) };
}

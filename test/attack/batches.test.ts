/** Attacks on lists and answers with other data: places that cannot be read, other sellers, the same call in other words, amounts in odd forms, and writes that cannot be taken back. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../src/accounts/memory-store.ts';
import { openSession } from '../../src/program/runtime/open-session.ts';
import { createProgram } from '../../src/program/runtime/program.ts';
import type { Tool } from '../../src/protocol/define-tool.ts';
import { APPROVAL_KEY } from '../../src/render/client-user.ts';
import { changedAmounts } from '../../src/write/model/listing/changed-amounts.ts';
import { changeListings } from '../../tools/change-listings.ts';
import { undoChange } from '../../tools/undo-change.ts';
import { writeOperation } from '../../tools/write-operation.ts';
import type { Handler } from '../helpers/http-service.ts';
import { openShop } from '../helpers/killable-shop.ts';
import { expectOnlyIn } from '../helpers/only-in.ts';
import { createTestOutside } from '../helpers/outside.ts';
import { nobody, startToolRunner, type ToolRunner, toolContext } from '../helpers/tool-runner.ts';

const DE = 'A1PA6795UKMFR9';
const FR = 'A13V1IB3VIYZZH';
const US = 'ATVPDKIKX0DER';

const offer = (place: string, amount: unknown, currency = 'EUR') => ({
  marketplace_id: place,
  audience: 'ALL',
  currency,
  our_price: [{ schedule: [{ value_with_tax: amount }] }],
});
const text = (place: string, value: string) => ({ marketplace_id: place, value });
const patchOf = (name: string, value: object[], op = 'replace') => ({
  op,
  path: `/attributes/${name}`,
  value,
});
const bodyOf = (...patches: object[]) => ({ productType: 'LAMP', patches });

interface Entry {
  marketplace_id?: string;
}
type Listing = Record<string, Entry[]>;

/** Listings by seller and SKU. */
let listings: Map<string, Listing>;
/** Is true while the service does not show what was written. */
let isSlow: boolean;
/** Places that the seller may not read. */
let closed: string[];
const QUICK = { 'x-amzn-RateLimit-Limit': '1000' };

const service: Handler = ({ method, path, json }) => {
  const { pathname, searchParams } = new URL(path, 'http://service');
  if (method === 'POST') return { headers: QUICK, body: { supplySourceId: 'made' } };
  const [seller = '', one] = pathname.split('/').slice(4).map(decodeURIComponent);
  const marketplaces = (searchParams.get('marketplaceIds') ?? '').split(',');
  const show = (sku: string) => {
    const known = listings.get(`${seller}/${sku}`);
    if (known === undefined) return [];
    const isHere = ({ marketplace_id: id = '' }: Entry) => marketplaces.includes(id);
    const attributes = Object.entries(known).map(([name, all]) => [name, all.filter(isHere)]);
    const [marketplaceId] = marketplaces;
    const summaries = [{ marketplaceId, productType: 'LAMP', itemName: `Lamp ${sku}` }];
    return [{ sku, summaries, attributes: Object.fromEntries(attributes) }];
  };
  if (one === undefined) {
    const items = (searchParams.get('identifiers') ?? '').split(',').flatMap(show);
    return { headers: QUICK, body: { numberOfResults: items.length, items } };
  }
  if (method === 'GET') {
    if (marketplaces.some((place) => closed.includes(place)))
      return { headers: QUICK, status: 403, body: {} };
    const [item] = show(one);
    return item === undefined ? { headers: QUICK, status: 404, body: {} } : { headers: QUICK, body: item };
  }
  if (!searchParams.has('mode') && !isSlow) {
    for (const { path: place, value } of Object(json).patches) {
      const key = `${seller}/${one}`;
      listings.set(key, { ...listings.get(key), [place.slice('/attributes/'.length)]: value });
    }
  }
  return { headers: QUICK, body: { sku: one, status: 'ACCEPTED', submissionId: 's', issues: [] } };
};

let runner: ToolRunner;
const start = async (place: string) => {
  closed = [];
  isSlow = false;
  runner = await startToolRunner(service, { SELLER_WRITES: 'ask', SELLER_MARKETPLACE_ID: place });
};
afterEach(() => runner?.close());

class Asked extends Error {
  readonly state: string;
  constructor(question: string, state: string) {
    super(question);
    this.state = state;
  }
}

/** Runs the tool for a user who approves or declines. */
async function ask(tool: Tool, args: object, yes = true) {
  const confirm = (_key: string, question: string, state: string): never => {
    throw new Asked(question, state);
  };
  const asking = { ...nobody, canConfirm: true, confirm };
  try {
    return { question: '', ...(await runner.run(tool, args, { person: asking })) };
  } catch (error) {
    if (!(error instanceof Asked)) throw error;
    const { message: question, state } = error;
    if (!yes) return { question, text: '', structured: {} };
    const reply = { action: 'accept' as const, state };
    const person = { ...asking, answer: (key: string) => (key === APPROVAL_KEY ? reply : undefined) };
    return { question, ...(await runner.run(tool, args, { person })) };
  }
}
const facts = ({ structured }: { structured: unknown }) => Object(structured);
const writes = () => runner.calls().filter(({ method, path }) => method !== 'GET' && !path.includes('mode='));

describe('what is hidden in a list', () => {
  it('is never an amount that is sent where nothing was read', async () => {
    await start(DE);
    closed = [FR];
    const skus = Array.from({ length: 60 }, (_, at) => `L-${at}`);
    listings = new Map(
      skus.map((sku) => [`A1SELLER/${sku}`, { purchasable_offer: [offer(DE, 100), offer(FR, 100)] }]),
    );
    const calls = skus.map((sku, at) => {
      const value = [offer(DE, 99), offer(FR, at === 55 ? 0.01 : 99)];
      const parameters = { sku, marketplaceIds: [DE] };
      return { parameters, body: bodyOf(patchOf('purchasable_offer', value, 'merge')) };
    });
    const args = { operation: 'patchListingsItem', calls };
    await expect(ask(writeOperation, args, false)).rejects.toThrow('no range can sum up');
    // The question shows as many as fit in full.
    const few = await ask(writeOperation, { ...args, calls: calls.slice(50, 60) }, false);
    expect(few.question).toContain('"value_with_tax": 0.01');
  });

  it.each(['€ 0.01', 'EUR 0,01', '0.01 €', '-€5', '$.5', '٠١', '1 234,50 EUR', 'R$ 5'])(
    'is never a price that is written as %s',
    (amount) => {
      const [before, after] = [100, amount].map((value) => ({
        list_price: [{ marketplace_id: DE, currency: 'EUR', value }],
      }));
      expect(changedAmounts(before ?? {}, after ?? {}).opaque).toEqual(['list_price']);
    },
  );

  it('is no amount of a row that is cut', async () => {
    await start(DE);
    const long = text(DE, 'long '.repeat(1_000));
    listings = new Map<string, Listing>([
      ['A1SELLER/A', { item_name: [text(DE, 'a')] }],
      ['A1SELLER/B', { purchasable_offer: [offer(DE, 100)], item_name: [text(DE, 'b')] }],
      ['A1SELLER/C', { purchasable_offer: [offer(DE, 100)] }],
    ]);
    const texts = ['item_name', 'product_description', 'generic_keyword'].map((name) =>
      patchOf(name, [long]),
    );
    const items = [
      { sku: 'A', patches: [...texts, patchOf('purchasable_offer', [offer(DE, 0.01)])] },
      { sku: 'B', patches: [...texts, patchOf('purchasable_offer', [offer(DE, 98)])] },
      { sku: 'C', set: { price: 99 } },
    ];
    const { question } = await ask(changeListings, { items }, false);
    expect(question).toMatch(/^SUMMED UP OR CUT HERE: 2 OF 3\./);
    expect(question).toMatch(/^ {2}A "Lamp A": .*; set where there was none: price in EUR 0\.01$/m);
    expect(question).toMatch(/^ {2}B "Lamp B": .*; in all of it by -2 %$/m);
  });
});

it('the same call is not sent twice because its members stand in another order', async () => {
  await start(DE);
  const address = { name: 'Shop', addressLine1: '1 Road', countryCode: 'US', stateOrRegion: 'WA' };
  const calls = [
    { body: { alias: 'Shop', supplySourceCode: 's', address } },
    { body: { address, supplySourceCode: 's', alias: 'Shop' } },
  ];
  await expect(ask(writeOperation, { operation: 'createSupplySource', calls })).rejects.toThrow(
    'Calls 1 and 2 are the same; nothing was sent.',
  );
  expect(writes()).toEqual([]);
});

describe('a listing of another seller', () => {
  const parameters = { sku: 'X', sellerId: 'A2OTHER', marketplaceIds: [FR] };
  const title = (value: string) => bodyOf(patchOf('item_name', [text(FR, value)]));
  const operation = 'patchListingsItem';
  const begin = async () => {
    await start(FR);
    listings = new Map([
      ['A1SELLER/X', { item_name: [text(FR, 'own')] }],
      ['A2OTHER/X', { item_name: [text(FR, 'theirs')] }],
    ]);
  };

  it.each(['call', 'list'])('is told as theirs after the yes and among the changes (%s)', async (how) => {
    await begin();
    const one = { parameters, body: title('new') };
    const done = await ask(writeOperation, { operation, ...(how === 'list' ? { calls: [one] } : one) });
    expect(done.question).toContain("Seller: A2OTHER, AS THE PARAMETERS NAME IT, NOT THE ACCOUNT'S OWN");
    if (how === 'call') {
      expect(done.text).toContain("account default, seller A2OTHER, NOT THE ACCOUNT'S OWN");
      expect(facts(done).seller.id).toContain('A2OTHER');
    }
    const { text: told, structured } = await ask(undoChange, {});
    expect(told).toContain('seller A2OTHER: X "Lamp X", France: title');
    expect(facts({ structured }).changes[0].what).toContain('seller A2OTHER: X');
  });

  it('is not told as a change of the own one', async () => {
    await begin();
    await ask(writeOperation, { operation, calls: [{ parameters, body: title('new') }] });
    const own = { operation, parameters: { sku: 'X', marketplaceIds: [FR] }, body: title('mine') };
    const theirs = { operation, parameters, body: title('mine') };
    const [ofOwn, ofTheirs] = [
      await ask(writeOperation, own, false),
      await ask(writeOperation, theirs, false),
    ];
    expectOnlyIn('This was changed from here', ofTheirs.question, ofOwn.question);
  });
});

it('what another account of the same seller wrote may not be visible yet: no change is not told', async () => {
  await start(FR);
  isSlow = true;
  listings = new Map([['A1SELLER/X', { purchasable_offer: [offer(FR, 100)] }]]);
  const { url } = runner.service;
  const accountOf = (marketplaceId: string) => ({
    clientId: 'client-1',
    clientSecret: 'client-secret-1',
    refreshToken: 'Atzr|refresh-1',
    baseUrl: url,
    authUrl: url,
    sellerId: 'A1SELLER',
    marketplaceId,
  });
  const folder = await mkdtemp(join(tmpdir(), 'once-more-'));
  const env = {
    SELLER_STATE_DIR: folder,
    SELLER_DATA_DIR: join(folder, 'data'),
    SELLER_WRITES: 'allow',
    SELLER_FILES_DIR: join(folder, 'files'),
  };
  const store = createMemoryStore({ german: accountOf(DE), french: accountOf(FR) });
  const program = { ...createProgram(createTestOutside({ env })), store: async () => store };
  const session = openSession(program);
  try {
    const set = (account: string, price: number) =>
      changeListings.invoke(
        { account, marketplace: 'FR', items: [{ sku: 'X', set: { price } }] },
        toolContext(session),
      );
    expect(facts(await set('german', 90)).outcome).toBe('accepted_not_visible');
    expect(facts(await set('french', 100)).outcome).not.toBe('no_change');
    expect(writes()).toHaveLength(2);
  } finally {
    await session.close();
    await program.close();
    await rm(folder, { recursive: true, force: true });
  }
});

it('what is written over a deletion that is not visible yet is not told as read back', async () => {
  await start(FR);
  const attributes = { item_name: [text(FR, 'old')] };
  listings = new Map([['A1SELLER/X', attributes]]);
  isSlow = true;
  const parameters = { sku: 'X', marketplaceIds: [FR] };
  const gone = await ask(writeOperation, { operation: 'deleteListingsItem', parameters });
  expect(facts(gone).outcome).toBe('accepted_not_visible');
  const whole = { operation: 'putListingsItem', parameters, body: { productType: 'LAMP', attributes } };
  const back = await ask(writeOperation, whole);
  expect(back.question).toContain('it may not be visible yet');
  expect(facts(back)).toMatchObject({ outcome: 'accepted_not_visible' });
  expect(facts(back)).not.toHaveProperty('read_back.matches');
});

it('the question of an undo tells of a later write that is not visible yet and cannot be undone', async () => {
  await start(FR);
  listings = new Map([['A1SELLER/X', { item_name: [text(FR, 'old')] }]]);
  const write = (value: string, more: object = {}) => {
    const body = bodyOf({ ...patchOf('item_name', [text(FR, value)]), ...more });
    return { operation: 'patchListingsItem', parameters: { sku: 'X', marketplaceIds: [FR] }, body };
  };
  const { journal_id: id } = facts(await ask(writeOperation, write('new')));
  isSlow = true;
  await ask(writeOperation, write('newer', { from: 'x' }));
  const { question } = await ask(undoChange, { id }, false);
  expect(question).toMatch(/title: "Lamp X" -> "Lamp X".*"new"/);
  expect(question).toContain('what that changed is not kept: it may not be visible yet');
});

it('an attribute that is called like a member of every object was not there before', async () => {
  await start(FR);
  listings = new Map([['A1SELLER/X', {}]]);
  for (const name of ['__proto__', 'constructor', 'toString']) {
    const parameters = { sku: 'X', marketplaceIds: [FR] };
    const body = bodyOf(patchOf(name, [text(FR, 'new')]));
    const calls = [{ parameters, body }];
    const { question } = await ask(writeOperation, { operation: 'patchListingsItem', calls }, false);
    expect(question).toContain(`X "Lamp X": ${name}: added "new"`);
  }
});

it('a write of which the values before are not known is not told as a deletion', async () => {
  await start(FR);
  listings = new Map();
  const parameters = { sku: 'X', marketplaceIds: [FR] };
  const body = bodyOf(patchOf('item_name', [text(FR, 'new')]));
  const done = await ask(writeOperation, { operation: 'patchListingsItem', parameters, body });
  expect(facts(done).outcome).toBe('done');
  expect(facts(done).changed).toEqual({ sku: 'X', where: 'France' });
  expect(facts(done)).not.toHaveProperty('read_back');
});

it('a list that goes on writes nothing over a later write that cannot be taken back', async () => {
  const skus = Array.from({ length: 12 }, (_, at) => `LAMP-${at + 1}`);
  const items = skus.map((sku, at) => ({ sku, set: { price: 90 + at } }));
  const shop = openShop(Object.fromEntries(skus.map((sku, at) => [sku, 100 + at])));
  try {
    const first = shop.open();
    first.killAfter(7, true);
    await first.call(changeListings, { items });
    shop.isSlow = true;
    const later = async (sku: string, price: number) => {
      const parameters = { sku, marketplaceIds: ['US'] };
      // A member that nobody knows: what it does beside the price cannot be undone.
      const patch = { ...patchOf('purchasable_offer', [offer(US, price, 'USD')]), from: 'x' };
      const one = { operation: 'patchListingsItem', parameters, body: bodyOf(patch) };
      const answer = await shop.open().call(writeOperation, one);
      expect(answer?.question).toContain('Cannot be undone afterwards');
    };
    await later('LAMP-12', 55);
    await later('LAMP-11', 56);
    const rest = await shop.open().call(changeListings, { items });
    expect(rest?.question).toBeUndefined();
    expect(shop.prices.get('LAMP-12')).toBe(55);
    expect(shop.prices.get('LAMP-11')).toBe(56);
    expect(shop.prices.get('LAMP-10')).toBe(99);
  } finally {
    await shop.close();
  }
});

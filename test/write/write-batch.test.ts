/** A list from its yes to its end: for which values the yes is good, who may go on with it, and what lies on the disk meanwhile. */

import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, inject, it, vi } from 'vitest';
import type { Client, PreparedRequest } from '../../src/call/client-types.ts';
import type { Session } from '../../src/write/session.ts';
import { changeListings } from '../../tools/change-listings.ts';
import { undoChange } from '../../tools/undo-change.ts';
import { writeOperation } from '../../tools/write-operation.ts';
import { openShop, type Shop } from '../helpers/killable-shop.ts';
import { expectOnlyIn } from '../helpers/only-in.ts';
import { batchesIn } from '../helpers/state-rows.ts';
import { startToolRunner, type ToolRunner } from '../helpers/tool-runner.ts';

/** A guard against hanging alone: other work may take the machine. */
vi.setConfig({ testTimeout: 300_000, hookTimeout: 60_000 });

const US = 'ATVPDKIKX0DER';
const skus = Array.from({ length: 12 }, (_, at) => `LAMP-${at + 1}`);
const items = skus.map((sku) => ({ sku, set: { price: 90 } }));
const facts = (answer: { structured: unknown } | undefined) => Object(answer?.structured);

describe('a list', () => {
  let shop: Shop;
  afterEach(() => shop.close());
  const start = () => {
    shop = openShop(Object.fromEntries(skus.map((sku) => [sku, 100])));
  };

  it('is agreed to over the values that were shown: other ones need a new code, though what is sent is the same', async () => {
    start();
    const chat = shop.open({ SELLER_WRITES: 'code' });
    const list = { items: items.slice(0, 2) };
    const code = facts(await chat.call(changeListings, list)).confirmation_code;
    // The cache holds only so many batches: the first is read again.
    for (const one of items.slice(2, 7)) await chat.call(changeListings, { items: [one] });
    shop.setElsewhere('LAMP-1', 200);
    const refused = await chat.call(changeListings, { ...list, confirmationCode: code });
    expect(refused?.error).toContain('has changed since the preview');
    expect(shop.arrived).toEqual([]);
    const fresh = facts(await chat.call(changeListings, list)).confirmation_code;
    const done = await chat.call(changeListings, { ...list, confirmationCode: fresh });
    expect(facts(done)).toMatchObject({ outcome: 'done', counts: { accepted: 2 } });
  });

  it('says what of it was changed from here just before; its undo says itself what it takes back', async () => {
    start();
    const chat = shop.open();
    const first = facts(await chat.call(changeListings, { items: items.slice(0, 2) }));
    const next = { items: items.slice(0, 2).map(({ sku }) => ({ sku, set: { price: 80 } })) };
    const again = await chat.call(changeListings, next, false);
    const undo = await chat.call(undoChange, { id: first.batch_id }, false);
    expectOnlyIn('from here', again?.question, undo?.question);
  });

  it('that would change nothing is not asked about', async () => {
    start();
    const chat = shop.open();
    const same = await chat.call(changeListings, { items: [{ sku: 'LAMP-1', set: { price: 100 } }] });
    expect([same?.question, facts(same).outcome]).toEqual([undefined, 'no_change']);
  });

  it('waits for its code as it was shown, whatever a dry run of the same shows meanwhile', async () => {
    start();
    const chat = shop.open({ SELLER_WRITES: 'code' });
    const list = { items: items.slice(0, 2) };
    const code = facts(await chat.call(changeListings, list)).confirmation_code;
    shop.setElsewhere('LAMP-1', 200);
    expect((await chat.call(changeListings, { ...list, dryRun: true }))?.text).toContain('200');
    const done = await chat.call(changeListings, { ...list, confirmationCode: code });
    // An item that differs from the preview is not sent.
    expect(facts(done).counts).toEqual({ accepted: 1, changed_since: 1 });
  });

  it('that was taken back is asked about anew, also where every write is allowed', async () => {
    start();
    const chat = shop.open({ SELLER_WRITES: 'allow' });
    const list = { items: items.slice(0, 2) };
    const first = await chat.call(changeListings, list, false);
    expect([first?.question, facts(first).outcome]).toEqual([undefined, 'done']);
    await chat.call(undoChange, { id: facts(first).batch_id });
    const sent = shop.arrived.length;
    expect((await chat.call(changeListings, list, false))?.question).toContain('2 listings');
    expect(shop.arrived).toHaveLength(sent);
  });

  it('goes on by its id for the seller who agreed to it, and by its own tool alone', async () => {
    start();
    const first = shop.open();
    first.killAfter(4, true);
    expect(await first.call(changeListings, { items })).toBeUndefined();
    const stranger = shop.open({ SELLER_ID: 'A2ANOTHER' });
    const [id = ''] = batchesIn(shop.folder());
    const sent = shop.arrived.length;
    const refused = await stranger.call(changeListings, { confirmationCode: id });
    expect(refused?.error).toContain(`There is no list ${id} of change_listings for this account`);
    const own = shop.open();
    const other = await own.call(undoChange, { confirmationCode: id });
    expect(other?.error).toContain(`There is no list ${id} of undo_change`);
    expect(shop.arrived).toHaveLength(sent);
    expect(facts(await own.call(changeListings, { confirmationCode: id })).batch_id).toBe(id);
    expect(shop.arrived.length).toBeGreaterThan(sent);
  });
});

it('a credential that stands in a list is on the disk nowhere, where nothing can be sealed', async () => {
  const secret = 'client-secret-of-the-seller';
  const folder = mkdtempSync(join(inject('scratch'), 'seller-list-'));
  const onDisk = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.jsonl$|^store\.db/.test(entry.name))
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
      .join('\n');
  let meanwhile = '';
  const runner = await startToolRunner(
    ({ method, path }) => {
      if (method !== 'GET') {
        meanwhile = onDisk();
        return { body: { sku: 'LAMP-1', status: 'ACCEPTED', submissionId: 's', issues: [] } };
      }
      const item = {
        sku: 'LAMP-1',
        summaries: [{ marketplaceId: US, productType: 'LAMP', itemName: 'Lamp' }],
        attributes: { item_name: [{ value: 'Lamp', language_tag: 'en_US', marketplace_id: US }] },
      };
      return { body: path.includes('/LAMP-1') ? item : { numberOfResults: 1, items: [item] } };
    },
    { SELLER_WRITES: 'allow', SELLER_CLIENT_SECRET: secret, SELLER_STATE_DIR: folder },
  );
  const done = await runner.run(changeListings, {
    items: [{ sku: 'LAMP-1', set: { title: `Lamp ${secret}` } }],
  });
  await runner.close();
  expect(done.structured).toMatchObject({ counts: { accepted_not_visible: 1 } });
  expect(meanwhile).toContain('"kept":"memory"');
  for (const text of [meanwhile, onDisk()]) expect(text).not.toContain(secret);
});

describe('what was accepted of a list', () => {
  const listing = (sku: string, value: string) => ({
    sku,
    summaries: [{ marketplaceId: US, productType: 'LAMP', itemName: value }],
    attributes: { item_name: [{ value, language_tag: 'en_US', marketplace_id: US }] },
  });
  const LAMPS = ['LAMP-1', 'LAMP-2'];
  const UNREAD = 'Accepted; could not be read back:';

  it.each([
    [
      'that is not there any more',
      404,
      ['Accepted; read back, the service has what was sent:', 'LAMP-1', UNREAD, 'LAMP-2'],
    ],
    ['where nothing can be read', 400, [UNREAD, 'LAMP-1', 'LAMP-2']],
  ])('is not told as read back the same, %s', async (_what, status, found) => {
    const titles = new Map(LAMPS.map((sku) => [sku, 'Lamp']));
    let written = 0;
    const runner = await startToolRunner(
      ({ method, path }) => {
        const sku = new URL(path, 'http://service').pathname.split('/').at(-1) ?? '';
        if (method !== 'GET') {
          written += 1;
          titles.set(sku, 'New');
          return { body: { sku, status: 'ACCEPTED', submissionId: 's', issues: [] } };
        }
        const isOver = written === LAMPS.length;
        const refused = { status, body: { errors: [{ code: 'X', message: 'no' }] } };
        if (isOver && (status === 400 || sku === 'LAMP-2')) return refused;
        const there = [...titles].filter(([one]) => !isOver || one === 'LAMP-1');
        const all = there.map(([one, title]) => listing(one, title));
        return { body: all.find((one) => one.sku === sku) ?? { numberOfResults: all.length, items: all } };
      },
      { SELLER_WRITES: 'allow' },
    );
    const done = await runner.run(changeListings, {
      items: LAMPS.map((sku) => ({ sku, set: { title: 'New' } })),
    });
    await runner.close();
    expect(done.structured).toMatchObject({ counts: { accepted: 2 } });
    expect(done.text.replace(/^ {2,}/gm, '').replace(/ "Lamp": .*$/gm, '')).toContain(found.join('\n'));
  });
});

describe('a code for several calls', () => {
  let runner: ToolRunner;
  afterEach(() => runner.close());
  const written = () => runner.calls().filter(({ method }) => method !== 'GET');
  const titled = (sku: string, value: string) => ({
    parameters: { sku, marketplaceIds: [US] },
    body: {
      productType: 'LAMP',
      patches: [{ op: 'replace', path: '/attributes/item_name', value: [{ value, marketplace_id: US }] }],
    },
  });
  const listOf = (value: string) => ({
    operation: 'patchListingsItem',
    calls: [titled('S-1', value), titled('S-2', value)],
  });
  async function start() {
    runner = await startToolRunner(
      ({ path }) => {
        const sku = new URL(path, 'http://service').pathname.split('/').at(-1) ?? '';
        const attributes = { item_name: [{ value: 'Lamp', marketplace_id: US }] };
        return { body: { sku, summaries: [{ marketplaceId: US, productType: 'LAMP' }], attributes } };
      },
      { SELLER_WRITES: 'code' },
    );
  }
  /** The session as it is by then: everything is prepared in another way. */
  async function prepared(change: (made: PreparedRequest) => PreparedRequest): Promise<Session> {
    const client = await runner.session.client();
    const prepare: Client['prepare'] = async (input) => change(await client.prepare(input));
    return { ...runner.session, client: async () => ({ ...client, prepare }) };
  }
  const grant = { clientId: 'client-1', grant: 'another' };

  it.each<[string, () => Promise<Session>, string]>([
    [
      'the account has other credentials',
      () => prepared((made) => ({ ...made, owner: { ...made.owner, login: grant } })),
      'the account has other credentials, another seller or another address',
    ],
    [
      'the account fills in something else',
      () => prepared((made) => ({ ...made, filledIn: { ...made.filledIn, sellerId: 'A2' } })),
      'belongs to another content: account, operation, parameters or body differ',
    ],
    [
      'it can no longer be taken back',
      async () => {
        (await runner.session.journal()).whyNot = async () => 'there is no room.';
        return runner.session;
      },
      'the state that the changes were compared with has changed',
    ],
  ])('is none any more once %s', async (_what, sessionThen, words) => {
    await start();
    const { structured } = await runner.run(writeOperation, listOf('Desk lamp'));
    // The cache holds only so many batches: the first is prepared again.
    for (const value of ['a', 'b', 'c', 'd', 'e']) await runner.run(writeOperation, listOf(value));
    const again = { ...listOf('Desk lamp'), confirmationCode: structured.confirmation_code };
    const session = await sessionThen();
    await expect(runner.run(writeOperation, again, { session })).rejects.toThrow(words);
    expect(written()).toEqual([]);
  });

  it('is none where marks stand in one of them: the person sees what they stand for, or nobody', async () => {
    await start();
    const personal = await runner.session.personal();
    const source = { operation: 'orders/getOrders' };
    const { BuyerName: mark } = Object(personal.maskAnswer('default', source, { BuyerName: 'Anna Schmidt' }));
    const { calls, ...list } = listOf('Desk lamp');
    const marked = { ...list, calls: [...calls, titled('S-3', `for ${mark}`)] };
    await expect(runner.run(writeOperation, marked)).rejects.toThrow('could confirm it here');
    expect(written()).toEqual([]);
  });
});

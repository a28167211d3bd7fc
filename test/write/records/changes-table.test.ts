/**
 * Tests the table of changes from here: a row for each member, of this seller, with recorded values, nothing
 * personal.
 */

import { expect, it } from 'vitest';
import { createPersonalData } from '../../../src/privacy/personal/personal-data.ts';
import { readChanges } from '../../../src/write/records/changes-table.ts';
import type { RecordedWrite } from '../../../src/write/records/journal/entry.ts';
import { createFolder, openJournal } from './journal/helpers.ts';

const US = 'ATVPDKIKX0DER';
const PATCH = 'listings-items/patchListingsItem';
const price = (amount: number) => [
  {
    currency: 'USD',
    audience: 'ALL',
    marketplace_id: US,
    our_price: [{ schedule: [{ value_with_tax: amount }] }],
  },
];

function entryOf(id: string, more: Partial<RecordedWrite> = {}, values: object = {}): RecordedWrite {
  return {
    id,
    time: '2026-11-20T11:00:00.000Z',
    account: 'shop',
    owner: 'mark',
    operation: PATCH,
    outcome: 'done',
    isListing: true,
    open: async () => ({
      parameters: { sku: `SKU of ${id}`, marketplaceIds: [US] },
      members: [
        { segments: ['attributes', 'purchasable_offer'], before: price(20), after: price(18) },
        { segments: ['attributes', 'item_name'], before: [{ value: 'Lamp' }] },
      ],
      ...values,
    }),
    ...more,
  };
}

/** @param values by the ids of the writes @param listings of feeds */
async function read(
  writes: readonly {
    account?: string;
    owner?: string;
    parameters?: Record<string, unknown>;
    body?: unknown;
  }[],
  values: Readonly<Record<string, RecordedWrite['open']>> = {},
  listings: readonly RecordedWrite[] = [],
) {
  const folder = await createFolder();
  const { journal } = openJournal(folder);
  for (const { account = 'shop', owner = 'mark', parameters = {}, body } of writes) {
    const id = await journal.begin({ account, owner, operation: PATCH, parameters, body, what: 'title' });
    await journal.end(id, { outcome: 'done', status: 200, requestId: 'r-1', idempotencyKey: 'k-1' });
  }
  const entries = async (query: Parameters<typeof journal.read>[0]) =>
    (await journal.read(query)).map((entry) => ({ ...entry, open: values[entry.id] ?? entry.open }));
  return readChanges({
    account: 'shop',
    ownerDigest: 'mark',
    personal: createPersonalData({ isMasking: true }),
    journal: {
      read: async (query) => [
        ...(await entries(query)),
        ...listings.filter(({ account }) => account === query.account),
      ],
    },
  });
}

it('a write without kept values is one row, with all that the journal has of it', async () => {
  const { rows, leftOut } = await read([{ parameters: { sku: 'S1', marketplaceIds: [US] }, body: { a: 1 } }]);
  expect(leftOut).toBe(0);
  expect(rows).toEqual([
    {
      at: expect.stringMatching(/^2026-11-20T/),
      local_time: expect.stringMatching(/^2026-11-20 .*\(.*\)$/),
      list: null,
      sku: 'S1',
      store: null,
      outcome: 'done',
      what: 'title',
      error: null,
      id: 'w-1',
      undoes: null,
      account: 'shop',
      operation: PATCH,
      ended_at: expect.stringMatching(/^2026-11-20T/),
      status: 200,
      parameters: JSON.stringify({ sku: 'S1', marketplaceIds: [US] }),
      body: '{"a":1}',
      differences: null,
      request_id: 'r-1',
      idempotency_key: 'k-1',
    },
  ]);
});

it('a write whose values are kept has a row for each member, with its thing by them', async () => {
  const { rows } = await read([{}], { 'w-1': entryOf('w-1').open });
  expect(rows.map(({ sku, member, old, new: next, currency }) => [sku, member, old, next, currency])).toEqual(
    [
      ['SKU of w-1', 'price', 20, 18, 'USD'],
      ['SKU of w-1', expect.stringContaining('title'), 'Lamp', null, null],
    ],
  );
  const store = { parameters: { supplySourceId: 'ss-1' }, members: [] };
  const none = await read([{ parameters: { sku: 'S1' } }], { 'w-1': entryOf('w-1', {}, store).open });
  expect(none.rows.map(({ sku, store: of, member }) => [sku, of, member])).toEqual([
    ['S1', 'ss-1', undefined],
  ]);
});

it('a write tells each attribute that it changed, with the marketplaces where its entries differ', async () => {
  const DE = 'A1PA6795UKMFR9';
  const offer = (place: string, amount: number) => ({ marketplace_id: place, amount });
  const values = {
    parameters: { sku: 'S1', marketplaceIds: [US, DE] },
    members: [
      {
        segments: ['attributes', 'purchasable_offer'],
        before: [offer(US, 20), offer(DE, 9)],
        after: [offer(US, 20), offer(DE, 8)],
      },
      { segments: ['attributes', 'fulfillment_availability'], before: [{ quantity: 1 }], after: [] },
    ],
  };
  const { rows } = await read([{}], { 'w-1': entryOf('w-1', {}, values).open });
  expect(JSON.parse(String(rows[0]?.touched))).toEqual([
    { attribute: 'purchasable_offer', marketplaces: [DE] },
    { attribute: 'fulfillment_availability', marketplaces: [US, DE] },
  ]);
});

it('what went out in a feed stands there by itself, in the order of time, with its list and what it takes back', async () => {
  const feed = entryOf('f-1', {
    time: '2026-11-19T00:00:00.000Z',
    batch: 'b1',
    undoes: 'w-0',
    what: 'price',
  });
  const { rows } = await read([{}], {}, [feed]);
  expect(
    rows.map(({ id, list, undoes, status, parameters }) => [id, list, undoes, status, parameters]),
  ).toEqual([
    ['f-1', 'b1', 'w-0', null, null],
    ['f-1', 'b1', 'w-0', null, null],
    ['w-1', null, null, 200, '{}'],
  ]);
});

it('another account and another owner of the same name are left out, and those of the name are counted', async () => {
  const writes = [{ owner: 'earlier' }, {}, { account: 'other' }];
  const foreign = [entryOf('f-1', { owner: 'earlier' }), entryOf('f-2', { account: 'other' })];
  const { rows, leftOut } = await read(writes, {}, foreign);
  expect(rows.map(({ id }) => id)).toEqual(['w-2']);
  expect(leftOut).toBe(1);
});

it('values whose key is not to be had hide themselves, not what happened', async () => {
  const failing = entryOf('w-1', {
    open: async () => {
      throw new Error('the keychain');
    },
  });
  for (const entry of [failing, entryOf('w-1', { open: async () => undefined })]) {
    const { rows } = await read([{ parameters: { sku: 'S1' } }], { 'w-1': entry.open });
    expect(rows.map(({ id, sku, member }) => [id, sku, member])).toEqual([['w-1', 'S1', undefined]]);
  }
});

it('a buyer’s data that were recorded in clear are marks here', async () => {
  const { rows } = await read([], {}, [
    entryOf('f-1', { what: 'title: to li@example.com' }, { members: [] }),
  ]);
  expect(rows[0]?.what).toMatch(/^title: to «e-mail [^»]+»$/);
});

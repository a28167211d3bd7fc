import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../../src/disk/store.ts';
import { createPassingKeys } from '../../../../src/privacy/sealed/keychain-keys.ts';
import { createSealer, type Sealer } from '../../../../src/privacy/sealed/sealer.ts';
import { createHistory } from '../../../../src/write/keep/history/history.ts';
import type { WriteToKeep } from '../../../../src/write/keep/history/values.ts';
import { thingDigest } from '../../../../src/write/keep/history/values.ts';
import { type Change, unknownChange } from '../../../../src/write/model/change.ts';
import { openStateStore } from '../../../../src/write/state-store.ts';
import { bytesOf } from './kept.ts';

const DAY = 86_400_000;
let folder: string;
let now = Date.parse('2026-11-22T10:00:00Z');
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'seller-history-')), 'history');
});
afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }));

const withKeys = createSealer(createPassingKeys());
const without: Sealer = {
  canSeal: async () => false,
  seal: () => Promise.reject(new Error('no key')),
  open: async () => undefined,
};
const SECRET = 'client-secret-in-use';
const redact = (text: string) => text.replaceAll(SECRET, '[redacted]');
const stores: Store[] = [];
function openStore(): Store {
  const store = openStateStore(folder);
  stores.push(store);
  return store;
}
const open = (sealer: Sealer = withKeys) =>
  createHistory({ store: openStore(), keepDays: 30, now: () => now, sealer: async () => sealer, redact });

const entries = (value: string) => [{ value, marketplace_id: 'M1' }];
function titleChange(before: string, after: string): Change {
  return {
    subject: { kind: 'listing', sku: 'S1' },
    places: ['M1'],
    toldParameters: [],
    isWhole: true,
    warnings: [],
    before: { item_name: entries(before) },
    after: { item_name: entries(after) },
    differences: [
      {
        path: 'attributes.item_name',
        segments: ['attributes', 'item_name'],
        kind: 'changed',
        before: entries(before),
        after: entries(after),
      },
    ],
  };
}
function writeOf(change: Change, more: Partial<WriteToKeep> = {}): WriteToKeep {
  return {
    account: 'default',
    owner: 'owner-1',
    parameters: { sku: 'S1', marketplaceIds: ['M1'] },
    operation: { id: 'listings-items/patchListingsItem', effect: 'write', group: 'listings-items' },
    body: { productType: 'LAMP', patches: [] },
    change,
    shown: change,
    what: 'title: A -> B',
    ...more,
  };
}
/** Closes every store first, so that nothing of it lies beside the file. */
async function text(): Promise<string> {
  for (const store of stores.splice(0)) await store.close();
  return bytesOf(folder);
}

describe('what is kept', () => {
  it('is told with who said yes to it, where several use the account', async () => {
    const by = { id: 'p-1', name: 'Ana' };
    const history = createHistory({
      store: openStore(),
      keepDays: 30,
      now: () => now,
      sealer: async () => withKeys,
      redact,
      by,
    });
    await history.hold(writeOf(titleChange('A', 'B')), undefined).begin('id-1');
    await open()
      .hold(writeOf(titleChange('B', 'C')), undefined)
      .begin('id-2');
    expect((await open().list()).map(({ id, by: author }) => [id, author])).toEqual([
      ['id-1', by],
      ['id-2', undefined],
    ]);
  });

  it.each([
    [{ sku: 'S1', marketplaceIds: ['M1'] }, true],
    [{ supplySourceId: 'S1' }, true],
    [{ marketplaceIds: ['M1'] }, false],
  ])(
    'of %j is found by what it is about, where that is a listing or a store',
    async (parameters, isOfThing) => {
      await open()
        .hold(writeOf(titleChange('A', 'B'), { parameters }), undefined)
        .begin('id-1');
      const [entry] = await open().list();
      expect(entry?.thing).toBe(isOfThing ? thingDigest({ parameters }) : undefined);
    },
  );

  it('is whole, sealed, for this user alone, and read back with its outcome', async () => {
    const held = open().hold(writeOf(titleChange('Alpha', 'Beta'), { batch: 'b1', undoes: 'u1' }), undefined);
    await held.begin('id-1');
    held.note({ item_name: entries('Beta') });
    expect(await held.end('id-1', 'done')).toBeUndefined();
    const [entry] = await open().list();
    expect(entry).toMatchObject({
      id: 'id-1',
      account: 'default',
      owner: 'owner-1',
      outcome: 'done',
      batch: 'b1',
      undoes: 'u1',
      what: 'title: A -> B',
      operation: 'listings-items/patchListingsItem',
    });
    expect(await entry?.open()).toEqual({
      parameters: { sku: 'S1', marketplaceIds: ['M1'] },
      productType: 'LAMP',
      members: [{ segments: ['attributes', 'item_name'], before: entries('Alpha'), after: entries('Beta') }],
      found: [entries('Beta')],
    });
    expect(await text()).not.toMatch(/Alpha|Beta/);
  });

  it('is in clear where there is no keychain and nothing of it is personal', async () => {
    await open(without)
      .hold(writeOf(titleChange('Alpha', 'Beta')), undefined)
      .begin('id-1');
    const [entry] = await open(without).list();
    expect((await entry?.open())?.members).toHaveLength(1);
    expect(await text()).toContain('Alpha');
  });

  it('a write whose process was killed before its outcome is unknown, and keeps its values', async () => {
    await open()
      .hold(writeOf(titleChange('Alpha', 'Beta')), undefined)
      .begin('id-1');
    const [entry] = await open().list();
    expect(entry?.outcome).toBe('unknown');
    expect(await entry?.open()).toBeDefined();
  });

  it('cannot be opened under another key', async () => {
    await open()
      .hold(writeOf(titleChange('Alpha', 'Beta')), undefined)
      .begin('id-1');
    const [entry] = await open(createSealer(createPassingKeys())).list();
    expect(entry?.id).toBe('id-1');
    expect(await entry?.open()).toBeUndefined();
  });

  it('is gone after its days where nothing is written any more, once somebody looks', async () => {
    const held = open().hold(writeOf(titleChange('A', 'B')), undefined);
    await held.begin('id-1');
    now += 31 * DAY;
    expect(await open().list()).toEqual([]);
    expect(await text()).not.toContain('id-1');
    now -= 31 * DAY;
  });

  it('says that it cannot be read, and where', async () => {
    await mkdir(join(folder, 'store.db'), { recursive: true });
    await expect(open().list()).rejects.toThrow(`What was changed from here cannot be read in ${folder}`);
  });

  it('is gone after its days, from the disk too', async () => {
    await open()
      .hold(writeOf(titleChange('A', 'B')), undefined)
      .begin('old');
    now += 30 * DAY + 60_000;
    expect(await open().list()).toEqual([]);
    now += DAY;
    await open()
      .hold(writeOf(titleChange('B', 'C')), undefined)
      .begin('new');
    expect((await open().list()).map(({ id }) => id)).toEqual(['new']);
  });
});

describe('what is personal', () => {
  const mail = (value: string): Change => ({
    subject: { kind: 'store', id: 'x' },
    places: [],
    toldParameters: [],
    isWhole: true,
    warnings: [],
    before: { contact: { email: 'old@shop.example' } },
    after: { contact: { email: value } },
    differences: [
      {
        path: 'contact.email',
        segments: ['contact', 'email'],
        kind: 'changed',
        before: 'old@shop.example',
        after: value,
      },
    ],
  });
  const store = {
    id: 'supply-sources/updateSupplySource',
    effect: 'write',
    group: 'supply-sources',
  } as const;
  const written = (change: Change, shown = change) =>
    writeOf(change, { operation: store, shown, what: 'to new@shop.example', body: undefined });

  it('cannot be undone without a keychain, and nothing of it is on the disk', async () => {
    const write = written(mail('new@shop.example'));
    const why = await open(without).whyNot(write);
    expect(why).toMatch(/without a keychain/);
    await open(without).hold(write, why).begin('id-1');
    expect(await text()).not.toContain('shop.example');
    expect(await open().whyNot(write)).toBeUndefined();
  });

  it('is also what the assistant sees as a mark', async () => {
    const change = titleChange('Alpha', 'Beta');
    expect(await open(without).whyNot(writeOf(change))).toBeUndefined();
    expect(await open(without).whyNot(writeOf(change, { shown: titleChange('mark', 'Beta') }))).toBeDefined();
  });

  it('what is read back is not kept in clear where the keychain stops answering meanwhile', async () => {
    let sealer = withKeys;
    const history = createHistory({
      store: openStore(),
      keepDays: 30,
      now: () => now,
      sealer: async () => sealer,
      redact,
    });
    const held = history.hold(written(mail('new@shop.example')), undefined);
    await held.begin('id-1');
    sealer = without;
    held.note({ contact: { email: 'read@shop.example' } });
    expect(await held.end('id-1', 'done')).toBeUndefined();
    expect(await text()).not.toContain('shop.example');
    expect(await history.list()).toMatchObject([{ id: 'id-1', outcome: 'done' }]);
  });

  it('nothing is sent where the keychain stops answering after it was said to be undoable', async () => {
    const held = open(without).hold(written(mail('new@shop.example')), undefined);
    await expect(held.begin('id-1')).rejects.toThrow('keychain stopped answering');
  });
});

describe('a credential of ours', () => {
  const change = titleChange('Lamp', `Lamp ${SECRET}`);
  const write = writeOf(change, { what: `title: Lamp -> Lamp ${SECRET}` });

  it('is sealed with the values, and in no line beside them', async () => {
    expect(await open().whyNot(write)).toBeUndefined();
    await open().hold(write, undefined).begin('id-1');
    expect(await text()).not.toContain(SECRET);
    const [entry] = await open().list();
    expect(entry?.what).toBe('title: Lamp -> Lamp [redacted]');
    expect((await entry?.open())?.members).toMatchObject([{ after: entries(`Lamp ${SECRET}`) }]);
  });

  it('is not kept where nothing can be sealed, which is told before', async () => {
    const why = await open(without).whyNot(write);
    expect(why).toMatch(/holds a credential, and without a keychain/);
    await open(without).hold(write, why).begin('id-1');
    expect(await text()).not.toContain(SECRET);
    await expect(open(without).hold(write, undefined).begin('id-2')).rejects.toThrow(
      'keychain stopped answering',
    );
  });

  it('that was only read back is not kept in clear either', async () => {
    const held = open(without).hold(writeOf(titleChange('A', 'B')), undefined);
    await held.begin('id-1');
    held.note({ item_name: entries(`B ${SECRET}`) });
    expect(await held.end('id-1', 'done')).toBeUndefined();
    expect(await text()).not.toContain(SECRET);
    expect(await open(without).list()).toMatchObject([{ id: 'id-1', outcome: 'done' }]);
  });
});

describe('whyNot', () => {
  const listing = (name: string, effect: 'write' | 'delete' = 'write') =>
    ({ id: `listings-items/${name}`, effect, group: 'listings-items' }) as const;
  const change = titleChange('A', 'B');

  it.each([
    ['a deletion', writeOf(change, { operation: listing('deleteListingsItem', 'delete') }), /stays deleted/],
    [
      'a message',
      writeOf(unknownChange(), {
        operation: { id: 'messaging/confirmOrderDetails', effect: 'write', group: 'messaging' },
      }),
      /a message that was sent stays sent/,
    ],
    ['values that are not known', writeOf(unknownChange('404')), /values before it are not known/],
    ['a new listing', writeOf(change, { operation: listing('putListingsItem'), isNew: true }), /new listing/],
    [
      'a new product type',
      writeOf(
        { ...change, sent: [{ segments: ['productType'], value: 'CHAIR' }] },
        { operation: listing('putListingsItem') },
      ),
      /also sends members/,
    ],
    ['more than is kept', writeOf(titleChange('A', 'x'.repeat(400_001))), /larger than 400 kB/],
  ])('tells %s', async (_what, write, why) => {
    expect(await open().whyNot(write)).toMatch(why);
  });

  it('says that there is no room, and where', async () => {
    await writeFile(folder, 'a file in the place of the folder');
    const why = await open().whyNot(writeOf(change));
    expect(why).toContain(`cannot be kept in ${folder}: `);
    expect(why).toMatch(/: E[A-Z]+\b/);
    await expect(open().hold(writeOf(change), undefined).begin('id-1')).rejects.toThrow(
      /cannot be kept in .*: E[A-Z]+\b/,
    );
  });
});

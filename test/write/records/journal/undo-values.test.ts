import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSingleKey } from '../../../../src/privacy/sealed/keychain-keys.ts';
import { createSealer, type Sealer } from '../../../../src/privacy/sealed/sealer.ts';
import type { Store } from '../../../../src/store/store.ts';
import { type Change, unknownChange } from '../../../../src/write/model/change.ts';
import type { Journal } from '../../../../src/write/records/journal/journal.ts';
import type { Undoable } from '../../../../src/write/records/undo/undo-eligibility.ts';
import { buildWriteValues, isPersonal } from '../../../../src/write/records/undo/write-values.ts';
import { openStateStore } from '../../../../src/write/state-store.ts';
import { bytesOf } from '../undo/recorded-writes.ts';
import { openJournal } from './helpers.ts';

const DAY = 86_400_000;
let folder: string;
let now = Date.parse('2026-11-22T10:00:00Z');
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'seller-history-')), 'history');
});
afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }));

const withKeys = createSealer(createSingleKey());
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
const open = (sealer: Sealer = withKeys, more: Parameters<typeof openJournal>[1] = {}) =>
  openJournal(folder, {
    store: openStore(),
    now: () => now,
    sealer: async () => sealer,
    redact: (value) => JSON.parse(redact(JSON.stringify(value))),
    redactText: redact,
    ...more,
  }).journal;

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
interface Write extends Undoable {
  what: string;
  body?: unknown;
  batch?: string;
  undoes?: string;
}

function writeOf(change: Change, more: Partial<Write> = {}): Write {
  return {
    operation: { id: 'listings-items/patchListingsItem', effect: 'write', group: 'listings-items' },
    body: { productType: 'LAMP', patches: [] },
    change,
    shown: change,
    what: 'title: A -> B',
    ...more,
  };
}
/** @param cannot what `whyNot` said */
function begin(journal: Journal, write: Write, cannot?: string): Promise<string> {
  const parameters = { sku: 'S1', marketplaceIds: ['M1'] };
  const { operation, what, batch, undoes, ...kept } = write;
  return journal.begin(
    { account: 'default', owner: 'owner-1', operation: operation.id, what, batch, undoes },
    { values: buildWriteValues({ parameters, ...kept }), isPersonal: isPersonal(kept), cannot },
  );
}
/** Closes every store first, so that nothing of it lies beside the file. */
async function text(): Promise<string> {
  for (const store of stores.splice(0)) await store.close();
  return bytesOf(folder);
}

describe('what is kept', () => {
  it('is told with who said yes to it, where several use the account', async () => {
    const by = { id: 'p-1', name: 'Ana' };
    await begin(open(withKeys, { by }), writeOf(titleChange('A', 'B')));
    await begin(open(withKeys, { randomId: () => 'w-2' }), writeOf(titleChange('B', 'C')));
    expect((await open().list()).map(({ id, by: author }) => [id, author])).toEqual([
      ['w-1', by],
      ['w-2', undefined],
    ]);
  });

  it('is whole, sealed, for this user alone, and read back with its outcome', async () => {
    const journal = open();
    const id = await begin(journal, writeOf(titleChange('Alpha', 'Beta'), { batch: 'b1', undoes: 'u1' }));
    const found = [{ found: entries('Beta') }];
    expect(await journal.end(id, { outcome: 'done' }, { found })).toBeUndefined();
    const [entry] = await open().list();
    expect(entry).toMatchObject({
      id: 'w-1',
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
    await begin(open(without), writeOf(titleChange('Alpha', 'Beta')));
    const [entry] = await open(without).list();
    expect((await entry?.open())?.members).toHaveLength(1);
    expect(await text()).toContain('Alpha');
  });

  it('a write whose process was killed before its outcome is unknown, and keeps its values', async () => {
    await begin(open(), writeOf(titleChange('Alpha', 'Beta')));
    const [entry] = await open().list();
    expect(entry?.outcome).toBe('unknown');
    expect(await entry?.open()).toBeDefined();
  });

  it('cannot be opened under another key', async () => {
    await begin(open(), writeOf(titleChange('Alpha', 'Beta')));
    const [entry] = await open(createSealer(createSingleKey())).list();
    expect(entry?.id).toBe('w-1');
    expect(await entry?.open()).toBeUndefined();
  });

  it('is gone after its days where nothing is written any more, once somebody looks; that it was written stays', async () => {
    await begin(open(without), writeOf(titleChange('Alpha', 'Beta')));
    now += 31 * DAY;
    expect(await open().list()).toEqual([]);
    expect(await text()).not.toMatch(/Alpha|Beta/);
    const [entry, ...others] = await open().read({});
    expect([entry?.what, others]).toEqual(['title: A -> B', []]);
    expect(await entry?.open()).toBeUndefined();
    now -= 31 * DAY;
  });

  it('is gone after its days also where somebody only reads what was written, and what is read back later does not stay', async () => {
    const journal = open(without);
    const id = await begin(journal, writeOf(titleChange('Alpha', 'Beta')));
    now += 31 * DAY;
    const [entry] = await journal.read({});
    expect(await entry?.open()).toBeUndefined();
    await journal.end(id, { outcome: 'done' }, { found: [{ found: entries('Beta') }] });
    expect(await text()).not.toMatch(/Alpha|Beta/);
    now -= 31 * DAY;
  });

  it('says that it cannot be read, and where', async () => {
    await mkdir(join(folder, 'store.db'), { recursive: true });
    await expect(open().list()).rejects.toThrow(`What was changed from here cannot be read in ${folder}`);
  });

  it('is gone after its days with the next write, from the disk too', async () => {
    await begin(open(without), writeOf(titleChange('Alpha', 'Beta')));
    now += 30 * DAY + 60_000;
    await begin(open(without, { randomId: () => 'new' }), writeOf(titleChange('B', 'C')));
    expect(await text()).not.toMatch(/Alpha|Beta/);
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
    await begin(open(without), write, why);
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
    const journal = open(withKeys, { sealer: async () => sealer });
    const id = await begin(journal, written(mail('new@shop.example')));
    sealer = without;
    const found = [{ found: { contact: { email: 'read@shop.example' } } }];
    expect(await journal.end(id, { outcome: 'done' }, { found, isPersonal: true })).toBeUndefined();
    expect(await text()).not.toContain('shop.example');
    expect(await open().list()).toMatchObject([{ id, outcome: 'done' }]);
  });

  it('nothing is sent where the keychain stops answering after it was said to be undoable, which is recorded', async () => {
    const failed = begin(open(without), written(mail('new@shop.example')));
    await expect(failed).rejects.toThrow('keychain stopped answering');
    expect(await open().list()).toEqual([]);
    expect(await open().read({})).toMatchObject([
      { outcome: 'refused', error: expect.stringContaining('keychain stopped answering') },
    ]);
  });
});

describe('a credential of ours', () => {
  const change = titleChange('Lamp', `Lamp ${SECRET}`);
  const write = writeOf(change, { what: `title: Lamp -> Lamp ${SECRET}` });

  it('is sealed with the values, and in no line beside them', async () => {
    expect(await open().whyNot(write)).toBeUndefined();
    await begin(open(), write);
    expect(await text()).not.toContain(SECRET);
    const [entry] = await open().list();
    expect(entry?.what).toBe('title: Lamp -> Lamp [redacted]');
    expect((await entry?.open())?.members).toMatchObject([{ after: entries(`Lamp ${SECRET}`) }]);
  });

  it('is not kept where nothing can be sealed, which is told before', async () => {
    const why = await open(without).whyNot(write);
    expect(why).toMatch(/holds a credential, and without a keychain/);
    await begin(open(without), write, why);
    expect(await text()).not.toContain(SECRET);
    await expect(begin(open(without), write)).rejects.toThrow('keychain stopped answering');
    expect(await text()).not.toContain(SECRET);
  });

  it('is not kept either where it stands in a parameter, which is told before', async () => {
    const plain = writeOf(titleChange('A', 'B'));
    expect(await open(without).whyNot(plain, { sku: `S ${SECRET}` })).toMatch(/holds a credential/);
    expect(await open(without).whyNot(plain, { sku: 'S' })).toBeUndefined();
  });

  it('that was only read back is not kept in clear either', async () => {
    const journal = open(without);
    const id = await begin(journal, writeOf(titleChange('A', 'B')));
    const found = [{ found: entries(`B ${SECRET}`) }];
    expect(await journal.end(id, { outcome: 'done' }, { found })).toBeUndefined();
    expect(await text()).not.toContain(SECRET);
    expect(await open(without).list()).toMatchObject([{ id, outcome: 'done' }]);
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
    await expect(begin(open(), writeOf(change))).rejects.toThrow(/cannot be written: E[A-Z]+\b/);
  });
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSingleKey } from '../../../../src/privacy/sealed/keychain-keys.ts';
import { createSealer, type Sealer } from '../../../../src/privacy/sealed/sealer.ts';
import type { Store } from '../../../../src/store/store.ts';
import { entryIdOf } from '../../../../src/write/records/journal/journal-table.ts';
import { laterWrites } from '../../../../src/write/records/undo/undo-conflicts.ts';
import { deriveUndoneEntries, findUndoOf } from '../../../../src/write/records/undo/undo-eligibility.ts';
import {
  type ItemToRecord,
  MAX_LIST_BYTES,
  thingDigest,
} from '../../../../src/write/records/undo/write-values.ts';
import { indexWrites } from '../../../../src/write/records/undo/writes-by-thing.ts';
import { openStateStore } from '../../../../src/write/state-store.ts';
import { RUNS_ALL } from '../../../helpers/launch.ts';
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
const open = (sealer: Sealer = withKeys) => {
  const store = openStateStore(folder);
  stores.push(store);
  return openJournal(folder, {
    store,
    now: () => now,
    sealer: async () => sealer,
    redact: (value) => JSON.parse(redact(JSON.stringify(value))),
    redactText: redact,
  }).journal;
};

const item = (n: number, more: Partial<ItemToRecord> = {}): ItemToRecord => ({
  n,
  isPersonal: false,
  values: {
    parameters: { sku: `SKU-${n}`, marketplaceIds: ['M1'] },
    productType: 'LAMP',
    members: [{ segments: ['attributes', 'item_name'], before: [`Alpha ${n}`], after: [`Beta ${n}`] }],
  },
  ...more,
});
const items = (count: number) => Array.from({ length: count }, (_, at) => item(at + 1));
const list = (all: Iterable<ItemToRecord>, batch = 'b1') => ({
  account: 'default',
  owner: 'owner-1',
  operation: 'listings-items/patchListingsItem',
  batch,
  what: 'SKU-1: title: A -> B',
  items: all,
});
/** Closes every store first, so that nothing of it lies beside the file. */
async function text(): Promise<string> {
  for (const store of stores.splice(0)) await store.close();
  return bytesOf(folder);
}

describe('a list that goes out as a whole', () => {
  it('is sealed, each item an entry of its own with its own outcome', async () => {
    await open().beginList(list(items(600)));
    await open().endList('b1', [
      [1, 'done'],
      [600, 'not_accepted'],
    ]);
    const entries = await open().list();
    expect(entries).toHaveLength(600);
    expect(entries[0]).toMatchObject({
      id: 'b1-1',
      batch: 'b1',
      account: 'default',
      owner: 'owner-1',
      outcome: 'done',
      operation: 'listings-items/patchListingsItem',
      what: 'SKU-1: title: A -> B',
    });
    expect(entries[599]).toMatchObject({ id: 'b1-600', outcome: 'not_accepted' });
    expect(entries[300]?.outcome).toBe('unknown');
    expect(entries[300]?.what).toBeUndefined();
    expect(await Promise.all(entries.map((entry) => entry.open()))).toEqual(
      items(600).map(({ values }) => values),
    );
    expect(await text()).not.toMatch(/Alpha \d|Beta \d/);
  });

  it('may have 25,000 of them', async () => {
    await open().beginList(list(items(25_000)));
    await open().endList(
      'b1',
      items(25_000).map(({ n }) => [n, 'accepted_not_visible'] as const),
    );
    const entries = await open().list();
    expect(entries.every(({ outcome }) => outcome === 'accepted_not_visible')).toBe(true);
    expect(await entries[24_999]?.open()).toEqual(item(25_000).values);
  }, 30_000);

  it('is found by what each is about', async () => {
    const journal = open();
    await journal.beginList(list(items(3)));
    await journal.endList('b1', [[2, 'not_accepted']]);
    await journal.beginList(list([item(1)], 'b2'));
    const of = async (n: number) =>
      (await open().writesOf(thingDigest(item(n).values), now)).map(({ id, outcome }) => [id, outcome]);
    expect(await of(1)).toEqual([
      ['b1-1', 'unknown'],
      ['b2-1', 'unknown'],
    ]);
    expect(await of(2)).toEqual([['b1-2', 'not_accepted']]);
    expect(await open().writesOf(thingDigest(item(2).values), now + 1)).toEqual([]);
    expect(await of(4)).toEqual([]);
  });

  it('has the outcomes of all that were sent also where one was left out, and has no record', async () => {
    await open().beginList(list([item(1), item(3)]));
    await open().endList('b1', [
      [1, 'done'],
      [2, 'refused'],
      [3, 'not_accepted'],
    ]);
    expect((await open().list()).map(({ id, outcome }) => [id, outcome])).toEqual([
      ['b1-1', 'done'],
      ['b1-3', 'not_accepted'],
    ]);
  });

  it('kept again is the same, not twice', async () => {
    await open().beginList(list(items(3)));
    await open().beginList(list([item(2), item(3)]));
    const entries = await open().list();
    expect(entries.map(({ id }) => id)).toEqual(['b1-1', 'b1-2', 'b1-3']);
    expect(await entries[2]?.open()).toEqual(item(3).values);
  });

  it('of what cannot be undone keeps why, and no values', async () => {
    await open(without).beginList(
      list([item(1, { cannot: 'it holds personal data.', isPersonal: true }), item(2)]),
    );
    const [first, second] = await open(without).list();
    expect(first?.cannot).toBe('it holds personal data.');
    expect(await first?.open()).toBeUndefined();
    expect(await second?.open()).toEqual(item(2).values);
    expect(await text()).not.toContain('Alpha 1');
  });

  it('whatever the items are, what was kept is what is opened', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue(), { maxLength: 40 }),
        fc.integer({ min: 1, max: 20 }),
        async (all, size) => {
          await rm(folder, { recursive: true, force: true });
          const kept = all.map((before, at) =>
            item(at + 1, {
              values: {
                parameters: { sku: `${at}` },
                members: [
                  { segments: ['attributes', 'x'], before: [before, 'x'.repeat(size * 20_000)], after: [] },
                ],
              },
            }),
          );
          await open().beginList(list(kept));
          const opened = await Promise.all((await open().list()).map((entry) => entry.open()));
          expect(JSON.stringify(opened)).toBe(JSON.stringify(kept.map(({ values }) => values)));
        },
      ),
      { numRuns: RUNS_ALL ? 25 : 8 },
    );
  }, 60_000);
});

describe('what goes wrong', () => {
  it('a folder that cannot be written is told, and nothing may be sent', async () => {
    await writeFile(folder, 'a file in its place');
    await expect(open().beginList(list(items(2)))).rejects.toMatchObject({
      message: expect.stringContaining('cannot be written: '),
      hint: expect.stringContaining('No write is sent without a record'),
    });
    expect(await open().whyNotAll(1_000)).toContain('its earlier values cannot be kept in');
  });

  it('nothing personal is kept in clear', async () => {
    const kept = open(without).beginList(list([item(1), item(2, { isPersonal: true })]));
    await expect(kept).rejects.toThrow('keychain stopped answering');
    expect(await text()).not.toMatch(/Alpha \d/);
    expect(await open().list()).toEqual([]);
  });

  it('no credential of ours is kept in clear', async () => {
    const members = [{ segments: ['attributes', 'item_name'], before: ['Lamp'], after: [SECRET] }];
    const items = [item(1), item(2, { values: { parameters: { sku: 'SKU-2' }, members } })];
    await expect(open(without).beginList(list(items))).rejects.toThrow('keychain stopped answering');
    await open().beginList({ ...list(items), what: `SKU-2: title: ${SECRET}` });
    expect(await text()).not.toContain(SECRET);
  });

  it('a list that is larger than is kept is told before', async () => {
    expect(await open().whyNotAll(MAX_LIST_BYTES + 1)).toContain('larger than 64 MB');
    expect(await open().whyNotAll(100_000)).toBeUndefined();
  });

  it('values of another key are not opened', async () => {
    await open().beginList(list(items(3)));
    const [strange] = await open(createSealer(createSingleKey())).list();
    expect(await strange?.open()).toBeUndefined();
  });

  it('is gone after its days, values and all', async () => {
    await open(without).beginList(list(items(2)));
    expect(await text()).toContain('Alpha 2');
    now += 32 * DAY;
    await open().beginList(list(items(1), 'b2'));
    expect((await open().list()).map(({ id }) => id)).toEqual(['b2-1']);
    expect(await text()).not.toContain('Alpha 2');
  });
});

it('later writes of one item, and what took it back, are found among lists', async () => {
  await open().beginList(list(items(300)));
  await open().beginList(
    list(
      items(300).map((one) => ({ ...one, undoes: entryIdOf('b1', one.n) })),
      'b2',
    ),
  );
  await open().endList('b2', [[7, 'done']]);
  const entries = await open().list();
  const entry = entries.find(({ id }) => id === 'b1-7');
  const values = await entry?.open();
  if (entry === undefined || values === undefined) throw new Error('not kept');
  const writes = await indexWrites(entries, [entry]);
  expect(writes.size).toBe(1);
  expect((await laterWrites({ entry, values }, writes)).map((one) => one.entry.id)).toEqual(['b2-7']);
  expect(findUndoOf(deriveUndoneEntries(entries), 'b1-7')?.id).toBe('b2-7');
});

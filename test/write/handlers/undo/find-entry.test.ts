/** The entries that an id stands for: one, a whole list, or the last of a list that is about a SKU. */

import { afterAll, expect, it } from 'vitest';
import { ownerDigestOf } from '../../../../src/accounts/owner.ts';
import { findEntries, listEntries, pickEntries } from '../../../../src/write/handlers/undo/find-entry.ts';
import type { RecordedWrite } from '../../../../src/write/records/journal/entry.ts';
import { startToolRunner } from '../../../helpers/tool-runner.ts';

const runner = await startToolRunner(() => ({ body: {} }));
afterAll(() => runner.close());

const BATCHES = ['aaaaaaaa', 'bbbbbbbb'];
const SKUS = ['LAMP-1', 'LAMP/2', 'LAMP-3'];

/** Each of the 3^n ways to give four writes one of three SKUs, in two lists by turns. */
const worlds = Array.from({ length: 3 ** 4 }, (_, world) =>
  Array.from({ length: 4 }, (_one, at) => {
    const sku = SKUS[Math.floor(world / 3 ** at) % 3] ?? '';
    return { id: `w-${at}`, batch: BATCHES[world % 2 === 0 ? at % 2 : 0] ?? '', sku };
  }),
);

const entryOf = ({ id, batch, sku }: (typeof worlds)[number][number]): RecordedWrite => ({
  id,
  time: new Date(0).toISOString(),
  account: 'default',
  owner: 'o',
  operation: 'listings-items/patchListingsItem',
  outcome: 'done',
  batch,
  open: async () => ({ parameters: { sku }, members: [] }),
});

it('of a list, the last entry of a SKU: what was cut off and sent again is kept twice', async () => {
  for (const writes of worlds) {
    const entries = writes.map(entryOf);
    const find = async (id: string) => (await findEntries(id, entries, runner.session)).map((one) => one.id);
    for (const batch of BATCHES) {
      const own = writes.filter((one) => one.batch === batch);
      if (own.length > 0) expect(await find(batch)).toEqual(own.map(({ id }) => id));
      for (const sku of SKUS) {
        const last = own.findLast((one) => one.sku === sku);
        if (last === undefined) await expect(find(`${batch}/${sku}`)).rejects.toThrow('No change');
        else expect(await find(`${batch}/${sku}`)).toEqual([last.id]);
      }
    }
    for (const { id } of writes) expect(await find(id)).toEqual([id]);
  }
});

it('some of a list are those of its SKUs or stores, and those that it does not have are named, five at most', async () => {
  const entries = SKUS.map((sku, at) => entryOf({ id: `w-${at}`, batch: 'aaaaaaaa', sku }));
  const store: RecordedWrite = {
    ...entryOf({ id: 'w-store', batch: 'aaaaaaaa', sku: '' }),
    open: async () => ({ parameters: { supplySourceId: 'LAMP-1' }, members: [] }),
  };
  const pick = async (...things: string[]) =>
    (await pickEntries([...entries, store], things)).map(({ id }) => id);
  expect(await pick('LAMP-3', 'LAMP/2')).toEqual(['w-1', 'w-2']);
  expect(await pick('LAMP-1')).toEqual(['w-0', 'w-store']);
  const missing = (count: number) => Array.from({ length: count }, (_, at) => `NO-${at}`);
  const words = (...names: string[]) =>
    `The list has no changes of ${names.map((name) => `"${name}"`).join(', ')}`;
  await expect(pick('LAMP-1', 'NO-0')).rejects.toThrow(`${words('NO-0')}, or what they were`);
  await expect(pick(...missing(5))).rejects.toThrow(`${words(...missing(5))}, or what they were`);
  await expect(pick(...missing(7))).rejects.toThrow(`${words(...missing(5))} and 2 more, or what they were`);
  const long = await pick('x'.repeat(200)).catch(String);
  expect(String(long)).not.toContain('x'.repeat(101));
});

it('that another account made a change is told to nobody who may not see that account', async () => {
  const { session } = runner;
  const entry = entryOf({ id: 'w-theirs', batch: 'cccccccc', sku: 'LAMP-1' });
  const kept = { ...(await session.journal()), list: async () => [{ ...entry, account: 'theirs' }] };
  const words = async (id: string, accounts?: readonly string[]) => {
    const principal = { ...session.principal, accounts };
    return String(
      await findEntries(id, [], { ...session, principal, journal: async () => kept }).catch(String),
    );
  };
  for (const id of ['w-theirs', 'cccccccc']) {
    expect(await words(id)).toContain('was made for another account');
    expect(await words(id, ['default', 'theirs'])).toContain('was made for another account');
    expect(await words(id, ['default'])).toContain(`No change "${id}" is kept`);
  }
});

it('are those of the account and of whose it is by now; that others have one is told to who may see their account', async () => {
  const { session } = runner;
  const owner = ownerDigestOf(await (await session.accounts()).profile('default'));
  const of = (id: string, account: string, owned: string) => ({
    ...entryOf({ id, batch: `list of ${id}`, sku: 'S' }),
    account,
    owner: owned,
  });
  const all = [of('mine', 'default', owner), of('before', 'default', 'o'), of('other', 'shop', owner)];
  (await session.journal()).list = async () => all;
  const entries = await listEntries('default', session);
  expect(entries.map(({ id }) => id)).toEqual(['mine']);
  const why = (id: string, accounts?: readonly string[]) =>
    findEntries(id, entries, { ...session, principal: { ...session.principal, accounts } }).then(
      () => '',
      ({ message }) => message,
    );
  const isAnothers = expect.stringContaining('was made for another account');
  const isNone = expect.stringContaining('No change');
  expect(await why('mine')).toBe('');
  for (const id of ['before', 'other', 'list of other']) expect(await why(id)).toEqual(isAnothers);
  expect(await why('other', ['shop'])).toEqual(isAnothers);
  expect(await why('other', ['default'])).toEqual(isNone);
  expect(await why('no such')).toEqual(isNone);
});

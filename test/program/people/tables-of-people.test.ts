/** Tables of an account that several people use: those with buyers' data are a person's own, and what one person keeps is bounded. */

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Tables } from '../../../src/data/tables/table-types.ts';
import { openPeopleForTest } from '../../helpers/people.ts';
import { ASK, collectItems, ORDERS } from '../../helpers/tables-worker.ts';

const SELLER = { baseUrl: 'https://service.example', authUrl: 'https://identity.example', sellerId: 'A1' };
const LISTINGS = {
  kind: 'operation',
  operation: 'listings-items/searchListingsItems',
  parameters: {},
} as const;
const BUYERS = [{ orderId: '1', buyer: { buyerName: 'Ida Example', buyerEmail: 'ida@example.com' } }];

const namesOf = async (tables: Tables) =>
  (await tables.list()).flatMap(({ tables: all }) => all.map(({ name }) => name)).sort();

it('with buyers’ data they are seen by who collected them alone, under a name that no shared one has', async () => {
  const world = await openPeopleForTest({ lamps: SELLER });
  const [anna, ben] = await Promise.all(['anna', 'ben'].map((name) => world.connect(name)));
  if (anna === undefined || ben === undefined) throw new Error('two people are needed');
  const [hers, his] = await Promise.all([anna, ben].map(({ session }) => session.tables('lamps')));
  if (hers === undefined || his === undefined) throw new Error('two tables are needed');
  await collectItems(hers, 'orders', BUYERS);
  await collectItems(hers, 'listings', [{ sku: 'LAMP' }], LISTINGS);
  expect(await namesOf(hers)).toEqual(['listings', 'own_orders']);
  expect(await namesOf(his)).toEqual(['listings']);
  expect((await his.query('SELECT sku FROM listings', ASK)).rows).toEqual([['LAMP']]);
  await expect(his.query('SELECT * FROM own_orders', ASK)).rejects.toThrow('own_orders');
  expect((await hers.query('SELECT count(*) FROM own_orders', ASK)).rows).toEqual([[1]]);
  expect(await his.find(ORDERS)).toBeUndefined();
  // The same, collected by the other, is another table.
  await collectItems(his, 'orders', [...BUYERS, ...BUYERS.map((one) => ({ ...one, orderId: '2' }))]);
  expect((await hers.query('SELECT count(*) FROM own_orders', ASK)).rows).toEqual([[1]]);
  expect((await his.query('SELECT count(*) FROM own_orders', ASK)).rows).toEqual([[2]]);
  // The tables of others are reached neither by a name nor by an id.
  const [own] = (await hers.list()).filter(({ tables }) => tables[0]?.name === 'own_orders');
  await his.remove(own?.id ?? '');
  expect(await namesOf(hers)).toEqual(['listings', 'own_orders']);
}, 60_000);

it('those of a person with buyers’ data end with the session, and shared ones stay', async () => {
  const world = await openPeopleForTest({ lamps: SELLER });
  const anna = await world.connect('anna');
  const tables = await anna.session.tables('lamps');
  await collectItems(tables, 'orders', BUYERS);
  await collectItems(tables, 'listings', [{ sku: 'LAMP' }], LISTINGS);
  await anna.session.close();
  const folders = await readdir(join(world.folder, 'data', 'tables'));
  const files = await Promise.all(folders.map((name) => readdir(join(world.folder, 'data', 'tables', name))));
  expect(
    files
      .flat()
      .filter((name) => name.endsWith('.db'))
      .map((name) => name.split('-')[0]),
  ).toEqual(['listings']);
}, 60_000);

it('what a person keeps is bounded in number and size, and what others keep does not count', async () => {
  const world = await openPeopleForTest({ lamps: SELLER }, { SELLER_PERSON_COLLECTIONS: '2' });
  const [anna, ben] = await Promise.all(['anna', 'ben'].map((name) => world.connect(name)));
  const hers = await anna?.session.tables('lamps');
  const his = await ben?.session.tables('lamps');
  if (hers === undefined || his === undefined) throw new Error('two tables are needed');
  const source = (at: number) => ({ ...LISTINGS, parameters: { at } });
  for (const at of [1, 2]) await collectItems(hers, 'listings', [{ sku: 'LAMP' }], source(at));
  await expect(collectItems(hers, 'listings', [{ sku: 'LAMP' }], source(3))).rejects.toThrow('2 collections');
  // Anew, in the place of what is there.
  await collectItems(hers, 'listings', [{ sku: 'LAMP' }], source(2));
  await collectItems(his, 'listings', [{ sku: 'LAMP' }], source(3));
}, 60_000);

it('more than a person may keep is not kept', async () => {
  const world = await openPeopleForTest({ lamps: SELLER }, { SELLER_PERSON_MEGABYTES: '1' });
  const anna = await world.connect('anna');
  const tables = await anna.session.tables('lamps');
  const large = Array.from({ length: 3_000 }, (_, at) => ({ sku: `LAMP-${at}`, text: `${at}`.repeat(200) }));
  await expect(collectItems(tables, 'listings', large, LISTINGS)).rejects.toThrow('one person (1 MB)');
  expect(await tables.list()).toEqual([]);
}, 60_000);

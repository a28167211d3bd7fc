/** The folder of a load is removed as soon as its database is closed: nothing may be written there afterwards. */

import { readdir, stat } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createBuilder } from '../../../../src/data/tables/worker/build-collection.ts';
import { COUNTS } from '../../../../src/data/tables/worker/messages.ts';
import { makeTestFolder } from '../../../helpers/tables-worker.ts';

async function begin() {
  const folder = await makeTestFolder();
  const counts = new SharedArrayBuffer(COUNTS.length * Float64Array.BYTES_PER_ELEMENT);
  return { folder, ask: createBuilder({ do: 'begin', folder, counts, source: { operation: 'x/get' } }) };
}

const ITEMS = { do: 'items', table: 'things', items: [{ sku: 'A' }], key: undefined, at: [] } as const;
const changedAt = async (folder: string) => (await stat(folder, { bigint: true })).mtimeNs;

it('what is rehearsed while the next items are waited for is not begun once all are there', async () => {
  const { folder, ask } = await begin();
  ask(ITEMS);
  ask({ do: 'seal' });
  ask({ do: 'close', names: { things: 'orders' } });
  const before = await changedAt(folder);
  await nextTurn();
  expect(await changedAt(folder)).toBe(before);
  expect(await readdir(folder)).toEqual(['data.db']);
});

it('where the next are waited for, it is rehearsed, and leaves nothing', async () => {
  const { folder, ask } = await begin();
  ask(ITEMS);
  const before = await changedAt(folder);
  await nextTurn();
  expect(await changedAt(folder)).not.toBe(before);
  expect((await readdir(folder)).sort()).toEqual(['data.db', 'things.items']);
  ask({ do: 'seal' });
  ask({ do: 'close', names: {} });
});

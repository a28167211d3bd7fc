/** The entries that an id stands for: one, a whole list, or the last of a list that is about a SKU. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HistoryEntry } from '../../../../src/write/keep/history/history-file.ts';
import { findEntries } from '../../../../src/write/kinds/undo/find-entry.ts';
import { startToolRunner, type ToolRunner } from '../../../helpers/tool-runner.ts';

let runner: ToolRunner;
beforeAll(async () => {
  runner = await startToolRunner(() => ({ body: {} }));
});
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

const entryOf = ({ id, batch, sku }: (typeof worlds)[number][number]): HistoryEntry => ({
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

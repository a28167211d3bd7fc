/** What is taken back leaves the lists that made it: single writes by themselves, a feed only as a whole. */

import { afterEach, beforeEach, expect, it } from 'vitest';
import type { HistoryEntry } from '../../../../src/write/keep/history/history-file.ts';
import { entryIdOf, thingDigest } from '../../../../src/write/keep/history/kept-lists.ts';
import { leaveLists } from '../../../../src/write/kinds/undo/leave-lists.ts';
import { unknownChange } from '../../../../src/write/model/change.ts';
import { storeWrite } from '../../../../src/write/run/list/stored-write.ts';
import { startToolRunner, type ToolRunner } from '../../../helpers/tool-runner.ts';
import { listOf } from '../../run/batches/simulated.ts';
import { OWNER } from '../../run/open-guard.ts';

let runner: ToolRunner;
beforeEach(async () => {
  runner = await startToolRunner(() => ({ status: 404, body: {} }));
});
afterEach(() => runner.close());

const entryOf = (batch: string, id: string, sku: string): HistoryEntry => ({
  id,
  time: '2026-11-22T10:00:00.000Z',
  account: 'default',
  owner: 'mark',
  operation: 'listings-items/patchListingsItem',
  outcome: 'unknown',
  batch,
  thing: thingDigest({ parameters: { sku } }),
  open: async () => undefined,
});

async function begin(items: Parameters<typeof listOf>[0]) {
  const batches = await runner.session.batches();
  const { id } = await batches.begin(listOf(items));
  return { id, info: () => batches.info(id) };
}

it('a listing in a feed without an outcome could still be sent with the others: the list is left as it is', async () => {
  const all = ['S1', 'S2'].map((sku, at) => ({ sku, productType: 'LAMP', patches: [], n: at + 1 }));
  const { id, info } = await begin([{ key: 'feed', value: { kind: 'feed', all } }]);
  const entries = [entryOf(id, entryIdOf(id, 2), 'S2')];
  await expect(leaveLists(entries, undefined, runner.session)).rejects.toThrow(
    `It is part of a feed of the list ${id} that has no outcome yet; nothing was taken back.`,
  );
  expect(await info()).toMatchObject({ isWithdrawn: false, counts: { pending: 1, not_sent: 0 } });
  // Of another list of the same SKU it says nothing.
  await leaveLists([entryOf('00000000', entryIdOf('00000000', 2), 'S2')], undefined, runner.session);
  await leaveLists(entries, id, runner.session);
  expect(await info()).toMatchObject({ isWithdrawn: true, state: 'stopped' });
});

it('a single write leaves its list, and no other one', async () => {
  const operation = (await runner.session.program.registry()).find('listings-items/patchListingsItem');
  const writeOf = (sku: string) => {
    const parameters = { sku };
    const change = unknownChange();
    const input = { operation, account: 'default', parameters };
    const request = { method: 'PATCH', url: '', filledIn: {}, owner: OWNER };
    return storeWrite({ key: sku, input, request, change, shown: { parameters, change } });
  };
  const { id, info } = await begin(['S1', 'S2', 'S3'].map(writeOf));
  await leaveLists([entryOf(id, 'w-1', 'S2')], undefined, runner.session);
  const now = await info();
  expect(now?.items.map(({ outcome }) => outcome?.kind)).toEqual([undefined, 'not_sent', undefined]);
  expect(now).toMatchObject({ isWithdrawn: false, counts: { pending: 2, not_sent: 1 } });
});

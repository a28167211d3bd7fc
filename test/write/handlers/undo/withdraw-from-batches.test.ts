/** Tests that an undone write leaves the batch that made it: single writes one by one, a feed only as a whole. */

import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  describeWithdrawal,
  withdrawFromBatches,
} from '../../../../src/write/handlers/undo/withdraw-from-batches.ts';
import { unknownChange } from '../../../../src/write/model/change.ts';
import { NO_COUNTS } from '../../../../src/write/model/outcome.ts';
import type { RecordedWrite } from '../../../../src/write/records/journal/entry.ts';
import { entryIdOf } from '../../../../src/write/records/journal/journal-table.ts';
import { thingDigest } from '../../../../src/write/records/undo/write-values.ts';
import type { BatchState } from '../../../../src/write/run/batches/summary.ts';
import { toStoredItem } from '../../../../src/write/run/items/stored-write.ts';
import { startToolRunner, type ToolRunner } from '../../../helpers/tool-runner.ts';
import { listOf } from '../../run/batches/simulated.ts';
import { OWNER } from '../../run/open-guard.ts';

let runner: ToolRunner;
beforeEach(async () => {
  runner = await startToolRunner(() => ({ status: 404, body: {} }));
});
afterEach(() => runner.close());

const entryOf = (batch: string, id: string, sku: string): RecordedWrite => ({
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
  await expect(withdrawFromBatches(entries, undefined, runner.session)).rejects.toThrow(
    `It is part of a feed of the list ${id} that has no outcome yet; nothing was taken back.`,
  );
  expect(await info()).toMatchObject({ isWithdrawn: false, counts: { pending: 1, not_sent: 0 } });
  // The entry of another batch does not matter, though its SKU is the same.
  await withdrawFromBatches([entryOf('00000000', entryIdOf('00000000', 2), 'S2')], undefined, runner.session);
  await withdrawFromBatches(entries, id, runner.session);
  expect(await info()).toMatchObject({ isWithdrawn: true, state: 'stopped' });
});

it('a single write leaves its list, and no other one', async () => {
  const operation = (await runner.session.program.registry()).find('listings-items/patchListingsItem');
  const writeOf = (sku: string) => {
    const parameters = { sku };
    const change = unknownChange();
    const input = { operation, account: 'default', parameters };
    const request = { method: 'PATCH', url: '', filledIn: {}, owner: OWNER };
    return toStoredItem({ key: sku, input, request, change, shown: { parameters, change } });
  };
  const { id, info } = await begin(['S1', 'S2', 'S3'].map(writeOf));
  await withdrawFromBatches([entryOf(id, 'w-1', 'S2')], undefined, runner.session);
  const now = await info();
  expect(now?.items.map(({ outcome }) => outcome?.kind)).toEqual([undefined, 'not_sent', undefined]);
  expect(now).toMatchObject({ isWithdrawn: false, counts: { pending: 2, not_sent: 1 } });
});

const LIST = {
  id: 'b1',
  account: 'acme',
  owner: 'o',
  tool: 'change_listings',
  asked: 'a',
  digest: 'd',
  words: '1,500 listings',
  createdAt: 0,
  shownAt: 0,
  until: 1,
  total: 1_500,
  inDoubt: 0,
  told: false,
  isWithdrawn: false,
  why: undefined,
};

it('the question says what becomes of a list of which something is still to be sent, and of no other', () => {
  const listIn = (state: BatchState, pending: number) => ({
    ...LIST,
    state,
    counts: { ...NO_COUNTS, accepted: 1_500 - pending, pending },
  });
  for (const [state, how] of [
    ['unfinished', 'unfinished'],
    ['under_way', 'under way'],
    ['elsewhere', 'under way'],
  ] as const) {
    const list = listIn(state, 300);
    expect(describeWithdrawal(list, true)).toBe(
      `This ends the list b1 (1,500 listings; ${how}, 1,200 of 1,500 done): what it has not sent is never sent.`,
    );
    expect(describeWithdrawal(list, false)).toBe(
      `What is taken back leaves the list b1 (1,500 listings; ${how}, 1,200 of 1,500 done) for good; the rest of it can still go on.`,
    );
    expect(describeWithdrawal(listIn(state, 0), true)).toBeUndefined();
  }
  for (const state of ['ended', 'stopped', 'expired'] as const)
    expect(describeWithdrawal(listIn(state, 300), true)).toBeUndefined();
  expect(describeWithdrawal(undefined, true)).toBeUndefined();
});

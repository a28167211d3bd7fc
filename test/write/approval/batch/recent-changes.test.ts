/**
 * Tests the warning about a batch from here that changed the same members within a day, or still will: only
 * of the same seller.
 */

import { afterAll, expect, it } from 'vitest';
import { findRecentChanges } from '../../../../src/write/approval/batch/recent-changes.ts';
import type { Change } from '../../../../src/write/model/change.ts';
import type { RecordedWrite } from '../../../../src/write/records/journal/entry.ts';
import type { WriteValues } from '../../../../src/write/records/undo/write-values.ts';
import { thingDigest } from '../../../../src/write/records/undo/write-values.ts';
import type { BatchInfo, BatchState } from '../../../../src/write/run/batches/summary.ts';
import { startToolRunner } from '../../../helpers/tool-runner.ts';

const US = 'ATVPDKIKX0DER';
const MINUTE = 60_000;
const BATCH = 'b1b2c3d4';

const runner = await startToolRunner(() => ({ body: {} }));
afterAll(() => runner.close());

const changeOf = (name: string): Change => ({
  subject: { kind: 'listing', sku: 'x' },
  places: [US],
  toldParameters: [],
  before: { [name]: [{ value: 'A' }] },
  after: { [name]: [{ value: 'B' }] },
  differences: [
    {
      path: `attributes.${name}`,
      segments: ['attributes', name, 0, 'value'],
      kind: 'changed',
      before: 'A',
      after: 'B',
    },
  ],
  isWhole: true,
  warnings: [],
});
const write = (sku: string, more: { name?: string; parameters?: object } = {}) => ({
  parameters: { sku, marketplaceIds: [US], sellerId: 'A1', ...more.parameters },
  change: changeOf(more.name ?? 'item_name'),
});

interface Past {
  sku?: string;
  name?: string;
  minutesAgo?: number;
  parameters?: object;
  entry?: Partial<RecordedWrite>;
  isLost?: boolean;
}

let made = 0;
function entryOf(past: Past): RecordedWrite {
  const { sku = 'S1', name = 'item_name', minutesAgo = 5, parameters, entry, isLost = false } = past;
  made += 1;
  const values: WriteValues = {
    parameters: { sku, marketplaceIds: [US], sellerId: 'A1', ...parameters },
    members: [{ segments: ['attributes', name], before: [{ value: 'A' }], after: [{ value: 'B' }] }],
  };
  return {
    id: `e-${made}`,
    time: new Date(runner.session.program.now() - minutesAgo * MINUTE).toISOString(),
    account: 'default',
    owner: 'mark',
    operation: 'listings-items/patchListingsItem',
    outcome: 'done',
    batch: BATCH,
    thing: thingDigest(values),
    open: async () => (isLost ? undefined : values),
    ...entry,
  };
}

interface OpenList {
  state?: BatchState;
  /** True for those that ended. */
  items?: readonly (readonly [sku: string, hasEnded: boolean])[];
}

const itemOf = (sku: string, hasEnded: boolean) => ({
  key: sku,
  value: {
    kind: 'write',
    operation: 'listings-items/patchListingsItem',
    method: 'PATCH',
    parameters: { sku, marketplaceIds: [US] },
    filledIn: { sellerId: 'A1' },
    change: changeOf('item_name'),
    isMarked: false,
  },
  outcome: hasEnded ? { kind: 'accepted' as const } : undefined,
});

async function find(
  writes: ReturnType<typeof write>[],
  past: readonly Past[],
  open?: OpenList,
  own?: string,
) {
  const session = { ...runner.session, principal: { ...runner.session.principal, id: own } };
  const [journal, batches] = await Promise.all([session.journal(), session.batches()]);
  const entries = past.map(entryOf);
  journal.list = async (since = 0) => entries.filter(({ time }) => Date.parse(time) >= since);
  const items = (open?.items ?? []).map((one) => itemOf(...one));
  const pending = items.filter(({ outcome }) => outcome === undefined).length;
  const info = {
    id: BATCH,
    tool: 'change_listings',
    state: open?.state ?? 'unfinished',
    total: items.length,
    counts: { pending },
    items,
  } as unknown as BatchInfo;
  batches.unfinished = async (account, owner) =>
    open === undefined || account !== 'default' || owner !== 'mark' ? [] : [info];
  batches.info = async () => info;
  const found = await findRecentChanges(writes, { account: 'default', ownerDigest: 'mark' }, session);
  return { ...found, rows: [...found.rows] };
}

const NOTHING = { words: [], rows: [] };

it('what was changed is said of this one, or counted, with its list; each row tells its own', async () => {
  expect(await find([write('S1')], [{}])).toEqual({
    words: [`This was changed from here 5 min ago, by a list of 1 that is finished (${BATCH}).`],
    rows: [[0, `changed from here 5 min ago, by the list ${BATCH}`]],
  });
  const many = [write('S1'), write('S2'), write('S3')];
  const past = [{}, { sku: 'S3', minutesAgo: 3 }, { sku: 'S9', minutesAgo: 4 }];
  expect(await find(many, past)).toEqual({
    words: [`2 of these were changed from here 3 min ago, by a list of 3 that is finished (${BATCH}).`],
    rows: [
      [0, `changed from here 3 min ago, by the list ${BATCH}`],
      [2, `changed from here 3 min ago, by the list ${BATCH}`],
    ],
  });
});

it.each<[string, Past]>([
  ['another listing', { sku: 'S2' }],
  ['another member', { name: 'brand' }],
  ['another seller', { parameters: { sellerId: 'A2' } }],
  ['another marketplace', { parameters: { marketplaceIds: ['X'] } }],
  ['another account', { entry: { account: 'other' } }],
  ['another owner', { entry: { owner: 'other' } }],
  ['no list', { entry: { batch: undefined } }],
  ['what was refused', { entry: { outcome: 'refused' } }],
  ['what failed', { entry: { outcome: 'failed' } }],
  ['values that are gone', { isLost: true }],
  ['what is older than a day', { minutesAgo: 24 * 60 + 1 }],
])('%s is nothing of it', async (_what, past) => {
  expect(await find([write('S1')], [past])).toEqual(NOTHING);
});

it('one that names no seller is the account’s own, and one without a digest is opened', async () => {
  for (const past of [
    { parameters: { sellerId: undefined } },
    { entry: { thing: undefined } },
    { minutesAgo: 24 * 60 - 1 },
  ])
    expect((await find([write('S1')], [past])).rows).toHaveLength(1);
});

it('what was taken back does not stand any more', async () => {
  const undone = { entry: { id: 'first' } };
  const undoing = { minutesAgo: 2, entry: { undoes: 'first', batch: undefined } };
  expect(await find([write('S1')], [undone, undoing])).toEqual(NOTHING);
  const failed = { ...undoing, entry: { ...undoing.entry, outcome: 'failed' as const } };
  expect((await find([write('S1')], [undone, failed])).rows).toHaveLength(1);
});

it('what a list is still to change is said, with how to go on with it', async () => {
  const list: OpenList = {
    items: [
      ['S1', false],
      ['S2', true],
    ],
  };
  const go = `go on with that one instead? change_listings with confirmationCode ${BATCH} alone goes on.`;
  expect(await find([write('S1')], [], list)).toEqual({
    words: [`This is still to be changed, by a list of 2 that is unfinished (1 done): ${go}`],
    rows: [[0, `still to be changed by the list ${BATCH}`]],
  });
  const both = [write('S1'), write('S2')];
  expect(await find(both, [{ sku: 'S2' }], { ...list, state: 'under_way' })).toEqual({
    words: [
      `1 of these were changed from here 5 min ago, and 1 of these are still to be changed, by a list of 2 that is under way (1 done): ${go}`,
    ],
    rows: [
      [0, `still to be changed by the list ${BATCH}`],
      [1, `changed from here 5 min ago, by the list ${BATCH}`],
    ],
  });
  // Changed by it once, and to be changed by it again: that it was is said.
  expect((await find([write('S1')], [{}], list)).words).toEqual([
    `This was changed from here 5 min ago, by a list of 2 that is unfinished (1 done): ${go}`,
  ]);
  for (const state of ['ended', 'stopped', 'expired'] as const)
    expect(await find([write('S1')], [], { ...list, state })).toEqual(NOTHING);
  expect(await find([write('S2')], [], list)).toEqual(NOTHING);
});

it('a single change of somebody else is told with who made it, one’s own is not', async () => {
  const by = { id: 'p-1', name: 'Anna' };
  const past = [{ entry: { batch: undefined, by } }, { minutesAgo: 3, entry: { batch: undefined, by } }];
  const { words, rows } = await find([write('S1')], past, undefined, 'p-2');
  expect(words).toEqual([expect.stringMatching(/^This was changed from here 3 min ago.*Anna.*\.$/)]);
  expect(rows).toEqual([[0, expect.stringMatching(/^changed from here 3 min ago.*Anna/)]]);
  expect(await find([write('S1')], past, undefined, 'p-1')).toEqual(NOTHING);
  // A list of one's own is told all the same.
  expect((await find([write('S1')], [{ entry: { by } }], undefined, 'p-1')).words).toHaveLength(1);
});

it('of several lists the newest three are told, the newest last', async () => {
  const past = [4, 1, 3, 2].map((at): Past => ({ minutesAgo: at * 10, entry: { batch: `b000000${at}` } }));
  const { words, rows } = await find([write('S1')], past);
  expect(words.map((one) => /\((b\d+)\)/.exec(one)?.[1])).toEqual(['b0000003', 'b0000002', 'b0000001']);
  expect(rows).toHaveLength(1);
});

it('where it cannot be looked for, nothing is said and it is asked all the same', async () => {
  const { session } = runner;
  const batches = await session.batches();
  batches.unfinished = async () => {
    throw new Error('the disk');
  };
  const found = await findRecentChanges([write('S1')], { account: 'default', ownerDigest: 'mark' }, session);
  expect({ ...found, rows: [...found.rows] }).toEqual(NOTHING);
});

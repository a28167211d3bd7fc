/** Tests that a read-back is recorded only where it was read and tells something, and what an approval makes of it. */

import { expect, it } from 'vitest';
import { AS_SENT, type Change, type ReadBack, unknownChange } from '../../../src/write/model/change.ts';
import { thingDigest } from '../../../src/write/records/undo/write-values.ts';
import { approvedDigest, buildJournalParts } from '../../../src/write/records/undo-record.ts';
import { startToolRunner } from '../../helpers/tool-runner.ts';
import { OWNER } from '../run/open-guard.ts';

const US = 'ATVPDKIKX0DER';
const title = (value: string) => ({ item_name: [{ value, marketplace_id: US }] });
const changeOf = (before: string, after: string): Change => ({
  ...unknownChange(),
  subject: { kind: 'listing', sku: 'S1' },
  places: [US],
  isWhole: true,
  before: title(before),
  after: title(after),
  differences: [
    {
      path: 'attributes.item_name',
      segments: ['attributes', 'item_name'],
      kind: 'changed',
      before: title(before).item_name,
      after: title(after).item_name,
    },
  ],
});

/** @param read the change as it was read @param preview the one that was asked about, with what no reading shows yet */
async function keepAndRead(read: Change, preview: Change, found: ReadBack, sellerId?: string) {
  const runner = await startToolRunner(() => ({ status: 404, body: {} }));
  const { session } = runner;
  const operation = (await session.program.registry()).find('listings-items/patchListingsItem');
  const parameters = { sku: 'S1', marketplaceIds: [US], ...(sellerId && { sellerId }) };
  const { what, undo, readBack } = buildJournalParts({
    input: { operation, account: 'default', parameters, body: { productType: 'LAMP', patches: [] } },
    request: { owner: OWNER, filledIn: {} },
    planned: { change: read, readBack: async () => found },
    change: preview,
    shown: { change: preview },
    view: { readBack: (readBack) => readBack },
  });
  const journal = await session.journal();
  const known = { account: 'default', owner: 'mark', operation: operation.id };
  const id = await journal.begin({ ...known, what }, undo);
  const { found: members, ...shown } = (await readBack?.({})) ?? AS_SENT;
  await journal.end(id, { outcome: 'done' }, { found: members, isPersonal: undo?.isPersonal });
  const [entry] = await journal.list();
  const values = await entry?.open();
  await runner.close();
  return { shown, found: values?.found, what: entry?.what };
}

const [A, B, C] = ['Lamp', 'Desk lamp', 'Floor lamp'];
const found: ReadBack = { differences: [], notYet: [], found: title(B) };

it('where it was read as it was told', async () => {
  const kept = await keepAndRead(changeOf(A, B), changeOf(A, B), found);
  expect(kept.found).toEqual([title(B).item_name]);
  expect(kept.shown).toEqual({ differences: [], notYet: [] });
});

it('not where it could not be read: nothing of it is told as not visible either', async () => {
  const unread = { differences: [], notYet: [], problem: new Error('no') };
  for (const preview of [changeOf(A, B), changeOf(C, B)]) {
    const kept = await keepAndRead(changeOf(A, B), preview, unread);
    expect(kept.found).toBeUndefined();
    expect(kept.shown).toEqual(unread);
  }
});

it('not where it goes back from what was written before and no reading showed', async () => {
  const over = { ...changeOf(A, B), pending: title(C) };
  const other: ReadBack = { ...found, found: title(C), notYet: [] };
  const differing = { ...other, differences: changeOf(B, C).differences?.slice() ?? [] };
  expect((await keepAndRead(changeOf(A, B), over, differing)).found).toBeUndefined();
  // A value that reads as it was sent counts as the one that was sent.
  expect((await keepAndRead(changeOf(A, B), over, found)).found).toEqual([title(B).item_name]);
});

it('and what read before as it was to be is told as not visible, since nobody can tell', async () => {
  const same: Change = { ...changeOf(B, B), differences: [] };
  const kept = await keepAndRead(same, changeOf(C, B), found);
  expect(kept.found).toBeUndefined();
  expect(kept.shown?.notYet).toMatchObject([{ segments: ['attributes', 'item_name'] }]);
  const unread = { differences: [], notYet: [], problem: new Error('no') };
  expect((await keepAndRead(same, changeOf(C, B), unread)).shown).toEqual(unread);
});

it('a yes is good for the state that was shown and for what cannot be undone, both of them', () => {
  const change = changeOf(A, B);
  expect(approvedDigest({ stateDigest: 'one' }, change)).toBe('one');
  expect(approvedDigest({}, change)).toBeUndefined();
  const all = ['one', 'two', undefined].flatMap((stateDigest) => [
    approvedDigest(stateDigest === undefined ? {} : { stateDigest }, change),
    ...['the disk is full.', 'it is new.'].map((cannotUndo) =>
      approvedDigest(stateDigest === undefined ? {} : { stateDigest }, { ...change, cannotUndo }),
    ),
  ]);
  expect(new Set(all).size).toBe(9);
});

it('its words are kept beside it, in front of them the seller where that is another one, and never more than a line', async () => {
  const { what } = await keepAndRead(changeOf(A, B), changeOf(A, B), found);
  expect(what).toBe('S1, United States: title: "Lamp" -> "Desk lamp".');
  expect((await keepAndRead(changeOf(A, B), changeOf(A, B), found, OWNER.sellerId)).what).toBe(what);
  expect((await keepAndRead(changeOf(A, B), changeOf(A, B), found, 'A2OTHER')).what).toBe(
    `seller A2OTHER: ${what}`,
  );
  const long = await keepAndRead(changeOf(A, 'x'.repeat(5_000)), changeOf(A, 'x'.repeat(5_000)), found);
  expect(long.what?.length).toBeLessThan(450);
});

it.each([
  [{ sku: 'S1', marketplaceIds: ['M1'] }, true],
  [{ supplySourceId: 'S1' }, true],
  [{ marketplaceIds: ['M1'] }, false],
])(
  'a write of %j is found by what it is about, where that is a listing or a store',
  async (parameters, isOfThing) => {
    const runner = await startToolRunner(() => ({ status: 404, body: {} }));
    const operation = (await runner.session.program.registry()).find('listings-items/patchListingsItem');
    const { undo } = buildJournalParts({
      input: { operation, account: 'default', parameters },
      request: { owner: OWNER, filledIn: {} },
      planned: {},
      change: unknownChange(),
      shown: { change: unknownChange() },
      view: { readBack: (readBack) => readBack },
    });
    await runner.close();
    expect(undo?.thing).toBe(isOfThing ? thingDigest({ parameters }) : undefined);
  },
);

/** What looks on sees of an account: the writes of who wrote last under its name, and which of them can be taken back. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createPersonalData } from '../../../src/privacy/personal/personal-data.ts';
import type { HistoryEntry } from '../../../src/write/keep/history/history-table.ts';
import { openKept } from '../../../src/write/keep/kept-writes.ts';
import { openStateStore } from '../../../src/write/state-store.ts';
import { createFolder, openJournal } from './journal/helpers.ts';

const OPERATION = 'listings-items/patchListingsItem';
const APPLIED = ['done', 'accepted_not_visible', 'unknown'];

const write = fc.record({
  account: fc.constantFrom('shop', 'shop', 'other'),
  owner: fc.constantFrom('mark', 'stranger'),
  outcome: fc.constantFrom('done', 'accepted_not_visible', 'not_accepted', 'unknown'),
  undoesLast: fc.boolean(),
  cannot: fc.constantFrom(undefined, undefined, 'it made something new.'),
});

function open(folder: string, entries: readonly HistoryEntry[] = []) {
  const history = { keepDays: 30, list: async () => [...entries] };
  return openKept({
    account: 'shop',
    store: openStateStore(folder),
    history,
    personal: createPersonalData({ isMasking: true }),
  });
}

it('each write of who wrote last, and why it cannot be taken back, beside the table of them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 8 }), async (writes) => {
      const folder = await createFolder();
      const { journal, clock } = openJournal(folder);
      const entries: HistoryEntry[] = [];
      for (const { account, owner, outcome, undoesLast, cannot } of writes) {
        const undoes = undoesLast ? entries.findLast((one) => one.owner === owner)?.id : undefined;
        const time = new Date(clock.now).toISOString();
        const id = await journal.begin({ account, owner, operation: OPERATION, parameters: {} });
        await journal.end(id, { outcome, status: 200 });
        const values = { parameters: { sku: `SKU of ${id}` }, members: [] };
        entries.push({
          id,
          time,
          account,
          owner,
          operation: OPERATION,
          outcome,
          undoes,
          cannot,
          open: async () => values,
        });
      }
      const kept = open(folder, entries);
      const { writes: told, changes } = await kept.read();
      const last = entries.findLast(({ account }) => account === 'shop');
      const own = entries.filter(({ account, owner }) => account === 'shop' && owner === last?.owner);
      expect(told.map(({ id }) => id)).toEqual(own.map(({ id }) => id));
      expect(changes.rows.map(({ id, sku }) => [id, sku])).toEqual(own.map(({ id }) => [id, `SKU of ${id}`]));
      expect(await kept.changes()).toEqual(changes);
      const stands = (id: string): boolean =>
        !own.some((one) => one.undoes === id && APPLIED.includes(one.outcome) && stands(one.id));
      for (const { id, outcome, isApplied, cannot, whyNot } of told) {
        expect(isApplied).toBe(APPLIED.includes(outcome));
        if (!isApplied) expect(whyNot).toContain('was not accepted');
        else if (cannot !== undefined) expect(whyNot).toBe(cannot);
        else if (stands(id)) expect(whyNot).toBeUndefined();
        else expect(whyNot).toContain('it was undone by ');
      }
    }),
  );
});

it('of an account under whose name nothing was written there is nothing, and its days are those of the history', async () => {
  const folder = await createFolder();
  const { journal } = openJournal(folder);
  await journal.begin({ account: 'other', owner: 'mark', operation: OPERATION, parameters: {} });
  const kept = open(folder);
  const nothing = { rows: [], leftOut: 0 };
  expect(await kept.read()).toEqual({ writes: [], changes: nothing });
  expect([await kept.changes(), kept.keepDays]).toEqual([nothing, 30]);
});

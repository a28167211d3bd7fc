/**
 * Tests which writes of an account are listed: those of the seller that wrote last under its name, and which
 * can be undone.
 */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createPersonalData } from '../../../src/privacy/personal/personal-data.ts';
import { openAccountWrites } from '../../../src/write/records/account-writes.ts';
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

const openFor = (journal: Parameters<typeof openAccountWrites>[0]['journal']) =>
  openAccountWrites({ account: 'shop', journal, personal: createPersonalData({ isMasking: true }) });

it('each write of who wrote last, and why it cannot be taken back, beside the table of them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 8 }), async (writes) => {
      const folder = await createFolder();
      const { journal } = openJournal(folder);
      const entries: { id: string; account: string; owner: string; outcome: string; undoes?: string }[] = [];
      for (const { account, owner, outcome, undoesLast, cannot } of writes) {
        const undoes = undoesLast ? entries.findLast((one) => one.owner === owner)?.id : undefined;
        const parameters = { sku: `SKU of w-${entries.length + 1}` };
        const undo = { values: { parameters, members: [] }, isPersonal: false, cannot };
        const intent = { account, owner, operation: OPERATION, parameters, ...(undoes && { undoes }) };
        const id = await journal.begin(intent, undo);
        await journal.end(id, { outcome, status: 200 });
        entries.push({ id, account, owner, outcome, ...(undoes && { undoes }) });
      }
      const kept = openFor(journal);
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

it('of an account under whose name nothing was written there is nothing, and its days are those of the journal', async () => {
  const folder = await createFolder();
  const { journal } = openJournal(folder);
  await journal.begin({ account: 'other', owner: 'mark', operation: OPERATION, parameters: {} });
  const kept = openFor(journal);
  const nothing = { rows: [], leftOut: 0 };
  expect(await kept.read()).toEqual({ writes: [], changes: nothing });
  expect([await kept.changes(), kept.keepDays]).toEqual([nothing, 30]);
});

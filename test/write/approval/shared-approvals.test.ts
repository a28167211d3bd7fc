/**
 * Tests what another replica knows of a preview: the values of its placeholders, only the last preview, of
 * nobody else.
 */

import { describe, expect, it } from 'vitest';
import { createPersonalData } from '../../../src/privacy/personal/personal-data.ts';
import { supplySourceWrite } from '../../../src/service/facts/documented-operations.ts';
import { createSharedApprovals } from '../../../src/write/approval/shared-approvals.ts';
import {
  type BatchPreview,
  createBatchStore,
  type SharedBatch,
} from '../../../src/write/approval/shown-store.ts';
import { unknownChange } from '../../../src/write/model/change.ts';
import type { BatchWrite } from '../../../src/write/plan/prepared-batch.ts';
import { cutStore } from '../../helpers/cut-store.ts';
import { mayUseStore, STORE_NAME } from '../../helpers/postgres.ts';
import { createStateSealer, useStore } from '../../helpers/shared-store.ts';
import { OWNER } from '../run/open-guard.ts';

const sealer = createStateSealer();
const shared = useStore();

function openReplica(whose = 'anna', at = shared.store) {
  const personal = createPersonalData({ isMasking: true });
  const asked = createSharedApprovals(whose, async () => personal, { store: at, sealer: async () => sealer });
  const lists = asked.lists(createBatchStore(() => performance.now()));
  return {
    personal,
    lists,
    /** Returns what came from the store. */
    async find(key: string) {
      const stored: SharedBatch[] = [];
      const found = await lists.find(key, async (one) => {
        stored.push(one);
        return undefined;
      });
      return { found, stored: stored.at(0) };
    },
  };
}

const PREVIEW: BatchPreview = {
  ...{ shown: [], rest: () => undefined, places: '', warnings: [], cannotUndo: [] },
  ...{ question: '', text: '', remarks: ['A remark.'], links: [], whole: undefined, saved: undefined },
  seller: { id: 'A1', client_id: undefined, sent_to: '' },
  page: { head: '', around: [], rows: async () => [] },
};

const write = (key: string, note: string, shown = note): BatchWrite => ({
  key,
  input: { operation: supplySourceWrite(), account: 'a', parameters: { note } },
  request: { filledIn: {}, owner: OWNER },
  change: unknownChange(),
  shown: { parameters: { note: shown }, change: unknownChange() },
});
const list = (digest: string, writes: readonly BatchWrite[]) => ({
  list: { writes },
  digest,
  shownAt: 1,
  preview: PREVIEW,
});

// Skipped for a newcomer without a store, never in CI (see mayUseStore).
describe.skipIf(!mayUseStore)(STORE_NAME, () => {
  it('a list comes with the values behind its marks, and nobody else has it', async () => {
    const [here, there] = [openReplica(), openReplica()];
    const source = { operation: 'orders/getOrderAddress' };
    const masked = here.personal.maskAnswer('a', source, {
      payload: { ShippingAddress: { Name: 'Ada Long' } },
    });
    const [mark = ''] = /«[^»]+»/.exec(JSON.stringify(masked)) ?? [];
    await here.lists.keep(
      'key',
      list('one', [write('1', 'for Ada Long', `for ${mark}`), write('2', 'plain')]),
    );
    const { stored } = await there.find('key');
    expect(stored).toMatchObject({ digest: 'one', remarks: ['A remark.'], marks: [[mark, 'Ada Long']] });
    there.personal.remember('a', new Map(stored?.marks));
    expect(there.personal.resolve('a', `for ${mark}`).value).toBe('for Ada Long');
    expect(await openReplica('ben').find('key')).toEqual({ found: undefined, stored: undefined });
    const rows = await shared.server.query("SELECT * FROM kept WHERE name LIKE '%:list:%'");
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toMatch(/Ada|plain/);
  });

  it('the one that was shown last counts, until it is sent; a long one stays where it was shown', async () => {
    const [here, there] = [openReplica(), openReplica()];
    const first = list('first', [write('1', 'a')]);
    await here.lists.keep('key', first);
    expect(await here.find('key')).toEqual({ found: first, stored: undefined });
    await there.lists.keep('key', list('second', [write('1', 'b')]));
    expect((await here.find('key')).stored?.digest).toBe('second');
    const long = list(
      'long',
      Array.from({ length: 5_001 }, (_, at) => write(String(at), 'c')),
    );
    await here.lists.keep('key', long);
    expect((await here.find('key')).found).toBe(long);
    expect((await there.find('key')).stored).toBeUndefined();
    await there.lists.keep('key', list('third', [write('1', 'd')]));
    await there.lists.forget('key');
    expect((await openReplica().find('key')).stored).toBeUndefined();
  });

  it('what was shown while the store was away counts here, whatever the store still has', async () => {
    const { store: own, cut } = cutStore(shared.store);
    const here = openReplica('anna', own);
    await here.lists.keep('key', list('first', [write('1', 'a')]));
    const second = list('second', [write('1', 'b')]);
    cut(() => 'before');
    await here.lists.keep('key', second);
    cut(() => 'none');
    expect((await here.find('key')).found).toBe(second);
    expect((await here.find('key')).stored).toBeUndefined();
    expect((await openReplica().find('key')).stored?.digest).toBe('first');
  });
});

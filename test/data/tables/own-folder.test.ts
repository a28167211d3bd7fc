/** Tests who may use shared tables: those with buyers' data only the user who collected them, the others everybody. */

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CollectionSource } from '../../../src/data/tables/table-types.ts';
import { ASK, collectItems, makeTestFolder, openTestTables } from '../../helpers/tables-worker.ts';

const PEOPLE = ['anna', 'ben'] as const;
const PERSONAL = [{ BuyerEmail: 'ada@example.de' }];
const PLAIN = [{ sku: 'A' }];

const databases = async (folder: string) =>
  (await readdir(folder).catch(() => []))
    .filter((name) => name.endsWith('.db'))
    .map((name) => name.slice(0, -'.db'.length))
    .sort();

const collected = fc.record({
  who: fc.constantFrom(...PEOPLE),
  isPersonal: fc.boolean(),
  operation: fc.constantFrom('orders/getOrders', 'reviewed-by-nobody/getThings'),
});

it('each finds the tables of all and their own, and a new one takes the place of what they found of the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(collected, { minLength: 1, maxLength: 4 }), async (all) => {
      const base = await makeTestFolder();
      const folder = join(base, 'shared');
      const open = (who: string) => openTestTables({ folder, ownFolder: join(base, who), by: who });
      const tables = { anna: await open('anna'), ben: await open('ben') };
      const ids = { shared: new Map<string, string>(), anna: new Map(), ben: new Map<string, string>() };
      for (const { who, isPersonal, operation } of all) {
        const source: CollectionSource = { kind: 'operation', operation, parameters: {} };
        const items = isPersonal ? PERSONAL : PLAIN;
        const info = await collectItems(tables[who], 'things', items, source);
        expect(info.by).toBe(who);
        expect(info.tables[0]?.name).toMatch(isPersonal ? /^own_things(?:_2)?$/ : /^things(?:_2)?$/);
        ids.shared.delete(operation);
        ids[who].delete(operation);
        ids[isPersonal ? who : 'shared'].set(operation, info.id);
      }
      expect(await databases(folder)).toEqual([...ids.shared.values()].sort());
      for (const who of PEOPLE) {
        expect(await databases(join(base, who))).toEqual([...ids[who].values()].sort());
        const listed = await tables[who].list();
        expect(listed.map(({ id }) => id).sort()).toEqual(
          [...ids.shared.values(), ...ids[who].values()].sort(),
        );
        for (const {
          tables: [table],
        } of listed) {
          const { rows } = await tables[who].query(`SELECT count(*) FROM ${table?.name}`, ASK);
          expect(rows).toEqual([[1]]);
        }
        for (const { id } of listed) await tables[who].remove(id);
        expect(await tables[who].list()).toEqual([]);
        ids.shared.clear();
        await tables[who].close();
      }
    }),
    { numRuns: 8 },
  );
});

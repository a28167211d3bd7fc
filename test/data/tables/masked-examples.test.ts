/** Examples of columns go the way of rows: what SELECT masks of a row, they mask. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EVERY_PLACEHOLDER } from '../../../src/base/text/placeholder-shape.ts';
import type { CollectionSource, Tables } from '../../../src/data/tables/table-types.ts';
import { createPersonalData } from '../../../src/privacy/personal/personal-data.ts';
import { ASK, collectItems, makeTestFolder, openTestTables } from '../../helpers/tables-worker.ts';

let tables: Tables & { folder: string };
let shown: Tables;
beforeAll(async () => {
  tables = await openTestTables();
  // The same files, by a person who wants to see everything.
  shown = await openTestTables({
    folder: tables.folder,
    personal: createPersonalData({ isMasking: false }),
  });
});
afterAll(async () => {
  await Promise.all([tables.close(), shown.close()]);
});

const OPERATION: CollectionSource = { kind: 'operation', operation: 'orders/searchOrders', parameters: {} };

async function collectReport(name: string, text: string): Promise<string> {
  const file = join(await makeTestFolder(), name);
  await writeFile(file, text);
  const source: CollectionSource = { kind: 'document', id: name, of: 'report' };
  const loader = await tables.openLoader(source);
  await loader.addDocument(name, file, { format: 'auto' });
  return JSON.stringify(await loader.finish({ source, complete: true, notes: [] }));
}

const examplesOf = async (of: Tables, table: string) =>
  Object.fromEntries(
    (await of.query(`SELECT name, example FROM columns WHERE table_name = '${table}'`, ASK)).rows,
  );

const MARK = EVERY_PLACEHOLDER.source;

/** The letters of a mark are random: some hold whatever is looked for. */
const withoutMarks = (text: string) => text.replace(EVERY_PLACEHOLDER, '«»');

test('the names of its row are masked in the example of a text', async () => {
  const answer = await collectReport(
    'memos',
    'order-id\trecipient-name\tmemo\tcurrency\n1\tZqfirst Zqlast\tfor Zqlast, Zqfirst please, ZQFIRST ZQLAST\tEUR\n',
  );
  expect(withoutMarks(answer)).not.toMatch(/Zq/i);
  const examples = await examplesOf(tables, 'memos');
  const { rows } = await tables.query('SELECT recipient_name, memo FROM memos', ASK);
  expect(examples.recipient_name).toMatch(new RegExp(`^${MARK}$`));
  expect(rows[0]?.[0]).toBe(examples.recipient_name);
  expect(String(rows[0]?.[1]).startsWith(String(examples.memo))).toBe(true);
  expect(await examplesOf(shown, 'memos')).toMatchObject({
    recipient_name: 'Zqfirst Zqlast',
    memo: expect.stringMatching(/^for Zqfirst Zqlast please/),
  });
});

test('another session that works with the same thread has marks of its own, the same in examples and rows', async () => {
  await collectReport('twice', 'order-id\trecipient-name\n1\tZqfirst Zqlast\n');
  const other = await openTestTables({ folder: tables.folder });
  const seen = await Promise.all(
    [tables, other].map(async (one) => {
      const { rows } = await one.query('SELECT recipient_name FROM twice', ASK);
      expect(rows).toEqual([[(await examplesOf(one, 'twice')).recipient_name]]);
      return rows[0]?.[0];
    }),
  );
  expect(new Set(seen).size).toBe(2);
  await other.close();
});

test('a text of JSON is masked by its members in the example too, and a column of JSON', async () => {
  await collectItems(
    tables,
    'nested',
    [{ id: '1', meta: '{"recipientName":"Zqnest"}', lists: [{ buyerName: 'Zqlist' }, 7] }],
    OPERATION,
  );
  expect(await examplesOf(tables, 'nested')).toMatchObject({
    meta: expect.stringMatching(new RegExp(`^\\{"recipientName":"${MARK}"`)),
    lists: expect.stringMatching(new RegExp(`^\\[\\{"buyerName":"${MARK}"`)),
  });
  expect(await examplesOf(shown, 'nested')).toMatchObject({
    meta: expect.stringMatching('^{"recipientName":"Zqnest"'),
    lists: expect.stringMatching('^\\[{"buyerName":"Zqlist"}'),
  });
});

test('what stands in other columns since a field is too many is no example, nor a currency', async () => {
  const answer = await collectReport(
    'shifted',
    'order-id\tbuyer-name\tplace\tcurrency\n1\tZqfore\tZqlast\tZqb\tEUR\n',
  );
  expect(answer).not.toMatch(/Zq/);
  expect(JSON.stringify(await tables.list())).not.toMatch(/Zq/);
});

/** Texts that people write, with values of the row somewhere in them. */
const values = fc.record({
  name: fc.constantFrom('Zqada Zqlovelace', 'Zqbob', 'Zq Çelik Öz', '山田太郎Zq'),
  mail: fc.constantFrom('zq@example.de', 'zq.second@example.fr'),
  memo: fc.array(
    fc.constantFrom('{name}', '{mail}', 'please', '{"buyerName":"{name}"}', '<b>{name}</b>', 'x'.repeat(30)),
    { minLength: 1, maxLength: 4 },
  ),
  isShifted: fc.boolean(),
});

test('every example is the beginning of what SELECT shows of some row', async () => {
  let number = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(values, { minLength: 1, maxLength: 4 }), async (rows) => {
      number += 1;
      const table = `any_${number}`;
      const written = rows.map(({ name, mail, memo, isShifted }, at) =>
        [
          at,
          name,
          mail,
          memo.join(' ').replaceAll('{name}', name).replaceAll('{mail}', mail),
          at % 2 ? '' : 'EUR',
        ]
          .concat(isShifted ? ['more'] : [])
          .join('\t'),
      );
      const answer = await collectReport(
        table,
        ['id\tbuyer-name\tmail\tmemo\tcurrency', ...written, ''].join('\n'),
      );
      expect(withoutMarks(answer)).not.toMatch(/zq/i);
      const { columns, rows: all } = await tables.query(`SELECT * FROM ${table}`, ASK);
      for (const [column, example] of Object.entries(await examplesOf(tables, table))) {
        const cells = all.map((row) => String(row[columns.indexOf(column)]));
        if (example === null) continue;
        expect(cells.some((cell) => cell.startsWith(String(example)))).toBe(true);
      }
    }),
    { numRuns: 15 },
  );
});

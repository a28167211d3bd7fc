/** Checks texts of buyers in reports and answers: comments keep their reasons without personal values, messages are masked whole. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EVERY_PLACEHOLDER } from '../../src/base/text/placeholder-shape.ts';
import { createPersonalData } from '../../src/privacy/personal/personal-data.ts';
import { ASK, makeTestFolder, openTestTables } from '../helpers/tables-worker.ts';

const CONTACTS = 'Zqfirst Zqlast, zq@example.com, zq (at) example.com, zq at gmail dot com, 0171 555 4321';
/** Matches more than three digits, because ids that are made up can hold three. */
const PLANTED = /zq|0171|555\D?4321/i;
/** Leaves placeholders out, whose letters are drawn at random. */
const outsideMarks = (text: string) => text.replace(EVERY_PLACEHOLDER, '');

async function queryReport(reportType: string, columns: Record<string, string>) {
  const tables = await openTestTables();
  const file = join(await makeTestFolder(), 'report.txt');
  const lines = [Object.keys(columns), Object.values(columns)].map((cells) => cells.join('\t'));
  await writeFile(file, `${lines.join('\n')}\n`);
  const source = { kind: 'report', reportType, marketplaces: ['A1PA6795UKMFR9'] } as const;
  const loader = await tables.openLoader({ ...source, marketplaces: [...source.marketplaces] });
  await loader.addDocument('report', file, { format: 'tab' });
  await loader.finish({
    source: { ...source, marketplaces: [...source.marketplaces] },
    complete: true,
    notes: [],
  });
  const described = [await tables.list(), (await tables.query('SELECT * FROM columns', ASK)).rows];
  const { rows, columns: names } = await tables.query('SELECT * FROM report', ASK);
  await tables.close();
  return {
    told: JSON.stringify([described, rows]),
    row: new Map(names.map((name, at) => [name, rows[0]?.[at]])),
  };
}

it.each([
  ['GET_FBA_FULFILLMENT_CUSTOMER_RETURNS_DATA', 'customer-comments', 'customer_comments'],
  ['GET_CSV_MFN_PRIME_RETURNS_REPORT', 'Customer Comments', 'customer_comments'],
  ['GET_SELLER_FEEDBACK_DATA', 'Comments', 'comments'],
  ['GET_SELLER_FEEDBACK_DATA', 'Kommentare', 'kommentare'],
])('%s, %s: the reason stays, and nothing of the buyer', async (type, heading, column) => {
  const { told, row } = await queryReport(type, {
    'order-id': '302-1111111-2222222',
    'Ship to name': 'Zqfirst Zqlast',
    [heading]: `Too small and the lid is broken. ${CONTACTS}`,
    reason: 'APPAREL_TOO_SMALL',
  });
  expect(outsideMarks(told)).not.toMatch(PLANTED);
  expect(row.get(column)).toContain('Too small and the lid is broken.');
  expect(row.get('reason')).toBe('APPAREL_TOO_SMALL');
});

it.each(['gift-message-text', 'delivery-Instructions', 'customized-url', 'buyer-message', 'customer-notes'])(
  '%s of an order report is masked whole',
  async (heading) => {
    const { told, row } = await queryReport('GET_FLAT_FILE_ORDER_REPORT_DATA_SHIPPING', {
      'order-id': '302-1111111-2222222',
      sku: 'A',
      [heading]: `Happy birthday! ${CONTACTS}`,
    });
    expect(outsideMarks(told)).not.toMatch(PLANTED);
    expect([...row.values()].at(-1)).toMatch(/^«buyer text \w{8}»$/);
  },
);

it.each(['comment', 'buyerCancelReason', 'comments'])('%s of an answer keeps its reason', (name) => {
  const personal = createPersonalData({ isMasking: true });
  const value = { buyer: { name: 'Zqfirst Zqlast' }, [name]: `Too small. ${CONTACTS}` };
  const shown = JSON.stringify(personal.maskAnswer('default', { operation: 'orders/getOrder' }, value));
  expect(outsideMarks(shown)).not.toMatch(PLANTED);
  expect(shown).toContain('Too small.');
});

/** A document of rows: what is personal in it is not shown, and no cell becomes two. */

import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Tables } from '../../../../src/data/tables/table-types.ts';
import { loadDocument } from '../../../../src/write/handlers/document/load-document.ts';
import { startToolRunner, toolContext } from '../../../helpers/tool-runner.ts';

/** The document of these rows, as a query gives them. */
async function documentOf(
  rows: readonly Record<string, string | number | null>[],
  isPersonal: boolean,
  {
    contentType = 'text/tab-separated-values; charset=UTF-8',
    feedType,
  }: { contentType?: string; feedType?: string } = {},
) {
  const runner = await startToolRunner(() => ({ body: {} }));
  onTestFinished(runner.close);
  const tables = await runner.session.tables('default');
  const exported: Tables['export'] = async (_sql, _options, save) => {
    const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    async function* content() {
      yield Buffer.from(lines);
    }
    return {
      saved: await save(content(), { personal: isPersonal }),
      result: { columns: Object.keys(rows[0] ?? {}), rows: [], total: rows.length, tables: [], notes: [] },
      isPersonal,
      unresolved: 0,
      guarded: 0,
      long: 0,
      digits: 0,
      sums: [],
    };
  };
  const session = { ...runner.session, tables: async () => ({ ...tables, export: exported }) };
  const of = { account: 'default', feedType, sellerId: feedType === undefined ? undefined : 'A1' };
  return loadDocument({ query: 'SELECT 1', contentType }, of, toolContext(session));
}

it.each([true, false])(
  'rows of buyers (%s) are sent as they are, and shown only where they are nobody’s',
  async (isPersonal) => {
    const { bytes, shown, isPersonal: told } = await documentOf([{ order: '1', name: 'Li' }], isPersonal);
    expect(Buffer.from(bytes).toString()).toBe('order\tname\n1\tLi\n');
    expect(shown === undefined).toBe(isPersonal);
    expect(told).toBe(isPersonal);
  },
);

it('a cell that no line can hold is refused, whichever sign ends or divides it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string(),
      fc.constantFrom('\t', '\r', '\n'),
      fc.string(),
      async (before, sign, after) => {
        await expect(documentOf([{ a: 'x' }, { a: `${before}${sign}${after}` }], false)).rejects.toThrow(
          /^Row 2 /,
        );
      },
    ),
    { numRuns: 20 },
  );
});

const textOf = async (...given: Parameters<typeof documentOf>) =>
  Buffer.from((await documentOf(...given)).bytes).toString();

it('rows become a table or a list, as they are asked for, and nothing else', async () => {
  const rows = [
    { sku: 'A', price: 5 },
    { sku: 'B', price: null },
  ];
  expect(await textOf(rows, false, { contentType: 'text/plain' })).toBe('sku\tprice\nA\t5\nB\t\n');
  const json = 'application/json; charset=UTF-8';
  expect(JSON.parse(await textOf(rows, false, { contentType: json }))).toEqual(rows);
  await expect(documentOf(rows, false, { contentType: 'text/xml' })).rejects.toThrow(
    'Rows are not written as text/xml; nothing was sent.',
  );
  await expect(documentOf([], false)).rejects.toThrow('The query gives no rows; nothing was sent.');
});

describe('rows of a feed of listings', () => {
  const feed = { contentType: 'application/json; charset=UTF-8', feedType: 'JSON_LISTINGS_FEED' };
  const patches = JSON.stringify([{ op: 'replace', path: '/attributes/item_name', value: [] }]);

  it('become messages, each by its columns, numbered', async () => {
    const rows = [
      { sku: 'A', product_type: 'LAMP', patches, attributes: null, operation_type: null },
      { sku: 'B', product_type: null, patches: null, attributes: '{"brand":[]}', operation_type: null },
      { sku: 7, product_type: 'LAMP', patches: null, attributes: null, operation_type: 'DELETE' },
      { sku: null, product_type: null, patches: null, attributes: null, operation_type: null },
    ];
    expect(JSON.parse(await textOf(rows, false, feed))).toEqual({
      header: { sellerId: 'A1', version: '2.0' },
      messages: [
        { messageId: 1, sku: 'A', operationType: 'PATCH', productType: 'LAMP', patches: JSON.parse(patches) },
        { messageId: 2, sku: 'B', operationType: 'PARTIAL_UPDATE', attributes: { brand: [] } },
        { messageId: 3, sku: '7', operationType: 'DELETE', productType: 'LAMP' },
        { messageId: 4, sku: '', operationType: 'PARTIAL_UPDATE' },
      ],
    });
  });

  it.each([[{ sku: 'A', price: 5 }], [{ patches }], [{ product_type: 'LAMP', attributes: '{}' }]])(
    'need their columns: %j has too few',
    async (row) => {
      await expect(documentOf([row], false, feed)).rejects.toThrow(
        'A query for JSON_LISTINGS_FEED has the columns sku, product_type, and patches or attributes (JSON)',
      );
    },
  );

  it.each<Record<string, string>>([
    { sku: 'A', patches },
    { sku: 'A', attributes: '{}' },
    { sku: 'A', operation_type: 'DELETE' },
  ])('have enough in %j', async (row) => {
    expect(JSON.parse(await textOf([row], false, feed)).messages).toHaveLength(1);
  });

  it.each(['{', '5', 'null', '"x"'])('hold JSON where that belongs: %s is none', async (attributes) => {
    const rows = [
      { sku: 'A', attributes: '{}' },
      { sku: 'B', attributes },
    ];
    await expect(documentOf(rows, false, feed)).rejects.toThrow(
      'Row 2: attributes is no JSON; nothing was sent.',
    );
  });
});

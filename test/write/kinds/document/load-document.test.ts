/** A document of rows: what is personal in it is not shown, and no cell becomes two. */

import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import type { Tables } from '../../../../src/data/tables/types.ts';
import { loadDocument } from '../../../../src/write/kinds/document/load-document.ts';
import { startToolRunner, toolContext } from '../../../helpers/tool-runner.ts';

/** The document of these rows, as a query gives them. */
async function documentOf(rows: readonly Record<string, string>[], isPersonal: boolean) {
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
  const given = { query: 'SELECT 1', contentType: 'text/tab-separated-values; charset=UTF-8' };
  return loadDocument(given, { account: 'default' }, toolContext(session));
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

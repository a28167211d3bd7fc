/** More rows than a sheet of Excel has. */

import { expect, test } from 'vitest';
import { ASK, openTestTables } from '../../helpers/tables-worker.ts';

const ROWS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n LIMIT';

test.each(['csv', 'xlsx'] as const)(
  'as many rows as a sheet has are saved as %s, one more is refused',
  async (format) => {
    const tables = await openTestTables();
    const options = { ...ASK, maxRows: 3, timeoutMs: 300_000, format };
    const save = (rows: number) =>
      tables.export(`${ROWS} ${rows}`, options, async (content) => {
        for await (const piece of content) void piece;
      });
    expect(await save(1_048_575)).toMatchObject({ result: { total: 1_048_575 } });
    await expect(save(1_048_576)).rejects.toThrow('more than 1,048,575 rows');
    await tables.close();
  },
  300_000,
);

/** More rows than a sheet of Excel has. */

import { expect, test } from 'vitest';
import { ASK, openTestTables } from '../../helpers/tables-worker.ts';

const ROWS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n LIMIT';

test('a CSV that Excel could not open is refused, and its saving fails', async () => {
  const tables = await openTestTables();
  const options = { ...ASK, maxRows: 3, timeoutMs: 60_000, format: 'csv' } as const;
  let failed: unknown;
  const work = tables.export(`${ROWS} 1048576`, options, async (content) => {
    try {
      for await (const piece of content) void piece;
    } catch (error) {
      failed = error;
      throw error;
    }
  });
  await expect(work).rejects.toThrow('more than 1,048,575 rows');
  expect(failed).toBeInstanceOf(Error);
  await tables.close();
});

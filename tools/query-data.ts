/** query_data: one reading SQL statement over what was collected, on this computer. */

import * as z from 'zod';
import { accountArgument } from '../src/mcp/arguments.ts';
import { defineTool } from '../src/mcp/define-tool.ts';
import { fitTable } from '../src/mcp/table-answer.ts';
import { MAX_SQL_CHARACTERS } from '../src/tables/statement.ts';

/** Longest time for one query. */
const MAX_QUERY_MS = 30_000;

/** Left of the call's own time for the answer. */
const MARGIN_MS = 1_000;

/** Rows looked at for an answer; what does not fit is counted. */
const MAX_ROWS = 1_000;

export const queryData = defineTool({
  name: 'query_data',
  title: 'Query collected data with SQL',
  description: `Runs one SQL SELECT (SQLite) over the tables that collect_data and review_listings have loaded on this computer. Also there: changes (the writes made from here), tables and columns (what there is). Nothing is sent. local_date(value, 'Europe/Berlin'), local_week and local_hour give days, ISO weeks and hours of a zone. Group amounts by currency. Ends after ${MAX_QUERY_MS / 1000} s or 512 MB.`,
  effect: 'read',
  takesMarks: true,
  openWorld: false,
  idempotent: true,
  input: z.strictObject({
    sql: z
      .string()
      .max(MAX_SQL_CHARACTERS, `is longer than ${MAX_SQL_CHARACTERS} characters; write it shorter`)
      .describe('SELECT or WITH ... SELECT'),
    account: accountArgument,
  }),
  output: z.looseObject({
    note: z.string(),
    columns: z.array(z.string()),
    rows: z.array(z.array(z.unknown())),
    total: z.int().describe('All rows, also those not given'),
  }),
  async run({ sql, account: given }, { session, call }) {
    const account = session.accountOf(given);
    const tables = await session.tables(account);
    const { answerTokens } = session.settings();
    const left = call.deadline - performance.now() - MARGIN_MS;
    const result = await tables.query(sql, {
      maxRows: MAX_ROWS,
      // No more of it could be shown.
      maxBytes: answerTokens * 3,
      timeoutMs: Math.max(1, Math.min(MAX_QUERY_MS, Math.floor(left))),
      signal: call.signal,
    });
    return fitTable(result, { session, account });
  },
});

/** query_data: one reading SQL statement over what was collected, on this computer; its rows shown, or saved as a file. */

import * as z from 'zod';
import { CSV_SIGNS } from '../src/base/settings.ts';
import { rowsPage } from '../src/board/save-page.ts';
import { defineTool } from '../src/protocol/define-tool.ts';
import { accountArgument, sqlArgument } from '../src/tell/arguments/arguments.ts';
import { answerQuery, MAX_QUERY_MS } from '../src/tell/rows/answer-query.ts';

export const queryData = defineTool({
  name: 'query_data',
  title: 'Query collected data with SQL',
  description: `Runs one SQL SELECT (SQLite) over the tables that collect_data and review_listings have loaded. Also there: changes (writes made from here), listing_changes and reviews (what reviews saw), tables and columns. Nothing is sent. local_date(value), local_week (ISO), local_month, local_hour are those of the account's marketplace; of another: local_date(value, 'DE'); postcode_area(value) works on masked postcodes too. Group amounts by currency. Ends after ${MAX_QUERY_MS / 1000} s or 512 MB. save_as writes all rows into a file for the person.`,
  effect: 'read',
  takesMarks: true,
  openWorld: false,
  idempotent: true,
  input: z.strictObject({
    sql: sqlArgument.describe('SELECT or WITH ... SELECT'),
    save_as: z
      .string()
      .min(1)
      .optional()
      .describe('File name: orders.xlsx (Excel), or .csv, .tsv, .txt, .jsonl, .json; real values, not marks'),
    csv: z
      .enum(CSV_SIGNS)
      .optional()
      .describe(
        'Of a .csv: comma (1.5), semicolon (1,5), semicolon-point (1.5); default: what the person has',
      ),
    account: accountArgument,
  }),
  output: z.looseObject({
    note: z.string(),
    columns: z.array(z.string()),
    rows: z.array(z.array(z.unknown())),
    total: z.int().describe('All rows, also those not given'),
  }),
  async run({ sql, save_as: saveAs, csv, account: given }, { session, call }) {
    return answerQuery(
      { sql, saveAs, csv },
      {
        session,
        call,
        account: session.accountOf(given),
        savePage: rowsPage(session, session.accountOf(given)),
      },
    );
  },
});

/** query_data: one reading SQL statement over what was collected, on this computer; its rows shown, or saved as a file. */

import * as z from 'zod';
import { CSV_SIGNS } from '../src/base/settings.ts';
import { rowsPage } from '../src/board/save-page.ts';
import { defineTool } from '../src/protocol/define-tool.ts';
import { accountArgument, sqlArgument } from '../src/render/arguments/arguments.ts';
import { answerQuery, MAX_QUERY_MS } from '../src/render/rows/answer-query.ts';

export const queryData = defineTool({
  name: 'query_data',
  title: 'Query sales, orders, inventory with SQL',
  description: `Runs one SELECT (SQLite) over orders, sales, returns, listings or inventory that collect_data and review_listings have loaded. More tables: changes (writes made from here), reviews and listing_changes (what reviews saw), tables and columns (what there is). Nothing is sent. local_date(x), local_week(x) (ISO), local_month(x), local_hour(x) use the time zone of the account's marketplace, local_date(x, 'DE') of another; postcode_area(x) takes masked postcodes too. Sum amounts by currency. Ends after ${MAX_QUERY_MS / 1000} s or 512 MB.`,
  effect: 'read',
  longAnswers: true,
  takesMarks: true,
  openWorld: false,
  idempotent: true,
  input: z.strictObject({
    sql: sqlArgument.describe('One SELECT, or WITH ... SELECT'),
    save_as: z
      .string()
      .min(1)
      .optional()
      .describe(
        'File name: saves all rows for the person, with real values: orders.xlsx (Excel), or .csv, .tsv, .txt, .jsonl, .json',
      ),
    csv: z
      .enum(CSV_SIGNS)
      .optional()
      .describe(
        'How a .csv separates values and writes decimals: comma (1.5), semicolon (1,5), semicolon-point (1.5); default: as the spreadsheets of the person do',
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

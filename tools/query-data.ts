/** query_data: one reading SQL statement over what was collected, on this computer; its rows shown, or saved as a file. */

import * as z from 'zod';
import { InputError } from '../src/base/errors.ts';
import { CSV_SIGNS } from '../src/base/settings.ts';
import { exportFormatOf } from '../src/data/tables/export-format.ts';
import { MAX_SQL_CHARACTERS } from '../src/data/tables/types.ts';
import { defineTool } from '../src/protocol/define-tool.ts';
import { accountArgument } from '../src/tell/arguments/arguments.ts';
import { chooseCsvSigns } from '../src/tell/rows/csv-signs.ts';
import { fitSavedRows } from '../src/tell/rows/saved-rows.ts';
import { fitTable } from '../src/tell/rows/table-answer.ts';

/** Longest time for one query. */
const MAX_QUERY_MS = 30_000;

/** For one whose rows are saved; a call ends before, unless --call-timeout-ms is longer. */
const MAX_EXPORT_MS = 300_000;

/** Left of the call's own time for the answer. */
const MARGIN_MS = 1_000;

/** Rows looked at for an answer; what does not fit is counted. */
const MAX_ROWS = 1_000;

/** Of a saved result. */
const FIRST_ROWS = 5;

export const queryData = defineTool({
  name: 'query_data',
  title: 'Query collected data with SQL',
  description: `Runs one SQL SELECT (SQLite) over the tables that collect_data and review_listings have loaded on this computer. Also there: changes (the writes made from here), tables and columns (what there is). Nothing is sent. local_date(value, 'Europe/Berlin'), local_week and local_hour give days, ISO weeks and hours of a zone; postcode_area(value) works on masked postcodes too. Group amounts by currency. Ends after ${MAX_QUERY_MS / 1000} s or 512 MB. save_as writes all rows into a file for the person.`,
  effect: 'read',
  takesMarks: true,
  isMaskedAtSource: true,
  openWorld: false,
  idempotent: true,
  input: z.strictObject({
    sql: z
      .string()
      .max(MAX_SQL_CHARACTERS, `is longer than ${MAX_SQL_CHARACTERS} characters; write it shorter`)
      .describe('SELECT or WITH ... SELECT'),
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
  async run({ sql, save_as: name, csv: asked, account: given }, { session, call }) {
    const account = session.accountOf(given);
    const format = name === undefined ? undefined : exportFormatOf(name);
    if (asked !== undefined && format !== 'csv') {
      throw new InputError(
        'csv says how a .csv is written, and none is saved.',
        'Leave it out, or end save_as in .csv.',
      );
    }
    const tables = await session.tables(account);
    const options = { maxBytes: session.settings().answerTokens * 3, signal: call.signal };
    const left = Math.max(1, Math.floor(call.deadline - performance.now() - MARGIN_MS));
    if (name === undefined || format === undefined) {
      const timeoutMs = Math.min(MAX_QUERY_MS, left);
      // No more of it could be shown.
      const result = await tables.query(sql, { ...options, maxRows: MAX_ROWS, timeoutMs });
      return fitTable(result, { session, account });
    }
    const files = await session.files();
    const csv = format === 'csv' ? await chooseCsvSigns(asked, session, account) : undefined;
    const form = { format, csv: csv?.signs, name };
    const exported = await tables.export(
      sql,
      { ...options, ...form, maxRows: FIRST_ROWS, timeoutMs: Math.min(MAX_EXPORT_MS, left) },
      (content, { personal }) => files.save(name, content, { personal }),
    );
    return fitSavedRows(exported, { session, account, format, csv });
  },
});

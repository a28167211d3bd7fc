/**
 * Runs one statement over the collected tables, and returns its rows in both forms, or saves them as a file
 * for the user.
 */

import { AppError, InputError } from '../../base/errors.ts';
import type { CsvSigns } from '../../base/settings.ts';
import { shortenToCharacters } from '../../base/text/shorten.ts';
import { isNoteOnParts } from '../../data/collections/omitted-parts.ts';
import { exportFormatOf } from '../../data/tables/export-format.ts';
import type { CollectionInfo, QueryResult } from '../../data/tables/table-types.ts';
import { isPageName } from '../../store/files/endings.ts';
import type { SavedFile } from '../../store/files/files.ts';
import type { ReadingSession } from '../reading-session.ts';
import { maskedAtSource } from '../tool-answer.ts';
import { chooseCsvSigns } from './csv-signs.ts';
import { fitSavedPage, fitSavedRows } from './saved-rows.ts';
import { fitTable } from './table-answer.ts';

/** The time limit of one query. */
export const MAX_QUERY_MS = 30_000;

/** The time limit if rows are saved; a call ends earlier, unless --call-timeout-ms is longer. */
const MAX_EXPORT_MS = 300_000;

/** The part of the call's time that is reserved for the answer. */
const MARGIN_MS = 1_000;

/** The limit of rows read for an answer; the total is counted. */
const MAX_ROWS = 1_000;

/** Rows are read wider than they are shown, because some of their columns may be left out. */
const WIDER = 6;

/** The number of rows shown of a saved result. */
const FIRST_ROWS = 5;

/** The limits of a page, which a browser can still print. */
const MAX_PAGE_ROWS = 2_000;
const MAX_PAGE_BYTES = 2_000_000;

export interface TableQuery {
  sql: string;
  /** The file name for all rows; if absent, they are shown. */
  saveAs?: string | undefined;
  csv?: CsvSigns | undefined;
}

export interface QueryAnswerParts<Facts> {
  session: ReadingSession;
  account: string;
  call: { signal: AbortSignal; deadline: number };
  /** Saves the rows as an HTML page. */
  savePage(name: string, result: QueryResult): Promise<SavedFile>;
  collected?: CollectedFor<Facts>;
}

/** The collection made for a statement; table names in the statement refer to its tables. */
interface CollectedFor<Facts> {
  info: CollectionInfo;
  /** Lines before the rows. */
  lines: readonly string[];
  /** The same in the structured form. */
  facts: Facts;
}

/** @throws InputError for an invalid statement or file name; errors of `Tables.query` and `Tables.export` */
export async function answerQuery<Facts extends object>(query: TableQuery, parts: QueryAnswerParts<Facts>) {
  const { collected } = parts;
  try {
    const answer = await answerRows(query, parts);
    return maskedAtSource({ ...answer, structured: Object.assign(answer.structured, collected?.facts) });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw maskedAtSource(
      collected === undefined ? error : error.withHint(describeColumns(collected.info, error.hint)),
    );
  }
}

/** The limit in characters of the columns listed in an error. */
const MAX_COLUMN_CHARACTERS = 4_000;

/**
 * Returns the columns for a corrected statement that the hint has not listed yet, and the notes on missing
 * parts.
 */
function describeColumns({ tables, notes }: CollectionInfo, hint: string | undefined): string {
  const columnLists = tables.flatMap(({ name, rows, columns }) => {
    const names = columns.map((column) => column.name).join(', ');
    return hint?.includes(`Columns of ${name}: ${names}.`) === true
      ? []
      : [`${name} (${rows} rows): ${names}.`];
  });
  const all = [...notes.filter(isNoteOnParts), ...columnLists].join(' ');
  return `What was collected stays; query_data asks it. ${shortenToCharacters(all, MAX_COLUMN_CHARACTERS)}`;
}

/** Checks the options before any request. @throws InputError */
export function checkQuery({ saveAs, csv }: Omit<TableQuery, 'sql'>): void {
  const format = saveAs === undefined || isPageName(saveAs) ? undefined : exportFormatOf(saveAs);
  if (csv !== undefined && format !== 'csv') {
    throw new InputError(
      'csv says how a .csv is written, and none is saved.',
      'Leave it out, or end save_as in .csv.',
    );
  }
}

/**
 * Returns the time until the margin, which is at most half of the rest, so that a short call can query too.
 */
function leftMs(deadline: number, marginMs: number): number {
  const left = deadline - performance.now();
  return Math.max(1, Math.floor(left - Math.min(marginMs, left / 2)));
}

async function answerRows({ sql, saveAs, csv: asked }: TableQuery, parts: QueryAnswerParts<object>) {
  const { session, account, call, collected, savePage } = parts;
  checkQuery({ saveAs, csv: asked });
  const shown = { session, account, lead: collected };
  const tables = await session.tables(account);
  const options = {
    maxBytes: session.settings().answerTokens * 3 * WIDER,
    signal: call.signal,
    of: collected?.info,
  };
  const left = leftMs(call.deadline, MARGIN_MS);
  if (saveAs === undefined) {
    // An answer could not show more rows.
    const timeoutMs = Math.min(MAX_QUERY_MS, left);
    return fitTable(await tables.query(sql, { ...options, maxRows: MAX_ROWS, timeoutMs }), shown);
  }
  if (isPageName(saveAs)) {
    const timeoutMs = Math.min(MAX_QUERY_MS, left);
    const limits = { maxRows: MAX_PAGE_ROWS, maxBytes: MAX_PAGE_BYTES };
    const result = await tables.query(sql, { ...options, ...limits, timeoutMs });
    return fitSavedPage(result, await savePage(saveAs, result), shown);
  }
  const format = exportFormatOf(saveAs);
  const files = await session.files();
  const csv = format === 'csv' ? await chooseCsvSigns(asked, session, account) : undefined;
  const form = { format, csv: csv?.signs, name: saveAs };
  const exported = await tables.export(
    sql,
    { ...options, ...form, maxRows: FIRST_ROWS, timeoutMs: Math.min(MAX_EXPORT_MS, left) },
    (content, { personal }) => files.save(saveAs, content, { personal }),
  );
  return fitSavedRows(exported, { ...shown, format, csv });
}

// The functions below read all rows for a tool that works on them; they never reach the assistant.

/** The time limit. */
const MAX_ROWS_MS = 30_000;
/** The part of the call's time that is reserved for working on the rows. */
const ROWS_MARGIN_MS = 5_000;
const MAX_ROWS_BYTES = 20_000_000;

interface RowsContext {
  session: Pick<ReadingSession, 'tables'>;
  call: { deadline: number; signal: AbortSignal };
}

/** @throws InputError if not all of so many rows could be returned; any error of the query */
export async function queryRows(
  sql: string,
  { account, maxRows }: { account: string; maxRows: number },
  { session, call }: RowsContext,
): Promise<QueryResult> {
  const tables = await session.tables(account);
  const found = await tables.query(sql, {
    maxRows,
    maxBytes: MAX_ROWS_BYTES,
    timeoutMs: Math.min(MAX_ROWS_MS, leftMs(call.deadline, ROWS_MARGIN_MS)),
    signal: call.signal,
  });
  if (found.rows.length < Math.min(found.total, maxRows)) {
    throw new InputError(
      `The rows of the query are larger than ${MAX_ROWS_BYTES / 1_000_000} MB; nothing was sent.`,
      'Ask for fewer rows or columns at once.',
    );
  }
  return found;
}

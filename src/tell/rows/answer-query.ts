/** One reading statement over the collected tables, and its answer in both forms: its rows shown, or saved as a file for the person. */

import { AppError, InputError } from '../../base/errors.ts';
import type { CsvSigns } from '../../base/settings.ts';
import { shortenToCharacters } from '../../base/text/shorten.ts';
import { isOnParts } from '../../data/collections/parts-left-out.ts';
import { exportFormatOf } from '../../data/tables/export-format.ts';
import type { CollectionInfo, QueryResult } from '../../data/tables/table-types.ts';
import { isPageName } from '../../disk/files/endings.ts';
import type { SavedFile } from '../../disk/files/files.ts';
import type { ReadingSession } from '../reading-session.ts';
import { maskedAtSource } from '../tool-answer.ts';
import { chooseCsvSigns } from './csv-signs.ts';
import { fitSavedPage, fitSavedRows } from './saved-rows.ts';
import { fitTable } from './table-answer.ts';

/** Longest time for one query. */
export const MAX_QUERY_MS = 30_000;

/** For one whose rows are saved; a call ends before, unless --call-timeout-ms is longer. */
const MAX_EXPORT_MS = 300_000;

/** Left of the call's own time for the answer. */
const MARGIN_MS = 1_000;

/** Rows looked at for an answer; what does not fit is counted. */
const MAX_ROWS = 1_000;

/** Rows are read wider than they are shown: not every column of theirs may be. */
const WIDER = 6;

/** Of a saved result. */
const FIRST_ROWS = 5;

/** Of a page: what a browser prints too. */
const MOST_PAGE_ROWS = 2_000;
const MOST_PAGE_BYTES = 2_000_000;

export interface Query {
  sql: string;
  /** Name of the file for all rows; without it they are shown. */
  saveAs?: string | undefined;
  csv?: CsvSigns | undefined;
}

export interface QueryAnswerParts<Facts> {
  session: ReadingSession;
  account: string;
  call: { signal: AbortSignal; deadline: number };
  /** Saves the rows as a page to look at. */
  savePage(name: string, result: QueryResult): Promise<SavedFile>;
  collected?: CollectedFor<Facts>;
}

/** What was collected for a statement: the names in it are its tables', whatever others are called. */
interface CollectedFor<Facts> {
  info: CollectionInfo;
  /** Said before the rows. */
  lines: readonly string[];
  /** The same in the structured form. */
  facts: Facts;
}

/** @throws InputError for a statement that does not fit or a file that cannot be; as `Tables.query` and `Tables.export` */
export async function answerQuery<Facts extends object>(query: Query, parts: QueryAnswerParts<Facts>) {
  const { collected } = parts;
  try {
    const answer = await answerRows(query, parts);
    return maskedAtSource({ ...answer, structured: Object.assign(answer.structured, collected?.facts) });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw maskedAtSource(
      collected === undefined ? error : error.withHint(columnsOf(collected.info, error.hint)),
    );
  }
}

/** Characters of the columns that are told where a statement does not fit. */
const MOST_COLUMNS = 4_000;

/** What a statement that did not fit can be written with, beside what the hint has told, and what may be missing in it. */
function columnsOf({ tables, notes }: CollectionInfo, hint: string | undefined): string {
  const words = tables.flatMap(({ name, rows, columns }) => {
    const names = columns.map((column) => column.name).join(', ');
    return hint?.includes(`Columns of ${name}: ${names}.`) === true
      ? []
      : [`${name} (${rows} rows): ${names}.`];
  });
  const all = [...notes.filter(isOnParts), ...words].join(' ');
  return `What was collected stays; query_data asks it. ${shortenToCharacters(all, MOST_COLUMNS)}`;
}

/** Before anything is asked of anybody. @throws InputError */
export function checkQuery({ saveAs, csv }: Omit<Query, 'sql'>): void {
  const format = saveAs === undefined || isPageName(saveAs) ? undefined : exportFormatOf(saveAs);
  if (csv !== undefined && format !== 'csv') {
    throw new InputError(
      'csv says how a .csv is written, and none is saved.',
      'Leave it out, or end save_as in .csv.',
    );
  }
}

/** Until the margin, which is at most half of what is left: a short call asks too. */
function leftMs(deadline: number, marginMs: number): number {
  const left = deadline - performance.now();
  return Math.max(1, Math.floor(left - Math.min(marginMs, left / 2)));
}

async function answerRows({ sql, saveAs, csv: asked }: Query, parts: QueryAnswerParts<object>) {
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
    // No more of it could be shown.
    const timeoutMs = Math.min(MAX_QUERY_MS, left);
    return fitTable(await tables.query(sql, { ...options, maxRows: MAX_ROWS, timeoutMs }), shown);
  }
  if (isPageName(saveAs)) {
    const timeoutMs = Math.min(MAX_QUERY_MS, left);
    const most = { maxRows: MOST_PAGE_ROWS, maxBytes: MOST_PAGE_BYTES };
    const result = await tables.query(sql, { ...options, ...most, timeoutMs });
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

// All rows, for a tool that works on them: they never pass the assistant.

/** Longest time for it. */
const MOST_ROWS_MS = 30_000;
/** Left of the call's own time for what is done with the rows. */
const ROWS_MARGIN_MS = 5_000;
const MOST_ROWS_BYTES = 20_000_000;

interface RowsContext {
  session: Pick<ReadingSession, 'tables'>;
  call: { deadline: number; signal: AbortSignal };
}

/** @throws InputError where not all of so many rows could be given; whatever the query throws */
export async function queryRows(
  sql: string,
  { account, maxRows }: { account: string; maxRows: number },
  { session, call }: RowsContext,
): Promise<QueryResult> {
  const tables = await session.tables(account);
  const found = await tables.query(sql, {
    maxRows,
    maxBytes: MOST_ROWS_BYTES,
    timeoutMs: Math.min(MOST_ROWS_MS, leftMs(call.deadline, ROWS_MARGIN_MS)),
    signal: call.signal,
  });
  if (found.rows.length < Math.min(found.total, maxRows)) {
    throw new InputError(
      `The rows of the query are larger than ${MOST_ROWS_BYTES / 1_000_000} MB; nothing was sent.`,
      'Ask for fewer rows or columns at once.',
    );
  }
  return found;
}

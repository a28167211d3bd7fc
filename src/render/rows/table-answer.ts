/**
 * Answers with the rows of a query in both forms within the budget. Omitted rows are counted, and the next
 * step is named.
 */

import { jsonText } from '../../base/json.ts';
import { DATA_NOTE, escapeBlock, showText, VALUES_NOTE } from '../../base/text/escape-text.ts';
import { utcMinute } from '../../base/text/local-time.ts';
import { shortenToCharacters, tokensOf } from '../../base/text/shorten.ts';
import type { QueryResult, SqlValue } from '../../data/tables/table-types.ts';
import type { ReadingSession } from '../reading-session.ts';
import { formatMemberName } from '../value/format-inline.ts';

/** The limits in characters of one value; the first one with which a row fits is used. */
const CELLS = [1_000, 200, 40] as const;

/** The tokens reserved for notes beside the rows. */
const REMARK_TOKENS = 120;

export interface TableAnswerParts {
  session: ReadingSession;
  account: string;
  /** The text that comes first for a saved result. */
  saved?: readonly string[];
  /**
   * The collection made for the query: its lines come first, and the caller adds its facts to the structured
   * form.
   */
  lead?: { lines: readonly string[]; facts: object };
}

export function fitTable(result: QueryResult, { session, account, saved, lead }: TableAnswerParts) {
  const { answerTokens } = session.settings();
  // Redaction comes before anything is cut, because half a secret would not be recognized.
  const clean = (text: string) => escapeBlock(session.redactor.redact(text));
  const aside = saved === undefined ? (result.aside ?? []) : [];
  const isShown = (_: unknown, at: number) => !aside.includes(result.columns[at] ?? '');
  const columns = result.columns.filter(isShown).map((name) => shortenToCharacters(clean(name), 80));
  const rows = result.rows.map((row) =>
    row.filter(isShown).map((value) => (typeof value === 'string' ? clean(value) : value)),
  );
  const leftOut = aside.length === 0 ? [] : [`Left out; select them by name: ${aside.join(', ')}.`];
  const notes = [...result.notes, ...leftOut];
  const now = utcMinute(session.program.now());
  const tables = result.tables.map(({ name, collectedAt, complete }) => ({
    name,
    collected_at: utcMinute(collectedAt),
    complete,
  }));
  const head = [
    ...tables.map(
      (table) => `${table.name} collected ${table.collected_at}${table.complete ? '' : ', not all of it'}`,
    ),
    `account ${account}`,
    `now ${now}`,
  ].join('; ');
  const columnLine = columns.map(formatMemberName).join(' | ');
  const own = Math.max(
    tokensOf(jsonText({ columns, tables, account })),
    tokensOf(columnLine) + tokensOf(head),
  );
  const room =
    answerTokens -
    own -
    REMARK_TOKENS -
    tokensOf(DATA_NOTE) -
    tokensOf([...(saved ?? []), ...notes].join(' ')) -
    (lead === undefined ? 0 : Math.max(tokensOf(lead.lines.join(' ')), tokensOf(jsonText(lead.facts))));
  const { kept, isCut } = fitRows(rows, room);
  const next =
    saved === undefined ? nextStep(kept.length, { ...result, notes }, isCut) : [...saved, ...notes].join(' ');
  const lines = kept.map((row) => row.map(formatCell).join(' | '));
  const body = [...(columns.length === 0 ? [] : [columnLine]), ...lines].join('\n');
  const count =
    kept.length < result.total ? `${kept.length} of ${result.total} rows` : `${result.total} rows`;
  return {
    text: [
      ...(lead?.lines ?? []),
      ...(saved === undefined ? [] : [next]),
      body.includes('«') ? DATA_NOTE : VALUES_NOTE,
      body,
      ...(next === undefined || saved !== undefined ? [] : [next]),
      `(${[count, head].join('; ')})`,
    ].join('\n'),
    structured: {
      note: [VALUES_NOTE, `Now ${now}.`, ...(next === undefined ? [] : [next])].join(' '),
      account,
      now,
      columns,
      rows: kept,
      total: result.total,
      tables,
    },
  };
}

/** Returns as many rows as fit in both forms, with shorter values if not even one row fits. */
function fitRows(rows: readonly SqlValue[][], room: number): { kept: SqlValue[][]; isCut: boolean } {
  for (const maxCharacters of CELLS) {
    const fittedRows: SqlValue[][] = [];
    let isCut = false;
    let left = room;
    for (const row of rows) {
      const cells = row.map((value) => cutCell(value, maxCharacters));
      left -= Math.max(tokensOf(jsonText(cells)), tokensOf(cells.map(formatCell).join(' | '))) + 1;
      if (left < 0) break;
      isCut ||= cells.some((cell, at) => cell !== row[at]);
      fittedRows.push(cells);
    }
    if (fittedRows.length > 0 || rows.length === 0) return { kept: fittedRows, isCut };
  }
  return { kept: [], isCut: true };
}

function cutCell(value: SqlValue, maxCharacters: number): SqlValue {
  return typeof value === 'string' ? shortenToCharacters(value, maxCharacters) : value;
}

function formatCell(value: SqlValue): string {
  if (value === null) return '-';
  return typeof value === 'string' ? showText(value) : String(value);
}

function nextStep(shown: number, { total, columns, notes }: QueryResult, isCut: boolean): string | undefined {
  const rest =
    shown === 0 && total > 0
      ? [`One row of ${columns.length} columns does not fit: select fewer columns.`]
      : shown < total
        ? [
            `Only ${shown} of ${total} rows are given: select fewer columns, sum up with GROUP BY, or go on with LIMIT ${shown} OFFSET ${shown}.`,
          ]
        : [];
  const cut = isCut && shown > 0 ? ['Long values are cut: substr or json_extract give parts of them.'] : [];
  const all = [...rest, ...cut, ...notes];
  return all.length === 0 ? undefined : all.join(' ');
}

/** Unifies moments in SQLite's own form with those of the tables, which look alike but sort differently. */

import type { SqlStatement, SqlToken } from './statement.ts';
import type { TableInfo } from './table-types.ts';

const NOTE =
  "datetime() and CURRENT_TIMESTAMP give '2026-11-21 20:02:00', while dates in these tables are '2026-11-21T20:02:00Z': compared as texts, moments of the same day come out wrong. Write datetime(column) as well, or strftime('%Y-%m-%dT%H:%M:%SZ', 'now').";

/** The form of moments in the tables. */
const TABLE_FORM = "strftime('%Y-%m-%dT%H:%M:%SZ', ";

/**
 * Returns the statement with its moments in the form of the tables; unchanged if it has none or uses one
 * form.
 */
export function withTableMoments({ sql, tokens }: SqlStatement, tables: readonly TableInfo[]): string {
  if (!areMixed(tokens, tables) || tokens.some(isLocalTime)) return sql;
  const changes = tokens.flatMap(({ kind, text, start, end }, at) => {
    if (kind !== 'word') return [];
    if (text === 'current_timestamp') return [{ start, end, by: `${TABLE_FORM}'now')` }];
    const open = tokens[at + 1];
    if (text !== 'datetime' || open?.text !== '(') return [];
    const by = tokens[at + 2]?.text === ')' ? `${TABLE_FORM}'now'` : TABLE_FORM;
    return [{ start, end: open.end, by }];
  });
  return changes.reduceRight(
    (text, { start, end, by }) => `${text.slice(0, start)}${by}${text.slice(end)}`,
    sql,
  );
}

/** Returns undefined if all moments have one form, or the tables have none. */
export function noteOnMixedMoments(
  tokens: readonly SqlToken[],
  tables: readonly TableInfo[],
): string | undefined {
  return areMixed(tokens, tables) ? NOTE : undefined;
}

/** Returns true for the modifier that uses this computer's clock instead of UTC. */
const isLocalTime = ({ kind, text }: SqlToken) => kind === 'text' && text.toLowerCase() === "'localtime'";

function areMixed(tokens: readonly SqlToken[], tables: readonly TableInfo[]): boolean {
  const dates = new Set(
    tables.flatMap(({ columns }) => columns.filter(({ type }) => type === 'date').map(({ name }) => name)),
  );
  if (!tokens.some(({ text }) => dates.has(text))) return false;
  const calls = tokens.flatMap(({ text, kind }, at) =>
    kind === 'word' && text === 'datetime' && tokens[at + 1]?.text === '(' ? [at + 2] : [],
  );
  const isOfColumn = (at: number) => tokens[at]?.kind === 'word' || tokens[at]?.kind === 'name';
  const isMade =
    calls.some((at) => !isOfColumn(at)) || tokens.some(({ text }) => text === 'current_timestamp');
  return isMade && !calls.some(isOfColumn);
}

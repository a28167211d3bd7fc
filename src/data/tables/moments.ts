/** Moments in SQLite's own form, which look like those of the tables and sort differently: made alike where they are compared. */

import type { Statement, Token } from './statement.ts';
import type { TableInfo } from './table-types.ts';

const NOTE =
  "datetime() and CURRENT_TIMESTAMP give '2026-11-21 20:02:00', while dates in these tables are '2026-11-21T20:02:00Z': compared as texts, moments of the same day come out wrong. Write datetime(column) as well, or strftime('%Y-%m-%dT%H:%M:%SZ', 'now').";

/** As the tables have them. */
const FORM = "strftime('%Y-%m-%dT%H:%M:%SZ', ";

/** The statement with the moments that it makes in the form of the tables; the same where it has none, or has them in one form. */
export function withKeptMoments({ sql, tokens }: Statement, tables: readonly TableInfo[]): string {
  if (!areMixed(tokens, tables) || tokens.some(isLocalTime)) return sql;
  const changes = tokens.flatMap(({ kind, text, start, end }, at) => {
    if (kind !== 'word') return [];
    if (text === 'current_timestamp') return [{ start, end, by: `${FORM}'now')` }];
    const open = tokens[at + 1];
    if (text !== 'datetime' || open?.text !== '(') return [];
    const by = tokens[at + 2]?.text === ')' ? `${FORM}'now'` : FORM;
    return [{ start, end: open.end, by }];
  });
  return changes.reduceRight(
    (text, { start, end, by }) => `${text.slice(0, start)}${by}${text.slice(end)}`,
    sql,
  );
}

/** Undefined where every moment is brought into one form, or the tables have none. */
export function noteOnMoments(tokens: readonly Token[], tables: readonly TableInfo[]): string | undefined {
  return areMixed(tokens, tables) ? NOTE : undefined;
}

/** Such a moment is of the clock of this computer, and none of UTC. */
const isLocalTime = ({ kind, text }: Token) => kind === 'text' && text.toLowerCase() === "'localtime'";

function areMixed(tokens: readonly Token[], tables: readonly TableInfo[]): boolean {
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

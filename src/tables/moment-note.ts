/** Tells when moments in SQLite's own form are compared with those of tables, which look alike and sort differently. */

import type { Token } from './statement.ts';
import type { TableInfo } from './types.ts';

const NOTE =
  "datetime() and CURRENT_TIMESTAMP give '2026-11-21 20:02:00', while dates in these tables are '2026-11-21T20:02:00Z': compared as texts, moments of the same day come out wrong. Write datetime(column) as well, or strftime('%Y-%m-%dT%H:%M:%SZ', 'now').";

/** Undefined where every moment is brought into one form, or the tables have none. */
export function noteOnMoments(tokens: readonly Token[], tables: readonly TableInfo[]): string | undefined {
  const dates = new Set(
    tables.flatMap(({ columns }) => columns.filter(({ type }) => type === 'date').map(({ name }) => name)),
  );
  const words = tokens.filter(({ kind }) => kind === 'word' || kind === 'name');
  if (!words.some(({ text }) => dates.has(text))) return undefined;
  const calls = tokens.flatMap(({ text, kind }, at) =>
    kind === 'word' && text === 'datetime' && tokens[at + 1]?.text === '(' ? [at + 2] : [],
  );
  const isOfColumn = (at: number) => tokens[at]?.kind === 'word' || tokens[at]?.kind === 'name';
  const isMade =
    calls.some((at) => !isOfColumn(at)) || words.some(({ text }) => text === 'current_timestamp');
  return isMade && !calls.some(isOfColumn) ? NOTE : undefined;
}

/**
 * Every query finds views of reports: each is a file of SQL over one report type, which it calls `source`. A
 * statement that names one gets it as a WITH table, so that all checks of statements also apply to it.
 */

import { InputError } from '../../base/errors.ts';
import { reportViews } from './generated/report-views.ts';
import { quoteIdentifier } from './sql-names.ts';
import { isDefined, readTokens } from './statement.ts';
import type { CollectionInfo } from './table-types.ts';

/** A view is one file of `views/`. */
export interface ReportView {
  reportType: string;
  /** Describes its rows in a few words. */
  holds: string;
  sql: string;
}

/** Names the views of a collection: `settlement_totals (each settlement ...)`. */
export function viewsOf({ source }: Pick<CollectionInfo, 'source'>): string[] {
  if (source.kind !== 'report') return [];
  return Object.entries(reportViews)
    .filter(([, { reportType }]) => reportType === source.reportType)
    .map(([name, { holds }]) => `${name} (${holds})`);
}

/**
 * Puts before a statement the views that it names.
 * @param list returns the newest first
 * @returns notes if a view reads one of several collections
 * @throws InputError if the report of a view is not collected
 */
export async function withReportViews(
  sql: string,
  list: () => Promise<readonly CollectionInfo[]>,
): Promise<{ sql: string; notes: string[] }> {
  const tokens = readTokens(sql);
  const isView = ({ isTable, text }: (typeof tokens)[number]) => isTable && Object.hasOwn(reportViews, text);
  const asked = new Set(tokens.filter(isView).map(({ text }) => text));
  // Most statements name none, and need no access to the disk for it.
  if (asked.size === 0) return { sql, notes: [] };
  const all = await list();
  const tables = new Set(all.flatMap((info) => info.tables.map(({ name }) => name)));
  const named = [...asked].filter((name) => !tables.has(name));
  const isOwn = (name: string) => tokens.some(({ text }, at) => text === name && isDefined(tokens, at));
  const views = named.filter((name) => !isOwn(name)).map((name) => bindView(name, all));
  if (views.length === 0) return { sql, notes: [] };
  const defined = views.map(({ sql: own }) => own).join(',\n');
  const [first, second] = tokens;
  const isRecursive = second?.text === 'recursive';
  const rest =
    first?.text === 'with'
      ? `,\n${sql.slice((isRecursive ? second : first).end)}`
      : `\n${first?.text === '(' ? 'SELECT * FROM ' : ''}${sql}`;
  return {
    sql: `WITH ${isRecursive ? 'RECURSIVE ' : ''}${defined}${rest}`,
    notes: views.flatMap(({ note }) => note ?? []),
  };
}

function bindView(name: string, all: readonly CollectionInfo[]): { sql: string; note: string | undefined } {
  const view = reportViews[name];
  if (view === undefined) throw new Error(`there is no view ${name}`);
  const { reportType, sql } = view;
  const collected = all.filter(({ source }) => source.kind === 'report' && source.reportType === reportType);
  const table = collected[0]?.tables[0]?.name;
  if (table === undefined) {
    throw new InputError(
      `${name} is a view of the report ${reportType}, which is not collected.`,
      `First collect_data with report: {"type": "${reportType}"}.`,
    );
  }
  const bound = readTokens(sql)
    .filter(({ isTable, text }) => isTable && text === 'source')
    .toReversed()
    .reduce((text, { start, end }) => text.slice(0, start) + quoteIdentifier(table) + text.slice(end), sql);
  const others = collected.length - 1;
  return {
    sql: `${quoteIdentifier(name)} AS (\n${bound}\n)`,
    note:
      others === 0
        ? undefined
        : `${name} reads ${table}, which was collected last; ${others} more of this report are there.`,
  };
}

/** The known columns of documents of some report types. */

import { decodeSchema } from './compact-schema.ts';
import { reportColumns } from './generated/report-columns.ts';
import type { JsonSchema } from './operation.ts';

export interface ReportColumns {
  /** The source of the facts. */
  source: string;
  /** The conditions that change the columns. */
  depends: string;
  /** The headings of a document of rows, in its spelling, separated by ` | `. */
  headings?: string;
  /**
   * The items of each list of a JSON document, by its path, in the notation of compact-schema.ts; `''` has
   * the members outside the lists.
   */
  lists?: Readonly<Record<string, unknown>>;
}

export interface KnownColumns extends Pick<ReportColumns, 'depends'> {
  /** The headings in the report's spelling; empty for a JSON document. */
  headings: readonly string[];
  lists: ReadonlyMap<string, JsonSchema>;
}

/** Returns the columns of a report; undefined when they are unknown. */
export function columnsOfReport(type: string): KnownColumns | undefined {
  const known = Object.hasOwn(reportColumns, type) ? reportColumns[type] : undefined;
  if (known === undefined) return undefined;
  const { depends, headings, lists = {} } = known;
  const shapes = Object.entries(lists).map(([path, shape]) => [path, decodeSchema(shape)] as const);
  return { depends, headings: headings?.split(' | ') ?? [], lists: new Map(shapes) };
}

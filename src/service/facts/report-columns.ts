/** What the documents of some report types hold, where that is known. */

import { decodeSchema } from './compact-schema.ts';
import { reportColumns } from './generated/report-columns.ts';
import type { JsonSchema } from './operation.ts';

export interface ReportColumns {
  /** Who says so. */
  source: string;
  /** What makes them others. */
  depends: string;
  /** Of a document of rows, as it spells them, parted by ` | `. */
  headings?: string;
  /** Of a JSON document: the items of each list, by its path, in the notation of compact-schema.ts; `''` is what stands beside the lists. */
  lists?: Readonly<Record<string, unknown>>;
}

export interface KnownColumns extends Pick<ReportColumns, 'depends'> {
  /** As the report spells them; of a JSON document there are none. */
  headings: readonly string[];
  lists: ReadonlyMap<string, JsonSchema>;
}

/** Undefined where nobody says what is in it. */
export function columnsOfReport(type: string): KnownColumns | undefined {
  const known = Object.hasOwn(reportColumns, type) ? reportColumns[type] : undefined;
  if (known === undefined) return undefined;
  const { depends, headings, lists = {} } = known;
  const shapes = Object.entries(lists).map(([path, shape]) => [path, decodeSchema(shape)] as const);
  return { depends, headings: headings?.split(' | ') ?? [], lists: new Map(shapes) };
}

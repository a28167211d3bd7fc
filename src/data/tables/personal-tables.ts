/** Describes the personal data of collections: the source of values and the columns with such data. */

import type { ValueSource } from '../../privacy/personal/kinds.ts';
import type { CollectionInfo, CollectionSource, ColumnInfo, TableInfo } from './table-types.ts';
import type { MaskedTable } from './worker/messages.ts';

/** The note of the column with the fields beyond the header. */
export const EXTRA_FIELDS = 'fields beyond the header, as a list';

/** The note of the column that repeats the item's key in the table of a nested list. */
export const OF_THE_ITEM = 'of the item';

/** The end of tables with personal data if `until` is 'process'. */
export const PERSONAL_END = "the last program that uses it ends, since it holds buyers' data";

/** The note of a column of truth values. */
export const TRUTHS = '1 is true, 0 is false';

/** Returns the source in the form that the rules on personal data need. */
export function valueSourceOf(source: CollectionSource): ValueSource {
  if (source.kind === 'operation') return { operation: source.operation };
  return source.kind === 'report'
    ? { reportType: source.reportType, marketplaceIds: source.marketplaces }
    : {};
}

/** Returns true if it is known to contain personal data; free text is only searched for them. */
export function isPersonal({ personal }: ColumnInfo): boolean {
  return personal !== undefined && personal !== 'free text';
}

export function isMaskable({ personal, members }: ColumnInfo): boolean {
  return personal !== undefined || members !== undefined;
}

/** Returns undefined if nothing in it needs masking. */
export function maskedTable(
  { name, columns }: Pick<TableInfo, 'name' | 'columns'>,
  source: ValueSource,
): Omit<MaskedTable, 'file'> | undefined {
  if (!columns.some(isMaskable)) return undefined;
  const extra = columns.some(isPersonal) ? columns.find(({ note }) => note === EXTRA_FIELDS) : undefined;
  return {
    name,
    source,
    columns: columns
      .filter((column) => isMaskable(column) || column.given === true)
      .map(({ name: column, personal, members, given }) => ({ name: column, personal, members, given })),
    ...(extra === undefined ? {} : { extra: extra.name }),
  };
}

/** Returns true if something in it is masked, or searched for personal data. */
export function hasMaskable({ tables }: Pick<CollectionInfo, 'tables'>): boolean {
  return tables.some(({ columns }) => columns.some(isMaskable));
}

export function hasPersonalData({ tables }: Pick<CollectionInfo, 'tables'>): boolean {
  return tables.some(({ columns }) => columns.some(isPersonal));
}

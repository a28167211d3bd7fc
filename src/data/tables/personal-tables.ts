/** What collections say of the personal data in them: where values come from, and which columns hold any. */

import type { ValueSource } from '../../privacy/personal/kinds.ts';
import type { CollectionInfo, CollectionSource, ColumnInfo, TableInfo } from './table-types.ts';
import type { MaskedTable } from './worker/messages.ts';

/** The note of the column that keeps the fields beyond the header. */
export const EXTRA_FIELDS = 'fields beyond the header, as a list';

/** That of the column that repeats the key of the item, in the table of a nested list. */
export const OF_THE_ITEM = 'of the item';

/** Tables with personal data are kept until then, as `until: 'process'` says. */
export const PERSONAL_END = "the last program that uses it ends, since it holds buyers' data";

/** And that of a column of truth values. */
export const TRUTHS = '1 is true, 0 is false';

/** As the rules on personal data ask for it. */
export function valueSourceOf(source: CollectionSource): ValueSource {
  if (source.kind === 'operation') return { operation: source.operation };
  return source.kind === 'report'
    ? { reportType: source.reportType, marketplaceIds: source.marketplaces }
    : {};
}

/** Known to hold personal data, rather than to be searched for them. */
export function isPersonal({ personal }: ColumnInfo): boolean {
  return personal !== undefined && personal !== 'free text';
}

export function isMaskable({ personal, members }: ColumnInfo): boolean {
  return personal !== undefined || members !== undefined;
}

/** Undefined where nothing of it has to be masked. */
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

/** Something in it is masked, or searched for what is to be. */
export function hasMaskable({ tables }: Pick<CollectionInfo, 'tables'>): boolean {
  return tables.some(({ columns }) => columns.some(isMaskable));
}

export function hasPersonalData({ tables }: Pick<CollectionInfo, 'tables'>): boolean {
  return tables.some(({ columns }) => columns.some(isPersonal));
}

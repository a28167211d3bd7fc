/** What may be told of collections while personal data are masked, and what the query worker has to mask. */

import type { PersonalKind } from '../personal/kinds.ts';
import { createMarker } from '../personal/marks.ts';
import type { PersonalData } from '../personal/personal-data.ts';
import { EXTRA_FIELDS, hasMaskable, isMaskable, isPersonal, valueSourceOf } from './personal-tables.ts';
import type { CollectionInfo, CollectionSource, ColumnInfo, TableInfo } from './types.ts';
import type { MaskedTable, Masking } from './worker/protocol.ts';

export interface TableMasks {
  isMasking: boolean;
  /** With examples that may be shown. */
  info(info: CollectionInfo): CollectionInfo;
  /** What was asked for, as JSON: values that came as marks are known to a later session by their names only. */
  source(source: CollectionSource): string;
  /** Absent where nothing of these is to be masked. @param collections in the order of the files */
  forQuery(collections: readonly CollectionInfo[]): Masking | undefined;
  remember(marks: ReadonlyMap<string, string>): void;
}

/** Whose tables these are. */
export function createTableMasks(personal: PersonalData, account: string): TableMasks {
  const { isMasking, key } = personal;
  const marker = createMarker(key, account);
  const markOf = (kind: PersonalKind, value: string) => {
    const mark = marker.mark(kind, value);
    personal.remember(account, new Map([[mark, value]]));
    return mark;
  };
  const example = (column: ColumnInfo): ColumnInfo => {
    const { example: shown, ...rest } = column;
    if (shown === undefined || !isMaskable(column)) return column;
    if (column.members !== undefined || column.personal === undefined) return rest;
    if (column.personal === 'free text') return { ...rest, example: personal.maskText(shown) };
    return { ...rest, example: markOf(column.personal, shown) };
  };
  const table = (each: TableInfo): TableInfo => ({ ...each, columns: each.columns.map(example) });
  return {
    isMasking,
    info: (info) => (isMasking && hasMaskable(info) ? { ...info, tables: info.tables.map(table) } : info),
    source(source) {
      if (!isMasking) return JSON.stringify(source);
      const operation = source.kind === 'operation' ? { operation: source.operation } : {};
      return JSON.stringify(personal.maskTexts(personal.maskAnswer(account, operation, source).value));
    },
    forQuery(collections) {
      const tables = isMasking ? collections.flatMap(maskedTables) : [];
      return isMasking ? { key, account, tables } : undefined;
    },
    remember: (marks) => {
      if (marks.size > 0) personal.remember(account, marks);
    },
  };
}

/** All tables of the file: what a statement names is for SQLite to say. */
function maskedTables({ source, tables }: CollectionInfo, file: number): MaskedTable[] {
  return tables.flatMap(({ name, columns }) => {
    const masked = columns.filter(isMaskable);
    if (masked.length === 0) return [];
    const extra = columns.some(isPersonal) ? columns.find(({ note }) => note === EXTRA_FIELDS) : undefined;
    return [
      {
        file,
        name,
        source: valueSourceOf(source),
        columns: masked.map(({ name: column, personal, members }) => ({
          name: column,
          ...(personal === undefined ? {} : { personal }),
          ...(members === undefined ? {} : { members }),
        })),
        ...(extra === undefined ? {} : { extra: extra.name }),
      },
    ];
  });
}

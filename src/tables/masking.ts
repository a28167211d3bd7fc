/** What may be told of collections while personal data are masked, and what the query worker has to mask. */

import { createMarker, kindOf } from '../personal/marks.ts';
import type { PersonalData } from '../personal/personal-data.ts';
import { EVERY_MARK } from '../text/mark-shape.ts';
import { maskedTable, valueSourceOf } from './personal-tables.ts';
import type { CollectionInfo, CollectionSource, ColumnInfo, Sample } from './types.ts';
import type { MaskedTable, Masking } from './worker/protocol.ts';

export interface TableMasks {
  isMasking: boolean;
  /** With examples as they may be shown. */
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
  /** With the marks of this session. */
  const exampleOf = ({ text, marks }: Sample): string => {
    const known = new Map(Object.entries(marks));
    return text.replace(EVERY_MARK, (mark) => {
      const value = known.get(mark);
      const kind = kindOf(mark);
      if (value === undefined || kind === undefined) return mark;
      if (!isMasking) return value;
      const own = marker.mark(kind, value);
      personal.remember(account, new Map([[own, value]]));
      return own;
    });
  };
  const column = ({ sample, ...rest }: ColumnInfo): ColumnInfo =>
    sample === undefined ? rest : { ...rest, example: exampleOf(sample) };
  return {
    isMasking,
    info: (info) => ({
      ...info,
      tables: info.tables.map((table) => ({ ...table, columns: table.columns.map(column) })),
    }),
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
  return tables.flatMap((table) => {
    const masked = maskedTable(table, valueSourceOf(source));
    return masked === undefined ? [] : [{ ...masked, file }];
  });
}

/** Masks descriptions of collections, and tells the query worker which columns to mask. */

import { EVERY_PLACEHOLDER } from '../../base/text/placeholder-shape.ts';
import type { PersonalKind } from '../../privacy/personal/kinds.ts';
import { maskValue } from '../../privacy/personal/mask-value.ts';
import { rulesOf } from '../../privacy/personal/members.ts';
import type { PersonalData } from '../../privacy/personal/personal-data.ts';
import { createPlaceholderMaker, kindOfPlaceholder } from '../../privacy/personal/placeholders.ts';
import { maskedTable, valueSourceOf } from './personal-tables.ts';
import type { CollectionInfo, CollectionSource, ColumnInfo, Sample } from './table-types.ts';
import type { MaskedTable, QueryMasking } from './worker/messages.ts';

export type TableMasks = ReturnType<typeof createTableMasker>;

/** @param account the account of the tables */
export function createTableMasker(personal: PersonalData, account: string) {
  const { isMasking, key } = personal;
  const marker = createPlaceholderMaker(key, account);
  const asked = createPlaceholderMaker(key, `what was asked for ${account}`);
  const ownMark = (kind: PersonalKind, value: string) => {
    const mark = marker.mark(kind, value);
    personal.remember(account, new Map([[mark, value]]));
    return mark;
  };
  /** Replaces the placeholders of an example by those of this session. */
  const exampleOf = ({ text, marks }: Sample): string => {
    const known = new Map(Object.entries(marks));
    return text.replace(EVERY_PLACEHOLDER, (mark) => {
      const value = known.get(mark);
      const kind = kindOfPlaceholder(mark);
      if (value === undefined || kind === undefined) return mark;
      return isMasking ? ownMark(kind, value) : value;
    });
  };
  const column = ({ sample, ...rest }: ColumnInfo): ColumnInfo =>
    sample === undefined ? rest : { ...rest, example: exampleOf(sample) };
  return {
    isMasking,
    /** Returns a collection whose examples are masked for display. */
    info: (info: CollectionInfo): CollectionInfo => ({
      ...info,
      tables: info.tables.map((table) => ({ ...table, columns: table.columns.map(column) })),
    }),
    /** Formats the request as JSON: its personal values get placeholders that match none of the data. */
    source(source: CollectionSource): string {
      if (!isMasking) return JSON.stringify(source);
      const operation = source.kind === 'operation' ? { operation: source.operation } : {};
      return JSON.stringify(
        maskValue(source, {
          rule: rulesOf(operation),
          // The value may be a guess, so its placeholder must match none of the data.
          mark: (kind, value) => asked.mark(kind, String(value)),
        }).value,
      );
    },
    /** Returns undefined if nothing needs masking. @param collections in the order of the files */
    forQuery(collections: readonly CollectionInfo[]): QueryMasking | undefined {
      const tables = isMasking ? collections.flatMap(maskedTables) : [];
      return isMasking ? { key, account, tables } : undefined;
    },
    remember: (marks: ReadonlyMap<string, string>) => {
      if (marks.size > 0) personal.remember(account, marks);
    },
  };
}

/** Returns all masked tables of the file, because only SQLite knows which ones a statement reads. */
function maskedTables({ source, tables }: CollectionInfo, file: number): MaskedTable[] {
  return tables.flatMap((table) => {
    const masked = maskedTable(table, valueSourceOf(source));
    return masked === undefined ? [] : [{ ...masked, file }];
  });
}

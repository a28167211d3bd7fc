/**
 * Puts a view before each table with personal data: SQL finds the view by the table's name, and placeholders
 * in it.
 */

import type { Database } from 'node-sqlite3-wasm';
import { PERSONAL_KINDS, type PersonalKind } from '../../../privacy/personal/kinds.ts';
import { isThingOrRegionName } from '../../../privacy/personal/mask-value.ts';
import { quoteIdentifier } from '../sql-names.ts';
import type { FunctionValue, ValueMasker } from './mask-values.ts';
import type { MaskedColumn, MaskedTable } from './messages.ts';

/** Max values of a row that are searched in its free texts. */
const MAX_KNOWN_VALUES = 20;

/** Kinds whose values people write into texts. */
const WRITTEN: ReadonlySet<string> = new Set<PersonalKind>(['buyer name', 'address', 'tax number']);

export interface ViewParts {
  database: Database;
  masker: ValueMasker;
  /** The secret prefix of the functions' names, which no statement can know. */
  prefix: string;
}

/** Creates views that shadow their tables, since SQLite searches the temporary database first. */
export function createMaskedViews(
  tables: readonly MaskedTable[],
  aliases: readonly string[],
  parts: ViewParts,
): void {
  for (const [number, table] of tables.entries()) {
    const alias = quoteIdentifier(aliases[table.file] ?? '');
    const name = quoteIdentifier(table.name);
    const columns = parts.database
      .all(`PRAGMA ${alias}.table_xinfo(${name})`)
      .map((found) => String(found.name));
    const own = { ...parts, prefix: `${parts.prefix}${number}_` };
    const shown = maskColumns(table, columns, own).map(
      (expression, at) => `${expression} AS ${quoteIdentifier(columns[at] ?? '')}`,
    );
    parts.database.exec(`CREATE TEMP VIEW ${name} AS SELECT ${shown.join(', ')} FROM ${alias}.${name}`);
  }
}

/** Returns an expression for each column that masks it, for everything that reveals its values. */
export function maskColumns(
  table: Omit<MaskedTable, 'file'>,
  columns: readonly string[],
  parts: ViewParts,
): string[] {
  const { database, masker, prefix } = parts;
  for (const [at, kind] of PERSONAL_KINDS.entries()) {
    define(database, `${prefix}k${at}`, 1, ([value = null]) => masker.whole(kind, value));
  }
  const masked = new Map(table.columns.map((column) => [column.name, column]));
  const { text, known } = defineTexts(table, `${prefix}t`, parts);
  return columns.map((column, at) => {
    const quoted = quoteIdentifier(column);
    const rule = masked.get(column);
    // A value from the caller would become the placeholder of a row's value if it is a correct guess.
    if (rule?.given === true) return quoted;
    if (rule === undefined) {
      return shifted(isThingOrRegionName(column) ? quoted : known(quoted), column, table, prefix);
    }
    if (rule.members !== undefined)
      return `${defineMembers(table, rule, `${prefix}m${at}`, parts)}(${quoted})`;
    const { personal } = rule;
    if (personal === undefined || personal === 'free text') {
      return shifted(text(quoted), column, table, prefix);
    }
    return `${prefix}k${PERSONAL_KINDS.indexOf(personal)}(${quoted})`;
  });
}

/** Masks a row with too many fields as a whole, because it is unclear which field belongs to which column. */
function shifted(
  shown: string,
  column: string,
  { extra }: Pick<MaskedTable, 'extra'>,
  prefix: string,
): string {
  if (extra === undefined || column === 'item' || column === extra) return shown;
  const whole = `${prefix}k${PERSONAL_KINDS.indexOf('buyer text')}`;
  return `iif(${quoteIdentifier(extra)} IS NULL, ${shown}, ${whole}(${quoteIdentifier(column)}))`;
}

/** Defines functions that know the personal values of the same row: for free texts, and for any other. */
function defineTexts(
  { columns, source }: Pick<MaskedTable, 'columns' | 'source'>,
  name: string,
  { database, masker }: ViewParts,
): Record<'text' | 'known', (quoted: string) => string> {
  const known = columns
    .flatMap(({ name: column, personal, members }) =>
      personal !== undefined && personal !== 'free text' && members === undefined && WRITTEN.has(personal)
        ? [{ column, kind: personal }]
        : [],
    )
    .slice(0, MAX_KNOWN_VALUES);
  const valuesOf = (values: FunctionValue[]) =>
    known.map(({ kind }, at) => ({ kind, value: values[at] ?? null }));
  define(database, `${name}f`, known.length + 1, ([value = null, ...values]) =>
    masker.text(value, valuesOf(values), source),
  );
  define(database, `${name}k`, known.length + 1, ([value = null, ...values]) =>
    masker.known(value, valuesOf(values)),
  );
  const rest = known.map(({ column }) => `, ${quoteIdentifier(column)}`).join('');
  return {
    text: (quoted) => `${name}f(${quoted}${rest})`,
    // Numbers, codes and single words contain no personal text, so the call is skipped for them.
    known: (quoted) =>
      known.length === 0 ? quoted : `iif(${quoted} GLOB '*[^!-~]*', ${name}k(${quoted}${rest}), ${quoted})`,
  };
}

function defineMembers(
  { source }: Pick<MaskedTable, 'source'>,
  { members = [] }: MaskedColumn,
  name: string,
  { database, masker }: ViewParts,
): string {
  const mask = masker.members(source, members);
  define(database, name, 1, ([value = null]) => mask(value));
  return name;
}

/** Defines a function; the library counts its arguments by its `length`. */
function define(
  database: Database,
  name: string,
  length: number,
  run: (values: FunctionValue[]) => FunctionValue,
): void {
  const variadic = (...values: FunctionValue[]) => run(values);
  database.function(name, Object.defineProperty(variadic, 'length', { value: length }), {
    deterministic: true,
  });
}

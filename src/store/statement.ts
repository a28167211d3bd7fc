/**
 * SQL statements of a store, and steps that consist of them. The reads and writes of one step are one
 * transaction.
 */

import * as z from 'zod';

type Param = string | number | null;

export interface StoreStatement {
  /** The SQL text with a `?` for each value. */
  text: string;
  values: readonly Param[];
}

/**
 * Yields statements and resumes with the rows of each. It cannot await anything, so no transaction is open
 * while other work runs. A busy store restarts it from its beginning.
 */
export type StoreStep<T> = Generator<StoreStatement, T, readonly unknown[]>;

export const sql = (
  parts: TemplateStringsArray,
  ...values: readonly (Param | undefined)[]
): StoreStatement => ({
  text: parts.join('?'),
  values: values.map((value) => value ?? null),
});

/** Inserts a row, or replaces the one with the same key. */
export function put(
  table: string,
  key: string,
  row: Readonly<Record<string, Param | undefined>>,
): StoreStatement {
  const names = Object.keys(row);
  const marks = names.map(() => '?').join(', ');
  const changes = names.map((name) => `${name} = excluded.${name}`).join(', ');
  return {
    text: `INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks}) ON CONFLICT (${key}) DO UPDATE SET ${changes}`,
    values: Object.values(row).map((value) => value ?? null),
  };
}

export function* execute(statement: StoreStatement): StoreStep<void> {
  yield statement;
}

/**
 * Returns every row of the result.
 * @throws ZodError for a row that does not match `row`
 */
export function* select<T>(statement: StoreStatement, row: z.ZodType<T>): StoreStep<T[]> {
  const rows = yield statement;
  return rows.map((one) => row.parse(one));
}

export const sizeRow = z.object({ n: z.int(), size: z.int() });

/**
 * Returns the number of the last of the first rows whose sizes fit together; the first one always fits.
 * Undefined when there is none.
 */
export function lastFitting(rows: readonly z.output<typeof sizeRow>[], maxSize: number): number | undefined {
  let [last, sum]: [number | undefined, number] = [undefined, 0];
  for (const { n, size } of rows) {
    sum += size;
    if (sum > maxSize && last !== undefined) return last;
    last = n;
  }
  return last;
}

/** Rows as the text of a report: tab-separated as the service writes it, or CSV. */

/** Name and value of each column, in order. */
export type Columns<Row> = readonly (readonly [name: string, value: (row: Row) => string | number])[];

/** Nothing is quoted; tabs and line ends inside a value become spaces, as there is no way to keep them. */
export function tabSeparated<Row>(columns: Columns<Row>, rows: readonly Row[]): string {
  return write(columns, rows, '\t', (value) => value.replace(/[\t\r\n]/g, ' '));
}

/** Every value is quoted, quotes inside are doubled. */
export function commaSeparated<Row>(columns: Columns<Row>, rows: readonly Row[]): string {
  return write(columns, rows, ',', (value) => `"${value.replaceAll('"', '""')}"`);
}

function write<Row>(
  columns: Columns<Row>,
  rows: readonly Row[],
  separator: string,
  field: (value: string) => string,
): string {
  const line = (values: readonly string[]): string => `${values.map(field).join(separator)}\r\n`;
  const head = line(columns.map(([name]) => name));
  return head + rows.map((row) => line(columns.map(([, value]) => `${value(row)}`))).join('');
}

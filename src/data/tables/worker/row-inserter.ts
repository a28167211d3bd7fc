/** Rows into one table at the engine's speed: the texts of many go into its memory in one piece, and are bound where they lie. */

import sqlite, { type Database } from 'node-sqlite3-wasm';
import type { SqlValue } from '../tables.ts';

// What the engine's own `run` does for each text of each row (memory taken, the text copied letter by letter, its end
// looked for, copied again, memory given back) costs more than storing it. These are exports of it that its types leave
// out; should another version of it lack them, no report can be loaded, and every test of loading says so.
declare module 'node-sqlite3-wasm' {
  interface Database {
    /** @throws SQLite3Error what the engine says of the last failure */
    _handleError(code: number): void;
  }
  interface Statement {
    readonly _ptr: number;
  }
  function _sqlite3_bind_double(statement: number, place: number, value: number): number;
  function _sqlite3_bind_int(statement: number, place: number, value: number): number;
  function _sqlite3_bind_int64(statement: number, place: number, value: bigint): number;
  function _sqlite3_bind_null(statement: number, place: number): number;
  /** @param release 0: the text stays where it is until the place is bound anew */
  function _sqlite3_bind_text(
    statement: number,
    place: number,
    at: number,
    bytes: number,
    release: 0,
  ): number;
  function _sqlite3_clear_bindings(statement: number): number;
  function _sqlite3_column_blob(statement: number, column: number): number;
  function _sqlite3_reset(statement: number): number;
  function _sqlite3_step(statement: number): number;
}

const OK = 0;
const DONE = 101;

export type RowInserter = ReturnType<typeof createRowInserter>;

/**
 * A text is stored whole, also behind a zero character, at which the engine's own way would end it.
 * @param sql with one `?` for each of so many columns
 */
export function createRowInserter(database: Database, sql: string, width: number) {
  const insert = database.prepare(sql);
  const carrier = database.prepare('SELECT ?');
  /** Of all rows that wait, one after the other. */
  const waiting: (SqlValue | undefined)[] = [];
  let count = 0;
  let texts = '';

  /** Into the engine's memory: they lie there until the carrier is used again. */
  const carry = (bytes: Uint8Array): number => {
    carrier.run([bytes]);
    return sqlite._sqlite3_column_blob(carrier._ptr, 0);
  };

  return {
    /** The next value of the row, which becomes whole with the last one; undefined: as in the row above. */
    add(value: SqlValue | undefined): void {
      waiting[count++] = value;
      if (typeof value === 'string') texts += value;
    },
    /** All that wait are inserted, and the row above the next one is forgotten. @throws SQLite3Error */
    flush(): void {
      // With one more byte, the end of the last text has a place too, and an empty one is not taken for none.
      const bytes = Buffer.from(`${texts}\0`, 'utf8');
      const length = bytes.length - 1;
      const isPlain = length === texts.length;
      const memory = carry(bytes);
      const statement = insert._ptr;
      let start = 0;
      for (let next = 0; next < count; ) {
        for (let place = 1; place <= width; place++) {
          const value = waiting[next++];
          if (value === undefined) continue;
          let code: number;
          if (typeof value === 'string') {
            const end = isPlain ? start + value.length : endOf(bytes, start, value.length);
            code = sqlite._sqlite3_bind_text(statement, place, memory + start, end - start, 0);
            start = end;
          } else code = bindOther(statement, place, value);
          if (code !== OK) database._handleError(code);
        }
        const code = sqlite._sqlite3_step(statement);
        if (code !== DONE) database._handleError(code);
        sqlite._sqlite3_reset(statement);
      }
      if (start !== length) throw new Error('Texts were cut apart between their characters');
      sqlite._sqlite3_clear_bindings(statement);
      count = 0;
      texts = '';
    },
    close(): void {
      insert.finalize();
      carrier.finalize();
    },
  };
}

/** Where so many characters end, as JavaScript counts them. */
function endOf(bytes: Uint8Array, start: number, length: number): number {
  let end = start;
  for (let left = length; left > 0; left--) {
    const first = bytes[end] ?? 0;
    if (first < 0x80) end += 1;
    else if (first < 0xe0) end += 2;
    else if (first < 0xf0) end += 3;
    else {
      end += 4;
      left -= 1;
    }
  }
  return end;
}

/** As the engine's own binding tells numbers apart. */
function bindOther(statement: number, place: number, value: number | null): number {
  if (value === null) return sqlite._sqlite3_bind_null(statement, place);
  if (!Number.isSafeInteger(value)) return sqlite._sqlite3_bind_double(statement, place, value);
  if (value === (value | 0)) return sqlite._sqlite3_bind_int(statement, place, value);
  return sqlite._sqlite3_bind_int64(statement, place, BigInt(value));
}

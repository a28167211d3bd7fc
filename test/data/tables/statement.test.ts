/** Only one statement that reads is run; every other is refused with the reason. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InputError } from '../../../src/base/errors.ts';
import {
  namedCollections,
  namedTables,
  readStatement,
  readTokens,
  tablesRead,
} from '../../../src/data/tables/statement.ts';
import { MAX_SQL_CHARACTERS } from '../../../src/data/tables/table-types.ts';

test.each([
  ["ATTACH '/home/me/other.db' AS x", 'ATTACH would open other files'],
  ["VACUUM INTO '/tmp/copy.db'", 'VACUUM would write a file'],
  ['PRAGMA journal_mode = WAL', 'PRAGMA would change settings'],
  ['SELECT 1; SELECT 2', 'two statements'],
  ['SELECT 1; DROP TABLE orders', 'two statements'],
  ['WITH x AS (SELECT 1) DELETE FROM orders', 'DELETE would change the tables'],
  ['WITH x AS (SELECT 1) INSERT INTO orders SELECT * FROM x', 'INSERT would change the tables'],
  ['WITH x AS (SELECT 1) UPDATE orders SET sku = 1', 'UPDATE would change the tables'],
  ['INSERT INTO orders VALUES (1)', 'INSERT would change the tables'],
  ['REPLACE INTO orders VALUES (1)', 'REPLACE would change the tables'],
  ['DELETE FROM orders', 'DELETE would change the tables'],
  ['CREATE TABLE x (a)', 'CREATE would change the tables'],
  ['DROP TABLE orders', 'DROP would change the tables'],
  ['BEGIN', 'transactions are not needed'],
  ['EXPLAIN SELECT 1', 'EXPLAIN shows the plan'],
  ['SELECT 1 FROM t JOIN "EDIT"', 'edit would reach outside'],
  ["SELECT * FROM pragma_table_info('orders')", 'pragma_table_info would reach outside'],
  ['SELECT * FROM "pragma_database_list"', 'pragma_database_list would reach outside'],
  ["SELECT * FROM 'pragma_database_list'", 'pragma_database_list would reach outside'],
  ["SELECT * FROM orders, 'Pragma_Database_List'", 'pragma_database_list would reach outside'],
  ["SELECT * FROM (orders JOIN ('dbstat'))", 'dbstat would reach outside'],
  ["SELECT * FROM orders a JOIN orders b ON a.x IN ('y', 'z'), 'dbstat'", 'dbstat would reach outside'],
  ["SELECT * FROM c0 /**/ . 'sqlite_master'", 'the catalogue of SQLite'],
  ["SELECT * FROM orders JOIN 'sqlite_schema'", 'the catalogue of SQLite'],
  ['SELECT * FROM `sqlite_master`', 'the catalogue of SQLite'],
  ["SELECT 1 WHERE 'x' IN 'sqlite_master'", 'the catalogue of SQLite'],
  ["SELECT 1 WHERE 'x' NOT IN /**/ 'sqlite_schema'", 'the catalogue of SQLite'],
  ["SELECT 1 WHERE 0 IN main . 'sqlite_master'", 'the catalogue of SQLite'],
  ["SELECT 1 WHERE 0 IN 'pragma_database_list'", 'pragma_database_list would reach outside'],
  ['SELECT * FROM [sqlite_temp_master]', 'the catalogue of SQLite'],
  ['SELECT * FROM `pragma_table_list`', 'pragma_table_list would reach outside'],
  ["SELECT load_extension('x')", 'load_extension would reach outside'],
  ["SELECT readfile('/etc/passwd')", 'readfile would reach outside'],
  ['', 'there is no statement'],
  [' -- nothing', 'there is no statement'],
  [' ; ;', 'there is no statement'],
  ['; SELECT 1', 'there are two statements'],
  ["SELECT 'open", "the ' at character 8 is not closed"],
  ['SELECT 1 /* open', 'a comment is not closed'],
  ['SELECT 1) UNION SELECT (2', 'a parenthesis is closed that was not opened'],
  ['SELECT 1\0', 'a zero character'],
  ['fetch everything', 'does not begin with fetch'],
  ['"(" SELECT 1', 'does not begin with'],
  ['* 1', 'does not begin with'],
])('%s is refused', (sql, reason) => {
  expect(() => readStatement(sql)).toThrow(reason);
  expect(() => readStatement(sql)).toThrow(InputError);
});

test.each([
  'SELECT 1;',
  'SELECT \'a; b\', "x;y", [c;d] -- ; e',
  'select 1 /* ; */ ;;',
  "WITH delete_ AS (SELECT replace('a', 'b', 'c')) SELECT * FROM delete_",
  'VALUES (1, 2)',
  'SELECT 1 AS ";"',
  'SELECT replace FROM t',
  'WITH x AS (SELECT 1) SELECT "delete", replace(a, b, c) FROM x',
  'WITH x AS (SELECT replace FROM t) SELECT * FROM x',
  "SELECT 'DELETE FROM x; PRAGMA y'",
  "SELECT a, 'dbstat', replace(b, 'sqlite_master', 'dbstat') FROM x, y WHERE c IN ('dbstat', 'edit') ORDER BY 1, 'dbstat'",
])('%s is taken', (sql) => {
  const { sql: taken } = readStatement(sql);
  expect(sql.startsWith(taken)).toBe(true);
  expect(sql.slice(taken.length)).toMatch(/^(?:[;\s]|--.*|\/\*.*\*\/)*$/);
  expect(taken).not.toMatch(/;\s*$/);
});

const many = (count: number, one: string, between: string) => Array(count).fill(one).join(between);
const within = (count: number, open: string, inner: string, close: string) =>
  open.repeat(count) + inner + close.repeat(count);

test.each([
  ['compound parts', (n: number) => many(n, 'SELECT 1', ' UNION ALL ')],
  ['queries in each other', (n: number) => within(n, 'SELECT * FROM (', 'SELECT 1', ')')],
  ['sums', (n: number) => `SELECT ${many(n, '1', ' + ')}`],
  ['texts side by side', (n: number) => `SELECT ${many(n, 'a', '||')} FROM t`],
  ['negations', (n: number) => `SELECT ${'NOT '.repeat(n)}1`],
  ['conditions', (n: number) => `SELECT ${many(n, 'a = 7', ' OR ')} FROM t`],
  ['calls', (n: number) => `SELECT ${within(n, 'coalesce(a, ', '1', ')')} FROM t`],
  ['casts', (n: number) => `SELECT ${within(n, 'CAST(', 'a', ' AS TEXT)')} FROM t`],
  ['cases', (n: number) => `SELECT ${within(n, 'CASE WHEN a THEN ', '1', ' END')} FROM t`],
  ['sums in calls', (n: number) => `SELECT ${within(n / 2, '1 + abs(', '1', ')')}`],
])('%s are taken up to a bound that the engine can bear', (_what, of) => {
  expect(() => readStatement(of(60))).not.toThrow();
  expect(() => readStatement(of(280))).toThrow(InputError);
  expect(() => readStatement(of(280))).toThrow(/at most 64 are taken|more than 200 deep/);
});

test('what is wide and not deep is taken', () => {
  const columns = many(300, 'price * 1.19 - fee AS total', ', ');
  const values = many(500, "'SKU-1'", ', ');
  const names = many(190, '"like"', ' + ');
  const beside = many(250, 'CASE WHEN a THEN 1 END', ', ');
  const cases = `CASE ${many(200, 'WHEN price > 5 AND fee < 2 THEN 1', ' ')} END`;
  for (const sql of [
    `SELECT ${columns} FROM t`,
    `SELECT ${names} FROM t`,
    `SELECT ${beside} FROM t`,
    `SELECT ${cases} FROM t WHERE sku IN (${values})`,
    `VALUES ${many(500, '(1, -2)', ', ')}`,
  ]) {
    expect(() => readStatement(sql)).not.toThrow();
  }
});

test('a statement that is too long is refused with the limit', () => {
  expect(() => readStatement(`SELECT '${'x'.repeat(MAX_SQL_CHARACTERS)}'`)).toThrow(
    `at most ${MAX_SQL_CHARACTERS}`,
  );
});

test('rows are counted without the order that they are given in, unless it limits them', () => {
  expect(readStatement('SELECT a FROM t ORDER BY (SELECT 1)').countSql).toBe('SELECT a FROM t ');
  expect(readStatement('SELECT a FROM t ORDER BY a LIMIT 5').countSql).toBe(
    'SELECT a FROM t ORDER BY a LIMIT 5',
  );
  expect(readStatement('SELECT sum(a) OVER (ORDER BY b) FROM t').countSql).toBe(
    'SELECT sum(a) OVER (ORDER BY b) FROM t',
  );
});

const PIECES: readonly (readonly [kind: string, raw: string, text: string])[] = [
  ['word', 'Select', 'select'],
  ['word', '_größe$1', '_größe$1'],
  ['word', 'é', 'é'],
  ['name', '"A ""B"""', 'a "b"'],
  ['name', '`A``B`', 'a`b'],
  ['name', '[A "B]', 'a "b'],
  ['text', "'A''B'", "'A''B'"],
  ['text', "x'0F'", "x'0F'"],
  ['number', '1.5e3', '1.5e3'],
  ['number', '.5', '.5'],
  ['number', '0x1F', '0x1F'],
  ['sign', '*', '*'],
  ['sign', ';', ';'],
  ['sign', '%', '%'],
];
const SPACES = [' ', '\n\t', '-- a \' " ( \n', "/* a * ' ( ) **/", ' /**/ '];

test('a statement is its pieces, whatever space and comments stand between them', () => {
  const piece = fc.tuple(fc.constantFrom(...PIECES), fc.constantFrom(...SPACES));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (given) => {
      const sql = given.map(([[, raw], space]) => `${raw}${space}`).join('');
      const tokens = readTokens(sql);
      expect(tokens.map(({ kind, text }) => [kind, text])).toEqual(
        given.map(([[kind, , text]]) => [kind, text]),
      );
      expect(tokens.map(({ start, end }) => sql.slice(start, end))).toEqual(given.map(([[, raw]]) => raw));
      expect(tokens.every(({ depth }) => depth === 0)).toBe(true);
    }),
  );
});

test('each piece knows how many parentheses are open around it, its own not counted', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('(', ')', 'a'), { maxLength: 20 }), (signs) => {
      let open = 0;
      const depths: number[] = [];
      for (const sign of signs) {
        if (sign === ')') open -= 1;
        if (open < 0) {
          expect(() => readTokens(signs.join(' '))).toThrow('a parenthesis is closed that was not opened');
          return;
        }
        depths.push(open);
        if (sign === '(') open += 1;
      }
      expect(readTokens(signs.join(' ')).map(({ depth }) => depth)).toEqual(depths);
    }),
  );
});

test.each([
  ["a 'b", "the ' at character 3 is not closed"],
  ['"b', 'the " at character 1 is not closed'],
  ['a `b', 'the ` at character 3 is not closed'],
  ['a [b', 'the [ at character 3 is not closed'],
  ['a /* b', 'a comment is not closed'],
  ['a \0', 'there is a zero character in it'],
])('%j is refused: %s', (sql, words) => {
  expect(() => readTokens(sql)).toThrow(`Not run: ${words}.`);
});

test.each([
  ["SELECT 'a' FROM 'b' , 'c'", ["'a'", 'b', 'c']],
  ["SELECT * FROM t WHERE 'a', 'b'", ["'a'", "'b'"]],
  ["SELECT * FROM t JOIN 'a' ON 'b'", ['a', "'b'"]],
  ["SELECT * FROM ('a', 'b'), 'c'", ['a', 'b', 'c']],
  ["SELECT f('a', 'b') FROM t, u, 'c'", ["'a'", "'b'", 'c']],
  ["SELECT 1 IN 'a', 'b'", ['a', "'b'"]],
  ["SELECT 1 IN ('a', 'b')", ["'a'", "'b'"]],
  ["SELECT t.'a', 'b'", ['a', "'b'"]],
  ["SELECT * FROM (SELECT 'a', 'b'), 'c' ORDER BY 'd', 'e'", ["'a'", "'b'", 'c', "'d'", "'e'"]],
  ["SELECT * FROM t GROUP BY 'a', 'b' HAVING 'c', 'd'", ["'a'", "'b'", "'c'", "'d'"]],
  ["SELECT * FROM t LIMIT 'a', 'b' UNION VALUES 'c', 'd'", ["'a'", "'b'", "'c'", "'d'"]],
  ["SELECT * FROM f('a'), 'b'", ["'a'", 'b']],
  [`SELECT "in" 'a', "from" 'b' FROM t`, ["'a'", "'b'"]],
  [`SELECT * FROM "where", 'a'`, ['a']],
])('in %s the texts are these, the others names', (sql, expected) => {
  const quoted = readTokens(sql).filter(({ start }) => sql[start] === "'");
  expect(quoted.map(({ text }) => text)).toEqual(expected);
});

test('a statement is what stands before its semicolon, without the comments at its end', () => {
  expect(readStatement(' SELECT 1 -- x\n ; ; /* y */ ').sql).toBe(' SELECT 1');
  expect(readStatement('SELECT 1;').tokens.map(({ text }) => text)).toEqual(['select', '1']);
  expect(() => readStatement(' ; ')).toThrow('Not run: there is no statement.');
  expect(() => readStatement('')).toThrow('Not run: there is no statement.');
  expect(() => readStatement('hello')).toThrow('a statement that reads does not begin with hello.');
  expect(() => readStatement('"select" 1')).toThrow('does not begin with');
  expect(readStatement('(SELECT 1)').sql).toBe('(SELECT 1)');
});

test.each([
  'SELECT a FROM t ORDER BY a',
  'SELECT a FROM t UNION SELECT b FROM u ORDER BY 1',
  "SELECT a FROM t ORDER BY (SELECT 1 LIMIT 1), 'limit'",
  'SELECT sum(a) OVER (ORDER BY b) FROM t ORDER BY a, b DESC',
])('%s is counted without its order', (sql) => {
  expect(readStatement(sql).countSql).toBe(sql.slice(0, sql.lastIndexOf('ORDER')));
});

test.each(['SELECT "order" by FROM t', 'SELECT a AS by FROM t', 'WITH x AS (SELECT 1 ORDER BY 1) SELECT 2'])(
  '%s has none',
  (sql) => {
    expect(readStatement(sql).countSql).toBe(sql);
  },
);

const nested = (count: number, open: string, inner: string, close: string) =>
  open.repeat(count) + inner + close.repeat(count);

test.each([
  ['operators', 199, (n: number) => `SELECT ${'a + '.repeat(n)}a`],
  ['signs of two characters', 199, (n: number) => `SELECT ${'a || '.repeat(n)}a`],
  ['conditions', 199, (n: number) => `SELECT ${'a AND '.repeat(n)}a`],
  ['conditions with an operator', 198, (n: number) => `SELECT ${'a AND '.repeat(n)}a = 1`],
  ['conditions of an operator each', 199, (n: number) => `SELECT ${'a = 1 AND '.repeat(n)}a`],
  ['others of an operator each', 199, (n: number) => `SELECT ${'a = 1 OR '.repeat(n)}a`],
  ['operators behind an inner case', 197, (n: number) => `SELECT CASE CASE a END + ${'a + '.repeat(n)}a END`],
  ['parentheses', 199, (n: number) => `SELECT ${nested(n, '(', 'a', ')')}`],
  ['cases', 199, (n: number) => `SELECT ${nested(n, 'CASE ', 'a', ' END')}`],
  ['operators behind a comma', 199, (n: number) => `SELECT a + a + a, ${'a + '.repeat(n)}a`],
  ['operators behind a clause', 199, (n: number) => `SELECT a + a FROM t WHERE ${'a LIKE '.repeat(n)}a`],
  ['operators behind a parenthesis', 198, (n: number) => `SELECT (a + a) + ${'a + '.repeat(n)}a`],
])('%s: %i are taken, and one more is not', (_what, most, of) => {
  expect(() => readStatement(of(most))).not.toThrow();
  expect(() => readStatement(of(most + 1))).toThrow('the statement has expressions more than 200 deep.');
});

test('64 SELECTs are taken, as words; one more is not', () => {
  const selects = (count: number) => Array(count).fill('SELECT \'select\', "select"').join(' UNION ALL ');
  expect(() => readStatement(selects(64))).not.toThrow();
  expect(() => readStatement(selects(65))).toThrow('the statement has 65 SELECTs, and at most 64 are taken.');
});

test('as many characters as are taken', () => {
  const sql = (length: number) => `SELECT '${'x'.repeat(length - 9)}'`;
  expect(readStatement(sql(MAX_SQL_CHARACTERS)).sql).toHaveLength(MAX_SQL_CHARACTERS);
  expect(() => readStatement(sql(MAX_SQL_CHARACTERS + 1))).toThrow(
    `has ${MAX_SQL_CHARACTERS + 1} characters`,
  );
});

test('the tables that are read stand where tables stand, and where else to look is told', () => {
  const read = readStatement("SELECT a, 'b' FROM t, \"U\" JOIN 'v' WHERE c IN (1, 2)");
  expect([...tablesRead(read)].filter((name) => name !== '(')).toEqual(['t', 'u', 'v']);
  expect(readTokens("SELECT * FROM x'41'").at(-1)).toMatchObject({ kind: 'text', text: "x'41'" });
  const hintOf = (sql: string) => {
    try {
      readStatement(sql);
    } catch (error) {
      return error instanceof InputError ? error.hint : undefined;
    }
    return undefined;
  };
  expect(hintOf('SELECT * FROM pragma_table_list')).toMatch(/^SELECT \* FROM columns WHERE table_name/);
  expect(hintOf('SELECT * FROM dbstat')).toBe(hintOf('DROP TABLE t'));
});

test('a statement names at most ten collections, found by the names of their tables', () => {
  const all = Array.from({ length: 11 }, (_, i) => ({
    id: `c${i}`,
    account: 'default',
    source: { kind: 'document' as const, id: `${i}`, of: 'report' as const },
    collectedAt: '2026-11-21T11:00:00Z',
    complete: true,
    tables: [`t${i}`, `u${i}`].map((name) => ({ name, rows: 1, columns: [], notes: [] })),
    notes: [],
    bytes: 1,
  }));
  const naming = (count: number) =>
    readStatement(
      `SELECT 't10' FROM ${all
        .slice(0, count)
        .map((_, i) => `"U${i}"`)
        .join(', ')}`,
    );
  expect(namedCollections(naming(10), all).map(({ id }) => id)).toEqual(all.slice(0, 10).map(({ id }) => id));
  expect(namedTables(naming(2), all).map(({ name }) => name)).toEqual(['u0', 'u1']);
  expect(() => namedCollections(naming(11), all)).toThrow('names tables of 11 collections; at most 10 can');
});

/** Only one statement that reads is run; every other is refused with the reason. */

import { expect, test } from 'vitest';
import { readStatement } from '../../../src/data/tables/statement.ts';
import { MAX_SQL_CHARACTERS } from '../../../src/data/tables/types.ts';

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
  ["SELECT 'open", "the ' at character 8 is not closed"],
  ['SELECT 1 /* open', 'a comment is not closed'],
  ['SELECT 1) UNION SELECT (2', 'a parenthesis is closed that was not opened'],
  ['SELECT 1\0', 'a zero character'],
  ['fetch everything', 'does not begin with fetch'],
])('%s is refused', (sql, reason) => {
  expect(() => readStatement(sql)).toThrow(reason);
});

test.each([
  'SELECT 1;',
  'SELECT \'a; b\', "x;y", [c;d] -- ; e',
  'select 1 /* ; */ ;;',
  "WITH delete_ AS (SELECT replace('a', 'b', 'c')) SELECT * FROM delete_",
  'VALUES (1, 2)',
  "SELECT 'DELETE FROM x; PRAGMA y'",
  "SELECT a, 'dbstat', replace(b, 'sqlite_master', 'dbstat') FROM x, y WHERE c IN ('dbstat', 'edit') ORDER BY 1, 'dbstat'",
])('%s is taken', (sql) => {
  expect(readStatement(sql).sql).not.toMatch(/;\s*$/);
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
  expect(() => readStatement(of(280))).toThrow(/at most 64 are taken|more than 200 deep/);
});

test('what is wide and not deep is taken', () => {
  const columns = many(300, 'price * 1.19 - fee AS total', ', ');
  const values = many(500, "'SKU-1'", ', ');
  const cases = `CASE ${many(200, 'WHEN price > 5 AND fee < 2 THEN 1', ' ')} END`;
  for (const sql of [
    `SELECT ${columns} FROM t`,
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

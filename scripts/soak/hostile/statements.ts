/** Hostile statements, within their length: random queries over collected tables, nested, compound and slow. */

import { MAX_SQL_CHARACTERS } from '../../../src/data/tables/tables.ts';
import type { Chance } from './chance.ts';
import { textOf, unitOf } from './texts.ts';

/** The one that the soak collects first. */
export const COLLECTED = 'collected';

const TABLES = [
  ...[COLLECTED, COLLECTED, COLLECTED, COLLECTED, COLLECTED, COLLECTED, 'columns', 'tables', 'changes'],
  ...['nowhere', 'sqlite_master', 'pragma_table_list'],
] as const;
const COLUMNS = [
  ...['*', '1', 'NULL', 'count(*)', 'max(1)', 'order_id', 'note', 'buyer_buyer_name', 'buyer_buyer_email'],
  ...['upper(note)', 'hex(buyer_buyer_name)', "note || ' ' || order_id", 'group_concat(note)', 'nowhere'],
] as const;

/** One that is too long is refused at once: another is made. */
export function statementOf(chance: Chance): string {
  for (;;) {
    const sql = chance.pick(KINDS)(chance, chance.between(0, 2));
    if (sql.length <= MAX_SQL_CHARACTERS) return sql;
  }
}

type Kind = (chance: Chance, levels: number) => string;

const select: Kind = (chance, levels) =>
  `SELECT ${chance.some(COLUMNS, 4).join(', ')} FROM ${source(chance, levels)}${tail(chance, levels)}`;

const source: Kind = (chance, levels) =>
  levels > 0 && chance.percent(40)
    ? `(${chance.pick(KINDS)(chance, levels - 1)}) t${levels}`
    : chance
        .some(TABLES, 2)
        .map((name, at) => `${name} s${levels}_${at}`)
        .join(', ');

const tail: Kind = (chance, levels) =>
  chance.pick([
    () => '',
    () => ` WHERE ${expression(chance, levels)}`,
    () => ` ORDER BY ${expression(chance, levels)} LIMIT ${chance.size(1, 1e6)}`,
    () => ` GROUP BY ${expression(chance, levels)} HAVING ${expression(chance, levels)}`,
  ])();

const literal: Kind = (chance) => `'${textOf(chance, chance.size(1, 3_000)).text.replaceAll("'", "''")}'`;

const expression: Kind = (chance, levels) =>
  chance.pick([
    () => literal(chance, 0),
    () => `${chance.between(0, 1e6)}`,
    () => `CAST(${literal(chance, 0)} AS ${chance.pick(['TEXT', 'BLOB', 'REAL', 'INTEGER'])})`,
    () => `${literal(chance, 0)} LIKE '${'%a'.repeat(chance.size(1, 2_000))}%'`,
    () => `${literal(chance, 0)} GLOB '${'*a'.repeat(chance.size(1, 2_000))}'`,
    () => `length(hex(zeroblob(${chance.size(1, 2e9)})))`,
    () => `replace(hex(zeroblob(${chance.size(1, 1e6)})), '00', ${literal(chance, 0)})`,
    () => `printf('%.*c', ${chance.size(1, 1e9)}, 'x')`,
    () => `json_extract(json_array(${literal(chance, 0)}), '$[0]')`,
    () => (levels > 0 ? `(${chance.pick(KINDS)(chance, levels - 1)})` : literal(chance, 0)),
    () => {
      const count = chance.size(1, 1_500);
      return `${'('.repeat(count)}1${')'.repeat(count)}`;
    },
    () =>
      Array(chance.size(1, 3_000))
        .fill('1')
        .join(chance.pick([' + ', ' || ', ' AND ', ' OR ', ', '])),
    () => `${chance.pick(['NOT ', '- ', '~', '+'])}`.repeat(chance.size(1, 4_000)).concat('1'),
    () =>
      `1 IN ${chance.pick(["'sqlite_master'", 'pragma_database_list', `(${Array(chance.size(1, 4_000)).fill(7).join()})`])}`,
    () => `local_date(${literal(chance, 0)}, ${chance.percent(50) ? "'Europe/Berlin'" : literal(chance, 0)})`,
    () => `postcode_area(${literal(chance, 0)})`,
  ])();

const KINDS: readonly [Kind, ...Kind[]] = [
  select,
  select,
  (chance, levels) => `SELECT ${expression(chance, levels)}`,
  (chance, levels) =>
    `SELECT ${Array.from({ length: chance.size(1, 40) }, () => expression(chance, levels)).join(', ')}`,
  (chance) =>
    `SELECT * FROM (VALUES ${Array.from({ length: chance.size(1, 600) }, () => `(${expression(chance, 0)})`).join(', ')})`,
  (chance, levels) =>
    Array(chance.size(2, 1_500))
      .fill(select(chance, Math.min(levels, 1)))
      .join(chance.pick([' UNION ALL ', ' UNION ', ' INTERSECT ', ' EXCEPT '])),
  (chance) => {
    const count = chance.size(2, 1_500);
    return `${'SELECT * FROM ('.repeat(count)}SELECT 1${')'.repeat(count)}`;
  },
  (chance) =>
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ${chance.size(1, 1e9)}) SELECT ${chance.pick(['count(*)', 'i', "group_concat(i, 'x')", 'i, hex(zeroblob(i))', 'max(i)'])} FROM n`,
  (chance) => {
    const count = chance.size(1, 100);
    const one = (i: number) => {
      const below = i === 0 ? COLLECTED : `w${i - 1}`;
      return `w${i} AS (SELECT 1 FROM ${below}${chance.percent(20) ? `, ${below} x` : ''})`;
    };
    const all = Array.from({ length: count }, (_, i) => one(i));
    return `WITH ${all.join(', ')} SELECT count(*) FROM w${count - 1}`;
  },
  (chance) =>
    `SELECT count(*) FROM ${Array.from({ length: chance.between(2, 8) }, (_, i) => `${COLLECTED} c${i}`).join(', ')}`,
  (chance) =>
    `${chance.pick(['SELECT ', '', '/*', '--', 'WITH '])}${textOf(chance, chance.size(10, MAX_SQL_CHARACTERS)).text}`,
  (chance) =>
    `SELECT "${unitOf(chance)}" FROM ${COLLECTED} WHERE ${Array(chance.size(1, 900))
      .fill(
        `order_id LIKE ${literal(chance, 0).slice(0, 20).replaceAll("'", '').padEnd(3, "'").replace(/^/, "'%")}%'`,
      )
      .join(' OR ')}`,
];

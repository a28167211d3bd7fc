/** Each column of a table with personal data is shown as what it holds says: marks wherever a value of the row stands, and nothing else changed. */

import sqlite from 'node-sqlite3-wasm';
import { expect, it } from 'vitest';
import type { SqlValue } from '../../../../src/data/tables/table-types.ts';
import { createValueMasker } from '../../../../src/data/tables/worker/mask-values.ts';
import { maskColumns } from '../../../../src/data/tables/worker/masked-views.ts';
import type { MaskedColumn } from '../../../../src/data/tables/worker/messages.ts';
import { createRecentPairs } from '../../../../src/data/tables/worker/placeholder-cache.ts';

type Personal = MaskedColumn['personal'];
const masked = (columns: Record<string, Personal>): MaskedColumn[] =>
  Object.entries(columns).map(([name, personal]) => ({ name, personal, members: undefined }));

/** The row as it is shown, with `<kind value>` for each mark. */
function show(row: Record<string, SqlValue>, columns: MaskedColumn[], extra?: string) {
  const database = new sqlite.Database();
  const names = Object.keys(row);
  database.exec(`CREATE TABLE t (${names.join(', ')})`);
  database.run(`INSERT INTO t VALUES (${names.map(() => '?').join(', ')})`, Object.values(row));
  const pairs = createRecentPairs(new Uint8Array(32).fill(7), 'acme');
  const parts = { database, masker: createValueMasker(pairs), prefix: 'p_' };
  const table = { name: 't', source: {}, columns, ...(extra === undefined ? {} : { extra }) };
  const shown = maskColumns(table, names, parts).map((expression, at) => `${expression} AS c${at}`);
  const found = database.get(`SELECT ${shown.join(', ')} FROM t`) ?? {};
  database.close();
  return names.map((_, at) => {
    const value: unknown = Reflect.get(found, `c${at}`);
    if (typeof value !== 'string') return value;
    return value.replace(/«([a-z -]+) [^«»]*»/g, (mark, kind) => `<${kind} ${pairs.resolve(mark)}>`);
  });
}

it('what is known by its column is marked whole, and nothing stays nothing', () => {
  const columns = masked({ buyer: 'buyer name', mail: 'e-mail', none: 'phone', empty: 'address' });
  expect(show({ buyer: 'Anna Berg', mail: 'a@b.example', none: null, empty: '', item: 1 }, columns)).toEqual([
    '<buyer name Anna Berg>',
    '<e-mail a@b.example>',
    null,
    '',
    1,
  ]);
});

it('names and addresses of the row are found in its texts, and addresses of mail where people write', () => {
  const columns = masked({
    buyer: 'buyer name',
    street: 'address',
    tax: 'tax number',
    phone: 'phone',
    note: 'free text',
  });
  const row = {
    buyer: 'Anna Berg',
    street: 'Lange Gasse 5',
    tax: 'XY 1234567',
    phone: 'ab cdefgh',
    note: 'Berg, Anna at Lange Gasse 5: write to x@y.example',
    remark: 'for Anna Berg, XY 1234567, ab cdefgh, x@y.example',
    code: 'Anna-Berg',
    country: 'Anna Berg',
    count: 5,
  };
  const [, , , , note, ...others] = show(row, columns);
  expect(note).toContain('<address Lange Gasse 5>');
  expect(note).toContain('<e-mail x@y.example>');
  expect(note).not.toMatch(/Anna\b(?! Berg>)/);
  expect(others).toEqual([
    'for <buyer name Anna Berg>, <tax number XY 1234567>, ab cdefgh, x@y.example',
    'Anna-Berg',
    'Anna Berg',
    5,
  ]);
});

it('without such a column other texts are as they are', () => {
  expect(
    show({ note: 'to x@y.example', remark: 'x@y.example writes' }, masked({ note: 'free text' })),
  ).toEqual(['to <e-mail x@y.example>', 'x@y.example writes']);
});

it('twenty values of a row are looked for', () => {
  const names = Array.from({ length: 21 }, (_, at) => `Anna${String.fromCharCode(97 + at)}berg`);
  const columns = Object.fromEntries(names.map((_, at) => [`buyer_${at}`, 'buyer name' as const]));
  const row = Object.fromEntries(names.map((name, at) => [`buyer_${at}`, name]));
  const shown = String(show({ ...row, remark: `of ${names.join(' ')}` }, masked(columns)).at(-1));
  expect(shown.match(/<buyer name/g)).toHaveLength(20);
  expect(shown.endsWith(` ${names[20]}`)).toBe(true);
});

it('in a row with too many fields nothing is known for what it is, but its number', () => {
  const columns = masked({ buyer: 'buyer name', note: 'free text', extra: 'buyer text' });
  const row = { item: 1, buyer: 'Anna', note: 'hello', sku: 'A-1', count: 5 };
  expect(show({ ...row, extra: null }, columns, 'extra')).toEqual([
    1,
    '<buyer name Anna>',
    'hello',
    'A-1',
    5,
    null,
  ]);
  expect(show({ ...row, extra: '["x"]' }, columns, 'extra')).toEqual([
    1,
    '<buyer name Anna>',
    '<buyer text hello>',
    '<buyer text A-1>',
    '<buyer text 5>',
    '<buyer text ["x"]>',
  ]);
});

it('of JSON each member is what its name says', () => {
  const columns = [
    ...masked({ buyer: 'buyer name' }),
    { name: 'json', personal: undefined, members: ['BuyerInfo'] },
  ];
  const [, json] = show({ buyer: 'Anna', json: '{"BuyerEmail":"x@y.example","n":1}' }, columns);
  expect(json).toBe('{"BuyerEmail":"<e-mail x@y.example>","n":1}');
});

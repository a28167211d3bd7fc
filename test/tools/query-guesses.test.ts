/** Whatever words a statement brings, query_data and collect_data's sql say nothing of whether they are a buyer's: with other buyers in the same places, it says the same. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServerContext } from '@modelcontextprotocol/server';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EVERY_PLACEHOLDER } from '../../src/base/text/placeholder-shape.ts';
import type { CollectionSource } from '../../src/data/tables/table-types.ts';
import { handleCall } from '../../src/protocol/handle-call.ts';
import { collectData } from '../../tools/collect-data.ts';
import { queryData } from '../../tools/query-data.ts';
import { RUNS_ALL } from '../helpers/launch.ts';
import { collectItems, makeTestFolder, tablesWorker } from '../helpers/tables-worker.ts';
import { startToolRunner, type ToolRunner } from '../helpers/tool-runner.ts';

interface Buyer {
  first: string;
  last: string;
  mail: string;
  street: string;
}

/** Buyers of two worlds; those at the same index take the same rows. */
const WORLDS: readonly (readonly Buyer[])[] = [
  [
    { first: 'Aenne', last: 'Quast', mail: 'aenne.quast@example.de', street: 'Kastanienallee 17b' },
    { first: 'Zoë', last: 'Brüggemann', mail: 'z.brueggemann@example.fr', street: 'Rue des Lilas 204' },
    { first: 'Tadeusz', last: 'Wrona', mail: 'wrona@example.pl', street: 'ul. Polna 3 m. 12' },
  ],
  [
    { first: 'Ilse', last: 'Hoffmann-Roth', mail: 'ihr@example.org', street: 'Am Markt 1, Hinterhaus' },
    { first: 'Jürgen', last: 'Öz', mail: 'oez.juergen@example.com', street: 'Bergstraße 99' },
    { first: 'Mary', last: 'Oakenshield', mail: 'mary+shop@example.ie', street: '12 Abbey Lane' },
  ],
];
/** Buyers of nobody: a guess that is wrong in both. */
const STRANGER: Buyer = {
  first: 'Nobody',
  last: 'Anywhere',
  mail: 'nobody@example.net',
  street: 'Nowhere Road 5',
};
const GUESSED = [...WORLDS.flat(), STRANGER];

const OPERATION: CollectionSource = { kind: 'operation', operation: 'orders/searchOrders', parameters: {} };
const REPORT: CollectionSource = { kind: 'document', id: 'orders', of: 'report' };

const runners: ToolRunner[] = [];

async function startWorld(buyers: readonly Buyer[]): Promise<ToolRunner> {
  const runner = await startToolRunner(
    () => ({ status: 500 }),
    { SELLER_ANSWER_TOKENS: '20000' },
    { entryFile: tablesWorker.replace('tables-worker.mjs', 'main.mjs') },
  );
  const tables = await runner.session.tables('default');
  const lines = [...buyers, buyers[0]].map(({ first, last, mail, street } = STRANGER, at) =>
    [
      `N-${at}`,
      `${first} ${last}`,
      mail,
      street,
      `leave it with ${last}, ${first} or ask ${first} ${last} (${mail})`,
      at % 2 === 0 ? 'Shipped' : 'Pending',
    ].join('\t'),
  );
  const file = join(await makeTestFolder(), 'orders.txt');
  await writeFile(
    file,
    ['order-id\tbuyer-name\tbuyer-email\tship-address-1\tmemo\tstatus', ...lines, ''].join('\n'),
  );
  const loader = await tables.openLoader(REPORT);
  await loader.addDocument('orders', file, { format: 'auto' });
  await loader.finish({ source: REPORT, complete: true, notes: [] });
  await collectItems(
    tables,
    'packages',
    buyers.map(({ first, last, mail }, at) => ({
      id: `P-${at}`,
      recipient: { name: `${first} ${last}` },
      parts: [{ buyerName: `${first} ${last}` }, at],
      meta: JSON.stringify({ recipientName: `${first} ${last}`, n: at }),
      remark: `for ${first} ${last}, ${mail}`,
    })),
    OPERATION,
    'id',
  );
  // The session knows all of them from here on.
  await ask(runner, 'SELECT * FROM orders');
  await ask(runner, 'SELECT * FROM packages');
  return runner;
}

beforeAll(async () => {
  for (const world of WORLDS) runners.push(await startWorld(world));
});
afterAll(async () => {
  for (const runner of runners) await runner.close();
});

const context = (): ServerContext => {
  const mcpReq = { signal: new AbortController().signal, notify: async () => undefined };
  // biome-ignore lint/suspicious/noExplicitAny: only what a call without questions reads.
  return { mcpReq } as any;
};

/**
 * Returns the assistant's view of an answer or error, with placeholders numbered in order and no times or
 * folders, so that worlds compare.
 */
async function ask(runner: ToolRunner, sql: string, more: object = {}): Promise<string> {
  // The statement reads what was collected a moment ago, so nothing is collected again.
  const tool = 'document' in more ? collectData : queryData;
  const result = await handleCall(tool, { sql, ...more }, context(), runner.session, undefined);
  const numbers = new Map<string, string>();
  return JSON.stringify(result, null, 1)
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\dZ/g, 'time')
    .replace(/\d+ \w+ ago \(fresh: true collects anew\)/, '')
    .replace(/seller-tool-\w+/g, 'folder')
    .replace(EVERY_PLACEHOLDER, (mark) => {
      const number = numbers.get(mark) ?? mark.replace(/\w{8}»$/, `${numbers.size}»`);
      numbers.set(mark, number);
      return number;
    });
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
const named = (text: string) => `"${text.replaceAll('"', '""')}"`;

const guess = fc
  .tuple(fc.constantFrom(...GUESSED), fc.nat(5))
  .map(
    ([{ first, last, mail, street }, form]) =>
      [`${first} ${last}`, last, `${last}, ${first}`, mail, street, `for ${first} ${last}, please`][form] ??
      '',
  );

/** A guess as SQL can make it: written out, put together, spelled, decoded. */
const constant: fc.Arbitrary<string> = guess.chain((text) => {
  const at = Math.floor(text.length / 2);
  return fc.constantFrom(
    quoted(text),
    quoted(text),
    `${quoted(text.slice(0, at))} || ${quoted(text.slice(at))}`,
    `char(${[...text].map((letter) => letter.codePointAt(0)).join(', ')})`,
    `CAST(x'${Buffer.from(text).toString('hex')}' AS TEXT)`,
    `replace(${quoted(text.replaceAll(' ', '_'))}, '_', ' ')`,
    `printf('%s', ${quoted(text)})`,
    `upper(${quoted(text)})`,
    `json_object('buyerName', ${quoted(text)})`,
    `json_extract(${quoted(JSON.stringify({ a: text }))}, '$.a')`,
    `(SELECT group_concat(column1, ' ') FROM (VALUES ${text
      .split(' ')
      .map((word) => `(${quoted(word)})`)
      .join(', ')}))`,
    `hex(${quoted(text)})`,
    // A word comes before it, because two digits alone also occur among the letters of a placeholder.
    `'letters: ' || length(${quoted(text)})`,
    `'<BuyerName>' || ${quoted(text)} || '</BuyerName>'`,
  );
});

const TABLES = {
  orders: ['buyer_name', 'buyer_email', 'ship_address_1', 'memo', 'status', 'order_id'],
  packages: ['recipient_name', 'parts', 'meta', 'remark', 'id'],
};
const TOLD = {
  columns: ["iif(table_name IN ('orders', 'packages'), example, '')", 'name'],
  tables: ['name', 'source'],
};

/** An expression over data and guesses. What is told of a mark's own letters is left out: these are drawn anew for each session. */
const expression = (columns: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...columns), constant, constant, fc.nat(13))
    .map(
      ([column, one, other, form]) =>
        [
          column,
          one,
          `${one} || ' ' || ${other}`,
          `${column} || ' ' || ${one}`,
          `${one} || ' ' || ${column}`,
          `CASE WHEN ${column} = ${one} THEN 'yes' ELSE ${other} END`,
          `${column} LIKE '%' || ${one} || '%'`,
          `instr(${column}, ${one}) > 0`,
          `instr(${one}, ${column})`,
          `length(${column}) - length(${one})`,
          `replace(${column}, ${one}, ${other})`,
          `json_array(${one}, ${column})`,
          `iif(${column} IN (${one}, ${other}), 1, 0)`,
          `nullif(${column}, ${one})`,
        ][form] ?? column,
    );

const table = fc.constantFrom(...Object.entries({ ...TABLES, ...TOLD }));

const statement: fc.Arbitrary<string> = table.chain(([name, columns]) =>
  fc
    .tuple(expression(columns), expression(columns), constant, guess, fc.nat(13))
    .map(([one, other, word, alias, form]) => {
      const order = name === 'columns' || name === 'tables' ? '' : 'ORDER BY item';
      return (
        [
          `SELECT ${one} AS a, ${other} AS b FROM ${name} ${order}`,
          `SELECT ${one} AS ${named(alias)} FROM ${name} ${order}`,
          `SELECT count(*) AS ${named(alias)} FROM ${name} WHERE ${one}`,
          `SELECT ${word} AS ${named(alias)}`,
          `SELECT f || ' ' || l FROM (SELECT column1 AS f, column2 AS l FROM (VALUES (${word}, ${word}), ('Aenne', 'Quast'), ('Ilse', 'Hoffmann-Roth'), ('Nobody', 'Anywhere')))`,
          `SELECT ${one} AS a FROM ${name} UNION ALL SELECT ${word}`,
          `SELECT group_concat(${word}, ${word}) FROM ${name}`,
          `SELECT ${one} AS x, count(*) FROM ${name} GROUP BY ${word}`,
          // This statement fails, and its error repeats the words of the statement.
          `SELECT ${named(alias)}.${named(alias)} FROM ${name}`,
          `SELECT [${alias.replaceAll(']', '')}] FROM ${name}`,
          `SELECT * FROM ${named(alias)}`,
          `SELECT ${one} FROM ${name} WHERE ${quoted(alias)} ${alias}`,
          `SELECT local_date(${word}, ${word})`,
          `SELECT json_extract(${word}, ${word}), ${one} FROM ${name}`,
        ][form] ?? ''
      );
    }),
);

const RUNS = RUNS_ALL ? 300 : 40;

it('a statement with any words has the same answer whoever the buyers are', async () => {
  const [one, other] = runners;
  if (one === undefined || other === undefined) throw new Error('there are two worlds');
  let answers = 0;
  let files = 0;
  await fc.assert(
    fc.asyncProperty(statement, fc.integer({ min: 0, max: 9 }), fc.boolean(), async (sql, saved, asked) => {
      if (saved === 0) files += 1;
      const more = {
        ...(saved === 0 ? { save_as: `rows-${files}.csv` } : {}),
        ...(asked ? { document: { id: 'orders', of: 'report' } } : {}),
      };
      const answer = await ask(one, sql, more);
      expect(answer).toEqual(await ask(other, sql, more));
      if (!answer.includes('isError')) answers += 1;
    }),
    { numRuns: RUNS },
  );
  expect(answers).toBeGreaterThan(RUNS / 2);
}, 120_000);

it('450 guesses in one statement come back as they are', async () => {
  const [runner] = runners;
  const people = WORLDS.flat().map(({ first, last }) => `(${quoted(first)}, ${quoted(last)})`);
  const strangers = Array.from({ length: 450 }, (_, i) => `('First${i}', 'Last${i}')`);
  const answered = await ask(
    runner as ToolRunner,
    `SELECT f || ' ' || l FROM (SELECT column1 AS f, column2 AS l FROM (VALUES ${[...people, ...strangers].join(', ')}))`,
  );
  expect(answered).not.toMatch(EVERY_PLACEHOLDER);
  for (const { first, last } of WORLDS.flat()) expect(answered).toContain(`${first} ${last}`);
});

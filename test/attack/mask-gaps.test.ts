/** Places that a mask could miss: names of several, texts within texts, documents without headings, other spellings, marks of nobody. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ServiceText } from '../../src/base/text/service-text.ts';
import { createRecentPairs } from '../../src/data/tables/worker/placeholder-cache.ts';
import { resolveMarks } from '../../src/data/tables/worker/placeholders.ts';
import { createPersonalData } from '../../src/privacy/personal/personal-data.ts';
import { PLACEHOLDER_PARTS } from '../../src/privacy/personal/placeholders.ts';
import { ASK, collectItems, makeTestFolder, openTestTables } from '../helpers/tables-worker.ts';

const NAME = 'Zqfirst Zqlast';
const mask = (value: unknown, operation?: string, personal = createPersonalData({ isMasking: true })) =>
  JSON.stringify(personal.maskAnswer('default', operation === undefined ? {} : { operation }, value));

it.each([
  ['recipients', { recipients: [{ name: NAME }] }],
  ['buyers', { buyers: [{ name: NAME }] }],
  ['names of buyers', { buyers: [NAME], customerNames: [NAME] }],
  ['consignees', { shipment: { consignees: [{ fullName: NAME }] } }],
  ['delivery images', { proofOfDelivery: { deliveryImageUrls: [`https://x.example/${NAME}`] } }],
  ['streets of recipients', { recipients: [{ addresses: [{ streets: [NAME] }] }] }],
  ['JSON', { memo: JSON.stringify({ recipientName: NAME }) }],
  ['JSON of JSON', { memo: JSON.stringify(JSON.stringify({ recipientName: NAME })) }],
  [
    'JSON of JSON of JSON',
    { memo: JSON.stringify(JSON.stringify(JSON.stringify([{ recipientName: NAME }]))) },
  ],
  ['XML', { memo: `<order><recipientName>${NAME}</recipientName></order>` }],
  ['XML with a head', { memo: `<?xml version="1.0"?>\n<o buyer-name="${NAME}"><x>1</x></o>` }],
  ['XML in JSON', { memo: JSON.stringify({ xml: `<o><Recipient><Name>${NAME}</Name></Recipient></o>` }) }],
  [
    'JSON in XML',
    { memo: `<o><data>${JSON.stringify({ recipientName: NAME }).replaceAll('"', '&quot;')}</data></o>` },
  ],
  ['JSON in words', { memo: `Gift for ${JSON.stringify({ recipientName: NAME })}, wrap it` }],
  ['a list of JSON in words', { memo: `see [1] {x} "y" [${JSON.stringify({ buyer: { name: NAME } })}]` }],
  ['JSON of JSON in words', { memo: `was ${JSON.stringify(JSON.stringify({ recipientName: NAME }))} once` }],
  ['XML in words', { memo: `Gift for <o><recipientName>${NAME}</recipientName></o>, wrap it` }],
  ['XML beside JSON', { memo: `<b>new</b> ${JSON.stringify({ recipientName: NAME })}` }],
  [
    'XML with elements of one name within each other',
    {
      memo: `<o><recipient><name>Ann Lee</name><recipient>x</recipient><name>${NAME}</name></recipient></o>`,
    },
  ],
  ['XML with names of other letters', { memo: `<_o><_buyerName>${NAME}</_buyerName></_o>` }],
  ['a list that begins with a number', { memo: `see [1, null, {"recipientName":"${NAME}"}] there` }],
  ['words, XML and JSON', { memo: `a < b: <b>new</b> ${JSON.stringify({ recipientName: NAME })}` }],
])('%s: what they name is masked', (_what, value) => {
  const shown = mask(value, 'shipping-v2/getTracking');
  expect(shown).not.toContain('Zqlast');
  expect(shown).toMatch(PLACEHOLDER_PARTS);
});

it.each([
  ['cut', `{"recipient":{"name":"Zqfirst <b>Zqmiddle</b> Zqlast, Zqmore","city":"X"`],
  ['cut in the value', `{"order":"1","buyerName":"Zqfirst<br/>Zqmiddle <i>Zqlast`],
  ['cut within words', `was: {"recipientName":"Zqfirst <b>Zqmiddle</b> Zqlast","x":{"y":`],
  ['escaped', String.raw`{\"buyerName\":\"Zqfirst <b class=\\\"x\\\">Zqmiddle</b> Zqlast\",\"x\":`],
  ['in an element', `<data>{"buyerName":"Zqfirst <b>Zqmiddle</b> Zqlast","x":</data>`],
  ['with a list', `{"recipientNames":["Zqfirst <b>Zqmiddle</b> Zqlast","x`],
  ['with entities', `{"buyerName":"Zqfirst &amp; <b>Zqmiddle</b> Zqlast","x`],
  ['with an apostrophe', `{"buyerName":"Zq's <b>Zqmiddle</b> Zqlast","x`],
  ['with quotes', String.raw`{"buyerName":"Zq \"Zqq\" <b>Zqmiddle</b> Zqlast","x`],
  ['in single quotes', `{'buyerName': 'Zqfirst <b>Zqmiddle</b> Zqlast', 'x'`],
])('a value with markup in it is masked to its end, in JSON that was %s', (_how, memo) => {
  for (const text of [memo, `${memo} and <p>more`]) expect(mask({ text })).not.toMatch(/Zq/);
});

it.each([
  'Gift {"email":"zq@example.com","email":""}',
  `{"buyerName":"${NAME}","buyerName":""}`,
  'Gift {"title":"call +49 30 12345678"} now',
  'Gift {"+49 30 12345678": 1} now',
  'Gift {"sellerContact":"zq@example.com"}',
  '<zq@example.com> hello',
  'from <zq@example.com> to <b>+49 30 12345678</b>',
])('%s: what stands in words is masked as words are, at least', (memo) => {
  expect(mask({ memo })).not.toMatch(/zq@|12345678|Zqlast/);
});

it.each([
  ['«buyer name abcdefgh» <info@shop.de>', 'A & "B" <info@shop.de>'],
  ['<d>{"n":"«buyer name abcdefgh»"}</d>', '<d>{"n":"A &amp; &quot;B&quot;"}</d>'],
  ['<_n>«buyer name abcdefgh»</_n>', '<_n>A &amp; &quot;B&quot;</_n>'],
  ['[1,"«buyer name abcdefgh»"]', '[1,"A & \\"B\\""]'],
  ['[null,"«phone abcdefgh»"]', '[null,4930123456]'],
  ['for {"n":"«buyer name abcdefgh»"} only', 'for {"n":"A & \\"B\\""} only'],
])('%s is sent as it stood in its cell', (cell, sent) => {
  const values = new Map<string, string | number>([
    ['«buyer name abcdefgh»', 'A & "B"'],
    ['«phone abcdefgh»', 4930123456],
  ]);
  const pairs = {
    ...createRecentPairs(Buffer.alloc(32), 'default'),
    resolve: (mark: string) => values.get(mark),
  };
  expect(resolveMarks(cell, pairs).value).toBe(sent);
});

it('elements within one another, however many, cost as much as beside each other, and what they name is masked', () => {
  const memo = `${'<address>x '.repeat(30_000)}<recipientName>${NAME}</recipientName>`;
  expect(mask({ memo })).not.toContain('Zqlast');
});

it.each([
  ['with accents apart', 'Zoë Ångström'.normalize('NFD')],
  ['with a blank that does not break', 'Zoë\u00a0Ångström'],
  ['with two blanks', 'Zoë  Ångström'],
  ['with a narrow blank', 'Zoë\u202fÅngström'],
  ['with a soft hyphen', 'Zoë Ång\u00adström'],
])('a known name in an error, %s, is found', (_how, written) => {
  for (const [known, expected] of [
    ['Zoë Ångström', written],
    [written, 'Zoë Ångström'],
  ] as const) {
    const personal = createPersonalData({ isMasking: true });
    mask({ buyerName: known }, 'orders/getOrder', personal);
    const clean = personal.maskText(`line 1\n  ${expected}, say, is unknown\n  line 3`);
    expect(clean).toMatch(/^line 1\n {2}«buyer name \w{8}», say, is unknown\n {2}line 3$/);
    expect(JSON.stringify(personal.sweep({ text: `for ${expected}` }))).not.toMatch(/Zoe?|ngstr/);
  }
});

const FOREIGN = 'Cup «buyer name 12345678», blue';

it('a mark of nobody does not look like one, in answers, errors and tables; in a write it is what it was', async () => {
  const personal = createPersonalData({ isMasking: true });
  const value = { title: FOREIGN, item: { title: FOREIGN } };
  for (const operation of ['catalog-items/getCatalogItem', 'orders/getOrder']) {
    const shown = mask(value, operation, personal);
    expect(shown).not.toMatch(PLACEHOLDER_PARTS);
    expect(JSON.parse(shown).title).toBe('Cup ‹buyer name 12345678›, blue');
  }
  expect(new ServiceText(`bad: ${FOREIGN}`).quoted()).not.toMatch(PLACEHOLDER_PARTS);
  const written = { title: 'Cup ‹buyer name 12345678›, red' };
  expect(personal.resolve('default', written).value).toEqual({ title: 'Cup «buyer name 12345678», red' });
  expect(() => personal.resolve('default', { title: FOREIGN })).toThrow(/stands for nothing/);
  const tables = await openTestTables();
  await collectItems(tables, 'listings', [
    { sku: 'A', title: FOREIGN },
    { sku: 'B', title: 'x@example.de' },
  ]);
  const { rows } = await tables.query('SELECT title FROM listings', ASK);
  expect(rows[0]).toEqual(['Cup ‹buyer name 12345678›, blue']);
  await tables.close();
});

async function collectText(text: string) {
  const tables = await openTestTables();
  const file = join(await makeTestFolder(), 'r.txt');
  await writeFile(file, text);
  const loader = await tables.openLoader({ kind: 'document', id: 'd', of: 'report' });
  await loader.addDocument('report', file, { format: 'tab' });
  const info = await loader.finish({
    source: { kind: 'document', id: 'd', of: 'report' },
    complete: true,
    notes: [],
  });
  const all = [
    info,
    await tables.list(),
    (await tables.query('SELECT * FROM report', ASK)).rows,
    (await tables.query('SELECT * FROM columns', ASK)).rows,
    (await tables.query('SELECT count(*) FROM report', ASK)).rows,
  ];
  await tables.close();
  return { all: JSON.stringify(all), count: all.at(-1) };
}

it('a report without headings names no column by what stands in its first line, and loses no line', async () => {
  const { all, count } = await collectText(
    `028-1234567-1234567\tanna@example.de\t${NAME}\t12.50\n028-1234567-1234568\tben@example.de\tZqother Person\t3.00\n`,
  );
  expect(all).not.toMatch(/anna|zqfirst|zqlast|zqother|ben@/i);
  expect(count).toEqual([[2]]);
});

it('XML and JSON of JSON in a column of a report are masked by their members', async () => {
  const json = JSON.stringify({ recipientName: NAME });
  const markup = `<o><recipientName>${NAME}</recipientName></o>`;
  const { all } = await collectText(
    `sku\tpayload\nA\t${markup}\nB\t${JSON.stringify(json)}\nC\tfor ${json}\nD\tfor ${markup}\n`,
  );
  expect(all).not.toContain('Zqlast');
});

it('an e-mail address that names a member is no name of a column', async () => {
  const tables = await openTestTables();
  const info = await collectItems(tables, 'counts', [
    { 'anna.schmidt@example.de': 1, 'ben@example.de': { 'carla@example.de': 2 } },
    { 'anna.schmidt@example.de': 3 },
  ]);
  const described = [info, await tables.list(), (await tables.query('SELECT * FROM columns', ASK)).rows];
  const { rows, columns } = await tables.query('SELECT * FROM counts', ASK);
  expect(JSON.stringify([...described, rows, columns])).not.toMatch(
    /anna|schmidt|ben_|carla|@example|example_de/,
  );
  expect(rows).toHaveLength(2);
  await tables.close();
});

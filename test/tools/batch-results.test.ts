/** After the yes: what each item of a list changed is told and can be queried, and some of a list can be taken back. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPersonalData } from '../../src/privacy/personal/personal-data.ts';
import { maskedValues } from '../../src/write/records/undo/recorded-change.ts';
import { changeListings } from '../../tools/change-listings.ts';
import { queryData } from '../../tools/query-data.ts';
import { undoChange } from '../../tools/undo-change.ts';
import { updateSupplySource } from '../../tools/update-supply-source.ts';
import type { Answer, ReceivedRequest } from '../helpers/http-service.ts';
import { expectOnlyIn } from '../helpers/only-in.ts';
import { tablesWorker } from '../helpers/tables-worker.ts';
import { startToolRunner, type ToolRunner } from '../helpers/tool-runner.ts';

const DE = 'A1PA6795UKMFR9';
const offer = (price: unknown) => [
  {
    currency: 'EUR',
    marketplace_id: DE,
    audience: 'ALL',
    our_price: [{ schedule: [{ value_with_tax: price }] }],
  },
];
const title = (sku: string) => `Lamp ${sku}`;

interface Listing {
  [attribute: string]: unknown;
}
let listings: Map<string, Listing>;
let store: Record<string, unknown>;
/** Instead of what was patched, the service keeps this. */
let keeps: ((sku: string, value: unknown) => unknown) | undefined;

function answer({ path, method, json }: ReceivedRequest): Answer {
  const url = new URL(path, 'http://service');
  if (path.startsWith('/supplySources')) {
    if (method === 'PUT') store = { ...store, ...Object(json) };
    const { pathname } = url;
    return { body: pathname.endsWith('/supplySources') ? { supplySources: [store] } : store };
  }
  const sku = decodeURIComponent(url.pathname.split('/')[5] ?? '');
  const show = (one: string) => ({
    sku: one,
    summaries: [{ marketplaceId: DE, productType: 'LAMP', itemName: title(one) }],
    attributes: listings.get(one),
  });
  if (method === 'PATCH') {
    for (const { path: place, value } of Object(json).patches) {
      const name = place.slice('/attributes/'.length);
      listings.set(sku, { ...listings.get(sku), [name]: keeps?.(sku, value) ?? value });
    }
    return { body: { sku, status: 'ACCEPTED', submissionId: 's', issues: [] } };
  }
  if (sku !== '') return { body: show(sku) };
  const items = (url.searchParams.get('identifiers') ?? '').split(',').filter((one) => listings.has(one));
  return { body: { numberOfResults: items.length, items: items.map(show) } };
}

let runner: ToolRunner;
beforeAll(async () => {
  runner = await startToolRunner(
    (request) => ({ headers: { 'x-amzn-RateLimit-Limit': '1000' }, ...answer(request) }),
    { SELLER_WRITES: 'allow', SELLER_MARKETPLACE_ID: DE, SELLER_ANSWER_TOKENS: '2000' },
    { entryFile: tablesWorker.replace('tables-worker.mjs', 'main.mjs') },
  );
});
afterAll(() => runner.close());
const OLD: Readonly<Record<string, number>> = { 'L-1': 20, 'L-2': 20, 'L-3': 19.99, 'L-4': 10 };
beforeEach(() => {
  keeps = undefined;
  listings = new Map(Object.entries(OLD).map(([sku, price]) => [sku, { purchasable_offer: offer(price) }]));
  store = {
    supplySourceId: 's-1',
    alias: 'Mill shop',
  };
});

const NEW: Readonly<Record<string, number>> = { 'L-1': 15.01, 'L-2': 14, 'L-3': 15, 'L-4': 11 };
/** @param more cents: the same words as those of a list that was taken back would be asked */
const cut = (more = 0) =>
  runner.run(changeListings, {
    items: Object.entries(NEW).map(([sku, price]) => ({ sku, set: { price: price + more / 100 } })),
  });
const query = async (sql: string) => (await runner.run(queryData, { sql })).structured.rows;
const priceOf = (sku: string) => JSON.stringify(listings.get(sku)?.purchasable_offer);
const isBack = (sku: string) => priceOf(sku) === JSON.stringify(offer(OLD[sku]));
const back = () => Object.keys(OLD).filter(isBack);
const failure = (args: object) =>
  runner.run(undoChange, args).then(
    () => '',
    (error) => String(error.message),
  );

describe('the answer after the yes', () => {
  it('tells old, new and the change of each in percent, and that it was read back', async () => {
    const { text, structured } = await cut();
    expect(text).toContain('Accepted; read back, the service has what was sent:');
    for (const words of ['20.00 EUR -> 15.01 EUR (-24.95 %)', '19.99 EUR -> 15.00 EUR (-24.96 %)'])
      expect(text).toContain(`price: ${words}`);
    expect(structured.table).toEqual({
      columns: ['item', 'member', 'old', 'new', 'currency', 'percent', 'outcome', 'read_back'],
      rows: [
        ['L-1', 'price', 20, 15.01, 'EUR', -24.95, 'accepted', 'same'],
        ['L-2', 'price', 20, 14, 'EUR', -30.0, 'accepted', 'same'],
        ['L-3', 'price', 19.99, 15, 'EUR', -24.96, 'accepted', 'same'],
        ['L-4', 'price', 10, 11, 'EUR', 10, 'accepted', 'same'],
      ],
    });
  });

  it('says of each what reading it again showed', async () => {
    keeps = (sku, value) => (sku === 'L-2' ? offer(17) : sku === 'L-3' ? offer(19.99) : value);
    const { text, structured } = await cut();
    const rows: unknown[][] = Object(structured.table).rows;
    const outcomes = rows.map((row) => [row[0], row.at(-1)]).sort();
    expect(outcomes).toEqual([
      ['L-1', 'same'],
      ['L-2', 'differs'],
      ['L-3', 'not visible yet'],
      ['L-4', 'same'],
    ]);
    expect(text).toMatch(/read back, the service has something else:\n {4}L-2 .*20\.00 EUR -> 14\.00 EUR/);
    expect(text).toMatch(/Accepted, not visible yet:\n {4}L-3 /);
  });

  it('holds all of them as a resource where the budget has no room, in both forms', async () => {
    const skus = Array.from({ length: 120 }, (_, at) => `M-${at}`);
    for (const sku of skus) listings.set(sku, { purchasable_offer: offer(50) });
    const items = skus.map((sku, at) => ({ sku, set: { price: 40 + at / 100 } }));
    const { text, structured } = await runner.run(changeListings, { items });
    const rows: unknown[][] = Object(structured.table).rows;
    expect(rows.length).toBeLessThan(120);
    expect(Buffer.byteLength(text) / 3).toBeLessThan(2_000);
    expect(Buffer.byteLength(JSON.stringify(structured)) / 3).toBeLessThan(2_000);
    expect(text).toContain(
      `Every outcome: the resource ${structured.whole}, and in query_data the table changes`,
    );
    const kept = (await runner.session.answers()).read(String(structured.whole));
    const all = kept ?? '';
    for (const at of [0, 60, 119]) expect(all).toContain(`M-${at}`);
    expect(await query(`SELECT count(*) FROM changes WHERE list = '${structured.batch_id}'`)).toEqual([
      [120],
    ]);
  });
});

describe('the table changes', () => {
  it('has each member of each listing, old and new as numbers, when and by which list', async () => {
    const { structured } = await cut();
    const rows = await query(
      `SELECT sku, store, member, old, new, currency, outcome FROM changes
       WHERE list = '${structured.batch_id}' AND new > old * 0.75 AND new < old AND at > '2020' ORDER BY sku`,
    );
    expect(rows).toEqual([
      ['L-1', null, 'price', 20, 15.01, 'EUR', 'done'],
      ['L-3', null, 'price', 19.99, 15, 'EUR', 'done'],
    ]);
  });

  it('as * gives what was changed, in a few kilobytes, and names what it leaves out; by its name that is there', async () => {
    const skus = Array.from({ length: 40 }, (_, at) => `M-${at}`);
    for (const sku of skus) listings.set(sku, { purchasable_offer: offer(50) });
    const items = skus.map((sku, at) => ({ sku, set: { price: 40 + at / 100 } }));
    const { structured: done } = await runner.run(changeListings, { items });
    const where = `FROM changes WHERE list = '${done.batch_id}'`;
    const { text, structured } = await runner.run(queryData, { sql: `SELECT * ${where}` });
    expect(structured).toMatchObject({
      columns: ['at', 'list', 'sku', 'member', 'old', 'new', 'currency', 'outcome'],
      total: 40,
    });
    expect(Object(structured).rows).toHaveLength(40);
    for (const form of [text, JSON.stringify(structured)]) {
      expect(Buffer.byteLength(form)).toBeLessThan(5_000);
      for (const name of ['what', 'error', 'store', 'id', 'parameters', 'body', 'request_id'])
        expect(form).toMatch(new RegExp(`Left out; select them by name: [^.]*\\b${name}\\b`));
    }
    const named = await runner.run(queryData, { sql: `SELECT *, body ${where} LIMIT 1` });
    expect(named.text).toContain('value_with_tax');
    const two = await runner.run(queryData, { sql: `SELECT id, what ${where} LIMIT 1` });
    expectOnlyIn('Left out', text, two.text);
  });

  it('of a store too', async () => {
    await runner.run(updateSupplySource, { supplySourceId: 's-1', changes: { alias: 'Dock shop' } });
    const rows = await query("SELECT sku, member, old, new, list FROM changes WHERE store = 's-1'");
    expect(rows).toEqual([[null, 'alias', 'Mill shop', 'Dock shop', null]]);
  });

  it('holds no personal data: neither by the name of its member, nor in a text, nor what was hidden when it was given', async () => {
    const contact = ['configuration', 'operationalConfiguration', 'contactDetails'];
    const values = {
      parameters: { supplySourceId: 's-1' },
      members: [
        { segments: [...contact, 'primary', 'phone'], before: '+49 30 123456', after: '+49 30 654321' },
        { segments: contact, after: { primary: { phone: '+49 30 123456', email: 'jane@roe.example' } } },
        {
          segments: ['alias'],
          before: 'Shop of Jane Roe',
          after: 'Shop, jane@roe.example',
          shown: { before: 'Shop of «buyer name 1»', after: 'Shop, jane@roe.example' },
        },
      ],
    };
    for (const isMasking of [true, false]) {
      const maskedText = JSON.stringify(
        await maskedValues(values, 'default', createPersonalData({ isMasking })),
      );
      expect(maskedText).toContain('Shop');
      expect(maskedText).not.toMatch(/123456|654321|@roe|Jane/);
    }
  });
});

describe('undo_change of some of a list', () => {
  it('takes back those that are named, by SKU or by a query, and nothing else', async () => {
    const { structured } = await cut();
    const id = structured.batch_id;
    const one = await runner.run(undoChange, { id, skus: ['L-4'] });
    expect(one.structured).toMatchObject({ outcome: 'done', items: 1 });
    expect(back()).toEqual(['L-4']);
    const less = `SELECT sku FROM changes WHERE list = '${id}' AND new > old * 0.75 AND new < old`;
    const some = await runner.run(undoChange, { id, query: less });
    expect(some.structured).toMatchObject({ outcome: 'done', items: 2 });
    expect(back()).toEqual(['L-1', 'L-3', 'L-4']);
    await runner.run(undoChange, { id });
    expect(back()).toEqual(Object.keys(OLD));
  });

  it('refuses what the list does not have, and what names nothing, and sends nothing', async () => {
    const { structured } = await cut(1);
    const id = structured.batch_id;
    listings.set('L-9', { purchasable_offer: offer(1) });
    const failureOf = async (args: object) => failure({ id, ...args });
    expect(await failureOf({ skus: ['L-1', 'L-9'] })).toContain('The list has no changes of "L-9"');
    expect(await failureOf({ query: "SELECT sku FROM changes WHERE sku = 'none'" })).toContain(
      'None of the list',
    );
    expect(await failureOf({ query: 'SELECT new FROM changes' })).toContain('no column sku or store');
    expect(await failureOf({ skus: [] })).toContain('None of the list');
    expect(await failureOf({ skus: ['L-1'], query: 'SELECT 1 AS sku' })).toContain('not both');
    expect(await failure({ skus: ['L-1'] })).toContain('give its id too');
    expect(back()).toEqual([]);
  });
});

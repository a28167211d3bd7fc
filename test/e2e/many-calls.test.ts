/** Several calls of one operation, over the spawned program: one question, an outcome each, whatever is wrong with some. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Agreeing, openAgreeing, WAYS } from '../helpers/many.ts';
import { type Outside, SHOP, startOutside } from '../helpers/outside-service.ts';

const US = 'ATVPDKIKX0DER';
const MUG = 'MUG-SAND-350';
const price = (amount: number, productType = 'DRINKING_CUP') => ({
  productType,
  patches: [
    {
      op: 'replace',
      path: '/attributes/purchasable_offer',
      value: [{ currency: 'USD', audience: 'ALL', our_price: [{ schedule: [{ value_with_tax: amount }] }] }],
    },
  ],
});
const patch = (calls: object[], more: object = {}) => ({ operation: 'patchListingsItem', calls, ...more });

describe.each(WAYS)('%s', (way) => {
  let outside: Outside;
  let agreeing: Agreeing;
  let skus: string[];
  const types = new Map<string, string>();
  const patchOf = (sku: string, amount: number) => ({
    parameters: { sku, marketplaceIds: ['US'] },
    body: price(amount, types.get(sku)),
  });
  beforeAll(async () => {
    outside = await startOutside();
    agreeing = await openAgreeing(way, outside);
    const { structured } = await agreeing.session.call('read_operation', {
      operation: 'searchListingsItems',
      parameters: { marketplaceIds: [US], pageSize: 10, includedData: ['summaries'] },
      select: ['items.sku', 'items.summaries.productType'],
    });
    const { items = [] } = Object(structured.value);
    for (const { sku, summaries } of items) types.set(sku, summaries[0].productType);
    skus = [...types.keys()].filter((sku) => sku !== MUG);
  });
  afterEach(() => {
    agreeing.meanwhile.work = undefined;
    agreeing.questions.length = 0;
    outside.sandbox.faults.clear();
  });
  afterAll(async () => {
    await agreeing.session.close();
    await outside.close();
  });
  const sent = () =>
    outside.received('patchListingsItem').filter(({ query }) => query.mode === undefined).length;

  it('prices of three listings, one of which the service refuses by a status in its answer', async () => {
    const before = sent();
    const [one = '', other = ''] = skus;
    const { structured, text } = await agreeing.agree(
      'write_operation',
      patch([patchOf(MUG, 19.5), patchOf(one, 21), patchOf(other, 200_000)]),
    );
    expect(agreeing.questions).toHaveLength(1);
    expect(agreeing.questions[0]).toMatch(/^3 calls of patchListingsItem, United States, now -> then:\n/);
    expect(agreeing.questions[0]).toMatch(/^ {2}MUG-SAND-350 "Stoneware Mug, .*price: .* -> 19\.50 USD/m);
    expect(structured).toMatchObject({
      outcome: 'partly_accepted',
      counts: { accepted: 2, not_accepted: 1 },
      results: [{ key: '3', outcome: 'not_accepted', why: expect.stringContaining('status INVALID') }],
    });
    expect(text).toMatch(new RegExp(`^ {2}${other} .*: not accepted: .*18299`, 'm'));
    expect(sent() - before).toBe(3);
    const entries = (await outside.journal()).slice(-3).map(({ outcome }) => outcome);
    expect(entries.sort()).toEqual(['done', 'done', 'not_accepted']);
  });

  it('none accepted is an error, whatever the HTTP status', async () => {
    const [one = '', other = ''] = skus;
    const { isError, structured, text } = await agreeing.agree(
      'write_operation',
      patch([patchOf(one, 300_000), patchOf(other, 300_000)]),
    );
    expect(isError).toBe(true);
    expect(structured).toMatchObject({ outcome: 'not_accepted', counts: { not_accepted: 2 } });
    expect(text).toContain('NOT ACCEPTED: 2 calls of patchListingsItem');
  });

  it('requests take no yes, and each answer is told', async () => {
    const reportType = 'GET_MERCHANT_LISTINGS_ALL_DATA';
    const calls = ['US', 'CA'].map((country) => ({ body: { reportType, marketplaceIds: [country] } }));
    const { structured, text } = await agreeing.session.call('write_operation', {
      operation: 'createReport',
      calls,
    });
    expect(agreeing.questions).toEqual([]);
    expect(structured).toMatchObject({
      outcome: 'requested',
      results: [
        { key: '1', outcome: 'accepted', value: { reportId: expect.any(String) } },
        { key: '2', outcome: 'accepted', value: { reportId: expect.any(String) } },
      ],
    });
    expect(text).toMatch(/^Requested, nothing was changed: 2 calls of createReport/m);
    expect(outside.received('createReport')).toHaveLength(2);
  });

  it('a dry run asks the service to check some, and says how many were tried and what it answered', async () => {
    const before = sent();
    const calls = [...skus.slice(0, 2).map((sku) => patchOf(sku, 400_000)), patchOf(MUG, 18)];
    const { structured, text } = await agreeing.session.call(
      'write_operation',
      patch(calls, { dryRun: true }),
    );
    expect(text).toContain('Checked by the service (3 of 3): it would NOT accept 2');
    expect(structured).toMatchObject({
      outcome: 'preview',
      validation: { tried: 3, of: 3, would_be_accepted: 1 },
    });
    expect(sent()).toBe(before);
  });

  it('save_as keeps the whole list as a file of the person', async () => {
    const { text } = await agreeing.session.call(
      'write_operation',
      patch([patchOf(MUG, 17), patchOf(skus[0] ?? '', 17)], { dryRun: true, save_as: `${way}.csv` }),
    );
    const file = await readFile(join(outside.folder, 'files', `${way}.csv`), 'utf8');
    expect(file.split('\r\n')).toHaveLength(4);
    expect(file).toContain('price: ');
    expect(text).toContain(`${way}.csv`);
  });

  const mug = (amount: number) => ({
    parameters: { sku: MUG, marketplaceIds: ['US'] },
    body: price(amount),
  });
  it.each([
    ['the same call twice', [mug(9), mug(9)], 'Calls 1 and 2 are the same; nothing was sent.'],
    ['two prices of one listing', [mug(9), mug(8)], 'Two of the list change the same thing'],
    ['no call', [], 'is empty'],
    ['101 calls', Array.from({ length: 101 }, (_, at) => mug(at)), 'takes at most 100'],
    ['a call that lacks a parameter', [mug(9), { body: price(8) }], 'It is about number 2 of 2'],
  ])('%s is refused before anybody is asked', async (_case, calls, words) => {
    const { isError, text } = await agreeing.agree('write_operation', patch(calls));
    expect({ isError, questions: agreeing.questions }).toEqual({ isError: true, questions: [] });
    expect(text).toContain(words);
  });

  it('parameters beside calls are refused', async () => {
    const args = patch([patchOf(MUG, 9)], { parameters: { sku: MUG } });
    const { text } = await agreeing.agree('write_operation', args);
    expect(text).toContain('"calls" and parameters were both given; nothing was sent.');
  });

  it('without differences to show, what is sent stands in the question', async () => {
    const create = (code: string) => ({
      body: {
        supplySourceCode: code,
        alias: `Shop ${code}`,
        address: { name: 'Shop', addressLine1: '1 Road', countryCode: 'DE', stateOrRegion: 'HH' },
      },
    });
    const { structured } = await agreeing.agree('write_operation', {
      operation: 'createSupplySource',
      calls: [create('m-1'), create('m-2')],
    });
    expect(agreeing.questions[0]).toMatch(
      /^2 calls of createSupplySource:\n {2}call 1: .*supplySourceCode: "?m-1/,
    );
    expect(agreeing.questions[0]).toMatch(/Sent with each of them:\n {2}address/);
    expect(structured).toMatchObject({
      outcome: 'done',
      results: [{ value: { supplySourceId: expect.any(String) } }, { value: { supplySourceCode: 'm-2' } }],
    });
    expect(structured).not.toHaveProperty('accepted');
  });
});

describe('a code', () => {
  let outside: Outside;
  let agreeing: Agreeing;
  beforeAll(async () => {
    outside = await startOutside();
    agreeing = await openAgreeing('code', outside);
  });
  afterAll(async () => {
    await agreeing.session.close();
    await outside.close();
  });
  const status = (value: string) => ({
    operation: 'updateSupplySourceStatus',
    calls: [{ parameters: { supplySourceId: SHOP }, body: { status: value } }],
  });

  it('of another list is refused, works for its own, and once', async () => {
    const { session } = agreeing;
    const { structured } = await session.call('write_operation', status('Inactive'));
    const confirmationCode = structured.confirmation_code;
    const other = {
      ...status('Inactive'),
      calls: [
        ...status('Inactive').calls,
        { parameters: { supplySourceId: 'wh-north-01' }, body: { status: 'Inactive' } },
      ],
    };
    const wrong = await session.call('write_operation', { ...other, confirmationCode });
    expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining('another content') });
    const right = await session.call('write_operation', { ...status('Inactive'), confirmationCode });
    expect(right.structured).toMatchObject({ outcome: 'done' });
    await session.call('update_supply_source', { supplySourceId: SHOP, changes: {} });
    const again = await session.call('write_operation', { ...status('Active'), confirmationCode });
    expect(again).toMatchObject({ isError: true });
    expect(outside.received('updateSupplySourceStatus')).toHaveLength(1);
  });
});

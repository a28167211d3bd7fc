/** Tests the list of changes from here, newest first, and how SKUs or the rows of a query select items of a batch. */

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { isJsonObject } from '../../../../src/base/json.ts';
import { changeListings } from '../../../../tools/change-listings.ts';
import { undoChange } from '../../../../tools/undo-change.ts';
import { writeOperation } from '../../../../tools/write-operation.ts';
import { expectOnlyIn } from '../../../helpers/only-in.ts';
import { startToolRunner, type ToolRunner } from '../../../helpers/tool-runner.ts';

const US = 'ATVPDKIKX0DER';
const QUICK = { 'x-amzn-RateLimit-Limit': '1000' };
const offer = (price: number) => [
  {
    currency: 'USD',
    audience: 'ALL',
    marketplace_id: US,
    our_price: [{ schedule: [{ value_with_tax: price }] }],
  },
];

let runner: ToolRunner;
let prices: Map<string, number>;
/** SKUs whose writes are refused. */
let refused: Set<string>;
/** Lists SKUs whose writes are accepted and not visible. */
let unseen: Set<string>;
beforeEach(async () => {
  prices = new Map(Array.from({ length: 40 }, (_, at) => [`S-${at}`, 100 + at]));
  refused = new Set();
  unseen = new Set();
  const show = (sku: string) => ({
    sku,
    summaries: [{ marketplaceId: US, productType: 'LAMP', itemName: `Lamp ${sku}` }],
    attributes: { purchasable_offer: offer(prices.get(sku) ?? 0) },
  });
  runner = await startToolRunner(
    ({ path, method, json }) => {
      const { pathname, searchParams } = new URL(path, 'http://service');
      const sku = pathname.split('/').at(-1) ?? '';
      if (method === 'PATCH') {
        const isRefused = refused.has(sku);
        const found = /"value_with_tax":(\d+)/.exec(JSON.stringify(json));
        if (!isRefused && !unseen.has(sku) && !searchParams.has('mode')) prices.set(sku, Number(found?.[1]));
        const issues = isRefused ? [{ code: '1', message: 'No.', severity: 'ERROR' }] : [];
        const status = isRefused ? 'INVALID' : searchParams.has('mode') ? 'VALID' : 'ACCEPTED';
        return { headers: QUICK, body: { sku, status, submissionId: 's', issues } };
      }
      const asked = searchParams.get('identifiers')?.split(',');
      if (asked === undefined) return { headers: QUICK, body: show(sku) };
      return { headers: QUICK, body: { numberOfResults: asked.length, items: asked.map(show) } };
    },
    { SELLER_WRITES: 'allow' },
  );
  onTestFinished(runner.close);
});

const skusOf = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `S-${from + at}`);
/** A list of them; each costs 1 less than it did. */
async function lower(skus: readonly string[]): Promise<string> {
  const items = skus.map((sku) => ({ sku, set: { price: (prices.get(sku) ?? 0) - 1 } }));
  const { structured } = await runner.run(changeListings, { items });
  return String(structured.batch_id);
}
const single = async (sku: string, price: number) =>
  runner.run(writeOperation, {
    operation: 'patchListingsItem',
    parameters: { sku, marketplaceIds: [US] },
    body: {
      productType: 'LAMP',
      patches: [{ op: 'replace', path: '/attributes/purchasable_offer', value: offer(price) }],
    },
  });
async function listed() {
  const { text, structured } = await runner.run(undoChange, {});
  const { changes } = structured;
  return { text, structured, changes: Array.isArray(changes) ? changes.filter(isJsonObject) : [] };
}

describe('without an id', () => {
  it('nothing was changed from here', async () => {
    const { text, structured } = await listed();
    expect(structured).toMatchObject({ outcome: 'listed', account: 'default', changes: [], left_out: 0 });
    expect(structured.time_zone).toEqual(expect.any(String));
    expect(text).toBe(`${structured.note}\nNothing that was changed from here is kept for this account.`);
  });

  it('the newest is first, a list is one with each of its items, and what was taken back says so', async () => {
    const list = await lower(skusOf(0, 3));
    await single('S-5', 50);
    refused.add('S-6');
    await single('S-6', 50);
    const { text, changes } = await listed();
    expect(changes).toHaveLength(3);
    const [no, one, three] = changes;
    expect(no).toMatchObject({ outcome: 'not accepted', can_undo: false });
    expect(no?.why_not).toEqual(expect.stringContaining('not accepted'));
    expect(no).not.toHaveProperty('items');
    expect(one).toMatchObject({ outcome: 'done', can_undo: true });
    expect(one?.what).toEqual(expect.stringMatching(/^S-5.*105.*50/));
    expect(one).not.toHaveProperty('why_not');
    expect(one).not.toHaveProperty('single');
    expect(three).toMatchObject({ id: list, outcome: 'done', can_undo: true, items: 3 });
    expect(three?.what).toEqual(expect.stringMatching(/^3 changes, one of them: S-\d/));
    expect(three).not.toHaveProperty('find_items');
    const items = (Array.isArray(three?.single) ? three.single : []).filter(isJsonObject);
    expect(items.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done']);
    for (const { id, what } of items) {
      expect(text).toContain(`    ${id}  ${what} [done]`);
    }
    expect(text).toContain('a list of 3 changes [done]');
    expect(text).toContain(`[not accepted; ${no?.why_not}]`);
    expect(text.indexOf(String(one?.id))).toBeLessThan(text.indexOf(list));
    await runner.run(undoChange, { id: list, skus: ['S-1'] });
    const after = (await listed()).changes.find(({ id }) => id === list);
    expect(after).toMatchObject({ can_undo: true });
    await runner.run(undoChange, { id: list });
    const gone = (await listed()).changes.find(({ id }) => id === list);
    expect(gone).toMatchObject({ can_undo: false, why_not: expect.any(String) });
  });

  it('of a list of many it is said how one is found, and of the newest there is room for each', async () => {
    const many = await lower(skusOf(0, 26));
    const few = await lower(skusOf(26, 38));
    const fewer = await lower(skusOf(0, 11));
    const again = await lower(skusOf(0, 2));
    const { text, changes } = await listed();
    const how = (id: string) => {
      const found = changes.find((change) => change.id === id);
      return [found?.find_items, Array.isArray(found?.single) ? found.single.length : undefined];
    };
    // 25 in all: 2, 11 and 12, then none more.
    expect(how(again)).toEqual([undefined, 2]);
    expect(how(fewer)).toEqual([undefined, 11]);
    const find = (id: string) => `One listing of it: undo_change with id ${id}/ and the SKU behind it.`;
    expect(how(few)).toEqual([undefined, 12]);
    expect(how(many)).toEqual([find(many), undefined]);
    expect(text).toContain(`  ${find(many)}`);
  });

  it('twenty are listed, and the others counted', async () => {
    for (let at = 0; at < 22; at += 1) await single(`S-${at}`, 50);
    const { changes, structured, text } = await listed();
    expect([changes.length, structured.left_out]).toEqual([20, 2]);
    expect(text).toContain('\n2 older ones are not listed.\n');
    expect(changes[0]?.what).toEqual(expect.stringMatching(/^S-21/));
  });

  it('nothing of a list can be meant', async () => {
    for (const part of [{ skus: ['S-1'] }, { query: 'SELECT 1' }])
      await expect(runner.run(undoChange, part)).rejects.toThrow('skus and query mean some of a list: give');
  });
});

describe('some of a list', () => {
  const patched = () =>
    runner.calls().flatMap(({ method, path }) => {
      const { pathname, searchParams } = new URL(path, 'http://service');
      const isSent = method === 'PATCH' && !searchParams.has('mode');
      return isSent ? [pathname.split('/').at(-1)] : [];
    });
  const values = (...rows: readonly string[]) => rows.map((row) => `SELECT ${row}`).join(' UNION ALL ');

  it.each([
    ['by SKUs, each once', { skus: ['S-1', 'S-0', 'S-1'] }],
    ['by the column sku, each once', { query: values("'S-0' AS sku", "'S-1'", "'S-0'") }],
    ['by a column in other letters', { query: values(`'S-0' AS "Sku"`, "'S-1'") }],
    [
      'by the column store where that is empty',
      { query: values("'S-0' AS sku, NULL AS store", "NULL, 'S-1'") },
    ],
  ])('is meant %s', async (_how, part) => {
    const id = await lower(skusOf(0, 3));
    const before = patched().length;
    const { structured } = await runner.run(undoChange, { id, ...part });
    expect(structured).toMatchObject({ outcome: 'done', items: 2 });
    expect(patched().slice(before).toSorted()).toEqual(['S-0', 'S-1']);
    expect([prices.get('S-0'), prices.get('S-1'), prices.get('S-2')]).toEqual([100, 101, 101]);
  });

  it.each<[string, object, string]>([
    [
      'both are given',
      { skus: ['S-0'], query: 'SELECT 1' },
      'Give skus or query, not both; nothing was sent.',
    ],
    ['none is named', { skus: [] }, 'None of the list is named; nothing was sent.'],
    ['no row is found', { query: "SELECT 'x' AS sku WHERE false" }, 'None of the list is named'],
    ['there is no such column', { query: "SELECT 'S-0' AS skus" }, 'The query has no column sku or store'],
    ['a row has none', { query: values("'S-0' AS sku", 'NULL') }, 'Row 2 of the query has no SKU or store'],
    ['a row has an empty one', { query: "SELECT '' AS sku" }, 'Row 1 of the query has no SKU or store'],
    ['a row has a number', { query: 'SELECT 5 AS sku' }, 'Row 1 of the query has no SKU or store'],
    ['the list has no such', { skus: ['S-9'] }, 'S-9'],
  ])('is refused where %s', async (_why, part, words) => {
    const id = await lower(skusOf(0, 2));
    const before = patched().length;
    await expect(runner.run(undoChange, { id, ...part })).rejects.toThrow(words);
    expect(patched()).toHaveLength(before);
  });

  it('is no part of one change, which nothing ends either', async () => {
    await single('S-0', 50);
    const [one] = (await listed()).changes;
    const id = String(one?.id);
    await expect(runner.run(undoChange, { id, skus: ['S-0'] })).rejects.toThrow('this is one change');
    await expect(runner.run(undoChange, { id, stop: true })).rejects.toThrow(
      '"stop" ends the undo of a list',
    );
    expect(prices.get('S-0')).toBe(50);
    const { text } = await runner.run(undoChange, { id });
    expect(prices.get('S-0')).toBe(100);
    unseen.add('S-1');
    const { structured } = await single('S-1', 50);
    const hidden = await runner.run(undoChange, { id: String(structured.journal_id), dryRun: true });
    expectOnlyIn('so that it does not come', hidden.text, text);
  });
});

it('a list is taken back by force without a question where nobody else changed any of it', async () => {
  const id = await lower(skusOf(0, 3));
  expect((await runner.run(undoChange, { id, force: true })).structured).toMatchObject({
    outcome: 'done',
    items: 3,
  });
  expect(prices.get('S-2')).toBe(102);
  const again = await lower(skusOf(3, 6));
  prices.set('S-4', 70);
  expect((await runner.run(undoChange, { id: again, force: true })).structured.outcome).toBe(
    'needs_confirmation',
  );
  expect(prices.get('S-4')).toBe(70);
});

it('one change is not taken back over somebody else’s unless they are told and still want it', async () => {
  await single('S-0', 50);
  prices.set('S-0', 70);
  const id = String((await listed()).changes[0]?.id);
  const answer = await runner.run(undoChange, { id });
  expect(answer.isError).toBe(true);
  const { undoes, next_step: next } = answer.structured;
  expect(answer.structured).toMatchObject({ outcome: 'changed_since', account: 'default' });
  expect(undoes).toMatchObject({ id, changed_since: true });
  const words = isJsonObject(undoes) ? String(undoes.in_words) : '';
  expect(words).toContain('SOMEBODY ELSE CHANGED IT SINCE');
  expect(answer.text).toBe([answer.structured.note, words, next].join('\n'));
  expect(prices.get('S-0')).toBe(70);
  // Also where every write is allowed.
  const forced = await runner.run(undoChange, { id, force: true });
  expect(forced.structured).toMatchObject({
    outcome: 'needs_confirmation',
    undoes: { id, changed_since: true },
  });
  expect(prices.get('S-0')).toBe(70);
  prices.set('S-0', 100);
  const same = await runner.run(undoChange, { id });
  expect(same.structured.undoes).toEqual({ id });
  expect(same.structured).not.toHaveProperty('confirmation_code');
});

it('of a list that somebody else changed all of nothing is taken back, and force is what would', async () => {
  // Each has its own words, and ten of them are told.
  const id = await lower(skusOf(0, 12));
  for (const sku of skusOf(0, 12)) prices.set(sku, 70);
  await expect(runner.run(undoChange, { id })).rejects.toMatchObject({
    message: expect.stringMatching(
      /^Nothing of the list can be undone\. .*SOMEBODY ELSE CHANGED IT SINCE.* and 2 more are not undone\.$/,
    ),
    hint: expect.stringContaining('call again with force: true'),
  });
});

it('what is taken back leaves its list for good, one of it or the whole', async () => {
  const list = await lower(skusOf(0, 3));
  const withdrawn: unknown[] = [];
  const batches = await runner.session.batches();
  batches.withdraw = async (...given) => {
    // Before anything of it is sent.
    expect(prices.get('S-2')).toBe(101);
    withdrawn.push(given);
  };
  await runner.run(undoChange, { id: `${list}/S-1` });
  expect(withdrawn).toEqual([[list, [1]]]);
  await runner.run(undoChange, { id: list });
  expect(withdrawn.slice(1)).toEqual([[list]]);
  expect(prices.get('S-2')).toBe(102);
});

it('of a list says of how many something was changed from here again since', async () => {
  const id = await lower(skusOf(0, 3));
  const words = (were: string) => `${were} changed from here again since; that is undone too.`;
  const preview = async () => (await runner.run(undoChange, { id, dryRun: true })).text;
  const alone = await preview();
  await single('S-0', 50);
  expectOnlyIn('changed from here again since', await preview(), alone);
  expect(await preview()).toContain(words('1 was'));
  await single('S-1', 50);
  expect(await preview()).toContain(words('2 were'));
});

it('of a list that was accepted in part it is said how many were', async () => {
  for (const sku of ['S-1', 'S-3']) refused.add(sku);
  await lower(skusOf(0, 5));
  const { text, changes } = await listed();
  const outcome = String(changes[0]?.outcome);
  expect(outcome.split(', ').sort()).toEqual(['2 not accepted', '3 done']);
  expect(text).toContain(`a list of 5 changes [${outcome}]`);
});

it('of a list that was not accepted nothing can be taken back, and each reason is told with those that it holds for', async () => {
  for (const sku of skusOf(0, 5)) refused.add(sku);
  const id = await lower(skusOf(0, 5));
  await expect(runner.run(undoChange, { id })).rejects.toMatchObject({
    message: expect.stringMatching(
      /Nothing of the list can be undone\. 5 are not undone: S-\d, S-\d, S-\d and 2 more: it was not accepted, so there is nothing to undo/,
    ),
    hint: '',
  });
});

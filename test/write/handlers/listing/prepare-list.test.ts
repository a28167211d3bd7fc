/** A list of listings before its yes: what cannot be done is named for each of them, what is so already is left out, and nothing is sent. */

import { describe, expect, it, onTestFinished } from 'vitest';
import { ownerDigestOf } from '../../../../src/accounts/owner.ts';
import { ConfigError } from '../../../../src/base/errors.ts';
import { findListingsScope } from '../../../../src/write/handlers/listing/listings-scope.ts';
import { thingDigest } from '../../../../src/write/records/undo/write-values.ts';
import { changeListings } from '../../../../tools/change-listings.ts';
import { startToolRunner } from '../../../helpers/tool-runner.ts';

const US = 'ATVPDKIKX0DER';
const DE = 'A1PA6795UKMFR9';
const QUICK = { 'x-amzn-RateLimit-Limit': '1000' };
const title = (value: string, marketplace_id = US) => [{ value, language_tag: 'en_US', marketplace_id }];
const offer = (price: unknown) => [
  {
    currency: 'USD',
    audience: 'ALL',
    marketplace_id: US,
    our_price: [{ schedule: [{ value_with_tax: price }] }],
  },
];
const there = ['LAMP-1', 'LAMP-2', 'LAMP-3'];

async function start() {
  const show = (sku: string) =>
    `{"sku":"${sku}","summaries":[{"marketplaceId":"${US}","productType":"LAMP","itemName":"Lamp ${sku}"}],"attributes":{"item_name":${JSON.stringify(
      title(`Lamp ${sku}`),
    )},"purchasable_offer":${JSON.stringify(offer('PRICE')).replace('"PRICE"', sku === 'LAMP-3' ? '20.12345678901234567890' : '20')}}}`;
  const runner = await startToolRunner(({ path }) => {
    const { pathname, searchParams } = new URL(path, 'http://service');
    const asked = searchParams.get('identifiers')?.split(',');
    const headers = { ...QUICK, 'content-type': 'application/json' };
    if (asked === undefined && !pathname.endsWith('/A1SELLER')) {
      const sku = pathname.split('/').at(-1) ?? '';
      return there.includes(sku) ? { headers, body: show(sku) } : { headers, status: 404, body: '{}' };
    }
    const found = (asked ?? there).filter((sku) => there.includes(sku));
    return { headers, body: `{"numberOfResults":${found.length},"items":[${found.map(show).join(',')}]}` };
  });
  onTestFinished(runner.close);
  const run = (args: object) => runner.run(changeListings, { dryRun: true, ...args });
  const problems = async (args: object): Promise<{ path: string; message: string }[]> => {
    const error: unknown = await run(args).catch((failed: unknown) => failed);
    expect(runner.calls().filter(({ method }) => method !== 'GET')).toEqual([]);
    return Object(error).problems ?? [];
  };
  return { runner, run, problems };
}
const price = (sku: string, value: unknown) => ({ sku, set: { price: value } });
const patch = (sku: string, value: object) => ({
  sku,
  patches: [{ op: 'replace', path: '/attributes/item_name', value }],
});

it.each([{}, { items: [price('LAMP-1', 5)], query: 'SELECT 1' }])(
  'is given as items or as a query, one of the two: %j is neither',
  async (args) => {
    const { run } = await start();
    await expect(run(args)).rejects.toThrow('Give items or query, one of the two; nothing was sent.');
  },
);

it('is the rows of a query as well', async () => {
  const { run } = await start();
  const { structured } = await run({ query: "SELECT 'LAMP-1' AS sku, 15.5 AS price" });
  expect(structured).toMatchObject({ outcome: 'preview' });
  expect(JSON.stringify(structured)).toContain('15.50');
});

it('what has these values already is left out and counted; where all have, nothing is asked', async () => {
  const { run } = await start();
  const one = await run({ items: [price('LAMP-1', 20), price('LAMP-2', 15)] });
  expect(one.text).toContain('1 listing has these values already and is left out.');
  expect(one.text).not.toContain('LAMP-1');
  const none = await run({ items: [price('LAMP-1', 20), price('LAMP-2', 20)] });
  expect(none.structured.outcome).toBe('no_change');
  const patched = await run({ items: [patch('LAMP-1', title('Lamp LAMP-1')), price('LAMP-2', 15)] });
  expect(patched.text).toContain('Already like this, and not sent: LAMP-1');
});

/** Recent writes from here that are not visible yet. */
const worlds = [US, DE].flatMap((place) =>
  ['purchasable_offer', 'item_name'].flatMap((name) =>
    ['LAMP-1', 'LAMP-2'].map((sku) => [sku, name, place] as const),
  ),
);
it.each(worlds)(
  'what reads as it is wanted is sent once more where it was written otherwise from here, there and nowhere else: %s, %s of %s',
  async (sku, name, place) => {
    const { runner, run } = await start();
    const { session } = runner;
    const { owner } = await findListingsScope('default', US, session);
    const after = name === 'item_name' ? title('Other', place) : [{ ...offer(25)[0], marketplace_id: place }];
    const before =
      name === 'item_name' ? title(`Lamp ${sku}`, place) : [{ ...offer(20)[0], marketplace_id: place }];
    const journal = await session.journal();
    journal.list = async () => [
      {
        id: 'w-1',
        time: new Date(session.program.now()).toISOString(),
        account: 'default',
        owner: ownerDigestOf(owner),
        operation: 'listings-items/patchListingsItem',
        outcome: 'accepted_not_visible' as const,
        open: async () => ({
          parameters: { sku, sellerId: owner.sellerId, marketplaceIds: [place] },
          members: [{ segments: ['attributes', name], before, after }],
        }),
      },
    ];
    const { text, structured } = await run({ items: [price('LAMP-1', 20), price('LAMP-2', 15)] });
    const isMeant = sku === 'LAMP-1' && name === 'purchasable_offer' && place === US;
    expect(structured.items).toBe(isMeant ? 2 : 1);
    expect(text.includes('1 listing has these values already and is left out.')).toBe(!isMeant);
    expect(text.includes('LAMP-1')).toBe(isMeant);
  },
);

it('what reads as it is wanted is sent whole where what was written from here cannot be read any more', async () => {
  const { runner, run } = await start();
  const { session } = runner;
  const { owner } = await findListingsScope('default', US, session);
  const journal = await session.journal();
  journal.list = async () => [
    {
      id: 'w-1',
      time: new Date(session.program.now()).toISOString(),
      account: 'default',
      owner: ownerDigestOf(owner),
      operation: 'listings-items/patchListingsItem',
      outcome: 'accepted_not_visible' as const,
      thing: thingDigest({ parameters: { sku: 'LAMP-1' } }),
      open: async () => {
        throw new ConfigError('gone', '');
      },
    },
  ];
  const { structured } = await run({ items: [price('LAMP-1', 20), price('LAMP-2', 20)] });
  expect(structured.items).toBe(1);
  expect(JSON.stringify(structured)).toContain('LAMP-1');
});

it('two that are read at the same time are read each by itself', async () => {
  const { run } = await start();
  const texts = await Promise.all(
    ['LAMP-1', 'LAMP-2'].map(async (sku) => (await run({ items: [price(sku, 15)] })).text),
  );
  expect(texts.map((text) => /LAMP-\d/.exec(text)?.[0])).toEqual(['LAMP-1', 'LAMP-2']);
});

describe('what cannot be done is named for each', () => {
  it('that the seller does not have, with those that were probably meant', async () => {
    const { problems } = await start();
    const all = await problems({ items: [price('LAMP-1', 5), price('LAMP-11', 5), price('XYZ', 5)] });
    expect(all.map(({ path }) => path)).toEqual(['items.1.sku', 'items.2.sku']);
    expect(all[0]?.message).toContain('LAMP-1');
    expect(all[1]?.message).not.toContain('LAMP-1');
  });

  it.each(['.', '..'])('whose SKU %s would lead to another address, by the item or the row', async (sku) => {
    const { problems, runner } = await start();
    const items = await problems({ items: [price(sku, 5), price('LAMP-1', 5), price('XYZ', 5)] });
    expect(items.map(({ path }) => path)).toEqual(['items.0.sku', 'items.2.sku']);
    expect(items[0]?.message).toContain(sku);
    const rows = await problems({ query: `SELECT 'LAMP-1' AS sku, 5 AS price UNION ALL SELECT '${sku}', 5` });
    expect(rows.map(({ path }) => path)).toEqual(['row 2.sku']);
    for (const { path } of runner.calls()) expect(path).not.toMatch(/items\/[^/]*\/\.{0,2}\?/);
  });

  it('whose words do not fit, by the word of the item or the row', async () => {
    const { problems } = await start();
    const items = await problems({
      items: [price('LAMP-1', 5), { sku: 'LAMP-2', set: { quantity: 5, sale_price: 30 } }],
    });
    expect(items.length).toBeGreaterThan(0);
    for (const { path } of items) expect(path).toMatch(/^items\.1\.set\.\w+ \("?LAMP-2"?\)$/);
    const rows = await problems({ query: "SELECT 'LAMP-1' AS sku, 30 AS sale_price" });
    for (const { path } of rows) expect(path).toMatch(/^row 1\.\w+ \("?LAMP-1"?\)$/);
    expect(rows.length).toBeGreaterThan(0);
  });

  it('whose number has more digits than can be sent back', async () => {
    const { problems } = await start();
    const all = await problems({ items: [{ sku: 'LAMP-3', set: { price: 5 } }] });
    expect(all).toEqual([
      {
        path: expect.stringMatching(/^items\.0\.set\.purchasable_offer \("?LAMP-3"?\)$/),
        message: 'holds a number with more digits than can be sent back unchanged; it cannot be changed here',
      },
    ]);
  });

  it('whose patches name another marketplace, and no other', async () => {
    const { problems, run } = await start();
    const all = await problems({
      items: [
        patch('LAMP-1', title('x', DE)),
        patch('LAMP-2', [...title('x'), ...title('y', 'DE'), ...title('z', 'mars')]),
        patch('LAMP-3', title('x', 'US')),
      ],
    });
    expect(all.map(({ path }) => path.replaceAll('"', ''))).toEqual([
      'items.0.patches (LAMP-1)',
      'items.1.patches (LAMP-2)',
    ]);
    expect(all[0]?.message).toContain(`name ${DE}, and this list is for`);
    expect(all[1]?.message).toMatch(/^name "?DE"?, "?mars"?, and this list is for .*: make a list for each/);
    expect((await run({ items: [patch('LAMP-1', title('x'))] })).structured.outcome).toBe('preview');
  });
});

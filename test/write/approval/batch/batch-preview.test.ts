/** A list before its yes: what has no room in the answer is kept whole as a resource, and saved where the person wants it as a file. */

import { afterEach, expect, it } from 'vitest';
import { objectsIn, parseJson, toObject } from '../../../../src/base/json.ts';
import { changeListings } from '../../../../tools/change-listings.ts';
import { startToolRunner, type ToolRunner } from '../../../helpers/tool-runner.ts';

const US = 'ATVPDKIKX0DER';
const QUICK = { 'x-amzn-RateLimit-Limit': '1000' };
const title = (value: string) => [{ value, language_tag: 'en_US', marketplace_id: US }];
const price = (amount: unknown) => [
  {
    currency: 'USD',
    audience: 'ALL',
    marketplace_id: US,
    our_price: [{ schedule: [{ value_with_tax: amount }] }],
  },
];

let runner: ToolRunner;
afterEach(() => runner.close());

async function start(settings: Readonly<Record<string, string>> = {}) {
  const show = (sku: string) => ({
    sku,
    summaries: [{ marketplaceId: US, productType: 'LAMP', itemName: `Lamp ${sku}` }],
    attributes: { item_name: title(`Lamp ${sku}`), purchasable_offer: price(20) },
  });
  runner = await startToolRunner(({ path }) => {
    const { pathname, searchParams } = new URL(path, 'http://service');
    const asked = searchParams.get('identifiers')?.split(',');
    if (asked === undefined) return { headers: QUICK, body: show(pathname.split('/').at(-1) ?? '') };
    return { headers: QUICK, body: { numberOfResults: asked.length, items: asked.map(show) } };
  }, settings);
}
const list = (many: number, wanted = 15) =>
  Array.from({ length: many }, (_, at) => ({ sku: `S-${at}`, set: { price: at === 3 ? 1 : wanted } }));

it('the whole list is a file of the person’s: a row for each, what is out of the ordinary first', async () => {
  await start();
  const { text, structured } = await runner.run(changeListings, {
    items: list(5),
    dryRun: true,
    save_as: 'list.csv',
  });
  expect(text).toContain(String(structured.saved));
  const files = await runner.session.files();
  const { read, personal } = await files.open('list.csv');
  expect(personal).toBe(false);
  let saved = '';
  for await (const piece of read()) saved += Buffer.from(piece).toString('utf8');
  const [head, ...rows] = saved
    .replace(/^\uFEFF/, '')
    .trim()
    .split(/\r?\n/);
  expect(head).toBe('key,name,change,out_of_the_ordinary');
  expect(rows).toHaveLength(5);
  expect(rows[0]).toMatch(/^S-3,.*20.*1.00.*,.*down by 95 %/);
  expect(rows.slice(1).map((row) => row.split(',')[0])).toEqual(['S-0', 'S-1', 'S-2', 'S-4']);
});

it('what has no room is a resource with every row as it is sent, from what to what', async () => {
  await start({ SELLER_ANSWER_TOKENS: '1000' });
  const patches = ['item_name', 'item_names'].map((name) => ({
    op: 'replace',
    path: `/attributes/${name}`,
    value: title('Lamp'),
  }));
  const items = [...list(60).slice(1), { sku: 'S-0', patches }];
  const { structured, links = [] } = await runner.run(changeListings, { items, dryRun: true });
  expect(structured.rest).toBeDefined();
  expect(links).toHaveLength(1);
  expect(structured.whole).toBe(links[0]?.uri);
  expect(links[0]?.name).toBe('The whole of list of 60 x patchListingsItem, account default');
  const whole = toObject(parseJson((await runner.session.answers()).read(links[0]?.uri ?? '') ?? ''));
  const url = `${runner.service.url}/listings/2021-08-01/items/{sellerId}/{sku}`;
  expect(whole.request).toEqual({ method: 'PATCH', url });
  const rows = objectsIn(whole.rows);
  expect(rows).toHaveLength(60);
  const warned = rows.find(({ key }) => key === 'S-0');
  expect(warned?.warnings).toEqual([
    { path: 'attributes.item_names', message: 'is new; did you mean "item_name"?' },
  ]);
  expect(warned).not.toHaveProperty('unusual');
  const odd = rows.find(({ key }) => key === 'S-3');
  expect(odd?.unusual).toEqual(['down by 95 %']);
  expect(odd).not.toHaveProperty('warnings');
  expect(odd?.differences).toEqual([
    { path: 'attributes.purchasable_offer', before: price(20), after: price(1) },
  ]);
  const none = await runner.run(changeListings, { items: list(2), dryRun: true });
  expect([none.structured.whole, none.links ?? []]).toEqual([undefined, []]);
});

it('amounts that nothing can sum up and no question has room for are not asked about', async () => {
  await start();
  const odd = Array.from({ length: 160 }, (_, at) => ({
    sku: `S-${at}`,
    patches: [{ op: 'replace', path: '/attributes/purchasable_offer', value: price('1e1') }],
  }));
  await expect(runner.run(changeListings, { items: odd, dryRun: true })).rejects.toMatchObject({
    message: expect.stringMatching(
      /^160 of the list set amounts that no range can sum up .* room for \d+ of them; nothing was sent\.$/,
    ),
  });
});

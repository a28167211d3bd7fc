/** change_listings over the spawned program and the sandbox's 260 listings: one question, an outcome each, and nothing that was not shown. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { SandboxOptions } from '../../sandbox/sandbox.ts';
import { RUNS_ALL } from '../helpers/launch.ts';
import { type Outside, startOutside } from '../helpers/outside-service.ts';
import {
  type CallOutcome,
  type CLIENT_KINDS,
  connect,
  MAIN_KINDS,
  type Session,
} from '../helpers/sessions.ts';

const listingSchema = z.object({
  changes: z.array(
    z.object({
      single: z.array(z.object({ id: z.string(), what: z.string(), outcome: z.string() })).optional(),
    }),
  ),
});

interface Run {
  outside: Outside;
  session: Session;
  questions: string[];
}

async function open(
  kind?: (typeof CLIENT_KINDS)[number],
  args: readonly string[] = [],
  options: SandboxOptions = {},
) {
  const outside = await startOutside(options);
  const questions: string[] = [];
  const session = await connect({
    ...(kind === undefined ? {} : { kind }),
    args: [...outside.args, ...args],
    env: outside.env,
    elicit: async ({ message }) => {
      questions.push(message);
      return { action: 'accept' };
    },
  });
  return { outside, session, questions };
}

const close = async ({ session, outside }: Run) => {
  await session.close();
  await outside.close();
};

/** Returns the size of the form that a host passes to the model: one of the two. */
const bytesOf = ({ text, structured }: CallOutcome) =>
  Math.max(Buffer.byteLength(text), Buffer.byteLength(JSON.stringify(structured)));

const attributesOf = async ({ session }: Run, sku: string) => {
  const { structured } = await session.call('read_operation', {
    operation: 'getListingsItem',
    parameters: { sku, includedData: ['attributes'] },
    select: [
      'attributes.purchasable_offer',
      'attributes.fulfillment_availability',
      'attributes.bullet_point',
    ],
  });
  return structured.value;
};

const collect = (session: Session) =>
  session.call('collect_data', {
    operation: 'searchListingsItems',
    parameters: { includedData: ['summaries', 'offers', 'fulfillmentAvailability'] },
  });

const OFFERS =
  'SELECT item_sku AS sku, round(price_amount * 0.97, 2) AS price FROM listings_items_offers WHERE price_amount > 5';

/** Every kind under `npm run test:all`; that each asks and sends, `writes-ask.test.ts` tells of all. */
describe.each(RUNS_ALL ? MAIN_KINDS : MAIN_KINDS.slice(-1))('%s, by question', (kind) => {
  let run: Run;
  beforeAll(async () => {
    run = await open(kind);
  });
  afterAll(() => close(run));

  it('25 prices: one question, three calls and less than 8 KB of answers', async () => {
    const { session, questions, outside } = run;
    const calls = [
      await collect(session),
      await session.call('change_listings', { query: `${OFFERS} AND item_sku LIKE '%-OAK-%' LIMIT 25` }),
    ];
    const [, done] = calls;
    expect(done?.structured).toMatchObject({ outcome: 'done' });
    expect(done?.structured).toMatchObject({ counts: { accepted: 25 } });
    expect(outside.received('patchListingsItem')).toHaveLength(25);
    expect(questions).toHaveLength(1);
    expect(questions[0]).toMatch(
      /KETL-OAK-S "Greenhalm Pour-Over Kettle, Oak, 12″": price: 34\.99 USD -> 33\.94 USD/,
    );
    expect(questions[0]).toContain('Nothing else changes.');
    expect(calls.reduce((sum, call) => sum + bytesOf(call), 0)).toBeLessThan(8_192);
  });

  it('a new price leaves the sale, the bounds and the price for businesses', async () => {
    const { session } = run;
    const before = await attributesOf(run, 'KETL-OAK-L');
    const { structured } = await session.call('change_listings', {
      items: [
        { sku: 'STOL-OAK-S', set: { price: 60 } },
        { sku: 'KETL-OAK-L', set: { price: 61 } },
      ],
    });
    expect(structured).toMatchObject({ outcome: 'done', counts: { accepted: 2 } });
    const after = await attributesOf(run, 'KETL-OAK-L');
    expect(
      JSON.stringify(before).replace(/(our_price":\[\{"schedule":\[\{"value_with_tax":)[\d.]+/, '$161'),
    ).toBe(JSON.stringify(after));
  });

  it('titles, bullet points, quantities and handling times, each told by its name', async () => {
    const { session, questions } = run;
    questions.length = 0;
    const { structured } = await session.call('change_listings', {
      items: [
        { sku: 'LAMP-OAK-E27', set: { quantity: 0, handling_time: 3 } },
        {
          sku: 'BOWL-OAK-L',
          set: { title: 'Large bowl', bullet_points: ['Made in small series', 'Oiled by hand'] },
        },
      ],
    });
    expect(structured).toMatchObject({ outcome: 'done' });
    expect(questions).toEqual([
      expect.stringContaining('quantity: 35 -> 0; handling time: none -> 3 days (quantity to 0)'),
    ]);
    expect(questions[0]).toMatch(
      /title: .* -> "Large bowl"; bullet points 2 -> 2\. New: "Oiled by hand"\. Removed: "Packed without plastic"/,
    );
  });

  it('a whole list is taken back, in a new chat too, to what was there before', async () => {
    const { session, outside } = run;
    const skus = ['CUSH-OAK-S', 'RUGX-OAK-S'];
    const before = await Promise.all(skus.map((sku) => attributesOf(run, sku)));
    const { structured } = await session.call('change_listings', {
      items: skus.map((sku, at) => ({
        sku,
        set: { price: 19 + at, sale_price: 15, sale_from: '2036-01-01', sale_to: '2036-02-01' },
      })),
    });
    expect(structured).toMatchObject({ outcome: 'done' });
    const later = await connect({
      kind,
      args: outside.args,
      env: outside.env,
      elicit: async () => ({ action: 'accept' }),
    });
    const undone = await later.call('undo_change', { id: structured.batch_id });
    await later.close();
    expect(undone.text).toContain('CUSH-OAK-S');
    expect(undone.isError).toBe(false);
    expect(await Promise.all(skus.map((sku) => attributesOf(run, sku)))).toEqual(before);
  });

  it('one listing of a list is found and taken back by two calls, in a new chat', async () => {
    const { session, outside, questions } = run;
    const [kept, back] = ['JARX-OAK-S', 'JARX-OAK-L'];
    const before = await Promise.all([kept, back].map((sku) => attributesOf(run, sku)));
    await session.call('change_listings', {
      items: [
        { sku: back, set: { price: 31 } },
        { sku: kept, set: { price: 32 } },
      ],
    });
    const later = await connect({
      kind,
      args: outside.args,
      env: outside.env,
      elicit: async ({ message }) => {
        questions.push(message);
        return { action: 'accept' };
      },
    });
    const listed = await later.call('undo_change');
    const { changes } = listingSchema.parse(listed.structured);
    const item = changes[0]?.single?.find(({ what }) => what.startsWith(back));
    expect(item).toMatchObject({ what: expect.stringContaining('-> 31.00 USD'), outcome: 'done' });
    expect(listed.text).toContain(`${item?.id}  ${item?.what} [done]`);
    questions.length = 0;
    const undone = await later.call('undo_change', { id: item?.id });
    await later.close();
    expect(undone.structured.outcome).toBe('done');
    expect(questions).toEqual([expect.stringContaining(`${back} `)]);
    const after = await Promise.all([kept, back].map((sku) => attributesOf(run, sku)));
    expect(after[1]).toEqual(before[1]);
    expect(after[0]).not.toEqual(before[0]);
  });

  it('what the service refuses is told as that, one by one', async () => {
    const { session } = run;
    const { text, structured, isError } = await session.call('change_listings', {
      items: [
        { sku: 'KETL-OAK-S', set: { price: 20 } },
        { sku: 'BOWL-OAK-S', set: { price: 12 } },
      ],
    });
    expect(isError).toBe(false);
    expect(structured).toMatchObject({
      outcome: 'partly_accepted',
      counts: { accepted: 1, not_accepted: 1 },
    });
    expect(text).toMatch(/KETL-OAK-S.*not accepted.*lower than the minimum price/);
  });
});

describe('by code', () => {
  let run: Run;
  beforeAll(async () => {
    run = await open(undefined, ['--writes=code'], { readsUntilVisible: 3 });
  });
  afterAll(() => close(run));

  it('a code is good for exactly the list that was shown, and accepted is not yet visible', async () => {
    const { session, outside } = run;
    const args = {
      items: [
        { sku: 'BOWL-OAK-S', set: { price: 12 } },
        { sku: 'JARX-OAK-S', set: { price: 9 } },
      ],
    };
    const first = await session.call('change_listings', args);
    const confirmationCode = first.structured.confirmation_code;
    expect(first.text).toContain('JARX-OAK-S');
    const other = await session.call('change_listings', {
      items: [{ sku: 'BOWL-OAK-S', set: { price: 1.2 } }],
      confirmationCode,
    });
    expect(other.isError).toBe(true);
    expect(outside.received('patchListingsItem')).toEqual([]);
    const again = await session.call('change_listings', args);
    const done = await session.call('change_listings', {
      ...args,
      confirmationCode: again.structured.confirmation_code,
    });
    expect(done.structured).toMatchObject({
      outcome: 'accepted_not_visible',
      counts: { accepted_not_visible: 2 },
    });
    expect(outside.received('patchListingsItem')).toHaveLength(2);
  });
});

describe('a query', () => {
  let run: Run;
  beforeAll(async () => {
    run = await open();
    await collect(run.session);
  });
  afterAll(() => close(run));

  it.each([
    [
      'SELECT item_sku, price_amount AS price FROM listings_items_offers',
      'The query has no column sku, only: item_sku, price',
    ],
    ['SELECT item_sku AS sku, price_amount AS prize FROM listings_items_offers', 'did you mean price?'],
    ['SELECT item_sku AS sku FROM listings_items_offers', 'no column beside sku'],
    ["SELECT item_sku AS sku, 3 AS price FROM listings_items_offers WHERE item_sku = 'no'", 'gives no rows'],
    [
      "SELECT 'KETL-OAK-S' AS sku, '19,99' AS price",
      'row 1.price (KETL-OAK-S): must be a number with a point, without a comma: write 19.99',
    ],
    ["SELECT 'KETL-OAK-S' AS sku, 19.999 AS price", 'round(price * 0.9, 2)'],
    ["SELECT 'MUG-SAND-350' AS sku, 5 AS quantity", 'this is an FBA listing (AMAZON_NA)'],
    [
      "SELECT sku, 5 AS price FROM (SELECT 'BOWL-OAK-S' AS sku UNION ALL SELECT 'BOWL-OAK-S')",
      'row 2.sku: BOWL-OAK-S stands in row 1 already',
    ],
    [
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25001) SELECT i AS sku, 5 AS price FROM n',
      'There are 25,001 listings',
    ],
    ['DELETE FROM listings_items_offers', 'DELETE would change the tables'],
  ])('%s is refused', async (query, why) => {
    const { isError, text } = await run.session.call('change_listings', { query });
    expect(isError).toBe(true);
    expect(text).toContain(why);
    expect(run.questions).toEqual([]);
  });
});

it('a dry run tries ten at most, the outliers first, at the limit of that mode', {
  timeout: 60_000,
}, async () => {
  const run = await open(undefined, [], { rateLimits: {} });
  const { session, outside } = run;
  await collect(session);
  const query = `SELECT sku, round(price * iif(sku = 'KETL-OAK-S', 0.5, 0.97), 2) AS price FROM (${OFFERS.replace('round(price_amount * 0.97, 2)', 'price_amount')} AND item_sku LIKE '%-OAK-%')`;
  const { structured, text } = await session.call('change_listings', { query, dryRun: true });
  const tried = outside.received('patchListingsItem');
  expect(structured).toMatchObject({ outcome: 'preview', validation: { tried: 10 } });
  expect(text).toContain('KETL-OAK-S');
  expect(tried).toHaveLength(10);
  expect(tried[0]?.path).toContain('KETL-OAK-S');
  // The limit was kept, not met.
  expect(tried.every(({ status }) => status === 200)).toBe(true);
  await close(run);
});

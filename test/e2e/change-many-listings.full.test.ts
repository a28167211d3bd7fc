/** Lists that are too long for patches go out as feeds: one question, an outcome for each listing, and nothing that somebody changed meanwhile. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Outside, startOutside } from '../helpers/outside-service.ts';
import { connect, type Session } from '../helpers/sessions.ts';

const COUNT = 3_010;
/** So that no test waits for the usual ones. */
const QUICK = { '*': { requestsPerSecond: 1_000, burst: 1_000 } };
const NUMBERS = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${COUNT})`;
const query = `${NUMBERS} SELECT printf('MORE-%05d', i) AS sku, 9 + i % 50 + 0.49 AS price FROM n`;

const look = { operation: 'getListingsItem', select: ['attributes.purchasable_offer'] };
const offerOf = async (sku: string) => {
  const parameters = { sku, includedData: ['attributes'] };
  const { structured } = await session.call('read_operation', { ...look, parameters });
  return JSON.stringify(structured.value);
};
const priceOf = async (sku: string) => (await offerOf(sku)).match(/value_with_tax":([\d.]+)/)?.[1];

let outside: Outside;
let session: Session;
beforeAll(async () => {
  outside = await startOutside({ moreListings: COUNT, feedSpeed: 50, rateLimits: QUICK });
  session = await connect({ args: [...outside.args, '--writes=code'], env: outside.env });
});
afterAll(async () => {
  await session.close();
  await outside.close();
});

it('1,000 prices from a query: one preview, and patches as fast as the limit allows', {
  timeout: 90_000,
}, async () => {
  const thousand = query.replace(String(COUNT), '1000').replace('0.49', '0.25');
  const first = await session.call('change_listings', { query: thousand });
  expect(first.structured).toMatchObject({ outcome: 'needs_confirmation', items: 1_000 });
  let done = await session.call('change_listings', {
    query: thousand,
    confirmationCode: first.structured.confirmation_code,
  });
  for (let again = 0; again < 5 && done.structured.outcome === 'under_way'; again += 1) {
    done = await session.call('change_listings', { query: thousand });
  }
  expect(done.structured).toMatchObject({ outcome: 'done', counts: { accepted: 1_000 } });
  // The unusual changes are checked before the approval, which changes nothing.
  const patched = outside.received('patchListingsItem').filter(({ query }) => query.mode === undefined);
  const sent = patched.map(({ path }) => path);
  expect(new Set(sent).size).toBe(1_000);
  expect(sent).toHaveLength(1_000);
  expect(outside.received('createFeed')).toEqual([]);
});

it('a list of more than ten minutes of patches is one feed, each listing with its outcome', {
  timeout: 90_000,
}, async () => {
  const first = await session.call('change_listings', { query });
  expect(first.structured).toMatchObject({ outcome: 'needs_confirmation', items: COUNT });
  expect(first.text).toContain(
    'Sent as a feed (JSON_LISTINGS_FEED), since 3,010 patches would take more than 10 minutes',
  );
  expect(first.structured).not.toHaveProperty('cannot_undo');
  // Somebody else changes one of them.
  const patches = [
    {
      op: 'replace',
      path: '/attributes/purchasable_offer',
      value: [
        {
          currency: 'USD',
          marketplace_id: 'ATVPDKIKX0DER',
          our_price: [{ schedule: [{ value_with_tax: 77 }] }],
        },
      ],
    },
  ];
  const other = {
    operation: 'patchListingsItem',
    parameters: { sku: 'MORE-00007', marketplaceIds: ['US'] },
    body: { productType: 'HOOK', patches },
  };
  const asked = await session.call('write_operation', other);
  await session.call('write_operation', { ...other, confirmationCode: asked.structured.confirmation_code });

  let done = await session.call('change_listings', {
    query,
    confirmationCode: first.structured.confirmation_code,
  });
  for (let again = 0; again < 5 && done.structured.outcome === 'under_way'; again += 1) {
    done = await session.call('change_listings', { query });
  }
  expect(done.structured).toMatchObject({
    outcome: 'partly_accepted',
    counts: { accepted: COUNT - 1, changed_since: 1 },
  });
  expect(done.text).toContain('MORE-00007');
  expect(outside.received('createFeed')).toHaveLength(1);
  expect(await priceOf('MORE-00007')).toBe('77');
  expect(await priceOf('MORE-00008')).toBe('17.49');
  // One entry for the feed, which names the list.
  const journal = await outside.journal();
  const entries = journal.filter(({ operation }) => operation === 'feeds/createFeed');
  expect(entries).toMatchObject([
    { batch: done.structured.batch_id, what: '3,009 listings, the United States, by a feed' },
  ]);
});

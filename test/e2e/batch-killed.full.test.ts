/** A list whose process is killed again and again: each listing is written at most once, as it was confirmed, and told; then all of it is taken back. */

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import * as z from 'zod';
import { type Outside, startOutside } from '../helpers/outside-service.ts';
import { connect, type Session } from '../helpers/sessions.ts';
import { batchesIn } from '../helpers/state-rows.ts';

const LISTINGS = 26;
const KILLS = 5;
const MAX_CALLS = 30;
/** Higher than the sandbox takes. */
const REFUSED_PRICE = 200_000;
/** A guard against hanging: it takes a quarter of that. */
const TIMEOUT_MS = 240_000;

const operation = 'patchListingsItem';

const listingSchema = z.looseObject({
  sku: z.string(),
  attributes: z.looseObject({
    purchasable_offer: z.array(
      z.looseObject({
        our_price: z.array(
          z.looseObject({ schedule: z.array(z.looseObject({ value_with_tax: z.number() })) }),
        ),
      }),
    ),
  }),
});
type Listing = z.output<typeof listingSchema>;
const pageSchema = z.looseObject({
  items: z.array(z.unknown()),
  pagination: z.looseObject({ nextToken: z.string() }),
});
const answerSchema = z.looseObject({
  outcome: z.string(),
  batch_id: z.string(),
  results: z.array(z.looseObject({ key: z.string(), outcome: z.string() })).default([]),
  accepted: z.array(z.string()).default([]),
  table: z.looseObject({ rows: z.array(z.array(z.unknown())) }).default({ rows: [] }),
});

let outside: Outside;
let session: Session;
beforeEach(async () => {
  outside = await startOutside({ latencyMs: 15 });
  session = await open();
});
afterEach(async () => {
  await session.close();
  await outside.close();
});

const open = () =>
  connect({
    args: [...outside.args, '--writes', 'allow', '--answer-tokens', '100000'],
    env: outside.env,
    spawn: true,
  });

/** The first listings with a price, whole, by SKU. */
async function readListings(): Promise<Map<string, Listing>> {
  const found = new Map<string, Listing>();
  for (let pageToken: string | undefined; found.size < LISTINGS; ) {
    const { structured } = await session.call('read_operation', {
      operation: 'searchListingsItems',
      parameters: {
        includedData: ['attributes'],
        pageSize: 20,
        sortBy: 'sku',
        sortOrder: 'ASC',
        ...(pageToken === undefined ? {} : { pageToken }),
      },
    });
    const { items, pagination } = pageSchema.parse(structured.value);
    for (const item of items) {
      const listing = listingSchema.safeParse(item);
      if (listing.success && found.size < LISTINGS) found.set(listing.data.sku, listing.data);
    }
    pageToken = pagination.nextToken;
  }
  return found;
}

const priceOf = ({ attributes }: Listing) =>
  attributes.purchasable_offer[0]?.our_price[0]?.schedule[0]?.value_with_tax ?? 0;

const received = () => outside.received(operation).length;

/** Sooner each time, and later: as the list lies in the store, then as some more of it were sent. */
function killPoint(kill: number): () => boolean {
  if (kill === 0) return () => batchesIn(join(outside.folder, 'state')).length > 0;
  const sent = received() + (kill % 3);
  return () => received() > sent;
}

/** False where the call had ended before. */
async function killInCall(holds: () => boolean, laterMs: number, call: Promise<unknown>): Promise<boolean> {
  let isOver = false;
  const ending = call.then(() => {
    isOver = true;
  });
  while (!isOver && !holds()) await sleep(2);
  await sleep(laterMs);
  if (isOver) return false;
  process.kill(session.pid() ?? 0, 'SIGKILL');
  await ending;
  return true;
}

it(
  'a list is sent once, whatever is killed and fails on the way, and taken back to what was there',
  async () => {
    const before = await readListings();
    const items = [...before.values()].map((listing, at) => ({
      sku: listing.sku,
      set: { price: at % 10 === 9 ? REFUSED_PRICE : Math.round(priceOf(listing) * 102) / 100 },
    }));
    const { faults } = outside.sandbox;
    for (let kill = 0; kill < KILLS; kill++) {
      if (kill === 1) faults.next({ operation, status: 429 });
      if (kill === 2) faults.next({ operation, reset: true, when: 'after' });
      if (kill === 3) faults.next({ operation, status: 500 });
      const call = session.call('change_listings', { items }).catch(() => undefined);
      expect(await killInCall(killPoint(kill), (kill * 11) % 40, call)).toBe(true);
      await session.close().catch(() => undefined);
      session = await open();
    }
    const ask = async () => answerSchema.parse((await session.call('change_listings', { items })).structured);
    let answer = await ask();
    for (let call = 0; answer.outcome === 'under_way' && call < MAX_CALLS; call++) answer = await ask();

    // Sent: what was confirmed, each at most once but for 429.
    const sent = outside.received(operation).filter(({ status }) => status !== 429);
    const sentTo = sent.map(({ path }) => decodeURIComponent(path.split('/').at(-1) ?? ''));
    expect([...new Set(sentTo)]).toEqual(sentTo);
    const wanted = new Map(items.map(({ sku, set }) => [sku, set.price]));
    for (const [at, { body }] of sent.entries()) {
      expect(JSON.stringify(body)).toMatch(
        new RegExp(`"value_with_tax":${wanted.get(sentTo[at] ?? '')}[,}]`),
      );
    }

    // Each is told, once.
    const outcomes = new Map(answer.results.map(({ key, outcome }) => [key, outcome]));
    for (const key of answer.accepted) outcomes.set(key, 'accepted');
    for (const row of answer.table.rows) outcomes.set(String(row[0]), String(row.at(-2)));
    expect(answer.outcome).toBe('partly_accepted');
    expect(outcomes.size).toBe(LISTINGS);
    expect([...outcomes.keys()].sort()).toEqual(items.map(({ sku }) => sku).sort());
    expect([...outcomes.values()]).not.toContain('pending');

    // Accepted is what the service has; refused is what it has not.
    for (const [sku, listing] of await readListings()) {
      const old = before.get(sku);
      const expected = outcomes.get(sku) === 'accepted' ? wanted.get(sku) : old && priceOf(old);
      expect([sku, outcomes.get(sku), priceOf(listing)]).toEqual([sku, outcomes.get(sku), expected]);
    }
    const refused = items
      .filter(({ set }) => set.price === REFUSED_PRICE)
      .map(({ sku }) => outcomes.get(sku));
    expect(refused).not.toContain('accepted');

    // Another process reverts everything that was accepted to the earlier values.
    await session.close();
    session = await open();
    const undone = await session.call('undo_change', { id: answer.batch_id });
    expect(undone.isError).toBe(false);
    expect(undone.structured.outcome).toMatch(/^(?:done|accepted_not_visible)$/);
    expect([...(await readListings())]).toEqual([...before]);
  },
  TIMEOUT_MS,
);

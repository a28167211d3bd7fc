/** The demo seller's yesterday agrees with the orders of its last day, and tells something of each kind. */

import { expect, it } from 'vitest';
import { buildHomeListings, buildListings } from '../../../sandbox/fixtures/listings.ts';
import { marketOf } from '../../../sandbox/world/markets.ts';
import { createWorld } from '../../../sandbox/world/world.ts';
import { yesterdayOf } from '../../../sandbox/world/yesterday.ts';
import {
  compareStates,
  type ReviewedListingState,
  stateOfListing,
} from '../../../src/data/review/compare-states.ts';
import { countNews } from '../../../src/data/review/describe-news.ts';
import { flattenListing } from '../../../src/data/review/listing-rows.ts';

const NOW = Date.parse('2026-11-29T09:00:00Z');
const DAY_MS = 86_400_000;

it.each(['US', 'ES', 'DE', 'JP', 'BR'])('in %s', (home) => {
  const countries = [home, ...marketOf(home).alsoIn];
  const byHand = home === 'US' ? buildListings(NOW) : buildHomeListings(NOW, countries.map(marketOf));
  const world = createWorld(byHand, countries, NOW);
  const { id, currency } = marketOf(home);
  const states = new Map<string, ReviewedListingState>();
  for (const { item } of world.listings()) {
    const flat = flattenListing(item, { id, name: home }, NOW);
    if (flat === undefined || flat.row.status === null) continue;
    const held = world.stock(id).find(({ row }) => row.sku === item.sku);
    const state = stateOfListing(flat.row, flat.issues);
    states.set(item.sku, held === undefined ? state : { ...state, stock: held.fulfillable });
  }
  const yesterday = yesterdayOf(world, id, states);
  const changes = compareStates(yesterday, states).map((change) => ({ ...change, ours: false }));

  const sold = world
    .orders()
    .filter((order) => order.market.id === id && order.status !== 'Canceled')
    .filter(({ purchasedAt }) => purchasedAt >= NOW - DAY_MS)
    .flatMap(({ items }) => items)
    .reduce((sum, { ordered }) => sum + ordered, 0);
  const gone = changes
    .filter(({ member }) => member === 'stock')
    .reduce((sum, change) => sum + Number(change.old) - Number(change.new), 0);
  expect(sold).toBeGreaterThan(0);
  expect(gone).toBe(sold);

  const { worse, better, prices } = countNews({ changes, after: states });
  for (const group of [better, prices]) expect(group.skus).not.toEqual([]);
  expect(worse.skus.length + better.skus.length).toBeLessThan(20);
  for (const change of prices.changes.values()) expect(change.currency).toBe(currency);
  // A listing that cannot be bought has a reason, yesterday as today.
  const isExplained = ({ buyable, stock, suppressed }: ReviewedListingState) =>
    buyable !== 0 || stock === 0 || suppressed !== null;
  const reasons = (all: ReadonlyMap<string, ReviewedListingState>) =>
    [...all].filter(([, state]) => !isExplained(state)).map(([sku]) => sku);
  expect(reasons(yesterday)).toEqual(reasons(states));
});

/** The payouts of transfers 2024-06-01: each closed settlement was paid, and each running one is expected to be. */

import { type Call, ok } from '../answer.ts';
import { SELLER_ID } from '../fixtures/listings.ts';
import type { Played } from '../router.ts';
import { isoSeconds } from '../world/plain-values.ts';
import { type Settlement, sumOf } from '../world/settlements.ts';
import type { World } from '../world/world.ts';
import { findPlace, fits, isWithin, readList, readSpan, refuseUnplayed } from './query.ts';

const PAGE = 100;
const ACCOUNT_TYPE = 'Standard Orders';

export const playPayouts = (world: World): Played => ({
  'transfers/listPayouts': (call) => {
    const { items, next } = findSettlements(
      world,
      call,
      ({ isClosed, end, groupId }, query) =>
        isClosed && isWithin(readSpan(query, 'created'), end) && fits(readList(query, 'payoutId'), groupId),
    );
    return ok({ payouts: items.map((one) => showPayout(world, one)), ...next });
  },
  'transfers/listExpectedPayouts': (call) => {
    const { items, next } = findSettlements(world, call, ({ isClosed }) => !isClosed);
    const expectedPayouts = items.map((one) => ({
      ...showPaid(world, one),
      status: 'SCHEDULED',
      scheduledDate: isoSeconds(one.end),
    }));
    return ok({ expectedPayouts, ...next });
  },
});

/** Finds the page of settlements that a call asks for. @throws Refusal */
function findSettlements(
  world: World,
  call: Call,
  isWanted: (settlement: Settlement, query: URLSearchParams) => boolean,
) {
  refuseUnplayed(call);
  const { query, cut } = findPlace(call);
  const [markets, types] = [readList(query, 'marketplaceIds'), readList(query, 'accountType')];
  const found = world
    .settlements()
    .filter((one) => isWanted(one, query) && fits(markets, one.market.id) && fits(types, ACCOUNT_TYPE));
  return cut(found, PAGE);
}

function showPayout(world: World, settlement: Settlement): object {
  const { groupId, end, payoutAt } = settlement;
  return {
    ...showPaid(world, settlement),
    id: groupId,
    type: 'SCHEDULED',
    creationDate: isoSeconds(end),
    currentStatus: 'PAID',
    statusHistory: [
      { status: 'STARTED', lastUpdatedDate: isoSeconds(end) },
      { status: 'PAID', lastUpdatedDate: isoSeconds(payoutAt) },
    ],
  };
}

/** Shows what a settlement pays to whom, and for which time. */
function showPaid(world: World, { id, market, start, end }: Settlement): object {
  const own = world.events().filter(({ settlement }) => settlement.id === id);
  const total = sumOf(own.flatMap(({ postings }) => postings));
  return {
    partnerMetadata: { partnerId: SELLER_ID, accountType: ACCOUNT_TYPE, marketplaceId: market.id },
    amount: { currencyCode: market.currency, currencyAmount: total / 100 },
    accountTail: '0123',
    paymentMethod: 'BANK_ACCOUNT',
    period: { startDate: isoSeconds(start), endDate: isoSeconds(end) },
    relatedIdentifiers: [{ relatedIdentifierName: 'SETTLEMENT_ID', relatedIdentifierValue: id }],
  };
}

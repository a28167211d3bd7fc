/** Payouts, groups of events and balances follow from the settlements: each closed one was paid, each running one will be. */

import { type Answer, type Call, invalid, ok, okPayload } from '../answer.ts';
import { SELLER_ID } from '../fixtures/listings.ts';
import type { Played } from '../router.ts';
import { DAY_MS, isoSeconds } from '../world/plain-values.ts';
import { type Settlement, sumOf } from '../world/settlements.ts';
import type { World } from '../world/world.ts';
import {
  findPlace,
  fits,
  isWithin,
  readInteger,
  readList,
  readMoment,
  readSpan,
  refuseChoices,
  refuseUnplayed,
} from './query.ts';

const PAGE = 100;
const ACCOUNT_TYPE = 'Standard Orders';
const ACCOUNT_TAIL = '0123';

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
      scheduledDate: isoSeconds(one.payoutAt),
    }));
    return ok({ expectedPayouts, ...next });
  },
  'finance/listFinancialEventGroups': (call) => listGroups(world, call),
  'finance/listBalances': (call) => listBalances(world, call),
});

function listGroups(world: World, call: Call): Answer {
  refuseUnplayed(call);
  const { query, cut } = findPlace(call);
  const [after, before] = [
    readMoment(query, 'FinancialEventGroupStartedAfter'),
    readMoment(query, 'FinancialEventGroupStartedBefore'),
  ];
  const found = world
    .settlements()
    .filter(({ start }) => start >= (after ?? -Infinity) && start < (before ?? Infinity));
  const { items, next } = cut(
    found,
    readInteger(query, 'MaxResultsPerPage', { most: PAGE, otherwise: PAGE }),
  );
  return okPayload({
    FinancialEventGroupList: items.map((one) => showGroup(world, one)),
    ...(next.nextToken !== undefined && { NextToken: next.nextToken }),
  });
}

function showGroup(world: World, settlement: Settlement): object {
  const { groupId, market, start, end, isClosed, payoutAt } = settlement;
  const money = (cents: number) => ({ CurrencyCode: market.currency, CurrencyAmount: cents / 100 });
  return {
    FinancialEventGroupId: groupId,
    ProcessingStatus: isClosed ? 'Closed' : 'Open',
    OriginalTotal: money(totalOf(world, settlement)),
    BeginningBalance: money(0),
    FinancialEventGroupStart: isoSeconds(start),
    ...(isClosed && {
      FundTransferStatus: 'Succeeded',
      FundTransferDate: isoSeconds(payoutAt),
      FinancialEventGroupEnd: isoSeconds(end),
      AccountTail: ACCOUNT_TAIL,
    }),
  };
}

const BALANCES = ['AVAILABLE', 'RESERVED', 'TOTAL', 'DEFERRED', 'ACCOUNT_LEVEL_RESERVE'];

/** Nothing is held back in this world: all that is not paid out is available. */
function listBalances(world: World, call: Call): Answer {
  refuseChoices(call, { balanceType: BALANCES });
  const asOfDate = call.query.get('asOfDate');
  const end = asOfDate === null ? Infinity : Date.parse(asOfDate) + DAY_MS;
  if (Number.isNaN(end)) invalid('asOfDate: is not a day.');
  const { items, next } = findSettlements(world, call, (one) =>
    asOfDate === null ? !one.isClosed : one.start < end && end <= one.end,
  );
  const type = call.query.get('balanceType') ?? 'TOTAL';
  const balances = items.map((settlement) => {
    const { currency, id } = settlement.market;
    const total = totalOf(world, settlement, end);
    const balance = (balanceType: string) => ({
      balanceType,
      amount: {
        currencyCode: currency,
        currencyAmount: ['AVAILABLE', 'TOTAL'].includes(balanceType) ? total / 100 : 0,
      },
    });
    return {
      partnerMetadata: { partnerId: SELLER_ID, accountType: ACCOUNT_TYPE, marketplaceId: id },
      ...balance(type),
      ...(type === 'TOTAL' && { balances: [balance('AVAILABLE'), balance('RESERVED')] }),
      ...(asOfDate === null ? { lastUpdatedTime: isoSeconds(call.now) } : { asOfDate }),
    };
  });
  return ok({ balances, ...next });
}

/** @param before no event from this moment on counts, in milliseconds */
function totalOf(world: World, { id }: Settlement, before = Infinity): number {
  const own = world.events().filter(({ settlement, at }) => settlement.id === id && at < before);
  return sumOf(own.flatMap(({ postings }) => postings));
}

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
function showPaid(world: World, settlement: Settlement): object {
  const { id, market, start, end } = settlement;
  return {
    partnerMetadata: { partnerId: SELLER_ID, accountType: ACCOUNT_TYPE, marketplaceId: market.id },
    amount: { currencyCode: market.currency, currencyAmount: totalOf(world, settlement) / 100 },
    accountTail: ACCOUNT_TAIL,
    paymentMethod: 'BANK_ACCOUNT',
    period: { startDate: isoSeconds(start), endDate: isoSeconds(end) },
    relatedIdentifiers: [{ relatedIdentifierName: 'SETTLEMENT_ID', relatedIdentifierValue: id }],
  };
}

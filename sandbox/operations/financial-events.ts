/** Finances v0: the payouts as groups of financial events, and the events of each, one for each shipped order. */

import { type Answer, type Call, known, okPayload } from '../answer.ts';
import type { Played } from '../router.ts';
import type { Market } from '../world/markets.ts';
import { isoSeconds } from '../world/plain-values.ts';
import {
  type PostedOrder,
  type Posting,
  postedOrders,
  postingsOf,
  type Settlement,
  settlementsOf,
  sumOf,
} from '../world/settlements.ts';
import type { World } from '../world/world.ts';
import { orderOf } from './find-orders.ts';
import { readPeriod } from './posted-period.ts';
import { findPlace, readInteger, refuseUnplayed } from './query.ts';

const MAX_PAGE = 100;
const STARTED = ['FinancialEventGroupStartedAfter', 'FinancialEventGroupStartedBefore'] as const;
const POSTED = ['PostedAfter', 'PostedBefore'] as const;

export const playFinancialEvents = (world: World): Played => ({
  'finance/listFinancialEventGroups': (call) => listGroups(world, call),
  'finance/listFinancialEvents': (call) => listEvents(world, call, () => true),
  'finance/listFinancialEventsByGroupId': (call) => {
    const { eventGroupId } = call.params;
    const group = settlementsOf(world).find(({ groupId }) => groupId === eventGroupId);
    const { id } = known(group, 'Financial event group', eventGroupId);
    return listEvents(world, call, ({ settlement }) => settlement.id === id);
  },
  'finance/listFinancialEventsByOrderId': (call) => {
    const wanted = orderOf(world, call.params.orderId);
    return listEvents(world, call, ({ order }) => order === wanted);
  },
});

function readSearch(call: Call, moments: readonly [string, string]) {
  refuseUnplayed(call);
  const { query, cut } = findPlace(call);
  const size = readInteger(query, 'MaxResultsPerPage', { most: MAX_PAGE, otherwise: MAX_PAGE });
  return {
    ...readPeriod(query, moments, call.now),
    answer<Item>(found: readonly Item[], show: (page: readonly Item[]) => object): Answer {
      const { items, next } = cut(found, size);
      return okPayload({ ...show(items), ...(next.nextToken && { NextToken: next.nextToken }) });
    },
  };
}

function listGroups(world: World, call: Call): Answer {
  const { has, answer } = readSearch(call, STARTED);
  const posted = postedOrders(world);
  const found = settlementsOf(world).filter(({ start }) => has(start));
  return answer(found, (page) => ({ FinancialEventGroupList: page.map((one) => showGroup(one, posted)) }));
}

function listEvents(world: World, call: Call, isWanted: (posted: PostedOrder) => boolean): Answer {
  const { has, answer } = readSearch(call, POSTED);
  const found = postedOrders(world).filter((one) => has(one.order.updatedAt) && isWanted(one));
  return answer(found, (page) => ({ FinancialEvents: { ShipmentEventList: page.map(showEvent) } }));
}

const money = (cents: number, { currency }: Market) => ({
  CurrencyCode: currency,
  CurrencyAmount: cents / 100,
});

function showGroup(settlement: Settlement, posted: readonly PostedOrder[]): object {
  const { id, groupId, market, start, end, isClosed, payoutAt } = settlement;
  const own = posted.filter((one) => one.settlement.id === id);
  const total = sumOf(own.flatMap(({ order }) => postingsOf(order)));
  return {
    FinancialEventGroupId: groupId,
    ProcessingStatus: isClosed ? 'Closed' : 'Open',
    OriginalTotal: money(total, market),
    BeginningBalance: money(0, market),
    FinancialEventGroupStart: isoSeconds(start),
    ...(isClosed && {
      FinancialEventGroupEnd: isoSeconds(end),
      FundTransferStatus: 'Succeeded',
      FundTransferDate: isoSeconds(payoutAt),
    }),
  };
}

function showEvent({ order }: PostedOrder): object {
  const postings = postingsOf(order);
  return {
    AmazonOrderId: order.id,
    MarketplaceName: order.market.channel,
    PostedDate: isoSeconds(order.updatedAt),
    ShipmentItemList: order.items.map((item) => {
      const of = (type: Posting['type']) =>
        postings.filter((posting) => posting.item === item && posting.type === type);
      return {
        SellerSKU: item.row.sku,
        OrderItemId: item.id,
        QuantityShipped: item.shipped,
        ItemChargeList: of('ItemPrice').map(({ description, cents }) => ({
          ChargeType: description,
          ChargeAmount: money(cents, order.market),
        })),
        ItemFeeList: of('ItemFees').map(({ description, cents }) => ({
          FeeType: description,
          FeeAmount: money(cents, order.market),
        })),
      };
    }),
  };
}

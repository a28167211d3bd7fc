/** listTransactions: each shipped order as a transaction, with the same amounts as in the settlement report. */

import { groupBy } from '../../src/base/group-by.ts';
import { type Answer, type Call, invalid, okPayload } from '../answer.ts';
import { SELLER_ID } from '../fixtures/listings.ts';
import type { Played } from '../router.ts';
import type { Market } from '../world/markets.ts';
import { DAY_MS, isoSeconds } from '../world/plain-values.ts';
import { type PostedOrder, type Posting, postedOrders, postingsOf, sumOf } from '../world/settlements.ts';
import type { World } from '../world/world.ts';
import { SETTLING_MS } from './find-orders.ts';
import { findPlace, fits, readList, readMoment, refuseChoices, refuseUnplayed } from './query.ts';

const PAGE = 100;
const MAX_PERIOD_MS = 180 * DAY_MS;
/** Every transaction of this world is released. */
const CHOICES = {
  transactionStatus: ['DEFERRED', 'RELEASED', 'DEFERRED_RELEASED'],
  relatedIdentifierName: ['ORDER_ID', 'FINANCIAL_EVENT_GROUP_ID'],
} as const;

export const playTransactions = (world: World): Played => ({
  'finance/listTransactions': (call) => list(world, call),
});

function list(world: World, call: Call): Answer {
  refuseUnplayed(call);
  refuseChoices(call, CHOICES);
  const { query, cut } = findPlace(call);
  const period = readPeriod(query, call.now);
  const [name, value] = [query.get('relatedIdentifierName'), query.get('relatedIdentifierValue')];
  if ((name === null) !== (value === null)) {
    invalid('relatedIdentifierName, relatedIdentifierValue: must be given together.');
  }
  if (period.start === undefined && name === null)
    invalid('postedAfter: is needed without a related identifier.');
  const found = postedOrders(world).filter(
    (posted) =>
      period.has(posted.order.updatedAt) &&
      fits(readList(query, 'marketplaceId'), posted.order.market.id) &&
      fits(readList(query, 'transactionStatus'), 'RELEASED') &&
      (name === null || identifiersOf(posted).some((one) => one[0] === name && one[1] === value)),
  );
  const { items, next } = cut(found, PAGE);
  return okPayload({ transactions: items.map(show), ...next });
}

/** Reads the period; its second moment is exclusive. @throws Refusal when the moments contradict each other */
function readPeriod(query: URLSearchParams, now: number) {
  const latest = now - SETTLING_MS;
  const start = readMoment(query, 'postedAfter');
  const end = readMoment(query, 'postedBefore') ?? latest;
  if (end > latest || end < (start ?? 0)) {
    invalid('postedBefore: must follow postedAfter, and both must lie two minutes before the request.');
  }
  // The service finds nothing in a longer period.
  const isTooLong = start !== undefined && end - start > MAX_PERIOD_MS;
  return { start, has: (ms: number): boolean => !isTooLong && ms >= (start ?? 0) && ms < end };
}

const identifiersOf = ({ order, settlement }: PostedOrder) => [
  ['ORDER_ID', order.id],
  ['FINANCIAL_EVENT_GROUP_ID', settlement.groupId],
];

function show(posted: PostedOrder): object {
  const { order } = posted;
  const postings = postingsOf(order);
  const { id: marketplaceId, channel: marketplaceName } = order.market;
  return {
    sellingPartnerMetadata: { sellingPartnerId: SELLER_ID, accountType: 'Standard Orders', marketplaceId },
    relatedIdentifiers: identifiersOf(posted).map(([relatedIdentifierName, relatedIdentifierValue]) => ({
      relatedIdentifierName,
      relatedIdentifierValue,
    })),
    transactionType: 'Shipment',
    transactionId: `sandbox-transaction-${order.id}`,
    transactionStatus: 'RELEASED',
    description: 'Order Payment',
    postedDate: isoSeconds(order.updatedAt),
    totalAmount: money(sumOf(postings), order.market),
    marketplaceDetails: { marketplaceId, marketplaceName },
    items: order.items.map((item) => {
      const own = postings.filter((posting) => posting.item === item);
      return {
        description: item.row.title,
        totalAmount: money(sumOf(own), order.market),
        breakdowns: breakdownsOf(own, order.market),
        contexts: [
          {
            contextType: 'ProductContext',
            asin: item.row.asin,
            sku: item.row.sku,
            quantityShipped: item.shipped,
            fulfillmentNetwork: order.fulfilledBy === 'AMAZON' ? 'AFN' : 'MFN',
          },
        ],
      };
    }),
    breakdowns: breakdownsOf(postings, order.market),
  };
}

const money = (cents: number, { currency }: Market) => ({
  currencyCode: currency,
  currencyAmount: cents / 100,
});

function breakdownsOf(postings: readonly Posting[], market: Market): object[] {
  const breakdown = (type: string, of: readonly Posting[], breakdowns: object[] = []): object => ({
    breakdownType: type === 'Principal' ? 'ProductCharges' : type,
    breakdownAmount: money(sumOf(of), market),
    breakdowns,
  });
  const parts = (of: readonly Posting[]) =>
    [...groupBy(of, ({ description }) => description)].map(([type, all]) => breakdown(type, all));
  const charges = postings.filter(({ type }) => type === 'ItemPrice');
  const fees = postings.filter(({ type }) => type === 'ItemFees');
  return [
    breakdown('Sales', charges, parts(charges)),
    breakdown('Expenses', fees, [breakdown('AmazonFees', fees, parts(fees))]),
  ];
}

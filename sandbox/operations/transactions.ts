/** listTransactions: each shipped order, refund, reimbursement and month of storage, with the same amounts as in the settlement report. */

import { groupBy } from '../../src/base/group-by.ts';
import { type Answer, type Call, invalid, okPayload } from '../answer.ts';
import { SELLER_ID } from '../fixtures/listings.ts';
import type { Played } from '../router.ts';
import type { Market } from '../world/markets.ts';
import { DAY_MS, isoSeconds } from '../world/plain-values.ts';
import { type FinancialEvent, type Posting, sumOf } from '../world/settlements.ts';
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
  const found = world
    .events()
    .filter(
      (event) =>
        period.has(event.at) &&
        fits(readList(query, 'marketplaceId'), event.market.id) &&
        fits(readList(query, 'transactionStatus'), 'RELEASED') &&
        (name === null || identifiersOf(event).some((one) => one[0] === name && one[1] === value)),
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

const identifiersOf = ({ order, settlement }: FinancialEvent) => [
  ...(order === undefined ? [] : [['ORDER_ID', order.id] as const]),
  ['FINANCIAL_EVENT_GROUP_ID', settlement.groupId] as const,
];

const SHOWN_AS = {
  Shipment: { transactionType: 'Shipment', description: 'Order Payment' },
  Refund: { transactionType: 'Refund', description: 'Refund Order' },
  Reimbursement: { transactionType: 'Adjustment', description: 'FBA Inventory Reimbursement' },
  StorageFee: { transactionType: 'ServiceFee', description: 'FBA Storage Fee' },
} as const;

function show(event: FinancialEvent): object {
  const { kind, id, market, at, postings } = event;
  const { id: marketplaceId, channel: marketplaceName } = market;
  return {
    sellingPartnerMetadata: { sellingPartnerId: SELLER_ID, accountType: 'Standard Orders', marketplaceId },
    relatedIdentifiers: identifiersOf(event).map(([relatedIdentifierName, relatedIdentifierValue]) => ({
      relatedIdentifierName,
      relatedIdentifierValue,
    })),
    ...SHOWN_AS[kind],
    transactionId: `sandbox-transaction-${id}`,
    transactionStatus: 'RELEASED',
    postedDate: isoSeconds(at),
    totalAmount: money(sumOf(postings), market),
    marketplaceDetails: { marketplaceId, marketplaceName },
    items: [...groupBy(postings, ({ item, row }) => item?.id ?? row.sku).values()].map((own) =>
      showItem(own, event),
    ),
    breakdowns: breakdownsOf(postings, market),
  };
}

function showItem(own: readonly Posting[], { kind, market, order }: FinancialEvent): object {
  const [{ row, units } = { row: undefined, units: 0 }] = own;
  const isByMerchant = order?.fulfilledBy === 'MERCHANT';
  return {
    description: row?.title,
    totalAmount: money(sumOf(own), market),
    breakdowns: breakdownsOf(own, market),
    contexts: [
      {
        contextType: 'ProductContext',
        asin: row?.asin,
        sku: row?.sku,
        quantityShipped: kind === 'Shipment' ? units : 0,
        fulfillmentNetwork: isByMerchant ? 'MFN' : 'AFN',
      },
    ],
  };
}

const money = (cents: number, { currency }: Market) => ({
  currencyCode: currency,
  currencyAmount: cents / 100,
});

/** Amounts that this operation calls by another name than the settlement reports. */
const BREAKDOWNS: Readonly<Record<string, string>> = {
  Principal: 'ProductCharges',
  'Storage Fee': 'FBAStorageFee',
  StorageRenewalBilling: 'FBALongTermStorageFee',
};

function breakdownsOf(postings: readonly Posting[], market: Market): object[] {
  const breakdown = (type: string, of: readonly Posting[], breakdowns: object[] = []): object => ({
    breakdownType: BREAKDOWNS[type] ?? type,
    breakdownAmount: money(sumOf(of), market),
    breakdowns,
  });
  const parts = (of: readonly Posting[]) =>
    [...groupBy(of, ({ description }) => description)].map(([type, all]) => breakdown(type, all));
  const of = (...wanted: Posting['type'][]) => postings.filter(({ type }) => wanted.includes(type));
  const [charges, withheld] = [of('ItemPrice'), of('ItemWithheldTax')];
  const fees = of('ItemFees', 'other-transaction');
  const paid = of('FBA Inventory Reimbursement');
  return [
    ...(charges.length > 0 ? [breakdown('Sales', charges, parts(charges))] : []),
    ...(withheld.length > 0 ? [breakdown('TaxWithheld', withheld, parts(withheld))] : []),
    ...(fees.length > 0 ? [breakdown('Expenses', fees, [breakdown('AmazonFees', fees, parts(fees))])] : []),
    ...(paid.length > 0 ? [breakdown('Reimbursements', paid, parts(paid))] : []),
  ];
}

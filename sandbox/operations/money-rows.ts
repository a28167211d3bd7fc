/** Payouts, balances and transactions follow from the settlements, with the same amounts as in their reports. */

import { groupBy } from '../../src/base/group-by.ts';
import { invalid } from '../answer.ts';
import { SELLER_ID } from '../fixtures/listings.ts';
import { DAY_MS } from '../world/plain-values.ts';
import { type FinancialEvent, type Posting, type Settlement, sumOf } from '../world/settlements.ts';
import { perObject, type World } from '../world/world.ts';
import { SETTLING_MS } from './find-orders.ts';
import { type FindRows, readMoment } from './query.ts';

/** @param before no event from this moment on counts, in milliseconds */
function showSettlement({ events }: World, settlement: Settlement, before = Infinity) {
  const own = events().filter((one) => one.settlement.id === settlement.id && one.at < before);
  const cents = sumOf(own.flatMap(({ postings }) => postings));
  return { ...settlement, cents, noCents: 0, sellerId: SELLER_ID, accountType: 'Standard Orders' };
}

const settlementsThat =
  (isMeant: (settlement: Settlement) => boolean): FindRows =>
  (world) =>
    world
      .settlements()
      .filter(isMeant)
      .map((one) => showSettlement(world, one));

/** Returns the balances. No reserve is held back, so that everything not yet paid out is available. */
const balances: FindRows = (world, { query }) => {
  const asOfDate = query.get('asOfDate');
  const end = asOfDate === null ? Infinity : Date.parse(asOfDate) + DAY_MS;
  if (Number.isNaN(end)) invalid('asOfDate: is not a day.');
  const balanceType = query.get('balanceType') ?? 'TOTAL';
  return world
    .settlements()
    .filter((one) => (asOfDate === null ? !one.isClosed : one.start < end && end <= one.end))
    .map((settlement) => {
      const shown = showSettlement(world, settlement, end);
      const { cents } = shown;
      const parts = [
        { type: 'AVAILABLE', cents },
        { type: 'RESERVED', cents: 0 },
      ];
      return {
        ...shown,
        balanceType,
        balanceCents: ['AVAILABLE', 'TOTAL'].includes(balanceType) ? cents : 0,
        parts: balanceType === 'TOTAL' ? parts : undefined,
      };
    });
};

const MAX_PERIOD_MS = 180 * DAY_MS;

const transactions: FindRows = (world, { query, now }) => {
  const isIn = readPeriod(query, now);
  const [name, value] = [query.get('relatedIdentifierName'), query.get('relatedIdentifierValue')];
  return world
    .events()
    .filter(({ at }) => isIn(at))
    .map(showEvent)
    .filter(
      ({ identifiers }) =>
        name === null || identifiers.some((one) => one.name === name && one.value === value),
    );
};

/** The second moment of the period is exclusive. @throws Refusal when the moments contradict each other */
function readPeriod(query: URLSearchParams, now: number): (ms: number) => boolean {
  const latest = now - SETTLING_MS;
  const start = readMoment(query, 'postedAfter');
  const end = readMoment(query, 'postedBefore') ?? latest;
  if (end > latest || end < (start ?? 0)) {
    invalid('postedBefore: must follow postedAfter, and both must lie two minutes before the request.');
  }
  const isNamed = query.has('relatedIdentifierName');
  if (isNamed !== query.has('relatedIdentifierValue')) {
    invalid('relatedIdentifierName, relatedIdentifierValue: must be given together.');
  }
  if (start === undefined && !isNamed) invalid('postedAfter: is needed without a related identifier.');
  // The service finds nothing in a longer period.
  const isTooLong = start !== undefined && end - start > MAX_PERIOD_MS;
  return (ms) => !isTooLong && ms >= (start ?? 0) && ms < end;
}

const showEvent = perObject((event: FinancialEvent) => {
  const { kind, order, settlement, postings } = event;
  const network = order?.fulfilledBy === 'MERCHANT' ? 'MFN' : 'AFN';
  return {
    ...event,
    sellerId: SELLER_ID,
    transactionStatus: 'RELEASED',
    identifiers: [
      ...(order === undefined ? [] : [{ name: 'ORDER_ID', value: order.id }]),
      { name: 'FINANCIAL_EVENT_GROUP_ID', value: settlement.groupId },
    ],
    ...breakDown(postings),
    items: [...groupBy(postings, ({ item, row }) => item?.id ?? row.sku).values()].map((own) => ({
      row: own[0].row,
      network,
      shipped: kind === 'Shipment' ? own[0].units : 0,
      ...breakDown(own),
    })),
  };
});

/** Amounts that this operation calls by another name than the settlement reports. */
const NAMES: Readonly<Record<string, string>> = {
  Principal: 'ProductCharges',
  'Storage Fee': 'FBAStorageFee',
  StorageRenewalBilling: 'FBALongTermStorageFee',
};

function breakDown(postings: readonly Posting[]) {
  const group = (type: string, wanted: readonly Posting['type'][]) => {
    const own = postings.filter((posting) => wanted.includes(posting.type));
    const parts = [...groupBy(own, ({ description }) => description)].map(([description, all]) => ({
      type: NAMES[description] ?? description,
      cents: sumOf(all),
      parts: [],
    }));
    return own.length === 0 ? [] : [{ type, cents: sumOf(own), parts }];
  };
  const fees = group('AmazonFees', ['ItemFees', 'other-transaction']);
  return {
    cents: sumOf(postings),
    breakdowns: [
      ...group('Sales', ['ItemPrice']),
      ...group('TaxWithheld', ['ItemWithheldTax']),
      ...fees.map(({ cents }) => ({ type: 'Expenses', cents, parts: fees })),
      ...group('Reimbursements', ['FBA Inventory Reimbursement']),
    ],
  };
}

export const moneyRows = {
  settlements: settlementsThat(() => true),
  payouts: settlementsThat(({ isClosed }) => isClosed),
  expectedPayouts: settlementsThat(({ isClosed }) => !isClosed),
  balances,
  transactions,
} satisfies Readonly<Record<string, FindRows>>;

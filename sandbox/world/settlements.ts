/** The service owes money for orders and reimbursements, less refunds and storage, and pays it for periods of two weeks. */

import { groupBy } from '../../src/base/group-by.ts';
import { referralFeeCents, refundFeeCents, unitFulfillmentFeeCents } from './fees.ts';
import type { ListingRow } from './listing-row.ts';
import type { Order, OrderItem } from './make-orders.ts';
import type { Market } from './markets.ts';
import { DAY_MS } from './plain-values.ts';
import type { Refund } from './refunds.ts';
import { type Reimbursement, reimbursementId } from './reimbursements.ts';
import type { StorageCharge } from './storage-fees.ts';
import { paidForGoods } from './taxes.ts';

/** Holds one amount of one product; fees are negative. */
export interface Posting {
  row: ListingRow;
  /** The item that is paid for; absent if the event pays for no order. */
  item?: OrderItem;
  /** Counts the units that are paid for; 0 for storage. */
  units: number;
  type: 'ItemPrice' | 'ItemFees' | 'ItemWithheldTax' | 'FBA Inventory Reimbursement' | 'other-transaction';
  description: string;
  cents: number;
}

/** Amounts that are accounted for in one moment. */
export interface FinancialEvent {
  kind: 'Shipment' | 'Refund' | 'Reimbursement' | 'StorageFee';
  id: string;
  /** The order; absent for units that had not been ordered. */
  order?: Order;
  market: Market;
  /** The moment of the event, in milliseconds. */
  at: number;
  settlement: Settlement;
  postings: readonly Posting[];
}

export const sumOf = (postings: readonly Posting[]): number =>
  postings.reduce((sum, { cents }) => sum + cents, 0);

const PAID_AS = {
  CustomerReturn: 'REVERSAL_REIMBURSEMENT',
  Lost_Warehouse: 'WAREHOUSE_LOST',
  Lost_Inbound: 'MISSING_FROM_INBOUND',
} as const;

interface Sources {
  orders: readonly Order[];
  refunds: readonly Refund[];
  reimbursements: readonly Reimbursement[];
  storageCharges: readonly StorageCharge[];
}

/** The oldest stands first: an order is posted in the moment when it ships. */
export function makeEvents(
  { orders, refunds, reimbursements, storageCharges }: Sources,
  settlements: readonly Settlement[],
): FinancialEvent[] {
  const shipments = orders
    .filter(({ status }) => status === 'Shipped')
    .map((order) => ({
      kind: 'Shipment' as const,
      id: order.id,
      order,
      market: order.market,
      at: order.updatedAt,
      postings: order.items.flatMap((item) => postSale(order, item)),
    }));
  const refunded = refunds.map(({ order, item, at }) => ({
    kind: 'Refund' as const,
    id: `${order.id}-${item.id}`,
    order,
    market: order.market,
    at,
    postings: postRefund(order, item),
  }));
  const reimbursed = reimbursements.map((one) => ({
    kind: 'Reimbursement' as const,
    id: reimbursementId(one),
    ...(one.order && { order: one.order }),
    market: one.market,
    at: one.approvedAt,
    postings: postReimbursement(one),
  }));
  // All products are charged at once for a month.
  const stored = [...groupBy(storageCharges, ({ chargedAt }) => chargedAt)].map(([at, fees]) => ({
    kind: 'StorageFee' as const,
    id: `storage-${at / DAY_MS}`,
    market: fees[0].market,
    at,
    postings: fees.map(postStorage),
  }));
  return [...shipments, ...refunded, ...reimbursed, ...stored]
    .toSorted((one, other) => one.at - other.at)
    .flatMap((event) => {
      const settlement = settlements.find(
        ({ market, start, end }) => event.market === market && event.at >= start && event.at < end,
      );
      return settlement === undefined ? [] : [{ ...event, settlement }];
    });
}

/** Tax is an amount of its own; one that the service pays to the state is taken away again. */
function postPrices(market: Market, item: OrderItem): Omit<Posting, 'row' | 'item' | 'units'>[] {
  const { taxCents, shippingCents, shippingTaxCents } = item;
  const principal = paidForGoods(item, market) - taxCents;
  const shipping = shippingCents - (market.addsTax ? 0 : shippingTaxCents);
  const withheld = market.addsTax ? -1 : 0;
  return [
    { type: 'ItemPrice', description: 'Principal', cents: principal },
    { type: 'ItemPrice', description: 'Tax', cents: taxCents },
    { type: 'ItemPrice', description: 'Shipping', cents: shipping },
    { type: 'ItemPrice', description: 'ShippingTax', cents: shippingTaxCents },
    {
      type: 'ItemWithheldTax',
      description: 'MarketplaceFacilitatorTax-Principal',
      cents: withheld * taxCents,
    },
    {
      type: 'ItemWithheldTax',
      description: 'MarketplaceFacilitatorTax-Shipping',
      cents: withheld * shippingTaxCents,
    },
  ];
}

const commissionOf = ({ priceCents, discountCents }: OrderItem, market: Market): number =>
  referralFeeCents(priceCents - discountCents, market);

function postSale({ market, fulfilledBy }: Order, item: OrderItem): Posting[] {
  const fulfillment =
    fulfilledBy === 'AMAZON' ? unitFulfillmentFeeCents(item.row.asin, market) * item.ordered : 0;
  return complete(item, [
    ...postPrices(market, item),
    { type: 'ItemFees', description: 'Commission', cents: -commissionOf(item, market) },
    { type: 'ItemFees', description: 'FBAPerUnitFulfillmentFee', cents: -fulfillment },
  ]);
}

/** The buyer gets back what the goods cost; the service returns its commission but for a part of it. */
function postRefund({ market }: Order, item: OrderItem): Posting[] {
  const commission = commissionOf(item, market);
  const goods = postPrices(market, item).filter(({ description }) => !description.includes('Shipping'));
  return complete(item, [
    ...goods.map((posting) => ({ ...posting, cents: -posting.cents })),
    { type: 'ItemFees', description: 'Commission', cents: commission },
    { type: 'ItemFees', description: 'RefundCommission', cents: -refundFeeCents(commission, market) },
  ]);
}

const postReimbursement = ({ reason, row, units, centsPerUnit }: Reimbursement): Posting[] => [
  {
    row,
    units,
    type: 'FBA Inventory Reimbursement',
    description: PAID_AS[reason],
    cents: centsPerUnit * units,
  },
];

const postStorage = ({ stock: { row }, cents, name }: StorageCharge): Posting => ({
  row,
  units: 0,
  type: 'other-transaction',
  description: name,
  cents: -cents,
});

const complete = (item: OrderItem, amounts: readonly Omit<Posting, 'row' | 'item' | 'units'>[]): Posting[] =>
  amounts.flatMap((amount) =>
    amount.cents === 0 ? [] : [{ ...amount, row: item.row, item, units: item.ordered }],
  );

/** Moments are in milliseconds; the end is exclusive. */
export interface Settlement {
  id: string;
  groupId: string;
  market: Market;
  start: number;
  end: number;
  /** False for the running period, which is not paid out yet. */
  isClosed: boolean;
  payoutAt: number;
}

const PERIOD_MS = 14 * DAY_MS;
/** So many closed periods reach back behind the first order. */
const CLOSED_PERIODS = 13;
/** The last closed period ended so long before the world was made. */
const DAYS_SINCE_PAYOUT = 3;

interface Calendar {
  madeAt: number;
  markets: readonly Market[];
  soldIn: readonly Market[];
}

/** The newest stands first; those of the first marketplace come first within a period. */
export function makeSettlements({ madeAt, markets, soldIn }: Calendar): Settlement[] {
  const opened = (Math.floor(madeAt / DAY_MS) - DAYS_SINCE_PAYOUT) * DAY_MS;
  return Array.from({ length: CLOSED_PERIODS + 1 }, (_, periodsAgo) => {
    const start = opened - periodsAgo * PERIOD_MS;
    const end = start + PERIOD_MS;
    return soldIn.map((market): Settlement => {
      const id = `20${markets.indexOf(market)}${String(Math.floor(end / DAY_MS)).padStart(8, '0')}`;
      const groupId = `SandboxEventGroup${id}`;
      return { id, groupId, market, start, end, isClosed: periodsAgo > 0, payoutAt: end + 2 * DAY_MS };
    });
  }).flat();
}

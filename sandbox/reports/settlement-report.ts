/** The settlement reports, in both forms: what was paid out for two weeks, first the sum, then each amount of it. */

import type { Market } from '../world/markets.ts';
import { amountText } from '../world/plain-values.ts';
import { type FinancialEvent, type Posting, type Settlement, sumOf } from '../world/settlements.ts';
import { type ReportType, tableReport, type Values } from './report-type.ts';

/** The first line has the sum and neither event nor posting. */
interface Line extends Partial<Posting>, Settlement {
  event?: FinancialEvent;
  total?: number;
}

/** `2026-11-21 08:00:00 UTC` */
const moment = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

const amount = (market: Market, cents: number | undefined): string =>
  cents === undefined ? '' : amountText(cents, market).replace('.', market.decimalSign);

const inHead =
  (value: (line: Line) => string) =>
  (line: Line): string =>
    line.total === undefined ? '' : value(line);

const ofEvent =
  (value: (event: FinancialEvent) => string) =>
  ({ event }: Line): string =>
    event === undefined ? '' : value(event);

const ofTypes =
  (wanted: readonly Posting['type'][], value: (line: Line) => string) =>
  (line: Line): string =>
    line.type !== undefined && wanted.includes(line.type) ? value(line) : '';

const TYPES = {
  Shipment: 'Order',
  Refund: 'Refund',
  Reimbursement: 'other-transaction',
  StorageFee: 'other-transaction',
} as const;
const CHARGES = ['ItemPrice'] as const;
const DEDUCTIONS = ['ItemFees', 'ItemWithheldTax'] as const;
const OTHERS = ['FBA Inventory Reimbursement', 'other-transaction'] as const;

const describe = ({ description = '' }: Line): string => description;
const tellAmount = ({ market, cents }: Line): string => amount(market, cents);

const VALUES: Values<Line> = {
  'settlement-id': ({ id }) => id,
  'settlement-start-date': inHead(({ start }) => moment(start)),
  'settlement-end-date': inHead(({ end }) => moment(end)),
  'deposit-date': inHead(({ payoutAt }) => moment(payoutAt)),
  'total-amount': ({ market, total }) => amount(market, total),
  currency: inHead(({ market }) => market.currency),
  'transaction-type': ofEvent(({ kind }) => TYPES[kind]),
  'order-id': ofEvent(({ order }) => order?.id ?? ''),
  'adjustment-id': ofEvent(({ kind, id }) => (kind === 'Shipment' ? '' : id)),
  'shipment-id': ofEvent(({ kind, id }) =>
    kind === 'Shipment' ? `S${id.replaceAll('-', '').slice(3, 12)}` : '',
  ),
  'marketplace-name': ofEvent(({ market }) => market.channel),
  'amount-type': ({ type = '' }) => type,
  'amount-description': describe,
  amount: tellAmount,
  'price-type': ofTypes(CHARGES, describe),
  'price-amount': ofTypes(CHARGES, tellAmount),
  'item-related-fee-type': ofTypes(DEDUCTIONS, describe),
  'item-related-fee-amount': ofTypes(DEDUCTIONS, tellAmount),
  'other-fee-reason-description': ofTypes(OTHERS, describe),
  'other-amount': ofTypes(OTHERS, tellAmount),
  'fulfillment-id': ofEvent(({ order }) => (order?.fulfilledBy === 'MERCHANT' ? 'MFN' : 'AFN')),
  'posted-date': ofEvent(({ at }) => moment(at).slice(0, 10)),
  'posted-date-time': ofEvent(({ at }) => moment(at)),
  'order-item-code': ({ item }) => item?.id ?? '',
  sku: ({ row }) => row?.sku ?? '',
  'quantity-purchased': ({ event, units = '', description }) =>
    event?.kind === 'Reimbursement' || (event?.kind === 'Shipment' && description === 'Principal')
      ? units
      : '',
};

/** @param head tells an amount in one column beside its type, or in a column for each type */
export const settlementReport = (head: readonly string[]): ReportType =>
  tableReport({
    canBeRequested: false,
    head,
    values: VALUES,
    rows(world, { markets, end }): Line[] {
      const settlement = world.settlements().find((one) => one.market === markets[0] && one.end === end);
      if (settlement === undefined) return [];
      const lines = world
        .events()
        .filter((event) => event.settlement.id === settlement.id)
        .flatMap((event) => event.postings.map((posting) => ({ event, ...posting })));
      return [{ total: sumOf(lines) }, ...lines].map((line) => ({ ...line, ...settlement }));
    },
  });

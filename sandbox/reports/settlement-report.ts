/** The settlement reports, in both forms: what was paid out for two weeks, first the sum, then each amount of it. */

import type { Order } from '../world/make-orders.ts';
import type { Market } from '../world/markets.ts';
import { amountText } from '../world/plain-values.ts';
import {
  type Posting,
  postedOrders,
  postingsOf,
  type Settlement,
  settlementsOf,
  sumOf,
} from '../world/settlements.ts';
import { type ReportType, tableReport, type Values } from './report-type.ts';

/** The first line has the sum and no posting. */
interface Line extends Partial<Posting>, Settlement {
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

const ofOrder =
  (value: (order: Order) => string) =>
  ({ order }: Line): string =>
    order === undefined ? '' : value(order);

const ofType =
  (wanted: Posting['type'], value: (line: Line) => string) =>
  (line: Line): string =>
    line.type === wanted ? value(line) : '';

const describe = ({ description = '' }: Line): string => description;
const tellAmount = ({ market, cents }: Line): string => amount(market, cents);

const VALUES: Values<Line> = {
  'settlement-id': ({ id }) => id,
  'settlement-start-date': inHead(({ start }) => moment(start)),
  'settlement-end-date': inHead(({ end }) => moment(end)),
  'deposit-date': inHead(({ payoutAt }) => moment(payoutAt)),
  'total-amount': ({ market, total }) => amount(market, total),
  currency: inHead(({ market }) => market.currency),
  'transaction-type': ofOrder(() => 'Order'),
  'order-id': ofOrder(({ id }) => id),
  'shipment-id': ofOrder(({ id }) => `S${id.replaceAll('-', '').slice(3, 12)}`),
  'marketplace-name': ofOrder(({ market }) => market.channel),
  'amount-type': ({ type = '' }) => type,
  'amount-description': describe,
  amount: tellAmount,
  'price-type': ofType('ItemPrice', describe),
  'price-amount': ofType('ItemPrice', tellAmount),
  'item-related-fee-type': ofType('ItemFees', describe),
  'item-related-fee-amount': ofType('ItemFees', tellAmount),
  'fulfillment-id': ofOrder(({ fulfilledBy }) => (fulfilledBy === 'AMAZON' ? 'AFN' : 'MFN')),
  'posted-date': ofOrder(({ updatedAt }) => moment(updatedAt).slice(0, 10)),
  'posted-date-time': ofOrder(({ updatedAt }) => moment(updatedAt)),
  'order-item-code': ({ item }) => item?.id ?? '',
  sku: ({ item }) => item?.row.sku ?? '',
  'quantity-purchased': ({ item, description }) => (description === 'Principal' ? (item?.ordered ?? '') : ''),
};

/** How an amount is told: in one column beside its type, or in a column for each type. */
const AMOUNT_COLUMNS = {
  amounts: 'amount-type amount-description amount',
  older: 'price-type price-amount item-related-fee-type item-related-fee-amount',
} as const;

export const settlementReport = (form: keyof typeof AMOUNT_COLUMNS): ReportType =>
  tableReport({
    canBeRequested: false,
    head: `settlement-id settlement-start-date settlement-end-date deposit-date total-amount currency
      transaction-type order-id merchant-order-id adjustment-id shipment-id marketplace-name
      ${AMOUNT_COLUMNS[form]} fulfillment-id posted-date posted-date-time order-item-code
      merchant-order-item-id merchant-adjustment-item-id sku quantity-purchased promotion-id`,
    values: VALUES,
    rows(world, { markets, end }): Line[] {
      const settlement = settlementsOf(world).find((one) => one.market === markets[0] && one.end === end);
      if (settlement === undefined) return [];
      const postings = postedOrders(world)
        .filter((posted) => posted.settlement.id === settlement.id)
        .flatMap(({ order }) => postingsOf(order));
      return [{ total: sumOf(postings) }, ...postings].map((line) => ({ ...line, ...settlement }));
    },
  });

/** The settlement reports, in both forms: what was paid out for two weeks, first the sum, then each amount of it. */

import type { Order, OrderItem } from '../world/make-orders.ts';
import type { Market } from '../world/markets.ts';
import { moneyText } from '../world/plain-values.ts';
import { type Columns, tabSeparated } from './delimited.ts';
import type { ReportType } from './report-type.ts';

interface Line {
  /** The first line has the sum and no order. */
  total?: number;
  order?: Order;
  item?: OrderItem;
  type?: 'ItemPrice' | 'ItemFees';
  description?: string;
  cents?: number;
}

interface Settlement {
  id: string;
  market: Market;
  start: number;
  end: number;
}

/** `2026-11-21 08:00:00 UTC` */
const moment = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** How an amount is told: in one column beside its type, or in a column for each type. */
type Form = 'amounts' | 'older';

function amountColumns(form: Form, amount: (cents: number | undefined) => string): Columns<Line> {
  if (form === 'amounts') {
    return [
      ['amount-type', ({ type }) => type ?? ''],
      ['amount-description', ({ description }) => description ?? ''],
      ['amount', ({ cents }) => amount(cents)],
    ];
  }
  const of =
    (wanted: Line['type'], value: (line: Line) => string) =>
    (line: Line): string =>
      line.type === wanted ? value(line) : '';
  const describe = ({ description = '' }: Line): string => description;
  return [
    ['price-type', of('ItemPrice', describe)],
    ['price-amount', of('ItemPrice', ({ cents }) => amount(cents))],
    ['item-related-fee-type', of('ItemFees', describe)],
    ['item-related-fee-amount', of('ItemFees', ({ cents }) => amount(cents))],
  ];
}

function columnsFor(form: Form, { id, market, start, end }: Settlement): Columns<Line> {
  const amount = (cents: number | undefined): string => {
    if (cents === undefined) return '';
    return market.country === 'DE' ? moneyText(cents).replace('.', ',') : moneyText(cents);
  };
  const head = (value: string) => (line: Line) => (line.total === undefined ? '' : value);
  return [
    ['settlement-id', () => id],
    ['settlement-start-date', head(moment(start))],
    ['settlement-end-date', head(moment(end))],
    ['deposit-date', head(moment(end + 2 * 86_400_000))],
    ['total-amount', ({ total }) => amount(total)],
    ['currency', head(market.currency)],
    ['transaction-type', ({ order }) => (order ? 'Order' : '')],
    ['order-id', ({ order }) => order?.id ?? ''],
    ['merchant-order-id', () => ''],
    ['adjustment-id', () => ''],
    ['shipment-id', ({ order }) => (order ? `S${order.id.replaceAll('-', '').slice(3, 12)}` : '')],
    ['marketplace-name', ({ order }) => order?.market.channel ?? ''],
    ...amountColumns(form, amount),
    ['fulfillment-id', ({ order }) => (order ? (order.fulfilledBy === 'AMAZON' ? 'AFN' : 'MFN') : '')],
    ['posted-date', ({ order }) => (order ? moment(order.updatedAt).slice(0, 10) : '')],
    ['posted-date-time', ({ order }) => (order ? moment(order.updatedAt) : '')],
    ['order-item-code', ({ item }) => item?.id ?? ''],
    ['merchant-order-item-id', () => ''],
    ['merchant-adjustment-item-id', () => ''],
    ['sku', ({ item }) => item?.row.sku ?? ''],
    [
      'quantity-purchased',
      ({ item, description }) => (description === 'Principal' ? (item?.ordered ?? '') : ''),
    ],
    ['promotion-id', () => ''],
  ];
}

/** What one item brings and costs. */
function linesOf(order: Order, item: OrderItem): Line[] {
  const line = (type: Line['type'], description: string, cents: number): Line[] =>
    cents === 0 ? [] : [{ order, item, type, description, cents }];
  return [
    ...line('ItemPrice', 'Principal', item.priceCents - item.discountCents),
    ...line('ItemPrice', 'Tax', item.taxCents),
    ...line('ItemPrice', 'Shipping', item.shippingCents),
    ...line('ItemFees', 'Commission', -Math.round((item.priceCents - item.discountCents) * 0.15)),
    ...line('ItemFees', 'FBAPerUnitFulfillmentFee', order.fulfilledBy === 'AMAZON' ? -398 * item.ordered : 0),
  ];
}

export const settlementReport = (form: Form): ReportType => ({
  charset: 'UTF-8',
  contentType: 'text/plain;charset=UTF-8',
  isCompressed: false,
  canBeRequested: false,
  build(world, { markets: [market], start, end }) {
    if (market === undefined) return undefined;
    const lines = world
      .orders()
      .filter((order) => order.market === market && order.status === 'Shipped')
      .filter(({ updatedAt }) => updatedAt >= start && updatedAt < end)
      .flatMap((order) => order.items.flatMap((item) => linesOf(order, item)));
    const total = lines.reduce((sum, { cents = 0 }) => sum + cents, 0);
    const id = `200${String(Math.floor(end / 86_400_000)).padStart(8, '0')}`;
    return tabSeparated(columnsFor(form, { id, market, start, end }), [{ total }, ...lines]);
  },
});

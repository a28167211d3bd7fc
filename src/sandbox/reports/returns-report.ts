/** GET_CSV_MFN_PRIME_RETURNS_REPORT: what buyers sent back to the seller, as CSV with quoted values. */

import type { Order, OrderItem } from '../world/make-orders.ts';
import { DAY_MS, moneyText } from '../world/plain-values.ts';
import { type Columns, commaSeparated } from './delimited.ts';
import { longerThan } from './range.ts';
import type { ReportType } from './report-type.ts';

interface Return {
  order: Order;
  item: OrderItem;
  requestedAt: number;
}

/** `21-Nov-2026` */
function day(ms: number): string {
  const [, date, month, year] = new Date(ms).toUTCString().split(/[ ,]+/);
  return `${date}-${month}-${year}`;
}

/** One of nine items comes back, a week after it was shipped. */
function returnsOf(order: Order): Return[] {
  if (order.status !== 'Shipped' || order.fulfilledBy !== 'MERCHANT') return [];
  const requestedAt = order.updatedAt + 7 * DAY_MS;
  return order.items.filter(({ id }) => Number(id) % 9 === 0).map((item) => ({ order, item, requestedAt }));
}

const COLUMNS: Columns<Return> = [
  ['Order ID', ({ order }) => order.id],
  ['Order date', ({ order }) => day(order.purchasedAt)],
  ['Return request date', ({ requestedAt }) => day(requestedAt)],
  ['Return request status', () => 'Approved'],
  ['Amazon RMA ID', ({ item }) => `D${item.id}RRMA`],
  ['Label type', () => 'AmazonUnPaidLabel'],
  ['Label cost', () => '5.90'],
  ['Currency code', ({ order }) => order.market.currency],
  ['ASIN', ({ item }) => item.row.asin],
  ['Merchant SKU', ({ item }) => item.row.sku],
  ['Item Name', ({ item }) => item.row.title],
  ['Return quantity', ({ item }) => item.ordered],
  ['Return Reason', ({ item }) => (item.ordered > 1 ? 'CR-UNWANTED_ITEM' : 'CR-DEFECTIVE')],
  ['Order Amount', ({ item }) => moneyText(item.priceCents)],
  ['Refunded Amount', ({ item }) => moneyText(item.priceCents - item.discountCents)],
];

export const returnsReport: ReportType = {
  ...{ charset: 'UTF-8', contentType: 'text/csv;charset=UTF-8', isCompressed: false },
  failure: longerThan(366),
  build(world, { markets, start, end }) {
    const rows = world
      .orders()
      .filter(({ market }) => markets.includes(market))
      .flatMap(returnsOf)
      .filter(({ requestedAt }) => requestedAt >= start && requestedAt < end);
    // A spreadsheet program gets its byte order mark.
    return rows.length > 0 ? `\ufeff${commaSeparated(COLUMNS, rows)}` : undefined;
  },
};

/** GET_CSV_MFN_PRIME_RETURNS_REPORT: what buyers sent back to the seller, as CSV with quoted values. */

import { moneyText } from '../world/plain-values.ts';
import { type Columns, commaSeparated } from './delimited.ts';
import { longerThan } from './range.ts';
import type { ReportType } from './report-type.ts';
import { type ReturnedItem, returnedItems } from './returned-items.ts';

/** `21-Nov-2026` */
function day(ms: number): string {
  const [, date, month, year] = new Date(ms).toUTCString().split(/[ ,]+/);
  return `${date}-${month}-${year}`;
}

const COLUMNS: Columns<ReturnedItem> = [
  ['Order ID', ({ order }) => order.id],
  ['Order date', ({ order }) => day(order.purchasedAt)],
  ['Return request date', ({ returnedAt }) => day(returnedAt)],
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
  charset: 'UTF-8',
  contentType: 'text/csv;charset=UTF-8',
  isCompressed: false,
  failure: longerThan(366),
  build(world, request) {
    const rows = returnedItems(world, request, { fulfilledBy: 'MERCHANT', oneOf: 9, afterDays: 7 });
    // A spreadsheet program gets its byte order mark.
    return rows.length > 0 ? `\ufeff${commaSeparated(COLUMNS, rows)}` : undefined;
  },
};

/** GET_FBA_FULFILLMENT_CUSTOMER_RETURNS_DATA: what buyers sent back to the service's warehouses, in their own words too. */

import { detailsOf } from '../world/buyer-details.ts';
import { type Columns, tabSeparated } from './delimited.ts';
import { reportMoment } from './order-lines.ts';
import { longerThan } from './range.ts';
import type { ReportType } from './report-type.ts';
import { type ReturnedItem, returnedItems } from './returned-items.ts';

const COLUMNS: Columns<ReturnedItem> = [
  ['return-date', ({ returnedAt }) => reportMoment(returnedAt)],
  ['order-id', ({ order }) => order.id],
  ['sku', ({ item }) => item.row.sku],
  ['asin', ({ item }) => item.row.asin],
  ['fnsku', ({ item }) => `X00${item.row.asin.slice(-7)}`],
  ['product-name', ({ item }) => item.row.title],
  ['quantity', ({ item }) => item.ordered],
  ['fulfillment-center-id', () => 'SBX1'],
  ['detailed-disposition', ({ item }) => (item.ordered > 1 ? 'SELLABLE' : 'CUSTOMER_DAMAGED')],
  ['reason', ({ item }) => (item.ordered > 1 ? 'UNWANTED_ITEM' : 'DEFECTIVE')],
  ['status', () => 'Unit returned to inventory'],
  ['license-plate-number', ({ item }) => `LPN${item.id}`],
  ['customer-comments', ({ order }) => detailsOf(order).returnComment],
];

export const customerReturnsReport: ReportType = {
  charset: 'Cp1252',
  contentType: 'text/plain;charset=Cp1252',
  isCompressed: true,
  failure: longerThan(366),
  build(world, request) {
    const rows = returnedItems(world, request, { fulfilledBy: 'AMAZON', oneOf: 11, afterDays: 9 });
    return rows.length > 0 ? tabSeparated(COLUMNS, rows) : undefined;
  },
};

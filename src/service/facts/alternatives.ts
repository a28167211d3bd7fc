/** The alternatives to an operation: other versions and related operations, as reviewed, and reports. */

import { endingOf } from './endings.ts';
import { endings } from './generated/endings.ts';
import { knownEntries } from './groups.ts';

/** Reports with the whole content that the operation returns in pages. */
const REPORTS: Readonly<Record<string, string>> = {
  'orders/searchOrders': 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL',
  'orders/getOrders': 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL',
  'listings-items/searchListingsItems': 'GET_MERCHANT_LISTINGS_ALL_DATA',
  'fulfilment-inventory/getInventorySummaries': 'GET_FBA_MYI_UNSUPPRESSED_INVENTORY_DATA',
  'finance/listTransactions': 'GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2',
};

/** Returns the type of the report with the same content; undefined when there is none. */
export const reportInstead = (id: string): string | undefined => REPORTS[id];

/** Excludes report types, and operations that are known by name only. */
const isCallable = (name: string) => name.includes('/') && knownEntries.every(({ id }) => id !== name);

/** Returns the IDs of related operations, the current one first; empty when there are none. */
export function alternativesOf(id: string): string[] {
  const meant = endingOf(id)?.successor ?? id;
  const older = Object.entries(endings).flatMap(([other, { successor }]) =>
    successor === meant && isCallable(other) ? [other] : [],
  );
  return [meant, ...older].filter((other) => other !== id);
}

/** Operations that return one thing, with the part of a search that returns the same for many. */
const PAGES: Readonly<Record<string, string>> = {
  'orders/getOrder': '',
  'orders/getOrder@2026-01-01': '',
  'orders/getOrderItems': '',
  'orders/getOrderBuyerInfo': ' with BUYER in includedData',
  'orders/getOrderAddress': ' with RECIPIENT in includedData',
};

/** Formats the alternative as a call; undefined when there is none, or all were refused. */
export function pagesInstead(id: string, isRefused: (id: string) => boolean): string | undefined {
  const part = PAGES[id];
  if (part === undefined) return undefined;
  if (!isRefused('orders/searchOrders')) return `searchOrders${part} has the same in its pages`;
  // No report contains a buyer's data without a token of its own.
  return part === '' ? `the report ${REPORTS['orders/searchOrders']} has the same` : undefined;
}

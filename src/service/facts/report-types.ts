/** The report types of the Reports API that are known here, and the ones that sellers ask for most. */

import { reportFamilies } from './generated/report-types.ts';
import type { ReportType } from './report-type.ts';

/** All of them, family by family; the service has more, and adds to them. */
export const reportTypes: readonly ReportType[] = reportFamilies.flatMap(({ group, shared, types }) =>
  Object.entries(types).map(([id, row]) => {
    const { holds, ...facts } = typeof row === 'string' ? { holds: row } : row;
    return { id, group, holds, ...shared, ...facts };
  }),
);

const byId = new Map(reportTypes.map((type) => [type.id, type]));

/** Undefined for one that is not known here, which is no reason to refuse it. */
export function reportType(id: string): ReportType | undefined {
  return byId.get(id);
}

const mostUsedIds: readonly string[] = [
  'GET_MERCHANT_LISTINGS_ALL_DATA',
  'GET_FLAT_FILE_OPEN_LISTINGS_DATA',
  'GET_MERCHANTS_LISTINGS_FYP_REPORT',
  'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL',
  'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_LAST_UPDATE_GENERAL',
  'GET_FLAT_FILE_ACTIONABLE_ORDER_DATA_SHIPPING',
  'GET_FLAT_FILE_RETURNS_DATA_BY_RETURN_DATE',
  'GET_FBA_MYI_UNSUPPRESSED_INVENTORY_DATA',
  'GET_FBA_INVENTORY_PLANNING_DATA',
  'GET_LEDGER_SUMMARY_VIEW_DATA',
  'GET_AMAZON_FULFILLED_SHIPMENTS_DATA_GENERAL',
  'GET_FBA_FULFILLMENT_CUSTOMER_RETURNS_DATA',
  'GET_FBA_REIMBURSEMENTS_DATA',
  'GET_SALES_AND_TRAFFIC_REPORT',
  'GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2',
];

/** The 15 that sellers need most, in the order of the families. */
export function mostUsedReportTypes(): ReportType[] {
  return mostUsedIds.flatMap((id) => byId.get(id) ?? []);
}

/** The report types that the sandbox plays. */

import columns from '../recorded/report-columns.json' with { type: 'json' };
import {
  agedInventoryReport,
  feePreviewReport,
  planningReport,
  restockReport,
  storageFeeReport,
} from './inventory-reports.ts';
import { ledgerDetailReport, ledgerSummaryReport } from './ledger-reports.ts';
import { listingsReport, warehouseReport } from './listing-reports.ts';
import {
  customerReturnsReport,
  orderShippingReport,
  ordersReport,
  returnsReport,
  sellerReturnsReport,
  unshippedReport,
} from './order-reports.ts';
import { accountHealthReport, feedbackReport } from './performance-reports.ts';
import { reimbursementsReport } from './reimbursements-report.ts';
import type { ReportType } from './report-type.ts';
import { salesReport } from './sales-report.ts';
import { settlementReport } from './settlement-report.ts';
import { vatCalculationReport, vatInvoiceReport, vatTransactionsReport } from './vat-reports.ts';

const plain = { contentType: 'text/plain;charset=UTF-8', isCompressed: false } as const;

/** In the form with one amount a line, and in the older one. */
export const SETTLEMENTS = [
  'GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2',
  'GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE',
] as const;

const TYPES: Readonly<Record<string, ReportType>> = {
  GET_MERCHANT_LISTINGS_ALL_DATA: listingsReport(),
  GET_MERCHANT_LISTINGS_DATA: listingsReport(['Active']),
  GET_MERCHANT_LISTINGS_INACTIVE_DATA: listingsReport(['Inactive', 'Incomplete']),
  GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL: ordersReport('purchasedAt'),
  GET_FLAT_FILE_ALL_ORDERS_DATA_BY_LAST_UPDATE_GENERAL: ordersReport('updatedAt'),
  GET_FLAT_FILE_ACTIONABLE_ORDER_DATA_SHIPPING: unshippedReport,
  GET_FLAT_FILE_ORDER_REPORT_DATA_SHIPPING: orderShippingReport,
  GET_FBA_FULFILLMENT_CUSTOMER_RETURNS_DATA: customerReturnsReport,
  GET_FBA_MYI_UNSUPPRESSED_INVENTORY_DATA: warehouseReport,
  [SETTLEMENTS[0]]: settlementReport(columns.settlement),
  [SETTLEMENTS[1]]: settlementReport(columns.olderSettlement),
  GET_SALES_AND_TRAFFIC_REPORT: salesReport,
  GET_CSV_MFN_PRIME_RETURNS_REPORT: returnsReport,
  GET_FLAT_FILE_RETURNS_DATA_BY_RETURN_DATE: sellerReturnsReport,
  GET_FBA_INVENTORY_PLANNING_DATA: planningReport,
  GET_RESTOCK_INVENTORY_RECOMMENDATIONS_REPORT: restockReport,
  GET_LEDGER_SUMMARY_VIEW_DATA: ledgerSummaryReport,
  GET_LEDGER_DETAIL_VIEW_DATA: ledgerDetailReport,
  GET_FBA_STORAGE_FEE_CHARGES_DATA: storageFeeReport,
  GET_FBA_FULFILLMENT_LONGTERM_STORAGE_FEE_CHARGES_DATA: agedInventoryReport,
  GET_FBA_ESTIMATED_FBA_FEES_TXT_DATA: feePreviewReport,
  GET_FBA_REIMBURSEMENTS_DATA: reimbursementsReport,
  GET_SELLER_FEEDBACK_DATA: feedbackReport,
  GET_V2_SELLER_PERFORMANCE_REPORT: accountHealthReport,
  GET_VAT_TRANSACTION_DATA: vatTransactionsReport,
  GET_FLAT_FILE_VAT_INVOICE_DATA_REPORT: vatInvoiceReport,
  SC_VAT_TAX_REPORT: vatCalculationReport,
  // The seller never stores more than the limit allows: always cancelled.
  GET_FBA_OVERAGE_FEE_CHARGES_DATA: { ...plain, build: () => undefined },
  // The seller has no registered brand: always fatal.
  GET_BRAND_ANALYTICS_SEARCH_TERMS_REPORT: {
    ...plain,
    failure: () => 'The selling partner has no brand that is registered for this report.',
    build: () => undefined,
  },
};

/** Undefined for a type that the sandbox does not play. */
export const findReportType = (name: string): ReportType | undefined =>
  Object.hasOwn(TYPES, name) ? TYPES[name] : undefined;

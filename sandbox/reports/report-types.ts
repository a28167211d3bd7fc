/** The report types that the sandbox has: those that are tables (report-tables.yaml), and a few others. */

import type { World } from '../world/world.ts';
import { tables } from './generated/report-tables.ts';
import { moneyRows } from './money-rows.ts';
import { orderRows } from './order-rows.ts';
import { accountHealthReport, feedbackRows } from './performance-reports.ts';
import {
  buildTable,
  longerThan,
  type ReportRequest,
  type ReportType,
  type TableFacts,
} from './report-type.ts';
import { salesReport } from './sales-report.ts';
import { stockRows } from './stock-rows.ts';

const ROWS = { ...orderRows, ...stockRows, ...moneyRows, ...feedbackRows };

/** The tables that are reviewed in report-tables.yaml. */
export interface Table extends TableFacts {
  rows: keyof typeof ROWS;
  like?: string;
  /** The service takes a longer request and ends the report as FATAL. */
  maxDays?: number;
}

/** Reasons that only one of the tables has. */
const FAILURES: Readonly<Record<string, ReportType['failure']>> = {
  GET_LEDGER_SUMMARY_VIEW_DATA: ({ options }) =>
    options.aggregatedByTimePeriod === 'WEEKLY'
      ? 'aggregatedByTimePeriod: the demo account has DAILY and MONTHLY.'
      : undefined,
  GET_VAT_TRANSACTION_DATA: failureOfMonth,
};

/** The service has a month from the third day of the next one on. */
function failureOfMonth({ end }: ReportRequest, { madeAt }: World): string | undefined {
  const today = new Date(madeAt);
  const monthsAgo = today.getUTCDate() < 3 ? 1 : 0;
  return end > Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - monthsAgo, 1)
    ? 'The requested time reaches into a month that is not available yet.'
    : undefined;
}

const readTable = (name: string, { rows, like = name, maxDays = Infinity, ...facts }: Table): ReportType => ({
  ...buildTable({ ...facts, columns: { ...tables[like]?.columns, ...facts.columns } }, ROWS[rows]),
  failure: (request, world) => FAILURES[name]?.(request, world) ?? longerThan(maxDays)(request),
});

const plain = { contentType: 'text/plain;charset=UTF-8', isCompressed: false } as const;

/** Settlement reports in the form with one amount a line, and in the older one. */
export const SETTLEMENTS = [
  'GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2',
  'GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE',
] as const;

const TYPES = new Map<string, ReportType>([
  ...Object.entries(tables).map(([name, table]) => [name, readTable(name, table)] as const),
  ['GET_SALES_AND_TRAFFIC_REPORT', salesReport],
  ['GET_V2_SELLER_PERFORMANCE_REPORT', accountHealthReport],
  // The seller never stores more than the limit allows: always cancelled.
  ['GET_FBA_OVERAGE_FEE_CHARGES_DATA', { ...plain, build: () => undefined }],
  [
    // The seller has no registered brand: always fatal.
    'GET_BRAND_ANALYTICS_SEARCH_TERMS_REPORT',
    {
      ...plain,
      failure: () => 'The selling partner has no brand that is registered for this report.',
      build: () => undefined,
    },
  ],
]);

/** Undefined for a type that the sandbox does not have. */
export const findReportType = (name: string): ReportType | undefined => TYPES.get(name);

/** The known report types of the Reports API, the most requested ones, and those near a wrong name. */

import { distance } from 'fastest-levenshtein';
import { type Ending, endingOf } from './endings.ts';
import { reportFamilies } from './generated/report-types.ts';

type ReportFormat = 'tab' | 'csv' | 'json' | 'xml' | 'pdf' | 'xlsx';

/**
 * The way in which a report is created. `request`: by createReport. `schedule`: only by a schedule
 * (createReportSchedule). `both`: by either. `service`: by the service or in Seller Central; getReports finds
 * it. `query`: it is a dataset of Data Kiosk, read by a query of createQuery.
 */
export type ReportOrigin = 'request' | 'schedule' | 'both' | 'service' | 'query';

interface ReportFacts {
  /** The format of its rows; absent when the public documentation does not state it. */
  format?: ReportFormat;
  origin: ReportOrigin;
  /** Its users, if not every seller. */
  audience?: 'vendors' | 'sellers and vendors';
  /**
   * `range`: dataStartTime and dataEndTime select its content; `moment`: it has the state at its creation.
   */
  period?: 'range' | 'moment';
  /** The maximum range of one report, in days. */
  mostDays?: number;
  /** The minimum interval between two versions, whoever requests them. */
  minutesApart?: number;
  /** Country codes or a region, if it does not exist everywhere. */
  where?: string;
  /** `reportOptions`: name -> the values that it accepts. */
  options?: Readonly<Record<string, string>>;
  /** The names of the required options. */
  requiredOptions?: readonly string[];
  /** True when its document has personal data, so getReportDocument needs a restricted data token. */
  restricted?: true;
  /** The required role of the application; given when few applications have it. */
  role?: string;
  /** The columns with the state of each listing, for a comparison. */
  shows?: ListingColumns;
  /** The facts of a Data Kiosk dataset. */
  dataset?: DatasetFacts;
  /** Other limits. */
  limits?: string;
}

interface DatasetFacts {
  /** The default query. */
  query: string;
  /** The default fields; if absent, all except comparisons with an earlier time. */
  fields?: readonly string[];
  /** The delay of its figures. */
  lag: string;
}

/** The columns of a report by their meaning for a listing, in the spelling of its head. */
export interface ListingColumns {
  sku: string;
  price?: string;
  /** The sellable quantity. */
  quantity?: string;
  /** The fulfillment channel; the quantity is unknown unless it is DEFAULT. */
  channel?: string;
  /** Active, Inactive or Incomplete. */
  status?: string;
  /** The filter for the rows that count. */
  only?: { column: string; value: string };
}

export interface ReportType extends ReportFacts {
  /** The value of `reportType`. */
  id: string;
  group: string;
  /** Its content, in a seller's words. */
  holds: string;
  /** Further words of sellers for the search, shown nowhere. */
  asked?: string;
  /** Present when it is deprecated or gone. */
  ending?: Ending;
}

/** Report types with common facts, as reviewed in report-types.yaml. */
export interface ReportFamily {
  group: string;
  shared: ReportFacts;
  /** Report type -> its content, and the differences from its family. */
  types: Readonly<Record<string, string | (Partial<ReportFacts> & Pick<ReportType, 'holds' | 'asked'>)>>;
}

/** All known types by family; the service has more, and adds to them. */
export const reportTypes: readonly ReportType[] = reportFamilies.flatMap(({ group, shared, types }) =>
  Object.entries(types).map(([id, row]) => {
    const { holds, ...facts } = typeof row === 'string' ? { holds: row } : row;
    const ending = endingOf(id);
    return { id, group, holds, ...shared, ...facts, ...(ending && { ending }) };
  }),
);

const byId = new Map(reportTypes.map((type) => [type.id, type]));

/** Returns a report type; undefined for an unknown one, which must not be refused for that. */
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

/** Returns the 15 types that sellers need most, in the order of the families. */
export function mostUsedReportTypes(): ReportType[] {
  return mostUsedIds.flatMap((id) => byId.get(id) ?? []);
}

const MAX_NAMES = 3;
/** The maximum length compared, because the work grows with both lengths. */
const MAX_COMPARED = 200;

/**
 * Returns current types that share the most words with the name, then the nearest by edit distance; empty
 * when no word is shared.
 */
export function nearestReportTypes(name: string): string[] {
  const wanted = name.slice(0, MAX_COMPARED).toUpperCase();
  const words = wordsOf(wanted);
  const near = reportTypes
    .filter(({ ending }) => ending === undefined)
    .map(({ id }) => ({ id, shared: shared(words, wordsOf(id)), apart: distance(wanted, id) }));
  return near
    .filter(({ id, shared: count, apart }) => count > 0 || apart <= id.length / 4)
    .sort((a, b) => b.shared - a.shared || a.apart - b.apart)
    .slice(0, MAX_NAMES)
    .map(({ id }) => id);
}

const EVERYWHERE = new Set(['GET', 'DATA', 'REPORT', 'REPORTS', 'FLAT', 'FILE', 'BY', 'GENERAL', 'AND', '']);

function wordsOf(name: string): Set<string> {
  return new Set(name.split(/[^A-Z0-9]+/).filter((word) => !EVERYWHERE.has(word)));
}

function shared(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return [...words].filter((word) => others.has(word)).length;
}

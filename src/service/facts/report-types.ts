/** The report types of the Reports API that are known here, the ones that sellers ask for most, and those near a wrong name. */

import { distance } from 'fastest-levenshtein';
import { type Ending, endingOf } from './endings.ts';
import { reportFamilies } from './generated/report-types.ts';

type ReportFormat = 'tab' | 'csv' | 'json' | 'xml' | 'pdf' | 'xlsx';

/**
 * `request`: createReport makes it. `schedule`: only a schedule (createReportSchedule) makes it. `both`: either of the two.
 * `service`: the service makes it by itself, or the seller in Seller Central; getReports finds it. `query`: it is a dataset
 * of Data Kiosk, which a query of createQuery reads.
 */
export type ReportOrigin = 'request' | 'schedule' | 'both' | 'service' | 'query';

interface ReportFacts {
  /** How the rows of its document are written; absent where the public documentation does not say. */
  format?: ReportFormat;
  origin: ReportOrigin;
  /** Who can have it, where that is not every seller. */
  audience?: 'vendors' | 'sellers and vendors';
  /** `range`: dataStartTime and dataEndTime choose what is in it; `moment`: the state when it is made. */
  period?: 'range' | 'moment';
  /** The longest range of one report, in days. */
  mostDays?: number;
  /** A new version is made no more often than this, whoever asks for it. */
  minutesApart?: number;
  /** Where it exists, if not everywhere: country codes or a region. */
  where?: string;
  /** `reportOptions`: name -> the values that it takes. */
  options?: Readonly<Record<string, string>>;
  /** Names of those that must be given. */
  requiredOptions?: readonly string[];
  /** Its document holds personal data: getReportDocument needs a restricted data token. */
  restricted?: true;
  /** Role of the application without which it is refused; named where few applications have it. */
  role?: string;
  /** Which of its columns tell the state of each listing, for a comparison. */
  shows?: ListingColumns;
  /** Of a dataset of Data Kiosk. */
  dataset?: DatasetFacts;
  /** What else limits it. */
  limits?: string;
}

interface DatasetFacts {
  /** The query that is taken where none is named. */
  query: string;
  /** The fields that are taken where none are named; all but comparisons with an earlier time where it is absent. */
  fields?: readonly string[];
  /** When its figures come. */
  lag: string;
}

/** Columns of a report by what they tell of a listing, as they stand in its head. */
export interface ListingColumns {
  sku: string;
  price?: string;
  /** What can be sold. */
  quantity?: string;
  /** Who ships: of what is not DEFAULT the quantity is not told. */
  channel?: string;
  /** Active, Inactive or Incomplete. */
  status?: string;
  /** Rows that count. */
  only?: { column: string; value: string };
}

export interface ReportType extends ReportFacts {
  /** The value of `reportType`. */
  id: string;
  group: string;
  /** What is in it, in a seller's words. */
  holds: string;
  /** Further words of sellers that find it; shown nowhere. */
  asked?: string;
  /** Is present where it is deprecated or gone. */
  ending?: Ending;
}

/** Report types that have facts in common, as they are reviewed in report-types.yaml. */
export interface ReportFamily {
  group: string;
  shared: ReportFacts;
  /** Report type -> what it holds, and what is different from its family. */
  types: Readonly<Record<string, string | (Partial<ReportFacts> & Pick<ReportType, 'holds' | 'asked'>)>>;
}

/** All of them, family by family; the service has more, and adds to them. */
export const reportTypes: readonly ReportType[] = reportFamilies.flatMap(({ group, shared, types }) =>
  Object.entries(types).map(([id, row]) => {
    const { holds, ...facts } = typeof row === 'string' ? { holds: row } : row;
    const ending = endingOf(id);
    return { id, group, holds, ...shared, ...facts, ...(ending && { ending }) };
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

const mostNames = 3;
/** Characters of a name that is compared: the work grows with both lengths. */
const longestCompared = 200;

/** Current ones that share the most words with it, the fewest letters apart first; none where no word is shared. */
export function nearestReportTypes(name: string): string[] {
  const wanted = name.slice(0, longestCompared).toUpperCase();
  const words = wordsOf(wanted);
  const near = reportTypes
    .filter(({ ending }) => ending === undefined)
    .map(({ id }) => ({ id, shared: shared(words, wordsOf(id)), apart: distance(wanted, id) }));
  return near
    .filter(({ id, shared: count, apart }) => count > 0 || apart <= id.length / 4)
    .sort((a, b) => b.shared - a.shared || a.apart - b.apart)
    .slice(0, mostNames)
    .map(({ id }) => id);
}

const EVERYWHERE = new Set(['GET', 'DATA', 'REPORT', 'REPORTS', 'FLAT', 'FILE', 'BY', 'GENERAL', 'AND', '']);

function wordsOf(name: string): Set<string> {
  return new Set(name.split(/[^A-Z0-9]+/).filter((word) => !EVERYWHERE.has(word)));
}

function shared(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return [...words].filter((word) => others.has(word)).length;
}

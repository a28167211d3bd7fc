/** The one shape of a report type, and of a family of them. */

export type ReportFormat = 'tab' | 'csv' | 'json' | 'xml' | 'pdf' | 'xlsx';

/**
 * `request`: createReport makes it. `schedule`: only a schedule (createReportSchedule) makes it. `both`: either of the two.
 * `service`: the service makes it by itself, or the seller in Seller Central; getReports finds it.
 */
export type ReportOrigin = 'request' | 'schedule' | 'both' | 'service';

export interface ReportFacts {
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
  /** What else limits it. */
  limits?: string;
  /** Deprecated. `removed`: ISO date from which it no longer exists; `successor`: a report type or an operation's id. */
  deprecated?: { removed?: string; successor?: string };
}

export interface ReportType extends ReportFacts {
  /** The value of `reportType`. */
  id: string;
  group: string;
  /** What is in it, in a seller's words. */
  holds: string;
}

/** Report types that have facts in common, as they are reviewed in report-types.yaml. */
export interface ReportFamily {
  group: string;
  shared: ReportFacts;
  /** Report type -> what it holds, and what is different from its family. */
  types: Readonly<Record<string, string | (Partial<ReportFacts> & Pick<ReportType, 'holds'>)>>;
}

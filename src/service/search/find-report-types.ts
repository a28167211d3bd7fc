/** Finds report types by what they hold: one operation makes all of them, so that its own words cannot. */

import { type ReportType, reportTypes } from '../facts/report-types.ts';
import { type Entry, type Found, indexEntries } from './word-index.ts';
import { plainWordsOf, stemsOf } from './words.ts';

/** A type, not an interface, so that it fits where any record is expected. */
export type FoundReportType = {
  /** Value of the parameter of that name. */
  reportType: string;
  holds: string;
  /** Id of the operation by which a seller gets it. */
  operation: string;
  /** Its document holds personal data. */
  restricted?: true;
  /** From when it no longer exists, and what replaces it. */
  deprecated?: { removed?: string; successor?: string };
};

const OPERATIONS = {
  request: 'reports/createReport',
  both: 'reports/createReport',
  schedule: 'reports/createReportSchedule',
  service: 'reports/getReports',
} as const;

interface FoundReports {
  reportTypes: FoundReportType[];
  /** Words that no report type has. */
  unknown: readonly string[];
  /** The text is the very name of a report type. */
  isNamed: boolean;
}

/** Where reports are asked for, and where they only might be meant. */
const MOST_ASKED_FOR = 5;
const MOST_BESIDE = 3;

const DEPRECATED = 0.5;
const FOR_VENDORS = 0.6;

/** They say that a report is meant, not which. */
const reportWords = /\b(reports?|exports?|exported|spreadsheets?|csv)\b/gi;

/**
 * Where something is to be done, only the word "report" itself means one; otherwise a type that has all words of the
 * text is listed as well, but for those that no operation has either.
 */
export function createReportSearch(): (
  text: string,
  operations: Pick<Found, 'isAction' | 'unknown'>,
) => FoundReports {
  const index = indexEntries(reportTypes.map(toEntry));
  return (text, operations) => {
    const named = reportTypes.filter(({ id }) => id === text.trim().toUpperCase());
    if (named.length > 0) return { reportTypes: named.map(toFound), unknown: [], isNamed: true };
    const isAskedFor = plainWordsOf(text).some((word) => /^reports?$/.test(word));
    const { matches, unknown } = index.search(text.replace(reportWords, ' '));
    if (!isAskedFor && operations.isAction) return { reportTypes: [], unknown, isNamed: false };
    const hasAll = unknown.every((word) => operations.unknown.includes(word));
    const whole = hasAll ? matches.filter(({ isWhole }) => isWhole) : [];
    const shown = isAskedFor ? matches.slice(0, MOST_ASKED_FOR) : whole.slice(0, MOST_BESIDE);
    const found = shown.flatMap(({ id }) => reportTypes.filter((type) => type.id === id));
    return { reportTypes: found.map(toFound), unknown, isNamed: false };
  };
}

function toEntry({ id, group, holds, deprecated, audience }: ReportType): Entry {
  const name = id
    .replace(/^GET_|_DATA\b/g, ' ')
    .replaceAll('_', ' ')
    .toLowerCase();
  return {
    id,
    name: stemsOf(name),
    group: stemsOf(group),
    words: stemsOf(`${name} ${holds}`),
    members: '',
    standing: (deprecated === undefined ? 1 : DEPRECATED) * (audience === 'vendors' ? FOR_VENDORS : 1),
    isRead: true,
  };
}

function toFound({ id, holds, origin, restricted, deprecated }: ReportType): FoundReportType {
  return {
    reportType: id,
    holds,
    operation: OPERATIONS[origin],
    ...(restricted !== undefined && { restricted }),
    ...(deprecated !== undefined && { deprecated }),
  };
}

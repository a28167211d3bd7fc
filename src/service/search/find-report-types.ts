/** Report types as search results: their index entries, and their display. */

import type { Ending } from '../facts/endings.ts';
import { type ReportType, reportTypes } from '../facts/report-types.ts';
import type { IndexEntry } from './word-index.ts';
import { stemsOf } from './words.ts';

/** It is a type, not an interface, so that it fits where any record is expected. */
export type FoundReportType = {
  /** The value of the parameter of that name. */
  reportType: string;
  holds: string;
  /** The call that collects it, with the names of its arguments. */
  collect: string;
  /** True when its document has personal data. */
  restricted?: true;
  /** Present when it is deprecated or gone. */
  ending?: Ending;
};

const DEPRECATED = 0.5;
const FOR_VENDORS = 0.6;

export const reportEntries = (): IndexEntry[] => reportTypes.map(toEntry);

function toEntry({ id, group, holds, asked = '', ending, audience }: ReportType): IndexEntry {
  const name = id
    .replace(/^GET_|_DATA\b/g, ' ')
    .replaceAll('_', ' ')
    .toLowerCase();
  return {
    id,
    name: stemsOf(name),
    group: stemsOf(group),
    words: stemsOf(`report ${name} ${holds} ${asked}`),
    members: '',
    standing: (ending === undefined ? 1 : DEPRECATED) * (audience === 'vendors' ? FOR_VENDORS : 1),
    isRead: true,
    isReport: true,
  };
}

/** Returns the type with that exact ID, otherwise those whose IDs begin with the text. */
export function reportsNamed(text: string): string[] {
  const wanted = text.toUpperCase();
  if (!/^[A-Z]+_\w*$/.test(wanted)) return [];
  const ids = reportTypes.map(({ id }) => id).filter((id) => id.toUpperCase().startsWith(wanted));
  const exact = ids.filter((id) => id.toUpperCase() === wanted);
  return exact.length > 0 ? exact : ids;
}

export function showReportType({
  id,
  holds,
  origin,
  period,
  requiredOptions,
  restricted,
  ending,
}: ReportType): FoundReportType {
  const takes = [
    'type',
    ...(period === 'moment' ? [] : ['start', 'end']),
    ...(requiredOptions === undefined ? [] : [`options: {${requiredOptions.join(', ')}}`]),
  ];
  const call = `collect_data report: {${takes.join(', ')}}`;
  return {
    reportType: id,
    holds,
    collect: origin === 'schedule' ? `${call}, once reports/createReportSchedule has had one made` : call,
    ...(restricted !== undefined && { restricted }),
    ...(ending !== undefined && { ending }),
  };
}

/** Formats report types as text: a line each, a page of all, and one in full. */

import { formatEnding } from '../facts/endings.ts';
import { headingOptions } from '../facts/report-traits.ts';
import {
  mostUsedReportTypes,
  type ReportOrigin,
  type ReportType,
  reportTypes,
} from '../facts/report-types.ts';

/** The address of the resource with all of them. */
const reportTypesUri = 'seller://report-types';

/** Returns the lines for operations that take a report type. */
export function mostUsedLines(): string[] {
  return [
    'The most used of reportType:',
    ...mostUsedReportTypes().map(
      (type) => `  ${type.id}: ${[type.holds, ...limitsOf(type, true)].join('; ')}`,
    ),
    `All ${reportTypes.length} are in the resource ${reportTypesUri}; one that is not there is sent all the same. All about one, with its columns: member set to it.`,
  ];
}

/** Lists all types by group, in less than 25,000 characters. */
export function allReportTypes(): string {
  const groups = [...new Set(reportTypes.map(({ group }) => group))];
  const blocks = groups.map((group) =>
    [
      group,
      ...reportTypes
        .filter((type) => type.group === group)
        .map((type) => `  ${type.id}: ${[type.holds, ...limitsOf(type, false)].join('; ')}`),
    ].join('\n'),
  );
  return [
    `${reportTypes.length} report types. Unless a line says otherwise, createReport requests one; ${reportTypesUri}/{type} says all about one.`,
    ...blocks,
  ].join('\n\n');
}

/** Describes all known facts of one type. */
export function describeReportType(type: ReportType): string {
  const { id, group, holds, format, audience, period, options = {}, requiredOptions = [] } = type;
  const choices = Object.entries(options).map(
    ([name, values]) => `  ${name}${requiredOptions.includes(name) ? '' : '?'}: ${values}`,
  );
  for (const [name, value] of Object.entries(headingOptions(id))) {
    choices.push(`  ${name}?: language of the headings; collect_data asks for ${value} where it is left out`);
  }
  return [
    id,
    `${group}: ${holds}`,
    ...(format === undefined ? [] : [`Format: ${format}`]),
    `How it is had: ${origins[type.origin]}`,
    ...(audience === undefined ? [] : [`For: ${audience}`]),
    ...(period === undefined ? [] : [periods[period]]),
    ...(choices.length === 0 ? [] : ['reportOptions (? may be left out):', ...choices]),
    ...limitsOf({ ...type, origin: 'request', requiredOptions: [] }, false).map(capitalized),
  ].join('\n');
}

const origins: Readonly<Record<ReportOrigin, string>> = {
  request: 'createReport',
  schedule: 'createReportSchedule only',
  both: 'createReport or createReportSchedule',
  query: 'collect_data, which sends a query to Data Kiosk (createQuery) and reads its answer',
  service: 'made by the service or in Seller Central; getReports finds it, createReport cannot request it',
};

const shortOrigins: Readonly<Record<ReportOrigin, string>> = {
  request: '',
  schedule: 'only by createReportSchedule',
  both: '',
  query: 'a dataset of Data Kiosk: collect_data asks for it',
  service: 'cannot be requested: getReports finds it',
};

const periods = {
  range: 'dataStartTime and dataEndTime choose what is in it',
  moment: 'The state when it is made',
} as const;

/**
 * Formats the limits of a type.
 * @param brief leaves out limits that affect only few sellers.
 */
function limitsOf(type: ReportType, brief: boolean): string[] {
  const { origin, mostDays, minutesApart, where, requiredOptions = [], restricted, role, limits } = type;
  return [
    shortOrigins[origin],
    ...(mostDays === undefined ? [] : [`at most ${mostDays} days`]),
    ...(minutesApart === undefined ? [] : [`made anew every ${duration(minutesApart)} at most`]),
    ...(requiredOptions.length === 0 ? [] : [`needs reportOptions ${requiredOptions.join(', ')}`]),
    ...(where === undefined ? [] : [`only ${where}`]),
    ...(restricted === true ? ['restricted: holds personal data'] : []),
    ...(role === undefined || brief ? [] : [`needs the role ${role}`]),
    ...(limits === undefined || brief ? [] : [limits]),
    ...(type.ending === undefined ? [] : [formatEnding(type.ending)]),
  ].filter((part) => part !== '');
}

function duration(minutes: number): string {
  return minutes < 60 ? `${minutes} minutes` : `${minutes / 60} hours`;
}

function capitalized(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

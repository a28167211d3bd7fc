/** What is likely to go wrong with a request for a report; nothing is refused, since new report types come. */

import { isJsonObject } from '../../base/json.ts';
import { quoteName } from '../../base/text/quote-name.ts';
import type { Operation } from '../facts/operation.ts';
import type { ReportType } from '../facts/report-types.ts';

/** The operations that take a report type in their body. */
export const reportRequests: readonly string[] = ['reports/createReport', 'reports/createReportSchedule'];

/** What is said of `segments`, a place in the body. */
export interface ReportWarning {
  path: string;
  segments: readonly string[];
  message: string;
}

/** Empty for every other operation. The table of report types is loaded for these alone. */
export async function reportWarnings(
  operation: Pick<Operation, 'id'>,
  body: unknown,
): Promise<ReportWarning[]> {
  const messages = await messagesOf(operation, body);
  return messages.map((message) => ({ path: 'reportType', segments: ['reportType'], message }));
}

async function messagesOf({ id }: Pick<Operation, 'id'>, body: unknown): Promise<string[]> {
  if (!reportRequests.includes(id) || !isJsonObject(body) || typeof body.reportType !== 'string') return [];
  const { nearestReportTypes, reportType } = await import('../facts/report-types.ts');
  const type = reportType(body.reportType);
  if (type === undefined) return [unknownType(body.reportType, nearestReportTypes(body.reportType))];
  const given = isJsonObject(body.reportOptions) ? Object.keys(body.reportOptions) : [];
  return [...endOf(type), ...originOf(type, id), ...missingOptions(type, given)];
}

function unknownType(name: string, near: readonly string[]): string {
  const meant = near.length === 0 ? '' : ` Near it are: ${near.join(', ')}.`;
  return `The report type ${quoteName(name.slice(0, longestShown))} is not known here; it is sent as it is.${meant}`;
}

const longestShown = 100;

function endOf({ id, deprecated }: ReportType): string[] {
  if (deprecated === undefined) return [];
  const { removed, successor } = deprecated;
  const end = removed === undefined ? 'is deprecated' : `was removed on ${removed}`;
  return [`${id} ${end}.${successor === undefined ? '' : ` Use ${successor} instead.`}`];
}

function originOf({ id, origin }: ReportType, operation: string): string[] {
  if (origin === 'service')
    return [
      `${id} cannot be requested: the service makes it, or the seller in Seller Central. getReports finds it.`,
    ];
  if (origin === 'query') return [`${id} is a dataset of Data Kiosk: collect_data asks for it.`];
  const schedules = operation === 'reports/createReportSchedule';
  if (origin === 'schedule' && !schedules) return [`${id} is made by a schedule only: createReportSchedule.`];
  return origin === 'request' && schedules ? [`${id} cannot be scheduled: createReport requests it.`] : [];
}

function missingOptions(
  { id, options = {}, requiredOptions = [] }: ReportType,
  given: readonly string[],
): string[] {
  const missing = requiredOptions.filter((name) => !given.includes(name));
  if (missing.length === 0) return [];
  const told = missing.map((name) => `${name} (${options[name] ?? ''})`);
  return [`${id} needs reportOptions: ${told.join(', ')}.`];
}

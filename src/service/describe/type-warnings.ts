/**
 * Warns about the type that a write names (of a report, a feed, a notification, a dataset); nothing is
 * refused, because Amazon adds types.
 */

import { isJsonObject } from '../../base/json.ts';
import { quoteName } from '../../base/text/quote-name.ts';
import { endingOf, formatEndingSentence } from '../facts/endings.ts';
import { SUBSCRIBES, subscriptionWarnings } from '../facts/notification-types.ts';
import type { ReportType } from '../facts/report-types.ts';

/** The operations that take a report type in their body. */
export const reportRequests: readonly string[] = ['reports/createReport', 'reports/createReportSchedule'];

/** A warning about one member of the body, or about a parameter, for which `segments` is empty. */
export interface TypeWarning {
  path: string;
  segments: readonly string[];
  message: string;
}

interface NamedTypes {
  /** The operation's ID. */
  operation: string;
  parameters: Readonly<Record<string, unknown>>;
  body: unknown;
}

/**
 * Returns no warning for an operation that takes no type.
 * @param now milliseconds since the epoch
 */
export async function typeWarnings(
  { operation, parameters, body: given }: NamedTypes,
  now: number,
): Promise<TypeWarning[]> {
  const body = isJsonObject(given) ? given : {};
  const about = (path: string, messages: readonly string[], segments: readonly string[] = [path]) =>
    messages.map((message) => ({ path, segments, message }));
  if (reportRequests.includes(operation)) return about('reportType', await ofReport(operation, body, now));
  if (operation === 'feeds/createFeed') return about('feedType', ended(body.feedType, now));
  if (operation === 'data-kiosk/createQuery') {
    const datasets = typeof body.query === 'string' ? (body.query.match(DATASET) ?? []) : [];
    return about(
      'query',
      datasets.slice(0, 1).flatMap((name) => ended(name, now)),
    );
  }
  if (operation !== SUBSCRIBES) return [];
  const { notificationType } = parameters;
  return about('notificationType', subscriptionWarnings(notificationType, body.payloadVersion, now), []);
}

const DATASET = /\banalytics_\w{1,100}/g;

function ended(name: unknown, now: number): string[] {
  const ending = typeof name === 'string' ? endingOf(name) : undefined;
  return ending === undefined ? [] : [formatEndingSentence(String(name), ending, now)];
}

/** Warns about a report type; only these operations load the table of report types. */
async function ofReport(
  operation: string,
  body: Readonly<Record<string, unknown>>,
  now: number,
): Promise<string[]> {
  if (typeof body.reportType !== 'string') return [];
  const { nearestReportTypes, reportType } = await import('../facts/report-types.ts');
  const type = reportType(body.reportType);
  if (type === undefined) return [unknownType(body.reportType, nearestReportTypes(body.reportType))];
  const given = isJsonObject(body.reportOptions) ? Object.keys(body.reportOptions) : [];
  return [...ended(type.id, now), ...originOf(type, operation), ...missingOptions(type, given)];
}

function unknownType(name: string, near: readonly string[]): string {
  const meant = near.length === 0 ? '' : ` Near it are: ${near.join(', ')}.`;
  return `The report type ${quoteName(name.slice(0, MAX_SHOWN_LENGTH))} is not known here; it is sent as it is.${meant}`;
}

const MAX_SHOWN_LENGTH = 100;

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
  const descriptions = missing.map((name) => `${name} (${options[name] ?? ''})`);
  return [`${id} needs reportOptions: ${descriptions.join(', ')}.`];
}

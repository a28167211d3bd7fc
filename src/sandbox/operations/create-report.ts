/** createReport: what is asked for is checked as the service does it, then waits its turn. */

import * as z from 'zod';
import type { Answer, Call } from '../answer.ts';
import type { ReportStore } from '../reports/report-store.ts';
import { findReportType, reportTypeNames } from '../reports/report-types.ts';
import type { Market } from '../world/markets.ts';
import { DAY_MS } from '../world/plain-values.ts';
import { BadParameter, invalid, invalidBody } from './query.ts';

/** The time that a report covers when nobody says. */
const DEFAULT_DAYS = 30;

const moment = z.iso.datetime({ offset: true });
const requestSchema = z.looseObject({
  reportType: z.string().min(1),
  marketplaceIds: z.array(z.string()).min(1).max(25),
  dataStartTime: moment.optional(),
  dataEndTime: moment.optional(),
  reportOptions: z.record(z.string(), z.string()).default({}),
});

/** @throws BadParameter for a marketplace where the seller does not sell. */
export function createReport(
  { reports, markets, now }: { reports: ReportStore; markets: readonly Market[]; now: () => number },
  { body }: Call,
): Answer {
  const parsed = requestSchema.safeParse(body);
  if (!parsed.success) return invalidBody(parsed.error);
  const { reportType, marketplaceIds, reportOptions } = parsed.data;
  const refused = refuseType(reportType);
  if (refused !== undefined) return refused;
  const end = parsed.data.dataEndTime === undefined ? now() : Date.parse(parsed.data.dataEndTime);
  const start =
    parsed.data.dataStartTime === undefined
      ? end - DEFAULT_DAYS * DAY_MS
      : Date.parse(parsed.data.dataStartTime);
  if (start > end) return invalid('dataEndTime: lies before dataStartTime.');
  const asked = marketplaceIds.map((id) => findMarket(markets, id));
  const report = reports.create({ reportType, markets: asked, start, end, options: reportOptions });
  return { status: 202, body: { reportId: report.id } };
}

function refuseType(reportType: string): Answer | undefined {
  const type = findReportType(reportType);
  if (type === undefined) {
    return invalid(
      `reportType: ${reportType} is none that the sandbox plays; it plays ${reportTypeNames().join(', ')}.`,
    );
  }
  return type.canBeRequested === false
    ? invalid(
        `reportType: ${reportType} cannot be requested; the service makes it by itself. See getReports.`,
      )
    : undefined;
}

function findMarket(markets: readonly Market[], id: string): Market {
  const market = markets.find((one) => one.id === id);
  if (market !== undefined) return market;
  const known = markets.map((one) => `${one.id} (${one.country})`).join(', ');
  throw new BadParameter(`marketplaceIds: the sandbox has reports of ${known}, not of ${id}.`);
}

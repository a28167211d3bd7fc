/** Collects a report: it plans the request and loads its documents in the format of the report type. */

import { showText } from '../../base/text/escape-text.ts';
import { marketplaceLabel } from '../../service/facts/marketplaces.ts';
import { traitsOfReport } from '../../service/facts/report-traits.ts';
import { noRowsLine } from '../tables/compare-collections.ts';
import type { CollectionSource, LoadOptions } from '../tables/table-types.ts';
import { collectDocument, collectJoined, fileOf, openDocumentJob } from './collect-document.ts';
import { type CollectionPlan, type CollectionSources, checkNotRefused } from './collection-plan.ts';
import { findOrRequestReport } from './find-or-request-report.ts';
import { type ServiceReport, timeOf } from './fitting-report.ts';
import { RECENT_MS } from './polling.ts';
import { EmptyReportError } from './report-failure.ts';
import { checkReport, type GivenReport, type ReportRequest } from './report-request.ts';

export interface ReportOrder extends GivenReport {
  fresh?: boolean | undefined;
  as?: string | undefined;
}

/** @throws InputError that lists every problem; nothing is sent */
export async function planReport(order: ReportOrder, sources: CollectionSources): Promise<CollectionPlan> {
  const { client, account, clock, find, saving } = sources;
  const operations = {
    getReports: find('reports/getReports'),
    createReport: find('reports/createReport'),
    getReport: find('reports/getReport'),
  };
  const { owner, url } = await client.prepare({
    operation: operations.getReport,
    parameters: { reportId: '1' },
    account,
  });
  const request = checkReport(order, owner.marketplaceId, clock.wallClock());
  const { type, facts, marketplaces, start, end, options } = request;
  const source: CollectionSource = {
    kind: 'report',
    reportType: type,
    marketplaces,
    start,
    end,
    options,
  };
  const recentMs = Math.max(RECENT_MS, (facts?.minutesApart ?? 0) * 60_000);
  const isRestricted = facts?.restricted === true;
  const getReportDocument = find('reports/getReportDocument');
  return {
    source,
    recentMs,
    saveAs: saving?.name,
    checkAccess: () => checkNotRefused(client, operations.createReport, owner, [...marketplaces, type]),
    async work({ openLoader, signal, tell, idle }) {
      const fresh = order.fresh === true;
      // A document with personal data needs its own restricted token.
      const operation = isRestricted
        ? { ...getReportDocument, auth: { kind: 'restricted' as const } }
        : getReportDocument;
      const job = await openDocumentJob(sources, { signal, tell }, { owner, url, operation });
      const made = await findOrRequestReport({
        ...job,
        request,
        recentMs,
        idle,
        fresh,
        known: fresh ? undefined : await knownReport(source, recentMs, sources),
        operations,
        scratch: async () => fileOf(await openLoader()),
      }).catch(async (error: unknown) => {
        const last = error instanceof EmptyReportError ? await sources.lastOfKind?.(source) : undefined;
        throw last === undefined || !(error instanceof EmptyReportError)
          ? error
          : error.withHintFirst(noRowsLine(last));
      });
      const { reports, areJoined, complete } = made;
      const [report] = reports;
      const target = {
        openLoader,
        table: order.as ?? tableOfReport(type),
        format: formatOf(facts?.format),
        source:
          report === undefined || areJoined
            ? source
            : { ...source, reportId: report.reportId, madeAt: report.createdTime },
        complete,
        notes: [
          formatCoverage(
            { ...request, marketplaces: made.marketplaces ?? marketplaces },
            areJoined ? undefined : report,
          ),
          ...(areJoined || report === undefined ? [] : noteOnLeftOut(request, report)),
          ...request.notes,
          ...made.notes,
        ],
        saving,
        isRestricted,
      };
      return areJoined
        ? collectJoined(job, reports, target)
        : collectDocument({ ...job, id: report?.reportDocumentId ?? '' }, target);
    },
  };
}

/** Returns the report type without `GET_`; the tables turn it into an SQL name. */
export const tableOfReport = (type: string) => type.replace(/^GET_/, '');

/** Returns the id of the report behind the existing table, so that saving it needs no new report. */
async function knownReport(
  source: CollectionSource,
  recentMs: number,
  { saving, kept, clock }: CollectionSources,
): Promise<string | undefined> {
  const info = saving === undefined ? undefined : await kept?.(source);
  if (info === undefined || clock.wallClock() - Date.parse(info.collectedAt) > recentMs) return undefined;
  return info.source.kind === 'report' ? info.source.reportId : undefined;
}

/** Returns the note on the request as understood and the time that the report covers. */
function formatCoverage(
  { type, marketplaces, facts, ...asked }: ReportRequest,
  report: ServiceReport | undefined,
): string {
  const named = marketplaces.map((id) => marketplaceLabel(id) ?? showText(id)).join(', ');
  const { start, end } =
    (facts?.period === 'moment' || report === undefined ? undefined : timeOf(report)) ?? asked;
  const time = start === undefined && end === undefined ? '' : `, ${start ?? ''} to ${end ?? 'now'}`;
  // The rows themselves show what else is in it.
  const isOfThese = traitsOfReport(type)?.scope === 'marketplace';
  return `${isOfThese ? 'Marketplaces' : 'Asked for'}: ${named}${time}.`;
}

/** Returns a note if the service cut the list of marketplaces, which only the report's own list shows. */
function noteOnLeftOut({ type, marketplaces }: ReportRequest, { marketplaceIds }: ServiceReport): string[] {
  if (marketplaceIds === undefined || traitsOfReport(type)?.scope === 'account') return [];
  const label = (id: string) => marketplaceLabel(id) ?? showText(id);
  const leftOut = marketplaces.filter((id) => !marketplaceIds.includes(id)).map(label);
  if (leftOut.length === 0) return [];
  return [
    `Amazon made this report for ${marketplaceIds.map(label).join(', ') || 'no marketplace'} and left out ${leftOut.join(', ')}: collect those one by one.`,
  ];
}

/** Returns the load format; content without rows is stored unchanged. */
function formatOf(format: string | undefined): LoadOptions['format'] {
  if (format === 'tab' || format === 'csv' || format === 'json' || format === 'xml') return format;
  return format === undefined ? 'auto' : 'other';
}

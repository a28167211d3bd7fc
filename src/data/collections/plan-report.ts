/** A report as a collection: asked for or found, and its documents loaded as what its type says they are. */

import { showText } from '../../base/text/escape-text.ts';
import { marketplaceLabel } from '../../service/facts/marketplaces.ts';
import type { CollectionSource, DocumentFormat } from '../tables/types.ts';
import { collectDocument, collectJoined } from './collect-document.ts';
import { fileOf } from './fetch-document.ts';
import type { Plan, Sources } from './plan.ts';
import { makeReport, RECENT_MS } from './report.ts';
import { checkReport, type GivenReport, type ReportRequest } from './report-request.ts';
import { type ServiceReport, timeOf } from './service-report.ts';

export interface ReportOrder extends GivenReport {
  fresh?: boolean | undefined;
  as?: string | undefined;
}

/** @throws InputError with everything that is wrong; nothing is sent */
export async function planReport(order: ReportOrder, sources: Sources): Promise<Plan> {
  const { client, account, clock, find } = sources;
  const operations = {
    getReports: find('reports/getReports'),
    createReport: find('reports/createReport'),
    getReport: find('reports/getReport'),
    getReportDocument: find('reports/getReportDocument'),
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
    ...(start === undefined ? {} : { start }),
    ...(end === undefined ? {} : { end }),
    ...(options === undefined ? {} : { options }),
  };
  const table = order.as ?? type.replace(/^GET_/, '');
  const recentMs = Math.max(RECENT_MS, (facts?.minutesApart ?? 0) * 60_000);
  // A document with personal data is given against a token of its own.
  const getReportDocument =
    facts?.restricted === true
      ? { ...operations.getReportDocument, auth: { kind: 'restricted' as const } }
      : operations.getReportDocument;
  return {
    source,
    table,
    recentMs,
    saveAs: sources.saving?.name,
    async work({ open, signal, tell, idle }) {
      const base = { client, clock, signal, tell, account, owner, givenBy: new URL(url).origin };
      const downloads = await sources.downloads();
      const fresh = order.fresh === true;
      const made = await makeReport({
        ...base,
        downloads,
        request,
        idle,
        fresh,
        known: fresh ? undefined : await knownReport(source, recentMs, sources),
        operations: { ...operations, getReportDocument },
        scratch: async () => fileOf(await open()),
      });
      const { reports, areJoined, complete } = made;
      const [report] = reports;
      const whole = report === undefined || areJoined ? source : { ...source, reportId: report.reportId };
      const target = {
        open,
        table,
        format: formatOf(facts?.format),
        reportType: type,
        source: whole,
        complete,
        saving: sources.saving,
        isRestricted: facts?.restricted === true,
      };
      const notes = [aboutWords(request, areJoined ? undefined : report), ...request.notes, ...made.notes];
      const job = { ...base, downloads, operation: getReportDocument };
      return areJoined
        ? collectJoined(job, reports, { ...target, notes })
        : collectDocument({ ...job, id: report?.reportDocumentId ?? '' }, { ...target, notes });
    },
  };
}

/** The report that its table was made of: none has to be asked for to save it. */
async function knownReport(
  source: CollectionSource,
  recentMs: number,
  { saving, kept, clock }: Sources,
): Promise<string | undefined> {
  const info = saving === undefined ? undefined : await kept?.(source);
  if (info === undefined || clock.wallClock() - Date.parse(info.collectedAt) > recentMs) return undefined;
  return info.source.kind === 'report' ? info.source.reportId : undefined;
}

/** What was understood, and which time the report says it covers. */
function aboutWords(
  { marketplaces, facts, ...asked }: ReportRequest,
  report: ServiceReport | undefined,
): string {
  const named = marketplaces.map((id) => marketplaceLabel(id) ?? showText(id)).join(', ');
  const { start, end } =
    (facts?.period === 'moment' || report === undefined ? undefined : timeOf(report)) ?? asked;
  const time = start === undefined && end === undefined ? '' : `, ${start ?? ''} to ${end ?? 'now'}`;
  return `Marketplaces: ${named}${time}.`;
}

/** What holds no rows is kept as it is. */
function formatOf(format: string | undefined): DocumentFormat {
  if (format === 'tab' || format === 'csv' || format === 'json' || format === 'xml') return format;
  return format === undefined ? 'auto' : 'other';
}

/** The reports operations: asking for one, seeing how far it is, and getting the address of its document. */

import { type Answer, type Call, fail } from '../answer.ts';
import type { Report, ReportStore } from '../reports/report-store.ts';
import type { Route } from '../router.ts';
import type { Market } from '../world/markets.ts';
import { createReport } from './create-report.ts';
import { listReports, showReport } from './list-reports.ts';
import { answerQuery, invalid, readList } from './query.ts';

const BASE = '/reports/2021-06-30';

export interface ReportParts {
  reports: ReportStore;
  markets: readonly Market[];
  now: () => number;
  /** The signed address of a document, by its id. */
  addressOf(documentId: string, announceEncoding: boolean): string;
}

export function buildReportRoutes(parts: ReportParts): Route[] {
  const { reports } = parts;
  const seller = { auth: 'seller' } as const;
  const one = `${BASE}/reports/{reportId}`;
  return [
    {
      ...seller,
      operation: 'createReport',
      method: 'POST',
      path: `${BASE}/reports`,
      handle: (call) => answerQuery(() => createReport(parts, call)),
    },
    {
      ...seller,
      operation: 'getReports',
      method: 'GET',
      path: `${BASE}/reports`,
      handle: (call) => answerQuery(() => listReports(reports, parts.now(), call)),
    },
    {
      ...seller,
      operation: 'getReport',
      method: 'GET',
      path: one,
      handle: (call) =>
        withReport(reports, call, (report) => ({ status: 200, body: showReport(reports, report) })),
    },
    {
      ...seller,
      operation: 'cancelReport',
      method: 'DELETE',
      path: one,
      handle: (call) =>
        withReport(reports, call, (report) =>
          reports.cancel(report)
            ? { status: 200 }
            : invalid(`A report that is ${reports.statusOf(report)} cannot be cancelled.`),
        ),
    },
    {
      ...seller,
      operation: 'getReportDocument',
      method: 'GET',
      path: `${BASE}/documents/{reportDocumentId}`,
      handle: (call) => getDocument(parts, call),
    },
    {
      ...seller,
      operation: 'getReportSchedules',
      method: 'GET',
      path: `${BASE}/schedules`,
      handle: ({ query }) =>
        readList(query, 'reportTypes').length === 0
          ? invalid('reportTypes: is missing.')
          : { status: 200, body: { reportSchedules: [] } },
    },
  ];
}

const notFound = (what: string, id: string): Answer =>
  fail(404, { code: 'NotFound', message: `${what} '${id}' was not found.`, details: '' });

function withReport(reports: ReportStore, { params }: Call, use: (report: Report) => Answer): Answer {
  const id = params.reportId ?? '';
  const report = reports.find(id);
  return report === undefined ? notFound('Report', id) : use(report);
}

function getDocument({ reports, addressOf }: ReportParts, { params, query, token }: Call): Answer {
  const id = params.reportDocumentId ?? '';
  const document = reports.findDocument(id);
  if (document === undefined) return notFound('Report document', id);
  if (document.type.isRestricted && token.kind !== 'restricted') {
    const details = 'This document needs a restricted data token.';
    return fail(403, { code: 'Unauthorized', message: 'Access to requested resource is denied.', details });
  }
  const announceEncoding = query.get('enableContentEncodingUrlHeader') === 'true';
  return {
    status: 200,
    body: {
      reportDocumentId: document.id,
      url: addressOf(document.id, announceEncoding),
      ...(document.type.isCompressed && { compressionAlgorithm: 'GZIP' }),
    },
  };
}

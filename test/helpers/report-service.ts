/** A service whose reports are what a test gives for their types: asked for, or made by themselves where several are given. */

import type { Handler } from './http-service.ts';
import { startToolRunner, type ToolRunner } from './tool-runner.ts';

/** The documents by report type: one, or several that are there already. Undefined cancels the report. */
export type ReportScript = Record<string, string | string[] | undefined>;

/** @param documents may be changed between the calls */
function reportHandler(documents: ReportScript): Handler {
  const requested = new Map<string, string>();
  const contents = new Map<string, string>();
  return ({ path, method, headers, json }) => {
    const url = new URL(path, `http://${headers.host}`);
    const name = decodeURIComponent(url.pathname.split('/').at(-1) ?? '');
    if (url.pathname.startsWith('/signed/')) return { body: Buffer.from(contents.get(name) ?? '') };
    if (url.pathname.includes('/documents/'))
      return { body: { url: `http://${headers.host}/signed/${name}` } };
    if (path.startsWith('/tokens/')) {
      return { body: { restrictedDataToken: 'Atz.sprdt|restricted-1', expiresIn: 3600 } };
    }
    if (method === 'POST') {
      const id = `R${requested.size + 1}`;
      const type = Object.entries(json ?? {}).find(([member]) => member === 'reportType')?.[1];
      requested.set(id, String(type));
      return { status: 202, body: { reportId: id } };
    }
    const type = requested.get(name);
    if (type !== undefined) {
      const content = documents[type];
      if (content === undefined) return { body: { reportId: name, processingStatus: 'CANCELLED' } };
      contents.set(`D${name}`, String(content));
      return { body: { reportId: name, processingStatus: 'DONE', reportDocumentId: `D${name}` } };
    }
    const listed = documents[url.searchParams.get('reportTypes') ?? ''];
    if (!Array.isArray(listed)) return { body: { reports: [] } };
    const reports = listed.map((content, at) => {
      contents.set(`M${at}`, content);
      return {
        reportId: `made-${at}`,
        reportType: url.searchParams.get('reportTypes'),
        processingStatus: 'DONE',
        reportDocumentId: `M${at}`,
        marketplaceIds: ['A1PA6795UKMFR9'],
        createdTime: new Date(Date.UTC(2026, 10, 5 + at)).toISOString(),
        dataStartTime: new Date(Date.UTC(2026, 10, 1 + at)).toISOString(),
        dataEndTime: new Date(Date.UTC(2026, 10, 2 + at)).toISOString(),
      };
    });
    return { body: { reports } };
  };
}

export const startReports = (documents: ReportScript): Promise<ToolRunner> =>
  startToolRunner(reportHandler(documents));

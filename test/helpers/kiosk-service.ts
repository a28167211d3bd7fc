/** A simulated Data Kiosk: it keeps the queries that it is sent, and answers each with pages of JSON lines. */

import { gzipSync } from 'node:zlib';
import * as z from 'zod';
import { startToolRunner, type ToolRunner } from './tool-runner.ts';

const createSchema = z.object({ query: z.string(), paginationToken: z.string().optional() });

export interface Kiosk {
  runner: ToolRunner;
  /** Texts of the queries that were sent, oldest first. */
  queries: string[];
}

/**
 * @param pages items of each document; without one, the query has no document. A text is what the service says about a
 *   query that it cannot answer.
 */
export async function startKiosk(pages: readonly (readonly object[])[] | string): Promise<Kiosk> {
  const texts: string[] = [];
  const queries: { query: string; page: number; createdTime: string }[] = [];
  const show = (id: number) => {
    const { query, page, createdTime } = queries[id] ?? { query: '', page: 0, createdTime: '' };
    const base = { queryId: `Q${id}`, query, createdTime };
    if (typeof pages === 'string') return { ...base, processingStatus: 'FATAL', errorDocumentId: 'error' };
    return {
      ...base,
      processingStatus: 'DONE',
      ...(pages[page] !== undefined && { dataDocumentId: `page-${page}` }),
      ...(page + 1 < pages.length && { pagination: { nextToken: String(page + 1) } }),
    };
  };
  const runner = await startToolRunner(({ method, path, headers, json }) => {
    const url = new URL(path, `http://${headers.host}`);
    const last = url.pathname.split('/').at(-1) ?? '';
    if (url.pathname.startsWith('/files/')) {
      const items = typeof pages === 'string' ? [] : (pages[Number(last)] ?? []);
      const text = typeof pages === 'string' ? pages : items.map((item) => JSON.stringify(item)).join('\n');
      return { body: gzipSync(text) };
    }
    if (url.pathname.includes('/documents/')) {
      return {
        body: { documentId: last, documentUrl: `http://${headers.host}/files/${last.replace('page-', '')}` },
      };
    }
    if (method === 'POST') {
      const { query, paginationToken = '0' } = createSchema.parse(json);
      texts.push(query);
      queries.push({ query, page: Number(paginationToken), createdTime: new Date().toISOString() });
      return { status: 202, body: { queryId: `Q${queries.length - 1}` } };
    }
    if (last === 'queries') return { body: { queries: queries.map((_, id) => show(id)).reverse() } };
    return { body: show(Number(last.slice(1))) };
  });
  return { runner, queries: texts };
}

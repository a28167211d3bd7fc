/** A document that exists already as a collection, by its id. */

import type { CollectionSource } from '../tables/types.ts';
import { collectDocument } from './collect-document.ts';
import type { Plan, Sources } from './plan.ts';

export interface DocumentRequest {
  id: string;
  of?: 'report' | 'feed' | 'data-kiosk' | undefined;
  as?: string | undefined;
}

const DOCUMENT_OPERATIONS = {
  report: 'reports/getReportDocument',
  feed: 'feeds/getFeedDocument',
  'data-kiosk': 'data-kiosk/getDocument',
} as const;

/** A document never changes: it is read once. @throws InputError for an id that cannot be sent */
export async function planDocument(request: DocumentRequest, sources: Sources): Promise<Plan> {
  const { client, account, clock } = sources;
  const { id, of = 'report' } = request;
  const operation = sources.find(DOCUMENT_OPERATIONS[of]);
  const name = operation.parameters.find((parameter) => parameter.in === 'path')?.name ?? '';
  const { owner, url } = await client.prepare({ operation, parameters: { [name]: id }, account });
  const source: CollectionSource = { kind: 'document', id, of };
  const table = request.as ?? `${of.replace('-', '_')}_document`;
  return {
    source,
    table,
    recentMs: Number.POSITIVE_INFINITY,
    saveAs: sources.saving?.name,
    async work({ open, signal, tell }) {
      const downloads = await sources.downloads();
      const job = {
        client,
        clock,
        signal,
        tell,
        account,
        owner,
        downloads,
        operation,
        id,
        givenBy: new URL(url).origin,
      };
      return collectDocument(job, {
        open,
        table,
        format: of === 'data-kiosk' ? 'jsonl' : 'auto',
        source,
        complete: true,
        notes: [],
        saving: sources.saving,
        isRestricted: true,
      });
    },
  };
}

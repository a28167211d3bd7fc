/** Finds the text of the Data Kiosk query that a document answers, since a document names neither its query nor its time. */

import * as z from 'zod';
import { AppError } from '../../base/errors.ts';
import type { FindQuery } from './collect-document.ts';

/** The comparison that needs it is not worth a long wait for the limit of the operation. */
const TIMEOUT_MS = 5_000;

const querySchema = z.looseObject({
  query: z.string(),
  dataDocumentId: z.string().optional(),
  pagination: z.looseObject({ nextToken: z.string() }).optional(),
});
const listSchema = z.looseObject({ queries: z.array(querySchema) });

/** One request, among the newest 100 queries. Undefined also for an answer in several documents, which are of different sizes. */
export const findKioskQuery: FindQuery = async (id, { client, account, find, owner, signal }) => {
  try {
    const { body } = await client.call(
      {
        operation: find('data-kiosk/getQueries'),
        parameters: { processingStatuses: ['DONE'], pageSize: 100 },
        account,
        owner,
      },
      { signal, timeoutMs: TIMEOUT_MS },
    );
    const queries = listSchema.safeParse(body).data?.queries ?? [];
    const text = queries.find(({ dataDocumentId }) => dataDocumentId === id)?.query;
    const isPaged = queries.some(({ query, pagination }) => query === text && pagination !== undefined);
    return isPaged ? undefined : text;
  } catch (error) {
    signal.throwIfAborted();
    // An account that may not list its queries gets its document all the same.
    if (error instanceof AppError) return undefined;
    throw error;
  }
};

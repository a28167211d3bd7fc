/** Finds the text of the Data Kiosk query that a document answers, since a document names neither its query nor its time. */

import * as z from 'zod';
import { AppError } from '../../base/errors.ts';
import type { FindQuery } from './collect-document.ts';

/** The comparison that needs it is not worth a long wait for the limit of the operation. */
const TIMEOUT_MS = 5_000;

const querySchema = z.looseObject({
  queryId: z.string().min(1),
  query: z.string().optional(),
  createdTime: z.string().optional(),
  processingStatus: z.string(),
  dataDocumentId: z.string().min(1).optional(),
  errorDocumentId: z.string().min(1).optional(),
  pagination: z.looseObject({ nextToken: z.string().min(1).optional() }).optional(),
});
export type KioskQuery = z.output<typeof querySchema>;

const listSchema = z.looseObject({ queries: z.array(z.unknown()).optional() });

/** Undefined for what is no query. */
export const readQuery = (body: unknown) => querySchema.safeParse(body).data;

/** Reads the queries of an answer of getQueries, and leaves out what is none. */
export const readQueries = (body: unknown): KioskQuery[] =>
  (listSchema.safeParse(body).data?.queries ?? []).flatMap((each) => readQuery(each) ?? []);

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
    const queries = readQueries(body);
    const text = queries.find(({ dataDocumentId }) => dataDocumentId === id)?.query;
    const isPaged = queries.some(
      ({ query, pagination }) => query === text && pagination?.nextToken !== undefined,
    );
    return isPaged ? undefined : text;
  } catch (error) {
    signal.throwIfAborted();
    // An account that may not list its queries gets its document all the same.
    if (error instanceof AppError) return undefined;
    throw error;
  }
};

/**
 * Finds the text of the Data Kiosk query that a document answers, since a document names neither its query
 * nor its time.
 */

import * as z from 'zod';
import { AppError } from '../../base/errors.ts';
import type { FindQuery } from './collect-document.ts';

/** A comparison is not worth a long wait for the operation's limit. */
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

/** Returns undefined for a body that is no query. */
export const readQuery = (body: unknown) => querySchema.safeParse(body).data;

/** Reads the queries of a getQueries answer and skips invalid ones. */
export const readQueries = (body: unknown): KioskQuery[] =>
  (listSchema.safeParse(body).data?.queries ?? []).flatMap((each) => readQuery(each) ?? []);

/**
 * Searches the newest 100 queries in one request. Undefined also for an answer in several documents, whose
 * sizes differ.
 */
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
    // An account that may not list its queries still gets its document.
    if (error instanceof AppError) return undefined;
    throw error;
  }
};

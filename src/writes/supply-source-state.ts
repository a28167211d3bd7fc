/** The state of a supply source, before a write and after it. */

import type { CallOptions, Client } from '../client/client.ts';
import { ApiError, type AppError, NetworkError, TimeoutError } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import type { Operation } from '../service/facts/operation.ts';
import type { Difference } from './difference.ts';
import { compareReadBack } from './read-back.ts';
import { toWritableSupplySource } from './supply-source-body.ts';

export type SupplySourceState = { state: JsonObject } | { problem: AppError };

export interface SupplySourceReader {
  /** What the service has, or why it does not say; it may still take a whole body. @throws AppError for the rest */
  read(options: CallOptions): Promise<SupplySourceState>;
  /** What differs from the body that was sent. */
  compare(sent: JsonObject, options: CallOptions): Promise<Difference[]>;
}

/** @param operation getSupplySource */
export function createSupplySourceReader(
  client: Client,
  operation: Operation,
  { account, supplySourceId }: { account: string; supplySourceId: string },
): SupplySourceReader {
  const fetchState = async (options: CallOptions): Promise<JsonObject> => {
    const { body } = await client.call({ operation, account, parameters: { supplySourceId } }, options);
    if (isJsonObject(body)) return body;
    throw new ApiError(
      { status: 200, errors: [] },
      'The service answered with something that is not a supply source.',
    );
  };
  return {
    async read(options) {
      try {
        return { state: await fetchState(options) };
      } catch (error) {
        if (options.signal?.aborted !== true && isServicesFault(error)) return { problem: error };
        throw error;
      }
    },
    async compare(sent, options) {
      return compareReadBack(sent, toWritableSupplySource(await fetchState(options)));
    },
  };
}

function isServicesFault(error: unknown): error is AppError {
  return error instanceof ApiError || error instanceof NetworkError || error instanceof TimeoutError;
}

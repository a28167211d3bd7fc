/** The state of a supply source: read before a write, read back after it, and compared with what was sent. */

import type { CallOptions, Client } from '../../client/client.ts';
import { ApiError, type AppError, NetworkError, TimeoutError } from '../../errors.ts';
import { isJsonObject, type JsonObject } from '../../json.ts';
import { type Difference, findDifferences, type Segments } from '../../json-difference.ts';
import type { Operation } from '../../service/facts/operation.ts';
import { canonicalJson } from '../../writes/canonical-json.ts';
import { dropNulls, toWritableSupplySource } from './body.ts';
import { isOperatingHours } from './hours.ts';

/** `numbersAsText`: where the state holds a text for a number of too many digits. */
export type SupplySourceState =
  | { state: JsonObject; numbersAsText: readonly Segments[] }
  | { problem: AppError };

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
  const fetchState = async (options: CallOptions) => {
    const { body, findNumbersAsText } = await client.call(
      { operation, account, parameters: { supplySourceId } },
      options,
    );
    if (isJsonObject(body)) return { state: body, numbersAsText: findNumbersAsText?.() ?? [] };
    throw new ApiError({ status: 200 }, 'The service answered with something that is not a supply source.');
  };
  return {
    async read(options) {
      try {
        return await fetchState(options);
      } catch (error) {
        if (options.signal?.aborted !== true && isServicesFault(error)) return { problem: error };
        throw error;
      }
    },
    async compare(sent, options) {
      const { state } = await fetchState(options);
      return compareReadBack(sent, toWritableSupplySource(state));
    },
  };
}

function isServicesFault(error: unknown): error is AppError {
  return error instanceof ApiError || error instanceof NetworkError || error instanceof TimeoutError;
}

/** What differs: lists of opening hours and of plain values change as a whole, since a person reads them as one. */
export function compareSupplySources(before: unknown, after: unknown): Difference[] {
  return findDifferences(before, after, isReadAsOne);
}

function isReadAsOne(before: readonly unknown[], after: readonly unknown[]): boolean {
  const both = [...before, ...after];
  return isOperatingHours(both) || both.every((item) => typeof item !== 'object' || item === null);
}

/** Members whose values the service has been seen to answer in another case (`Order` as `ORDER`). */
const CASELESS = ['timeUnit', 'throughputUnit', 'parkingCostType', 'parkingSpotIdentificationType'];

/**
 * What differs between the body sent and the state read back, both without members that can only be read
 * (`toWritableSupplySource`); `before` is what was sent, `after` what was found. Not told, because it means the
 * same: the order of the openings within one day, the order of members, null against absent, the case of units.
 */
export function compareReadBack(sent: unknown, found: unknown): Difference[] {
  const expected = dropNulls(sent);
  return compareSupplySources(expected, align(dropNulls(found), expected, undefined));
}

/** `found`, with whatever only looks different replaced by its counterpart in `sent`. */
function align(found: unknown, sent: unknown, name: string | undefined): unknown {
  if (Array.isArray(found) && Array.isArray(sent)) {
    if (isOperatingHours(found) && sortedText(found) === sortedText(sent)) return sent;
    return found.map((item, at) => align(item, sent[at], undefined));
  }
  if (isJsonObject(found) && isJsonObject(sent)) {
    const members = Object.entries(found);
    return Object.fromEntries(members.map(([key, value]) => [key, align(value, own(sent, key), key)]));
  }
  if (typeof found !== 'string' || typeof sent !== 'string') return found;
  const isCaseless = CASELESS.some((caseless) => caseless === name);
  return isCaseless && found.toLowerCase() === sent.toLowerCase() ? sent : found;
}

function own(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function sortedText(hours: readonly unknown[]): string {
  return hours.map(canonicalJson).sort().join();
}

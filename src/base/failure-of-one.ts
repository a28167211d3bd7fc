/**
 * Decides whether the failure of one call among several is its own, and describes it; no start loads this
 * module.
 */

import {
  AccountChangedError,
  ApiError,
  AppError,
  CancelledError,
  ConfigError,
  CredentialError,
  InputError,
  WriteRefusedError,
} from './errors.ts';
import { groupBy } from './group-by.ts';
import { count } from './text/format-value.ts';
import { shortenToCharacters } from './text/shorten.ts';

/**
 * Returns true when one call of several failed and the others may succeed. Failures of credentials and
 * settings affect all calls.
 */
export function isFailureOfOneCall(error: unknown): error is AppError {
  const isOfAll = [CredentialError, ConfigError, AccountChangedError, CancelledError, WriteRefusedError].some(
    (kind) => error instanceof kind,
  );
  return error instanceof AppError && !isOfAll;
}

/**
 * Returns true when the service may refuse a batch, or fail, because of one item; each item is then requested
 * alone.
 */
export function mayConcernOneItem(error: AppError): boolean {
  if (error instanceof InputError) return true;
  return error instanceof ApiError && ([400, 404, 413, 422].includes(error.status) || error.status >= 500);
}

/** Returns true when the same request would be refused again. */
export function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
}

/** Formats why one item of several is missing, after its name: `Belgium was refused (403): ...`. */
export const formatFailedItem = (name: string, error: AppError): string => failedLine([name], [name], error);

/** The maximum number of reasons listed, of names per reason, and of characters per reason. */
const MAX_REASONS = 5;
const MAX_NAMES = 5;
const MAX_CHARACTERS = 400;

/**
 * Returns a sentence for each reason, the most frequent first: `A, B and 3 more were refused (403): ...`.
 * @param failed the error of each name
 */
export function formatFailedItems(failed: Iterable<readonly [name: string, error: AppError]>): string[] {
  const groups = [...groupBy([...failed], ([, error]) => failedLine([], [''], error)).values()];
  const sorted = groups.sort((one, other) => other.length - one.length);
  const sentences = sorted.slice(0, MAX_REASONS).flatMap((group) => {
    const [first] = group;
    const names = group.map(([name]) => name);
    return first === undefined ? [] : [failedLine(names.slice(0, MAX_NAMES), names, first[1])];
  });
  const more = sorted.slice(MAX_REASONS).reduce((sum, group) => sum + group.length, 0);
  return more === 0 ? sentences : [...sentences, `${count(more)} more could not be read, for other reasons.`];
}

/**
 * Formats one reason with its names.
 * @param named the first of all names
 */
function failedLine(named: readonly string[], all: readonly string[], error: AppError): string {
  const rest = all.length - named.length;
  const names = `${named.join(', ')}${rest > 0 ? ` and ${count(rest)} more` : ''}`;
  const why = shortenToCharacters(error.message, MAX_CHARACTERS);
  if (!isRefusal(error)) return `${names} could not be read: ${why}`;
  return `${names} ${all.length === 1 ? 'was' : 'were'} refused (${error.status}): ${why}`;
}

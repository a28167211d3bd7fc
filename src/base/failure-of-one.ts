/** Says of one call among several whether its failure is its own, and why it is missing; no start loads it. */

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
import { shortenToCharacters } from './text/shorten.ts';
import { count } from './text/value-words.ts';

/** True where one call of several has failed and the others may do better; credentials and settings are all calls' own. */
export function isOfOneCall(error: unknown): error is AppError {
  const isOfAll = [CredentialError, ConfigError, AccountChangedError, CancelledError, WriteRefusedError].some(
    (kind) => error instanceof kind,
  );
  return error instanceof AppError && !isOfAll;
}

/** True where the service may refuse many, or fail, because of one of them: each is asked for by itself then. */
export function mayBeOfOne(error: AppError): boolean {
  if (error instanceof InputError) return true;
  return error instanceof ApiError && ([400, 404, 413, 422].includes(error.status) || error.status >= 500);
}

/** True where the same request would be refused again. */
export function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
}

/** Why one of several is missing, behind its name: `Belgium was refused (403): ...`. */
export const failedWords = (name: string, error: AppError): string => failedLine([name], [name], error);

/** Reasons that are told, names with each, and characters of a reason. */
const MAX_REASONS = 5;
const MAX_NAMES = 5;
const MAX_CHARACTERS = 400;

/** A sentence for each reason, the commonest first: `A, B and 3 more were refused (403): ...`. @param failed the error of each name */
export function failedSentences(failed: Iterable<readonly [name: string, error: AppError]>): string[] {
  const groups = [...groupBy([...failed], ([, error]) => failedLine([], [''], error)).values()];
  const sorted = groups.sort((one, other) => other.length - one.length);
  const told = sorted.slice(0, MAX_REASONS).flatMap((group) => {
    const [first] = group;
    const names = group.map(([name]) => name);
    return first === undefined ? [] : [failedLine(names.slice(0, MAX_NAMES), names, first[1])];
  });
  const more = sorted.slice(MAX_REASONS).reduce((sum, group) => sum + group.length, 0);
  return more === 0 ? told : [...told, `${count(more)} more could not be read, for other reasons.`];
}

/** @param named the first of all names */
function failedLine(named: readonly string[], all: readonly string[], error: AppError): string {
  const rest = all.length - named.length;
  const names = `${named.join(', ')}${rest > 0 ? ` and ${count(rest)} more` : ''}`;
  const why = shortenToCharacters(error.message, MAX_CHARACTERS);
  if (!isRefusal(error)) return `${names} could not be read: ${why}`;
  return `${names} ${all.length === 1 ? 'was' : 'were'} refused (${error.status}): ${why}`;
}

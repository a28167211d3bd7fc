/** Says of one call among several whether its failure is its own, and why it is missing; no start loads it. */

import {
  AccountChangedError,
  ApiError,
  AppError,
  CancelledError,
  ConfigError,
  CredentialError,
  WriteRefusedError,
} from './errors.ts';

/** True where one call of several has failed and the others may do better; credentials and settings are all calls' own. */
export function isOfOneCall(error: unknown): error is AppError {
  const isOfAll = [CredentialError, ConfigError, AccountChangedError, CancelledError, WriteRefusedError].some(
    (kind) => error instanceof kind,
  );
  return error instanceof AppError && !isOfAll;
}

/** Why one of several is missing, behind its name: `Belgium was refused (403): ...`. */
export function failedWords(name: string, error: AppError): string {
  const isRefused =
    error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
  return isRefused
    ? `${name} was refused (${error.status}): ${error.message}`
    : `${name} could not be read: ${error.message}`;
}

/** Words the errors for a disk that accepts nothing more. */

import { AppError, ConfigError, codeOf } from '../../../base/errors.ts';
import { BatchWaitsError } from './batch.ts';

const MAKE_ROOM =
  'Make room or make the folder writable, or name another folder with --state-dir (SELLER_STATE_DIR).';

/** Returns the error for a batch that could not be stored. */
export function batchNotStoredError(error: unknown, folder: string): AppError {
  // This error ends by itself, without more room on the disk.
  if (error instanceof BatchWaitsError) return error;
  return new ConfigError(
    `The confirmed list could not be written to ${folder} (${reasonOf(error)}); nothing was sent.`,
    MAKE_ROOM,
    { cause: error },
  );
}

/** Returns the reason for a run that ends halfway. */
export function runEndReason(error: unknown): string {
  if (error instanceof BatchWaitsError) return error.message;
  return `How far it is could not be written to the disk (${reasonOf(error)}), so nothing more was sent. ${MAKE_ROOM}`;
}

function reasonOf(error: unknown): string {
  if (error instanceof AppError) return error.message;
  // SQLite puts the reason into its message only.
  if (error instanceof Error) return 'errcode' in error ? error.message : codeOf(error) || error.message;
  return String(error);
}

/** What a person is told where the disk takes nothing more. */

import { AppError, ConfigError, codeOf } from '../../../base/errors.ts';
import { BatchWaitsError } from './batch.ts';

const MAKE_ROOM =
  'Make room or make the folder writable, or name another folder with --state-dir (SELLER_STATE_DIR).';

/** For a list that could not be written down. */
export function notBegun(error: unknown, folder: string): AppError {
  // Nobody has to make room.
  if (error instanceof BatchWaitsError) return error;
  return new ConfigError(
    `The confirmed list could not be written to ${folder} (${reasonOf(error)}); nothing was sent.`,
    MAKE_ROOM,
    { cause: error },
  );
}

/** For a run that ends in its midst. */
export function notGoingOn(error: unknown): string {
  if (error instanceof BatchWaitsError) return error.message;
  return `How far it is could not be written to the disk (${reasonOf(error)}), so nothing more was sent. ${MAKE_ROOM}`;
}

function reasonOf(error: unknown): string {
  if (error instanceof AppError) return error.message;
  // SQLite says what is wrong in its message alone.
  if (error instanceof Error) return 'errcode' in error ? error.message : codeOf(error) || error.message;
  return String(error);
}

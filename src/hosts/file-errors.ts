/** System errors in words: which file, what failed and why. */

import { InputError } from '../errors.ts';

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EEXIST: 'a part of the path is a file, not a folder',
  EISDIR: 'it is a folder, not a file',
  ENOSPC: 'the disk is full',
  ELOOP: 'its links lead in a circle',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not UTF-8 text',
};

/** Turns a system error into one that says which file, what failed and why. */
export function readable(error: unknown, file: string, verb: 'read' | 'written' | 'created'): InputError {
  if (error instanceof InputError) return error;
  const code = codeOf(error);
  const reason = reasons[code] ?? (code || 'for an unknown reason');
  return new InputError(
    `${file} could not be ${verb}: ${reason}.`,
    'Correct this, then run the command again.',
  );
}

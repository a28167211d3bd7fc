/** Errors on their way from a worker to the main thread, where they become those of src/errors.ts. */

import { DocumentError } from '../../documents/document-error.ts';
import { AppError } from '../../errors.ts';
import type { WorkerFailure } from './protocol.ts';

/** What SQLite says when the file system refuses a write. */
const DISK = /disk I\/O error|database or disk is full|unable to open database file/;

const SYSTEM_DISK = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EIO']);

export function toFailure(error: unknown): WorkerFailure {
  if (error instanceof DocumentError) {
    return { kind: 'document', message: error.message, hint: error.hint, fault: error.fault };
  }
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof AppError) return { kind: 'other', message, hint: error.hint };
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (DISK.test(message) || SYSTEM_DISK.has(code)) return { kind: 'disk', message, hint: '' };
  const isSql = error instanceof Error && error.name === 'SQLite3Error';
  return { kind: isSql ? 'sql' : 'other', message, hint: '' };
}

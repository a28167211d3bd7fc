/** A worker thread as it is asked: one request after the other, what fails told as data. */

import type { MessagePort } from 'node:worker_threads';
import { AppError } from '../../../base/errors.ts';
import { DocumentError } from '../../documents/document-error.ts';
import type { WorkerAnswer, WorkerFailure } from './protocol.ts';

/** One request after the other, in the order in which they came. */
export function serve<Request>(port: MessagePort, answer: (request: Request) => unknown): void {
  let last = Promise.resolve();
  port.on('message', ({ id, request }: { id: number; request: Request }) => {
    last = last.then(async () => {
      const reply: WorkerAnswer = await Promise.resolve()
        .then(() => answer(request))
        .then(
          (value) => ({ id, value }),
          (error: unknown) => ({ id, failure: toFailure(error) }),
        );
      port.postMessage(reply);
    });
  });
}

// Errors on their way from a worker to the main thread, where they become those of src/base/errors.ts.

/** What SQLite says when the file system refuses a write. */
const DISK = /disk I\/O error|database or disk is full|unable to open database file/;

const SYSTEM_DISK = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EIO']);

function toFailure(error: unknown): WorkerFailure {
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

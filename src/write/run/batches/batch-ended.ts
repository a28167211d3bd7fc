/** What a sender meets when nothing more may be sent for its item. */

import { AppError } from '../../../base/errors.ts';

/** The item is another process's now, or how far it is cannot be written down. */
export class BatchEndedError extends AppError {
  override readonly name = 'BatchEndedError';
}

/** The error for a document that cannot be read, with the reason and what to do about it. */

import { AppError } from '../../base/errors.ts';

/**
 * `truncated` means that its end is missing, `damaged` that its content is wrong, `too-large` that it exceeds
 * a stated limit.
 */
export type DocumentErrorKind = 'truncated' | 'damaged' | 'too-large';

/** Callers must discard everything read from the document. Message and hint contain none of its text. */
export class DocumentError extends AppError {
  override readonly name = 'DocumentError';
  readonly fault: DocumentErrorKind;

  constructor(fault: DocumentErrorKind, message: string, hint = HINTS[fault], options?: ErrorOptions) {
    super(message, hint, options);
    this.fault = fault;
  }
}

const HINTS: Readonly<Record<DocumentErrorKind, string>> = {
  truncated: 'Nothing was loaded. Collect it again: the download was probably cut short.',
  damaged: 'Nothing was loaded. Collect it again; if that fails in the same way, ask for a new report.',
  'too-large':
    'Nothing was loaded. Ask for less at once: fewer days, fewer marketplaces, or a smaller report type.',
};

/** A document cannot be read: why, and what to do about it. */

import { AppError } from '../../base/errors.ts';

/** `truncated`: its end is missing; `damaged`: it is not what it should be; `too-large`: over a stated limit. */
export type DocumentFault = 'truncated' | 'damaged' | 'too-large';

/** Nothing of the document is to be used. Message and hint hold no text of it. */
export class DocumentError extends AppError {
  override readonly name = 'DocumentError';
  readonly fault: DocumentFault;

  constructor(fault: DocumentFault, message: string, hint = HINTS[fault], options?: ErrorOptions) {
    super(message, hint, options);
    this.fault = fault;
  }
}

const HINTS: Readonly<Record<DocumentFault, string>> = {
  truncated: 'Nothing was loaded. Collect it again: the download was probably cut short.',
  damaged: 'Nothing was loaded. Collect it again; if that fails in the same way, ask for a new report.',
  'too-large':
    'Nothing was loaded. Ask for less at once: fewer days, fewer marketplaces, or a smaller report type.',
};

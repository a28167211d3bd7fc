/** Describes a document that is replaced in an answer: its kind, its size, and how to save it. */

import { formatSize } from '../../base/text/size.ts';
import type { AnswerDocument, FoundDocument } from './find-documents.ts';

/** The notice for files that may contain data of a buyer. */
export const REAL_VALUES = 'What was saved holds the real values, those of buyers included.';

/** Returns `PDF label, 24 kB`; the size of a document at an address is unknown before it is downloaded. */
export function describeDocument(document: FoundDocument): string {
  const { subject } = document;
  if (document.from === 'address') {
    const guess = document.guess === undefined ? '' : `${document.guess} `;
    return `${guess}${subject} at a signed address`;
  }
  return `${formatDocumentKind(document.kind.name, subject)}, ${formatDocumentSize(document)}`;
}

function formatDocumentSize({ bytes, fault }: AnswerDocument): string {
  if (fault === 'damaged') return 'damaged or cut short by the service';
  return bytes === undefined ? 'too large to be unpacked here' : formatSize(bytes);
}

/** Returns `PDF label`; unknown bytes are described by their path alone. */
export function formatDocumentKind(kind: string, subject: string): string {
  return kind === 'unknown' ? `${subject} of an unknown kind` : `${kind} ${subject}`;
}

/** False if a file of the document would be useless. */
export const canBeSaved = (document: FoundDocument) =>
  document.from === 'address' || document.fault === undefined;

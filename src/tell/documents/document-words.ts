/** What stands in an answer in the place of a document: what it is, how large, and how it is saved. */

import { sizeWords } from '../../base/text/size.ts';
import type { AnswerDocument, FoundDocument } from './find-documents.ts';

/** Of files in which something may be about a buyer. */
export const REAL_VALUES = 'What was saved holds the real values, those of buyers included.';

/** `PDF label, 24 kB`; of one at an address nobody knows more before it is fetched. */
export function documentWords(document: FoundDocument): string {
  const { subject } = document;
  if (document.from === 'address') {
    const guess = document.guess === undefined ? '' : `${document.guess} `;
    return `${guess}${subject} at a signed address`;
  }
  return `${kindWords(document.kind.name, subject)}, ${stateWords(document)}`;
}

function stateWords({ bytes, fault }: AnswerDocument): string {
  if (fault === 'damaged') return 'damaged or cut short by the service';
  return bytes === undefined ? 'too large to be unpacked here' : sizeWords(bytes);
}

/** `PDF label`; bytes that tell nothing are only what their place says. */
export function kindWords(kind: string, subject: string): string {
  return kind === 'unknown' ? `${subject} of an unknown kind` : `${kind} ${subject}`;
}

/** False where nobody could do anything with a file of it. */
export const canBeSaved = (document: FoundDocument) =>
  document.from === 'address' || document.fault === undefined;

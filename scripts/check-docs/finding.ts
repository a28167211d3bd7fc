/** One statement in a document that is not true of the repository. */

import type { Document, Part } from './read-document.ts';

export interface Finding {
  path: string;
  line: number;
  message: string;
}

export function finding(
  document: Pick<Document, 'path'>,
  part: Pick<Part, 'line'>,
  message: string,
): Finding {
  return { path: document.path, line: part.line, message };
}

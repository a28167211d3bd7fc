/** Replaces the documents in items of a collection by descriptions, because a table cannot show a label. */

import type { Operation } from '../../service/facts/operation.ts';
import { canBeSaved, describeDocument } from './describe-document.ts';
import { findDocuments } from './find-documents.ts';

export async function describeItems(
  operation: Operation,
  items: readonly unknown[],
): Promise<readonly unknown[]> {
  const { documents, withWords } = await findDocuments(operation, items);
  if (documents.length === 0) return items;
  const shown = withWords(
    (document) =>
      `${describeDocument(document)}; ${canBeSaved(document) ? 'read_operation with save_as saves it' : 'it cannot be saved'}`,
  );
  return Array.isArray(shown) ? shown : items;
}

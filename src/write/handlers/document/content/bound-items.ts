/**
 * Bounds the items of a document to the size that one thread passes to another. An item is cut where it is
 * longer than an approval request has room for.
 */

import { jsonText } from '../../../../base/json.ts';
import type { DocumentItem, DocumentItemPart } from './content.ts';

/** An item is cut to this many characters, more than any approval request shows. */
const MAX_CHARACTERS = 20_000;

export function boundItem(item: DocumentItem): DocumentItem {
  let left = MAX_CHARACTERS;
  const parts: DocumentItemPart[] = [];
  for (const part of item.parts) {
    const text = jsonText('label' in part ? part.value : part.entries);
    left -= text.length + 50;
    if (left >= 0) {
      parts.push(part);
      continue;
    }
    // The beginning of the first part that does not fit stays, because no approval request shows its end.
    parts.push({
      label: 'label' in part ? part.label : part.attribute,
      value: text.slice(0, MAX_CHARACTERS),
    });
    return { ...item, parts, isCut: true };
  }
  return item;
}

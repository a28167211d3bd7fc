/** Turns the items of a document into rows of the approval page, unshortened, as far as the page has room. */

import type { ApprovalRow } from '../../../../../views/data.ts';
import { count } from '../../../../base/text/format-value.ts';
import type { ContentOptions } from './content.ts';
import { describeItem, formatUnit } from './describe-content.ts';
import { readContent } from './read-content.ts';

/** A page has at most this many rows and characters; of a longer document it shows the most unusual items. */
const MAX_PAGE_ROWS = 25_000;
const MAX_PAGE_CHARACTERS = 30_000_000;

/** @param where says where the whole document can be seen, for items without room */
export function readPageRows(bytes: Uint8Array, options: ContentOptions, where: string): ApprovalRow[] {
  const content = readContent(bytes, { ...options, maxItems: MAX_PAGE_ROWS, isWhole: true });
  if ('problems' in content) return [];
  const { form, items, total } = content;
  const view = { places: options.places, mask: (value: unknown) => value };
  const rows: ApprovalRow[] = [];
  let left = MAX_PAGE_CHARACTERS;
  for (const [at, item] of items.entries()) {
    const { name, change, unusual } = describeItem(item, form, view);
    left -= change.length + unusual.length;
    if (left < 0) break;
    rows.push({ key: String(at), name, change, odd: unusual, lately: '' });
  }
  const missing = total - rows.length;
  if (missing > 0) {
    const rest = `${count(missing)} more ${formatUnit(form, missing)} that this page has no room for`;
    rows.push({ key: 'rest', name: rest, change: `All of them: ${where}`, odd: '', lately: '' });
  }
  return rows;
}

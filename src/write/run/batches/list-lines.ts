/** The list itself in its file: as it was confirmed, or not at all. */

import { createHash } from 'node:crypto';
import * as z from 'zod';
import { jsonText } from '../../../base/json.ts';
import type { Sealer } from '../../../privacy/sealed/sealer.ts';
import { makeDetail, openDetail } from './details.ts';
import { type Detail, type Head, type Kept, type Line, lineText } from './lines.ts';
import type { BatchItem } from './types.ts';

/** Items in one line. */
const ITEMS_AT_ONCE = 500;

const itemsSchema = z.array(z.object({ key: z.string(), value: z.unknown() }));

/** The lines of a list, as it is begun. */
export async function buildLines(
  head: Omit<Head, 'check' | 'kept' | 't' | 'v' | 'total'>,
  items: readonly BatchItem[],
  kept: Kept,
  sealer: Sealer,
): Promise<string> {
  const first = { t: 'list', v: 1, ...head, total: items.length, check: checkOf(items), kept } as const;
  const lines: Line[] = [first];
  for (let from = 0; from < items.length; from += ITEMS_AT_ONCE) {
    const d = await makeDetail(items.slice(from, from + ITEMS_AT_ONCE), kept, sealer);
    if (d !== undefined) lines.push({ t: 'items', d });
  }
  return lines.map(lineText).join('');
}

/** Undefined where they cannot be read any more, or are not what was confirmed. @throws what the sealer throws */
export async function openItems(
  { check, total }: Head,
  details: readonly Detail[],
  sealer: Sealer,
): Promise<readonly BatchItem[] | undefined> {
  const items: BatchItem[] = [];
  for (const detail of details) {
    const some = itemsSchema.safeParse(await openDetail(detail, sealer)).data;
    if (some === undefined) return undefined;
    items.push(...some);
  }
  // Nothing is sent that is not what was confirmed.
  return items.length === total && checkOf(items) === check ? items : undefined;
}

function checkOf(items: readonly BatchItem[]): string {
  const hash = createHash('sha256');
  for (const { key, value } of items) hash.update(`${jsonText([key, value])}\n`);
  return hash.digest('hex');
}

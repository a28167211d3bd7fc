/** What of a line only the person may see: sealed, in the clear, or not written at all. */

import { jsonText, parseJson } from '../../../base/json.ts';
import type { Sealer } from '../../../privacy/sealed/sealer.ts';
import type { Detail, Kept } from './lines.ts';

/** Undefined where nothing of it may be written. @throws what the sealer throws */
export async function makeDetail(value: unknown, kept: Kept, sealer: Sealer): Promise<Detail | undefined> {
  if (value === undefined) return undefined;
  if (kept === 'clear') return { v: value };
  return kept === 'memory' ? undefined : { x: await sealer.seal(jsonText(value)) };
}

/** Undefined for what was not written, or cannot be opened any more. @throws what the sealer throws */
export async function openDetail(detail: Detail | undefined, sealer: Sealer): Promise<unknown> {
  if (detail === undefined || 'v' in detail) return detail?.v;
  const text = await sealer.open(detail.x);
  return text === undefined ? undefined : parseJson(text);
}

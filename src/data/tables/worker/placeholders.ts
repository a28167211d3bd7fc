/** Finds placeholders within the cells of an answer and replaces them by the real values. */

import {
  EVERY_PLACEHOLDER,
  PLACEHOLDER_KINDS,
  PLACEHOLDER_LETTERS,
  PLACEHOLDER_SHAPE,
} from '../../../base/text/placeholder-shape.ts';
import { encodeMarkup } from '../../../privacy/personal/mask-markup.ts';
import { changeJsonInText, isMarkup } from '../../../privacy/personal/structure-in-text.ts';
import type { RecentPairs } from './placeholder-cache.ts';

/** Matches placeholders in JSON, where a number became a text with a placeholder in it. */
const EVERY_IN_JSON = new RegExp(`"${PLACEHOLDER_SHAPE}"|${PLACEHOLDER_SHAPE}`, 'g');

/** Matches the rest that `upper` or `substr` leave of a placeholder, which cannot be resolved. */
const PART_OF_MARK = new RegExp(`«(?:${PLACEHOLDER_KINDS.join('|')})|[0-9a-z]{${PLACEHOLDER_LETTERS}}»`, 'i');

/** Returns true for a cell in which the statement itself has changed a placeholder. */
export function containsPartOfMark(cell: string): boolean {
  return /[«»]/.test(cell) && PART_OF_MARK.test(cell.replace(EVERY_PLACEHOLDER, ''));
}

/** Adds the known values of a cell's placeholders to `found`. */
export function collectMarks(cell: string, pairs: RecentPairs, found: Map<string, string>): void {
  if (!cell.includes('«')) return;
  for (const [mark] of cell.matchAll(EVERY_PLACEHOLDER)) {
    const value = pairs.resolve(mark);
    if (value !== undefined) found.set(mark, String(value));
  }
}

/** Returns the cell with its real values; JSON in it stays JSON, and markup markup. */
export function resolveMarks(cell: string, pairs: RecentPairs) {
  if (!cell.includes('«')) return { value: cell, replaced: 0, unresolved: 0 };
  const whole = pairs.resolve(cell);
  if (whole !== undefined) return { value: whole, replaced: 1, unresolved: 0 };
  const counts = { replaced: 0, unresolved: 0 };
  const replace = (mark: string, write: (value: string | number | bigint) => string) => {
    const value = pairs.resolve(mark);
    if (value === undefined) counts.unresolved += 1;
    else counts.replaced += 1;
    return value === undefined ? undefined : write(value);
  };
  const inJson = (json: string) =>
    json.replace(EVERY_IN_JSON, (found) => {
      const isAlone = found.startsWith('"');
      const mark = isAlone ? found.slice(1, -1) : found;
      return (
        replace(mark, (original) => {
          if (isAlone) return typeof original === 'string' ? JSON.stringify(original) : String(original);
          return JSON.stringify(String(original)).slice(1, -1);
        }) ?? found
      );
    });
  const asText = (write: (value: unknown) => string) => (words: string) =>
    words.replace(EVERY_PLACEHOLDER, (mark) => replace(mark, write) ?? mark);
  const inText = (text: string): string =>
    changeJsonInText(
      text,
      (value, written) => (typeof value === 'string' ? JSON.stringify(inText(value)) : inJson(written)),
      asText(String),
    );
  const value = isMarkup(cell) ? asText((original) => encodeMarkup(String(original)))(cell) : inText(cell);
  return { value, ...counts };
}

/** Returns undefined for a placeholder without an area, and for any other text. */
export function areaOfMark(text: string): string | undefined {
  return /^«postcode ([0-9A-Za-z]{1,4})\.\. /.exec(text)?.[1];
}

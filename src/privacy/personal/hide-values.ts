/** Replaces values by their placeholders wherever they occur. */

import { isJsonObject } from '../../base/json.ts';
import { WHOLE_PLACEHOLDER } from '../../base/text/placeholder-shape.ts';
import { changeOutsidePlaceholders } from './outside-placeholders.ts';
import type { ReplacedPlaceholder } from './personal-data.ts';
import { createTextFinder } from './text-finder.ts';

/** Shorter values are replaced as whole words only, and a single character only if it is the whole value. */
const MIN_PART_CHARACTERS = 3;

/**
 * Returns a function that copies any value, member names included, with each original replaced by its
 * placeholder.
 */
export function createValueHider(replaced: readonly ReplacedPlaceholder[]): (value: unknown) => unknown {
  if (replaced.length === 0) return (value) => value;
  const marks = new Map(replaced.map(({ mark, original }) => [original, mark]));
  const long = replaced
    .filter(({ original }) => original.length >= MIN_PART_CHARACTERS)
    .sort((a, b) => b.original.length - a.original.length);
  const wordFinder = createTextFinder();
  for (const { mark, original } of replaced) wordFinder.add(original, mark);
  // These are replaced in the whole text and not between placeholders, because each of them looks like one.
  const foreign = long.filter(({ original }) => WHOLE_PLACEHOLDER.test(original));
  const hideText = (text: string) =>
    marks.get(text) ??
    long.reduce(
      (shown, { mark, original }) =>
        changeOutsidePlaceholders(shown, (piece) => piece.replaceAll(original, () => mark)),
      changeOutsidePlaceholders(
        foreign.reduce((shown, { mark, original }) => shown.replaceAll(original, () => mark), text),
        wordFinder.replaceIn,
      ),
    );
  const hide = (value: unknown): unknown => {
    if (typeof value === 'string') return hideText(value);
    if (typeof value === 'number') return marks.get(String(value)) ?? value;
    if (Array.isArray(value)) return value.map(hide);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [hideText(name), hide(member)]));
  };
  return hide;
}

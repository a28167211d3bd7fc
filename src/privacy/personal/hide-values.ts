/** Values that marks stand for, back to their marks wherever they stand. */

import { isJsonObject } from '../../base/json.ts';
import { WHOLE_MARK } from '../../base/text/mark-shape.ts';
import { changeBetweenMarks } from './between-marks.ts';
import type { Replaced } from './personal-data.ts';
import { createTextFinder } from './text-finder.ts';

/** Shorter ones are replaced as words only; one character only where it is the whole of a value. */
const FEWEST_CHARACTERS = 3;

/** Every one of the values in a copy of anything, member names included, back to its mark. */
export function hider(replaced: readonly Replaced[]): (value: unknown) => unknown {
  if (replaced.length === 0) return (value) => value;
  const marks = new Map(replaced.map(({ mark, original }) => [original, mark]));
  const long = replaced
    .filter(({ original }) => original.length >= FEWEST_CHARACTERS)
    .sort((a, b) => b.original.length - a.original.length);
  const words = createTextFinder();
  for (const { mark, original } of replaced) words.add(original, mark);
  // Not between marks: each of them looks like one.
  const foreign = long.filter(({ original }) => WHOLE_MARK.test(original));
  const hideText = (text: string) =>
    marks.get(text) ??
    long.reduce(
      (shown, { mark, original }) =>
        changeBetweenMarks(shown, (piece) => piece.replaceAll(original, () => mark)),
      changeBetweenMarks(
        foreign.reduce((shown, { mark, original }) => shown.replaceAll(original, () => mark), text),
        words.replaceIn,
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

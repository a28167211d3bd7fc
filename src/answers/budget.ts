/** Fits an answer into a budget of tokens: what does not fit is left out, named, and stays reachable by `select`. */

import { byteLength } from '../json.ts';
import { fitPart } from './fit.ts';
import { createMeasure } from './json.ts';
import { costOf, type Omission } from './omission.ts';
import { measurePart, type Part, shownValue } from './part.ts';

export type { Omission } from './omission.ts';

/** What a fitted answer takes besides its two members. */
const FRAME = byteLength('{"value":,"omitted":[]}');

/**
 * Fits a value, or a selection of it, so that `{ value, omitted }` as JSON takes at most `maxTokens`.
 *
 * Left out are whole members, the largest first; arrays lose their end; a long text keeps its beginning (64
 * characters of an encoded document that was not asked for). An element of which nothing can be shown is null. What is nested deeper than 24 levels, or cannot be named by a path of 256 bytes, comes as JSON text by
 * ranges (`~json.0-`). Selecting the paths of every omission, again and again, gives back the whole value,
 * as long as `maxTokens` is 500 or more.
 */
export function fitToBudget(
  value: unknown,
  maxTokens: number,
  part: Part = { kind: 'whole', value },
): { value: unknown; omitted: Omission[] } {
  const room = maxTokens * 3 - FRAME;
  const context = { measure: createMeasure(), fit: fitPart };
  const fitted = fitPart(context, part, '', 0, room);
  if (fitted !== undefined) return { value: shownValue(fitted.part), omitted: fitted.omitted };
  const { bytes } = measurePart(part, context.measure);
  const all = { select: ['~json.0-'], what: 'everything, as JSON text', bytes };
  return { value: null, omitted: costOf([all]) + 4 <= room ? [all] : [] };
}

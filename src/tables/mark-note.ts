/** Tells when a masked column is compared with a text: no mark is like it, so that nothing is found that may be there. */

import { EVERY_MARK } from '../text/mark-shape.ts';
import { isPersonal } from './personal-tables.ts';
import type { Token } from './statement.ts';
import type { TableInfo } from './types.ts';

const COMPARES = new Set(['=', '<', '>', '!', 'like', 'glob', 'in', 'between', 'is', 'not']);

/** Undefined where masked columns are compared with nothing, or with marks alone. */
export function noteOnMarks(tokens: readonly Token[], tables: readonly TableInfo[]): string | undefined {
  const masked = new Map(
    tables.flatMap(({ columns }) =>
      columns.filter(isPersonal).map(({ name, personal }) => [name.toLowerCase(), { name, personal }]),
    ),
  );
  const [column] = tokens.flatMap(
    (token, at) => (isValue(token) && masked.get(comparedWith(tokens, at) ?? '')) || [],
  );
  if (column === undefined) return undefined;
  const { name, personal } = column;
  const next =
    personal === 'postcode'
      ? `Compare its area: postcode_area(${name}) = '...'.`
      : 'Compare with a mark of an earlier answer.';
  return `${name} holds marks here, and no other text is found in it: this says nothing of what its values are. ${next}`;
}

/** A text that a value could be: an empty one, or one with a mark, is compared rightly. */
const isValue = ({ kind, text }: Token) => kind === 'text' && text !== "''" && text.search(EVERY_MARK) < 0;

/** The name on the other side of a comparison before this text, whatever functions are around it. */
function comparedWith(tokens: readonly Token[], text: number): string | undefined {
  let at = text - 1;
  // Back over other texts of a list, and over functions that are called with the text.
  while (isListed(tokens[at]) || (tokens[at]?.kind === 'word' && tokens[at + 1]?.text === '(')) {
    if (COMPARES.has(tokens[at]?.text ?? '')) break;
    at -= 1;
  }
  const operator = at;
  while (COMPARES.has(tokens[at]?.text ?? '')) at -= 1;
  if (at === operator) return undefined;
  while (tokens[at]?.kind === 'sign' && tokens[at]?.text === ')') at -= 1;
  const name = tokens[at];
  if (name?.kind !== 'word' && name?.kind !== 'name') return undefined;
  return tokens[at - 2]?.text === 'postcode_area' ? undefined : name.text;
}

const isListed = (token: Token | undefined) =>
  token?.kind === 'text' || (token?.kind === 'sign' && (token.text === ',' || token.text === '('));

/** Makes text safe for a terminal: whatever cannot be seen is written as \uXXXX. */

/** Controls, bidirectional marks, tags, separators other than the space, private and lone halves, variation selectors. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Variation_Selector}]/gu;

/** Also valid inside a JSON text, where all of these can only stand within strings. */
export function escapeInvisible(text: string): string {
  return text.replace(INVISIBLE, escapeUnits);
}

function escapeUnits(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

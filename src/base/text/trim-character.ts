/** Trims one character from the ends of a text in linear time. */

/** Trims the end: `a//` with `/` gives `a`. */
export function trimEndOf(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}

/** Trims both ends: `--a--` with `-` gives `a`. */
export function trimBothOf(text: string, character: string): string {
  let start = 0;
  while (start < text.length && text[start] === character) start += 1;
  return trimEndOf(text.slice(start), character);
}

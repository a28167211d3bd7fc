/** Takes one character off the ends of a text, in one look at each end. */

/** `a//` and `/` -> `a`. */
export function trimEndOf(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}

/** `--a--` and `-` -> `a`. */
export function trimBothOf(text: string, character: string): string {
  let start = 0;
  while (start < text.length && text[start] === character) start += 1;
  return trimEndOf(text.slice(start), character);
}

/** Wraps plain text between words, so that it fits a terminal. */

/**
 * Wraps a line; further lines are indented by `indent` blanks. A word that is longer than a line is not
 * broken, and a line that fits stays unchanged.
 */
export function wrap(line: string, width: number, indent = 0): string[] {
  if (line.length <= width) return [line];
  const room = Math.max(1, width);
  const own = /^ */.exec(line)?.[0] ?? '';
  const lines: string[] = [];
  let current = own;
  let isEmpty = true;
  for (const word of line.trim().split(/ +/)) {
    if (!isEmpty && current.length + 1 + word.length > room && word.length <= room) {
      lines.push(current);
      current = ' '.repeat(indent) + word;
    } else current += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, current];
}

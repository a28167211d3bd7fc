/** Reads an operation's default rate and burst from the table in its description, the only place they stand in. */

/** `[requests per second, burst]`, or undefined where the table is missing or holds no numbers. */
export function parseRate(description: string): [number, number] | undefined {
  const lines = description.split(/\n|\\n/).map((line) => line.trim());
  const heading = lines.findIndex(
    (line) => line.startsWith('|') && /rate \(requests per second\)/i.test(line),
  );
  if (heading < 0) return undefined;
  const columns = cellsOf(lines[heading]);
  const rate = columns.findIndex((cell) => /^rate/i.test(cell));
  const burst = columns.findIndex((cell) => /^burst/i.test(cell));
  for (const line of lines.slice(heading + 2)) {
    if (!line.startsWith('|')) return undefined;
    const cells = cellsOf(line);
    const numbers: [number, number] = [Number(cells[rate] || Number.NaN), Number(cells[burst] || Number.NaN)];
    if (numbers.every(Number.isFinite)) return numbers;
  }
  return undefined;
}

function cellsOf(line: string | undefined): string[] {
  return (line ?? '')
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());
}
